// Float convolution by oneDNN on channels-last maps. Used by cpu_f32_onednn and by a network's
// real-valued layers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/implementation.h"
#include "core/memory.h"
#include "core/problem.h"

namespace xnorbench {

/// A oneDNN primitive made ready: weights reordered into the library's own layout, scratchpad left to
/// the caller. Padding is 0, as everywhere in oneDNN.
class OnednnConvolution {
 public:
  /// `weights`: O, I/groups, KH, KW; `bias` may be empty. Throws std::runtime_error when oneDNN has no
  /// primitive for the shape, or only its reference one. `category` owns the weights in `ledger`.
  OnednnConvolution(const ConvShape& shape, std::span<const float> weights, std::span<const float> bias, int threads,
                    Category category, Ledger& ledger);
  ~OnednnConvolution();

  /// oneDNN's name of its kernel, for example "brgconv:avx512_core".
  std::string kernel_name() const;
  std::size_t scratchpad_bytes() const;
  /// `source` and `destination`: N, H, W, C, dense.
  void run(const float* source, float* destination, std::byte* scratchpad);

 private:
  struct Primitive;
  std::unique_ptr<Primitive> primitive_;
};

/// Whether oneDNN has a real kernel for the shape: its plain C++ reference kernels are hundreds of times
/// slower and count as unsupported.
Support onednn_support(const ConvShape& shape, bool with_bias);

/// True for the names of those.
bool is_onednn_reference_kernel(const std::string& kernel_name);

/// "brgconv:avx512_core" -> "avx512_core".
std::string onednn_isa(const std::string& kernel_name);

}  // namespace xnorbench
