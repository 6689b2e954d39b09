// One binary layer with data made from a seed: what is checked is what is timed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "core/implementation.h"

namespace xnorbench {

/// Which faults the data is meant to show.
enum class Pattern {
  random,   ///< values around 0
  near_k,   ///< all signs equal but for single flips: |sum| near K, where narrow counters overflow
  special,  ///< zeros of both signs, NaN, infinities and denormals among random values
};

/// Input, weights and epilogue of a problem. The batch norm has thresholds on sums that occur, and
/// channels with negative and zero scale.
struct LayerData {
  std::vector<float> input;    ///< N, H, W, C
  std::vector<float> weights;  ///< O, I/groups, KH, KW
  std::vector<float> alpha, bias;
  Affine affine;
};
LayerData make_layer_data(const ConvProblem& problem, std::uint64_t seed, Pattern pattern);

/// What the oracle says, through the unfolded epilogue.
Canonical expected_result(const ConvProblem& problem, const LayerData& data);

/// Bytes that one case takes, input data and oracle included, to be refused before they are asked
/// for.
std::size_t layer_bytes(const ConvShape& shape);

/// A problem prepared on one implementation with buffers of its own.
class PreparedLayer {
 public:
  /// The implementation supports the problem. Throws InputError without memory.
  PreparedLayer(const Implementation& implementation, const ConvProblem& problem,
                const LayerData& data, const Resources& resources);

  /// The timed region, from the problem's source to its destination. On a GPU it returns before the
  /// work is done.
  void run();
  /// The output of the last run in canonical form.
  Canonical result() const;

  const Plan& plan() const { return *plan_; }
  /// What Implementation::prepare took, inputs and outputs left out.
  double prepare_ns() const { return prepare_ns_; }
  const Ledger& ledger() const { return ledger_; }
  Device& device() const { return ledger_.device(); }

 private:
  void allocate_output();
  /// The sign pass from the float tensor to the packed input.
  void binarise(const Buffer& tensor);
  template <typename T>
  std::vector<T> read(const Buffer& buffer) const;

  ConvProblem problem_;
  std::unique_ptr<const ElementwiseOperations> elementwise_;
  PackedFormat source_format_, next_;
  Ledger ledger_;
  std::unique_ptr<Plan> plan_;
  double prepare_ns_ = 0;
  Buffer tensor_, packed_input_, workspace_;
  Buffer sums_, values_, signs_;
  Output output_;
};

}  // namespace xnorbench
