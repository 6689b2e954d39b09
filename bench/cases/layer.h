// One binary layer with data made from a seed. The same data is checked and timed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "core/implementation.h"

namespace xnorbench {

/// Kinds of data; each shows other faults.
enum class Pattern {
  random,   ///< values around 0
  near_k,   ///< nearly all signs equal: |sum| is near K, where narrow counters overflow
  special,  ///< zeros of both signs, NaN, infinities and denormals among random values
};

/// Input, weights and epilogue of a problem. Some thresholds of the batch norm lie exactly on sums
/// that occur, and some channels have a negative or zero scale.
struct LayerData {
  std::vector<float> input;    ///< N, H, W, C
  std::vector<float> weights;  ///< O, I/groups, KH, KW
  std::vector<float> alpha, bias;
  Affine affine;
};
LayerData make_layer_data(const ConvProblem& problem, std::uint64_t seed, Pattern pattern);

/// The oracle's result, with the epilogue computed step by step.
Canonical expected_result(const ConvProblem& problem, const LayerData& data);

/// The bytes that one case takes, with its input data and the oracle. A case that is too large is
/// refused before it allocates anything.
std::size_t layer_bytes(const ConvShape& shape);

/// A problem prepared on one implementation with buffers of its own.
class PreparedLayer {
 public:
  /// The implementation must support the problem. Throws InputError if memory is missing.
  PreparedLayer(const Implementation& implementation, const ConvProblem& problem,
                const LayerData& data, const Resources& resources);

  /// The timed region, from the problem's source to its destination. On a GPU the work may still go
  /// on when it returns.
  void run();
  /// The output of the last run in canonical form.
  Canonical result() const;

  const Plan& plan() const { return *plan_; }
  /// The time of Implementation::prepare, without making inputs and outputs.
  double prepare_ns() const { return prepare_ns_; }
  const Ledger& ledger() const { return ledger_; }
  Device& device() const { return ledger_.device(); }

 private:
  void allocate_output();
  /// Writes the signs of the float tensor to the packed input.
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
