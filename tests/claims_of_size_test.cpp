// Published figures of sizes and counts: the number that each definition gives and its verdict.
#include "bench/claims/claims_of_size.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xnorbench {
namespace {

struct Key {
  std::string id, definition, baseline = {}, conditions = {};
};

/// The one row of this claim and definition, whose baseline is this one, and whose conditions
/// contain the words.
ClaimRow row_of(const Key& key) {
  std::vector<ClaimRow> found;
  for (const ClaimRow& row : claims_of_size())
    if (row.id == key.id && row.definition == key.definition && row.baseline == key.baseline &&
        row.conditions.find(key.conditions) != std::string::npos)
      found.push_back(row);
  EXPECT_EQ(found.size(), 1U) << key.id << ": " << key.definition << " / " << key.baseline;
  return found.empty() ? ClaimRow{} : found.front();
}

/// `value` to the digits that it is given in.
void expect_row(const Key& key, double value, double last_digit, const std::string& unit,
                Verdict verdict) {
  const ClaimRow row = row_of(key);
  EXPECT_NEAR(row.measured_value.value_or(0), value, last_digit / 2)
      << key.definition << " / " << key.baseline;
  EXPECT_EQ(row.unit, unit) << key.definition;
  EXPECT_EQ(to_string(row.verdict), to_string(verdict)) << key.definition << " / " << key.baseline;
}

void expect_compression(const std::string& packed, const std::string& real, double value,
                        Verdict verdict) {
  expect_row({"compression_39x", packed, real}, value, 0.1, "x", verdict);
}

TEST(ClaimsOfSize, ThirtyNineTimesSmallerHoldsOnlyWithGradientsInTheFloatModelAlone) {
  const std::string tensors = "all tensors of the packed model";
  expect_compression(tensors, "the float model's .t7 file with gradients", 39.4,
                     Verdict::reproduced);
  expect_compression(tensors, "tensors of the float model and their gradients", 39.2,
                     Verdict::reproduced);
  expect_compression("the packed model's .t7 file", "the float model's .t7 file with gradients",
                     34.4, Verdict::partly);
  for (const ClaimRow& row : claims_of_size())
    if (row.id == "compression_39x" && row.verdict == Verdict::reproduced) {
      EXPECT_NE(row.baseline.find("gradients"), std::string::npos) << row.baseline;
    }
}

TEST(ClaimsOfSize, PackingAloneIsAtMostThirtyTwo) {
  expect_compression("bits of the binary layers' weights", "the same weights as float32", 32,
                     Verdict::partly);
  expect_compression("bits of the binary layers' weights, and alphas",
                     "the same weights as float32", 31.3, Verdict::partly);
  expect_compression("bits, alphas and the real layers' weights", "all weights as float32", 21.6,
                     Verdict::partly);
  expect_compression("all tensors of the packed model", "all tensors of the float model", 19.6,
                     Verdict::partly);
  expect_compression("all tensors of the packed model", "weights of the float model", 19.5,
                     Verdict::partly);
  expect_compression("the packed model's .t7 file", "the float model's .t7 file without gradients",
                     17.3, Verdict::not_reproduced);
}

TEST(ClaimsOfSize, ModelFilesAreInMebibytes) {
  const std::string file = "the packed model's .t7 file";
  expect_row({"model_size", file, "", "68 landmarks"}, 1.395, 0.001, "MiB", Verdict::reproduced);
  expect_row({"model_size", file, "", "16 joints"}, 1.344, 0.001, "MiB", Verdict::reproduced);
}

TEST(ClaimsOfSize, AlexNetsSizesAreThoseOfDoublesAndOfEveryLayerPacked) {
  const std::string id = "memory_32x_xnornet", all = "every layer packed", net = "AlexNet";
  expect_row({id, "weights as float64", "", net}, 475.8, 0.1, "MiB", Verdict::reproduced);
  expect_row({id, "weights as float32", "", net}, 249.5, 0.1, "MB", Verdict::not_reproduced);
  expect_row({id, all, "", net}, 7.43, 0.01, "MiB", Verdict::reproduced);
  expect_row({id, all, "weights as float64", net}, 64, 1e-9, "x", Verdict::reproduced);
  expect_row({id, all, "weights as float32", net}, 32, 1e-9, "x", Verdict::reproduced);
  expect_row({id, "binary layers packed, alphas, first and last layer as float32",
              "weights as float32", net},
             10.5, 0.1, "x", Verdict::not_reproduced);
}

TEST(ClaimsOfSize, Vgg19HasItsPublishedNumberOfWeights) {
  const std::int64_t biases = 2 * 64 + 2 * 128 + 4 * 256 + 8 * 512 + 2 * 4096 + 1000;
  const auto weights = static_cast<double>(
      143'667'240 - biases);  // all parameters, as its implementations give them
  expect_row({"memory_32x_xnornet", "weights as float64", "", "VGG-19"}, 8 * weights / 0x1p30, 1e-9,
             "GiB", Verdict::partly);
  expect_row({"memory_32x_xnornet", "every layer packed", "", "VGG-19"}, weights / 8 / 0x1p20, 1e-9,
             "MiB", Verdict::partly);
}

TEST(ClaimsOfSize, EspressoCountsBatchNorms) {
  const std::string id = "espresso_memory", packed = "weights as bits and batch norms";
  expect_row({id, "weights as float32 and batch norms", "", "MLP"}, 140.6, 0.1, "MiB",
             Verdict::reproduced);
  expect_row({id, packed, "", "MLP"}, 4.575, 0.001, "MiB", Verdict::reproduced);
  expect_row({id, packed, "", "CNN"}, 1.73, 0.01, "MiB", Verdict::reproduced);
}

TEST(ClaimsOfSize, FormulaOfXnorNet) {
  std::vector<double> speedups;
  for (const ClaimRow& row : claims_of_size())
    if (row.id == "conv_cpu_58x") {
      speedups.push_back(*row.measured_value);
      EXPECT_NEAR(*row.measured_value, row.reported_value, 0.02) << row.conditions;
      EXPECT_EQ(row.verdict, Verdict::theory);
    }
  ASSERT_EQ(speedups.size(), 3U);
  EXPECT_NEAR(speedups[0], 62.27, 0.005);
  EXPECT_NEAR(speedups[1], 19.0, 0.05);
  EXPECT_NEAR(speedups[2], 51.2, 0.005);
}

TEST(ClaimsOfSize, OperationsOfWords) {
  expect_row({"ops_32x", "XORs of the hourglass' binary layers", "their multiply-accumulates"}, 32,
             1e-9, "x", Verdict::theory);
  expect_row(
      {"ops_32x", "XORs of the whole hourglass, and the multiply-accumulates of its real layers",
       "multiply-accumulates of the whole hourglass"},
      11.2, 0.1, "x", Verdict::not_reproduced);
}

TEST(ClaimsOfSize, EveryRowIsComplete) {
  for (const ClaimRow& row : claims_of_size()) {
    EXPECT_FALSE(row.source.empty() || row.unit.empty() || row.conditions.empty() ||
                 row.definition.empty() || row.note.empty())
        << row.id;
    EXPECT_GT(row.reported_value, 0) << row.id;
    EXPECT_EQ(row.command, claims_command(row.id)) << row.id;
    EXPECT_EQ(row.baseline.empty(), row.unit != "x") << row.id << ": " << row.definition;
  }
}

}  // namespace
}  // namespace xnorbench
