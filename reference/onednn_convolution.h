// Convolution by oneDNN on channels-last tensors, in float or in 8-bit integers. Used by
// cpu_f32_onednn, cpu_i8_onednn and a network's real-valued layers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/implementation.h"
#include "core/memory.h"
#include "core/problem.h"

namespace xnorbench {

/// What is multiplied and added.
struct OnednnArithmetic {
  enum class Types {
    f32,    ///< float source, weights, bias and destination
    u8_s8,  ///< unsigned bytes by signed bytes, int32 bias and destination
  };
  Types types = Types::f32;
  bool with_bias = false;
  /// u8_s8: subtracted from every source element; padding counts as exactly this value.
  int source_zero_point = 0;
};

/// A oneDNN primitive made ready: weights are reordered into the library's own layout, and the
/// caller gives the scratchpad. Padding is 0, as everywhere in oneDNN.
class OnednnConvolution {
 public:
  /// `weights`: O, I/groups, KH, KW; `bias`: O, null without one; both of the arithmetic's types.
  /// Throws std::runtime_error when oneDNN has no primitive for the shape, or only its reference
  /// one. `category` owns the weights in `ledger`.
  OnednnConvolution(const OnednnArithmetic& arithmetic, const ConvShape& shape, const void* weights,
                    const void* bias, int threads, Category category, Ledger& ledger);
  ~OnednnConvolution();
  OnednnConvolution(OnednnConvolution&& other) noexcept;

  /// oneDNN's name of its kernel, for example "brgconv:avx512_core".
  std::string kernel_name() const;
  std::size_t scratchpad_bytes() const;
  /// `source` and `destination`: N, H, W, C, dense.
  void run(const void* source, void* destination, std::byte* scratchpad);

 private:
  struct Primitive;
  std::unique_ptr<Primitive> primitive_;
};

/// Whether oneDNN has an optimised kernel for the shape. Its plain C++ reference kernels are
/// hundreds of times slower, and count as unsupported.
Support onednn_support(const OnednnArithmetic& arithmetic, const ConvShape& shape);

/// True for the name of such a reference kernel.
bool is_onednn_reference_kernel(const std::string& kernel_name);

/// "brgconv:avx512_core" -> "avx512_core".
std::string onednn_isa(const std::string& kernel_name);

}  // namespace xnorbench
