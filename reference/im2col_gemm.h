// Float convolution by im2col and OpenBLAS SGEMM, in bands of output pixels so that the im2col
// buffer stays in cache. Used by cpu_f32_openblas and by a network's real-valued layers.
//
// Each thread takes whole bands, with an im2col buffer of its own and a single-threaded SGEMM.
// OpenBLAS's threads would compete with OpenMP's, which spin while they wait: two threads were
// slower than one that way (docs/kernel_log.md has the figures).
#pragma once

#include <omp.h>

#include <cstdint>
#include <string>

#include "core/problem.h"

namespace xnorbench {

class Im2colGemm {
 public:
  /// `pad`: value of the elements outside the tensor, which the im2col buffer holds like all
  /// others.
  Im2colGemm(const ConvShape& shape, float pad, int threads);

  /// Output pixels handled at a time by one thread.
  std::int64_t band_pixels() const { return band_pixels_; }
  /// Bytes of one thread's im2col buffer, a multiple of buffer_alignment. 0 for a pointwise
  /// convolution, whose tensor is the matrix already.
  std::size_t im2col_bytes() const;

  /// Calls band(thread, first, pixels) for all bands of output pixels, from all threads.
  template <typename Band>
  void for_each_band(Band&& band) const {
    use_single_threaded_gemm();
    const std::int64_t total = shape_.out_pixels();
    const std::int64_t bands = (total + band_pixels_ - 1) / band_pixels_;
#pragma omp parallel for num_threads(threads_) schedule(dynamic) if (threads_ > 1)
    for (std::int64_t i = 0; i < bands; ++i) {
      const std::int64_t first = i * band_pixels_;
      band(omp_get_thread_num(), first,
           total - first < band_pixels_ ? total - first : band_pixels_);
    }
  }

  /// Sums of the output pixels [first, first + pixels), dense, all output channels. `source`: N, H,
  /// W, C. `weights`: O, KH, KW, I/groups. `im2col`: im2col_bytes().
  void run_band(const float* source, const float* weights, std::int64_t first, std::int64_t pixels,
                float* im2col, float* sums) const;

  /// Name of the core that OpenBLAS chose its kernels for, for example "Haswell".
  static std::string core_name();
  /// For run_band() outside for_each_band().
  static void use_single_threaded_gemm();

 private:
  void fill_im2col(const float* source, std::int64_t group, std::int64_t first, std::int64_t pixels,
                   float* im2col) const;

  ConvShape shape_;
  float pad_;
  int threads_;
  std::int64_t band_pixels_;
};

}  // namespace xnorbench
