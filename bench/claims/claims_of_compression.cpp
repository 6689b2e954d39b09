// How much smaller the binary hourglass is than its real-valued counterpart. What each side counts
// was not published; the ratio is 17 to 39, depending on it.
#include "bench/claims/claim_builder.h"
#include "bench/claims/claims_of_size.h"
#include "networks/models/network_list.h"
#include "networks/torch7/torch7_file.h"

namespace xnorbench {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);

void compression(std::vector<ClaimRow>& rows) {
  ClaimBuilder claim(
      rows, {.id = "compression_39x",
             .source = "arXiv 1703.00862",
             .reported_value = 39,
             .unit = "x",
             .conditions =
                 "against the single-precision counterpart in Torch; biases removed, 32 weights "
                 "a word; what is counted is not said",
             .command = claims_command("compression_39x")});
  const auto ratio = [&](const char* definition, const char* baseline, std::int64_t small,
                         std::int64_t large, const char* note) {
    claim.ratio(definition, baseline, static_cast<double>(large) / static_cast<double>(small),
                note);
  };

  const Graph hourglass = face_alignment(1);
  const NetworkCounts counts = count(hourglass);
  const std::int64_t weights = float_bytes * (counts.binary_weights + counts.real_weights);
  const std::int64_t biases = float_bytes * counts.biases;
  const std::int64_t batch_norm_vector = float_bytes * counts.batch_norm_channels;
  const std::int64_t float_model = weights + biases + 4 * batch_norm_vector;
  const std::int64_t gradients = weights + biases + 2 * batch_norm_vector;
  const std::int64_t model = counts.model_bytes();

  ratio("bits of the binary layers' weights", "the same weights as float32", counts.packed_bytes(),
        float_bytes * counts.binary_weights, "The most that packing alone can give");
  ratio("bits of the binary layers' weights, and alphas", "the same weights as float32",
        counts.packed_and_alpha_bytes(), float_bytes * counts.binary_weights,
        "The scale of each output channel costs a little");
  ratio("bits, alphas and the real layers' weights", "all weights as float32",
        counts.packed_and_alpha_bytes() + float_bytes * counts.real_weights, weights,
        "The real layers are few of the weights but a third of the packed bytes");
  ratio("all tensors of the packed model", "all tensors of the float model", model, float_model,
        "With biases and batch norms, which packing leaves as they are");
  ratio("all tensors of the packed model", "weights of the float model", model, weights,
        "Batch norms are counted in the packed model only");
  ratio("all tensors of the packed model", "tensors of the float model and their gradients", model,
        float_model + gradients,
        "Gradient buffers, which only training needs, double the float model");

  const Torch7Options real{.binary = Torch7Binary::real};
  const Torch7Options trained{.binary = Torch7Binary::real, .gradients = true};
  const std::int64_t file = torch7_file_bytes(hourglass);
  ratio("all tensors of the packed model", "the float model's .t7 file with gradients", model,
        torch7_file_bytes(hourglass, trained),
        "A file with the gradient buffers of training against bare tensors: only such counts give "
        "39");
  ratio("all tensors of the packed model",
        "the float model's .t7 file with gradients and a bias in every layer", model,
        torch7_file_bytes(face_alignment_real(1), {.gradients = true}),
        "Biases that were removed hardly matter");
  ratio("all tensors of the packed model", "the float model's .t7 file without gradients", model,
        torch7_file_bytes(hourglass, real), "Without gradient buffers half of it is left");
  ratio("the packed model's .t7 file", "the float model's .t7 file without gradients", file,
        torch7_file_bytes(hourglass, real), "What a user who keeps both models on disk sees");
  ratio("the packed model's .t7 file", "the float model's .t7 file with gradients", file,
        torch7_file_bytes(hourglass, trained),
        "File to file when the float one was saved as training left it");
}

void model_files(std::vector<ClaimRow>& rows) {
  struct Model {
    double published;
    const char* conditions;
    Graph graph;
  };
  const Model models[] = {{1.4, "file on disk; face alignment, 68 landmarks", face_alignment(1)},
                          {1.3, "file on disk; human pose, 16 joints", human_pose(1)}};
  for (const Model& model : models) {
    ClaimBuilder claim(rows, {.id = "model_size",
                              .source = "authors' page",
                              .reported_value = model.published,
                              .unit = "MB",
                              .conditions = model.conditions,
                              .command = claims_command("model_size")});
    claim.size("the packed model's .t7 file", torch7_file_bytes(model.graph),
               "As Torch7 writes it");
    claim.size("all tensors of the packed model", count(model.graph).model_bytes(),
               "Without the names and containers of the file");
  }
}

}  // namespace

std::vector<ClaimRow> claims_of_compression() {
  std::vector<ClaimRow> rows;
  compression(rows);
  model_files(rows);
  return rows;
}

}  // namespace xnorbench
