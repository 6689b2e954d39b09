// What `xnorbench memory` makes of a wrong output.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "bench/commands.h"

namespace xnorbench {
namespace {

/// Runs another plan, and spoils the first of its results.
class SpoiltPlan final : public Plan {
 public:
  explicit SpoiltPlan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
  KernelName kernel() const override { return plan_->kernel(); }
  SumType sum_type() const override { return plan_->sum_type(); }
  MemoryUse workspace() const override { return plan_->workspace(); }
  void run(const void* source, const Output& output, std::byte* workspace) override {
    plan_->run(source, output, workspace);
    if (output.values.data) output.values.data[0] += 1.0F;
  }

 private:
  std::unique_ptr<Plan> plan_;
};

class SpoiltImplementation final : public Implementation {
 public:
  const ImplementationInfo& info() const override { return info_; }
  Support available(const Machine&) const override { return {}; }
  Support supports(const ConvProblem&, const Machine&) const override { return {}; }
  PackedFormat source_format(const ConvProblem& problem) const override {
    return swar_.source_format(problem);
  }
  std::unique_ptr<Plan> prepare(const ConvProblem& problem, const Weights& weights,
                                Context& context) const override {
    return std::make_unique<SpoiltPlan>(swar_.prepare(problem, weights, context));
  }

 private:
  const Implementation& swar_ = *find_implementations("cpu_xnor_swar").front();
  ImplementationInfo info_{"cpu_xnor_spoilt", "cpu", "xnor", "for this test"};
};

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MemoryCommand, AWrongOutputIsTheStatusAndHasNoRow) {
  const SpoiltImplementation spoilt;
  const std::filesystem::path out =
      std::filesystem::temp_directory_path() / ("xnorbench_memory_" + std::to_string(getpid()));
  Options options;
  options.argv = {"xnorbench", "memory"};
  options.implementations = {find_implementations("cpu_xnor_swar").front(), &spoilt};
  options.networks = "binarynet_mnist";
  options.threads = {1};
  options.isas = {best_isa()};
  options.caches = {Cache::hot};
  options.policies = {&arena_policy()};
  options.out = out.string();
  testing::internal::CaptureStdout();
  EXPECT_EQ(memory_command().run(options), 1);
  testing::internal::GetCapturedStdout();
  const std::string rows = content_of(out / "memory.csv");
  EXPECT_NE(rows.find("cpu_xnor_swar"), std::string::npos);
  EXPECT_EQ(rows.find("cpu_xnor_spoilt"), std::string::npos);
  std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace xnorbench
