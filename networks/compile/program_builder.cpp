#include "networks/compile/program_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace xnorbench {
namespace {

bool contains(const std::vector<BufferId>& ids, BufferId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

std::string form_of(const TensorShape& shape, std::string_view type) {
  return fmt::format("{}x{}x{}x{} {}", shape.batch, shape.height, shape.width, shape.channels,
                     type);
}

void ProgramBuilder::begin_module(const std::string& layer, const std::string& kind) {
  end_module();
  module_ = {layer, kind, ledger_.current()};
}

void ProgramBuilder::end_module() {
  const MemoryUse use = ledger_.current() - module_.use;
  if (use.total() > 0) program_.prepared.push_back({module_.layer, module_.module, use});
}

BufferId ProgramBuilder::add_buffer(const BufferLabel& label, const MemoryUse& use, bool external) {
  program_.buffers.push_back({label.kind, label.layer, label.module, label.form, use, use.total(),
                              external, std::nullopt});
  return program_.buffers.size() - 1;
}

Step& ProgramBuilder::add_step(const std::string& name, Part part, std::vector<BufferId> reads,
                               std::vector<BufferId> writes) {
  program_.steps.push_back({});
  Step& step = program_.steps.back();
  step.name = name;
  step.part = part;
  step.reads = std::move(reads);
  step.writes = std::move(writes);
  return step;
}

AffineView ProgramBuilder::own_affine(const std::string& layer, const BatchNorm& batch_norm,
                                      bool as_module) {
  MemoryUse use = ledger_.current();
  const Affine affine = to_affine(batch_norm);
  auto own = [&](const std::vector<float>& values) {
    program_.parameters.push_back(ledger_.store<float>(Category::parameters, values, "batch norm"));
    return program_.parameters.back().as<float>();
  };
  if (as_module) {
    own(batch_norm.mean);
    own(batch_norm.variance);
  }
  const float* const scale = own(affine.scale);
  const float* const shift = own(affine.shift);
  use = ledger_.current() - use;
  program_.prepared.push_back({layer, to_string(NodeKind::batch_norm), use});
  module_.use += use;
  return {scale, shift};
}

Program ProgramBuilder::finish(BufferId input, BufferId output) {
  end_module();
  program_.input = input;
  program_.output = output;
  for (const auto& [to, from] : in_place_) share_bytes(to, from);
  return std::move(program_);
}

void ProgramBuilder::share_bytes(BufferId to, BufferId from) {
  ProgramBuffer& target = program_.buffers[to];
  const ProgramBuffer& source = program_.buffers[from];
  if (to == from || target.same_as || target.external || source.external ||
      target.bytes != source.bytes)
    return;
  bool written = false;
  for (const Step& step : program_.steps) {
    const bool writes_target = contains(step.writes, to);
    if (written && !writes_target && contains(step.reads, from)) return;
    written = written || writes_target;
  }
  target.same_as = from;
}

}  // namespace xnorbench
