// How many operations binary convolution saves, as papers count them: 32 weights in a word, and
// XNOR-Net's formula.
#include <fmt/format.h>

#include "bench/claims/claim_builder.h"
#include "bench/claims/claims_of_size.h"
#include "networks/models/network_list.h"

namespace xnorbench {
namespace {

constexpr std::int64_t word_bits = 32;

/// One XOR or XNOR of two words does this many multiply-accumulates. The dot product of each pixel
/// begins with a new word, so K is rounded up.
std::int64_t word_operations(const Graph& graph) {
  std::int64_t operations = 0;
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::binary_convolution)
      operations += node.problem.shape.output_count() *
                    ((node.problem.shape.k() + word_bits - 1) / word_bits);
  return operations;
}

void operations_of_words(std::vector<ClaimRow>& rows) {
  ClaimBuilder claim(rows, {.id = "ops_32x",
                            .source = "arXiv 1703.00862",
                            .reported_value = 32,
                            .unit = "x",
                            .conditions = "up to; XOR on 32-bit words (SWAR)",
                            .command = claims_command("ops_32x")});
  const Graph hourglass = face_alignment(1);
  const NetworkCounts counts = count(hourglass);
  const auto words = static_cast<double>(word_operations(hourglass));
  claim.theory("one XOR of 32-bit words", "multiply-accumulates that it stands for", word_bits,
               "A word holds 32 weights, and one XOR multiplies all of them; counting the ones is "
               "not counted");
  claim.theory("XORs of the hourglass' binary layers", "their multiply-accumulates",
               static_cast<double>(counts.binary_macs) / words,
               "K of every binary layer fills whole words, so that nothing of the 32 is lost");
  claim.ratio("XORs of the whole hourglass, and the multiply-accumulates of its real layers",
              "multiply-accumulates of the whole hourglass",
              static_cast<double>(counts.macs()) / (words + static_cast<double>(counts.real_macs)),
              "The real layers at the two ends stay as they are and outweigh all XORs together");
  // Warren, Hacker's Delight, 5-1: ones of pairs, of fours, of bytes, and the sum of the bytes.
  constexpr int popcount_operations = 3 + 4 + 3 + 2;
  constexpr int operations_a_word = 1 + popcount_operations + 1;
  constexpr int operations_a_mac = 2;
  claim.ratio("XOR, population count by word arithmetic and addition, on 32-bit words",
              "a multiplication and an addition for each weight",
              static_cast<double>(operations_a_mac * word_bits) / operations_a_word,
              "With the operations that count the ones in SWAR, which the sum cannot do without");
}

/// XNOR-Net's formula for the speed-up of a layer: 64 binary operations per instruction, and one
/// real multiplication per output element.
double xnor_net_formula(std::int64_t in_channels, std::int64_t taps) {
  constexpr double bits = 64;
  const auto k = static_cast<double>(in_channels * taps);
  return bits * k / (k + bits);
}

void formula_of_xnor_net(std::vector<ClaimRow>& rows) {
  struct Layer {
    double published;
    std::int64_t in_channels, kernel;
    const char *text, *note;
  };
  const Layer layers[] = {
      {62.27, 256, 3, "256 input channels, 3x3",
       "The formula counts operations of a wide layer: no machine takes part"},
      {19.0, 3, 3, "3 input channels, 3x3",
       "By the same formula a first layer on a picture gains three times less"},
      {51.2, 256, 1, "256 input channels, 1x1",
       "By the same formula a 1x1 layer gains less: its dot products are short"}};
  for (const Layer& layer : layers) {
    ClaimBuilder claim(rows,
                       {.id = "conv_cpu_58x",
                        .source = "XNOR-Net, arXiv 1603.05279 (recalled)",
                        .reported_value = layer.published,
                        .unit = "x",
                        .conditions = fmt::format("high-precision operations; {}", layer.text),
                        .command = claims_command("conv_cpu_58x")});
    claim.theory("S = 64 c N_W / (c N_W + 64), c input channels, N_W taps of the window",
                 "one operation for each multiply-accumulate",
                 xnor_net_formula(layer.in_channels, layer.kernel * layer.kernel), layer.note);
  }
}

}  // namespace

std::vector<ClaimRow> claims_of_operations() {
  std::vector<ClaimRow> rows;
  operations_of_words(rows);
  formula_of_xnor_net(rows);
  return rows;
}

}  // namespace xnorbench
