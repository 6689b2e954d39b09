// Takes the place, in the list, of an implementation whose library was not found at build time.
#pragma once

#include <stdexcept>
#include <utility>

#include "core/implementation.h"

namespace xnorbench {

class MissingImplementation final : public Implementation {
 public:
  MissingImplementation(ImplementationInfo info, std::string reason)
      : info_(std::move(info)), reason_(std::move(reason)) {}

  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine&) const override { return Support::unavailable(reason_); }
  Support supports(const ConvProblem&, const Machine& machine) const override {
    return available(machine);
  }
  PackedFormat source_format(const ConvProblem&) const override { throw std::logic_error(reason_); }
  std::unique_ptr<Plan> prepare(const ConvProblem&, const Weights&, Context&) const override {
    throw std::logic_error(reason_);
  }

 private:
  ImplementationInfo info_;
  std::string reason_;
};

}  // namespace xnorbench
