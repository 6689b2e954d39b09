// Float convolution by im2col and OpenBLAS SGEMM, in bands of output pixels so that the columns stay
// in cache. Used by cpu_f32_openblas and by a network's real-valued layers.
#pragma once

#include <cstdint>
#include <string>

#include "core/problem.h"

namespace xnorbench {

class Im2colGemm {
 public:
  /// `pad` is the value of elements outside the map: columns hold it explicitly.
  Im2colGemm(const ConvShape& shape, float pad, int threads);

  /// Output pixels handled at a time.
  std::int64_t band_pixels() const { return band_pixels_; }
  /// Bytes of the column buffer; 0 for pointwise convolutions, whose map is the matrix.
  std::size_t columns_bytes() const;

  /// Sums of output pixels [first, first + pixels), pixels <= band_pixels(), dense with all output
  /// channels. `source`: N, H, W, C; `weights`: O, KH, KW, I/groups.
  void run_band(const float* source, const float* weights, std::int64_t first, std::int64_t pixels, float* columns,
                float* sums) const;

  /// Name of the core that OpenBLAS chose its kernels for, for example "Haswell".
  static std::string core_name();

 private:
  void fill_columns(const float* source, std::int64_t group, std::int64_t first, std::int64_t pixels,
                    float* columns) const;

  ConvShape shape_;
  float pad_;
  int threads_;
  std::int64_t band_pixels_;
};

}  // namespace xnorbench
