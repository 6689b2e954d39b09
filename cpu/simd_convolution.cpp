#include "cpu/simd_convolution.h"

#include <omp.h>

#include <algorithm>

namespace xnorbench {
namespace {

constexpr std::int64_t widest_band = 64;   // pixels of a row
constexpr std::int64_t highest_band = 32;  // rows
// For the expanded activations of a band, and its sums unless they are written in place: part of an
// L2 cache.
constexpr std::int64_t band_bytes = std::int64_t{160} << 10;

/// The input columns that the windows of `outputs` neighbouring output columns cover; also rows.
std::int64_t covered(std::int64_t outputs, std::int64_t kernel, std::int64_t stride,
                     std::int64_t dilation) {
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
}

/// Whether a tap of some output row reads row `row` under a band. Strides and dilation leave rows
/// out.
bool is_read(const ConvShape& s, std::int64_t row) {
  for (std::int64_t ky = 0; ky < s.kernel_height; ++ky) {
    const std::int64_t first = ky * s.dilation_height;
    if (row >= first && (row - first) % s.stride_height == 0) return true;
  }
  return false;
}

/// The columns under a band, some of which may lie outside the tensor.
struct ExpandedColumns {
  std::int64_t left, right;
  std::int64_t width;    ///< of the tensor
  std::int64_t partner;  ///< from a pixel to its partner
  std::int64_t pixel_words;
  const std::uint64_t* padding;  ///< the words of a pixel outside the tensor
};

/// Expands `rows` rows: from `tensor`, the first pixel of the first row, or of padding if null.
void expand_rows(const SimdKernel& kernel, const ExpandedColumns& columns,
                 const std::uint64_t* tensor, std::int64_t rows, std::int64_t units,
                 std::int64_t row_bytes, std::byte* expanded) {
  const std::int64_t width = columns.width, stride = columns.pixel_words;
  auto words_at = [&](std::int64_t column) {
    return tensor && column >= 0 && column < width
               ? SimdWords{tensor + column * stride, stride, width * stride}
               : SimdWords{columns.padding, 0, 0};
  };
  // In pieces within which neither a pixel nor its partner passes an edge of the tensor.
  for (std::int64_t x = columns.left; x < columns.right;) {
    std::int64_t end = columns.right;
    for (const std::int64_t edge :
         {std::int64_t{0}, width, -columns.partner, width - columns.partner})
      if (edge > x) end = std::min(end, edge);
    kernel.expand({.rows = rows,
                   .columns = end - x,
                   .words = words_at(x),
                   .partner_words = words_at(x + columns.partner),
                   .expanded_row_bytes = row_bytes},
                  units, expanded);
    expanded += (end - x) * units * kernel.unit_bytes;
    x = end;
  }
}

}  // namespace

SimdConvolutionPlan::SimdConvolutionPlan(const SimdKernel& kernel, const PackedFormat& format,
                                         const ConvProblem& problem, const Weights& weights,
                                         Context& context)
    : kernel_(kernel),
      problem_(problem),
      threads_(context.cpu.threads),
      sum_type_(problem.shape.k() <= largest_i16_k ? SumType::i16 : SumType::i32),
      zero_padding_(problem, weights.values, context.ledger, sum_type_),
      epilogue_(problem, weights.epilogue, sum_type_, context.ledger, context.cpu.isa) {
  const ConvShape& s = problem.shape;
  geometry_ = s.is_pointwise()
                  ? Geometry{1, 1, s.in_pixels(), 1, s.out_pixels()}
                  : Geometry{s.batch, s.in_height, s.in_width, s.out_height(), s.out_width()};
  units_ = units_of_tap(kernel_, s);
  group_words_ = format.words_per_group();
  pixel_words_ = format.words_per_pixel();
  choose_bands();
  scratch_sizes_ = choose_scratch();
  stretches_ = cut_into_stretches(kernel_, s, row_bytes_);
  blocks_ = cut_into_blocks(kernel_, s);
  for (std::int64_t vectors = 1; vectors <= kernel_.vectors; ++vectors)
    parts_.push_back(cut_into_parts(kernel_, stretches_, vectors));
  pad_words_ = padding_words(format, problem.pad_value);
  group_weight_bytes_ = group_weight_bytes(kernel_, s);
  packed_ = context.ledger.allocate(Category::weights_packed,
                                    static_cast<std::size_t>(s.groups * group_weight_bytes_),
                                    "packed weights");
  pack_weights(kernel_, problem_, blocks_, weights.values, packed_.data());
}

/// As many rows as the cache takes, but at least one band for each thread if there are enough
/// pixels.
void SimdConvolutionPlan::choose_bands() {
  const ConvShape& s = problem_.shape;
  padded_channels_ = round_up(s.group_out_channels(), kernel_.lanes);
  band_columns_ = std::min(widest_band, geometry_.out_width);
  if (geometry_.out_height == 1) {
    const std::int64_t share = divide_up(geometry_.images * geometry_.out_width, threads_);
    band_columns_ = std::min(band_columns_, round_up(share, 2));
  }
  expanded_columns_ = covered(band_columns_, s.kernel_width, s.stride_width, s.dilation_width);
  row_bytes_ = expanded_columns_ * units_ * kernel_.unit_bytes;
  const bool in_place =
      epilogue_.keeps_sums() && kernel_fills_channels() && band_columns_ == geometry_.out_width;
  const std::int64_t sums = in_place ? 0 : band_columns_ * s.groups * padded_channels_;  // of a row
  const std::int64_t sum_bytes = sums * static_cast<std::int64_t>(size_of(sum_type_));
  const std::int64_t fitting = band_bytes / (row_bytes_ * s.stride_height + sum_bytes);
  const std::int64_t share = divide_up(geometry_.images * geometry_.out_height, threads_);
  const std::int64_t most =
      std::clamp<std::int64_t>(fitting, 1, std::min({highest_band, geometry_.out_height, share}));
  band_rows_ =
      divide_up(geometry_.out_height, divide_up(geometry_.out_height, most));  // as even as can be
}

SimdConvolutionPlan::ScratchSizes SimdConvolutionPlan::choose_scratch() const {
  const ConvShape& s = problem_.shape;
  const std::int64_t rows =
      covered(band_rows_, s.kernel_height, s.stride_height, s.dilation_height);
  const std::int64_t pixels = band_rows_ * band_columns_;
  const auto padded = static_cast<std::size_t>(pixels * padded_channels_);
  const bool dense =
      !epilogue_.keeps_sums() || (band_rows_ > 1 && band_columns_ < geometry_.out_width);
  ScratchSizes sizes{};
  sizes.activations = align_up(static_cast<std::size_t>(rows * row_bytes_));
  if (!kernel_fills_channels()) sizes.sums = align_up(padded * sizeof(std::int16_t));
  if (sum_type_ == SumType::i32) sizes.wide_sums = align_up(padded * sizeof(std::int32_t));
  if (dense)
    sizes.dense = align_up(static_cast<std::size_t>(pixels * s.out_channels) * size_of(sum_type_));
  return sizes;
}

MemoryUse SimdConvolutionPlan::workspace() const {
  MemoryUse use;
  use[Category::workspace_columns] = static_cast<std::size_t>(threads_) * scratch_sizes_.total();
  return use;
}

SimdConvolutionPlan::Scratch SimdConvolutionPlan::divide(std::byte* workspace) const {
  const ScratchSizes& sizes = scratch_sizes_;
  std::byte* const sums = workspace + sizes.activations;
  std::byte* const wide_sums = sums + sizes.sums;
  return {workspace, reinterpret_cast<std::int16_t*>(sums),
          reinterpret_cast<std::int32_t*>(wide_sums), wide_sums + sizes.wide_sums};
}

SimdConvolutionPlan::Band SimdConvolutionPlan::band_at(std::int64_t index) const {
  const std::int64_t across = divide_up(geometry_.out_width, band_columns_);
  const std::int64_t down = divide_up(geometry_.out_height, band_rows_);
  Band band;
  band.column = index % across * band_columns_;
  band.row = index / across % down * band_rows_;
  band.image = index / across / down;
  band.rows = std::min(band_rows_, geometry_.out_height - band.row);
  band.columns = std::min(band_columns_, geometry_.out_width - band.column);
  return band;
}

std::int64_t SimdConvolutionPlan::pixel_at(const Band& band, std::int64_t row) const {
  return (band.image * geometry_.out_height + band.row + row) * geometry_.out_width + band.column;
}

void SimdConvolutionPlan::run(const void* source, const Output& output, std::byte* workspace) {
  const std::int64_t bands = geometry_.images * divide_up(geometry_.out_height, band_rows_) *
                             divide_up(geometry_.out_width, band_columns_);
  const int threads = static_cast<int>(std::min<std::int64_t>(threads_, bands));
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const Scratch scratch =
        divide(workspace + static_cast<std::size_t>(omp_get_thread_num()) * scratch_sizes_.total());
#pragma omp for schedule(static)
    for (std::int64_t index = 0; index < bands; ++index)
      run_band(static_cast<const std::uint64_t*>(source), band_at(index), output, scratch);
  }
}

void SimdConvolutionPlan::run_band(const std::uint64_t* source, const Band& band,
                                   const Output& output, const Scratch& scratch) const {
  // One row of sums, or several whole ones, lie side by side in the output too.
  const bool in_place =
      epilogue_.keeps_sums() && (band.rows == 1 || band.columns == geometry_.out_width);
  auto run = [&](auto* dense) {
    using Sum = std::remove_pointer_t<decltype(dense)>;
    const std::int64_t channels = problem_.shape.out_channels;
    if (in_place) dense = static_cast<Sum*>(output.sums) + pixel_at(band, 0) * channels;
    run_groups(source, band, scratch, dense);
    for (std::int64_t row = 0; zero_padding_ && row < band.rows; ++row)
      zero_padding_.correct(band.row + row, band.column, band.columns,
                            dense + row * band.columns * channels);
    if (in_place) return;
    for (std::int64_t row = 0; row < band.rows; ++row) {
      const Sum* const sums = dense + row * band.columns * channels;
      if (epilogue_.keeps_sums())
        std::copy_n(sums, band.columns * channels,
                    static_cast<Sum*>(output.sums) + pixel_at(band, row) * channels);
      else
        epilogue_.apply(sums, pixel_at(band, row), band.columns, output);
    }
  };
  sum_type_ == SumType::i16 ? run(reinterpret_cast<std::int16_t*>(scratch.dense))
                            : run(reinterpret_cast<std::int32_t*>(scratch.dense));
}

template <typename Sum>
void SimdConvolutionPlan::run_groups(const std::uint64_t* source, const Band& band,
                                     const Scratch& scratch, Sum* dense) const {
  const ConvShape& s = problem_.shape;
  const std::int64_t pixels = band.rows * band.columns;
  constexpr bool wide = std::is_same_v<Sum, std::int32_t>;
  for (std::int64_t group = 0; group < s.groups; ++group) {
    expand(source, band, group, scratch);
    Sum* const group_sums = dense + group * s.group_out_channels();
    if constexpr (!wide) {
      if (kernel_fills_channels()) {
        for (const SimdBlock& block : blocks_)
          run_block(band, group, block, scratch, group_sums + block.channel, s.out_channels,
                    nullptr);
        continue;
      }
    }
    for (const SimdBlock& block : blocks_)
      run_block(band, group, block, scratch, scratch.sums + block.channel, padded_channels_,
                wide ? scratch.wide_sums + block.channel : nullptr);
    for (std::int64_t p = 0; p < pixels; ++p) {
      Sum* const to = group_sums + p * s.out_channels;
      if constexpr (wide)
        std::copy_n(scratch.wide_sums + p * padded_channels_, s.group_out_channels(), to);
      else
        std::copy_n(scratch.sums + p * padded_channels_, s.group_out_channels(), to);
    }
  }
}

void SimdConvolutionPlan::expand(const std::uint64_t* source, const Band& band, std::int64_t group,
                                 const Scratch& scratch) const {
  const ConvShape& s = problem_.shape;
  const std::int64_t rows = covered(band.rows, s.kernel_height, s.stride_height, s.dilation_height);
  const std::int64_t top = band.row * s.stride_height - s.pad_height;
  const std::int64_t left = band.column * s.stride_width - s.pad_width;
  const ExpandedColumns columns{
      .left = left,
      .right = left + covered(band.columns, s.kernel_width, s.stride_width, s.dilation_width),
      .width = geometry_.in_width,
      .partner = kernel_.partners ? s.stride_width : 0,
      .pixel_words = pixel_words_,
      .padding = pad_words_.data()};
  const std::uint64_t* const image =
      source + group * group_words_ +
      band.image * geometry_.in_height * geometry_.in_width * pixel_words_;
  const bool every_row = s.stride_height <= s.kernel_height && s.dilation_height == 1;
  auto is_inside = [this, top](std::int64_t row) {
    return top + row >= 0 && top + row < geometry_.in_height;
  };
  for (std::int64_t row = 0, row_end; row < rows; row = row_end) {
    row_end = row + 1;
    if (!every_row && !is_read(s, row)) continue;
    const bool inside = is_inside(row);
    while (every_row && row_end < rows && is_inside(row_end) == inside) ++row_end;
    expand_rows(kernel_, columns,
                inside ? image + (top + row) * geometry_.in_width * pixel_words_ : nullptr,
                row_end - row, units_, row_bytes_, scratch.activations + row * row_bytes_);
  }
}

/// If `wide_sums` is given, it gets the sums instead of `sums`, with the same strides.
void SimdConvolutionPlan::run_block(const Band& band, std::int64_t group, const SimdBlock& block,
                                    const Scratch& scratch, std::int16_t* sums,
                                    std::int64_t sums_stride, std::int32_t* wide_sums) const {
  const ConvShape& s = problem_.shape;
  const std::int64_t unit_bytes = block.vectors * kernel_.lanes * kernel_.weight_bytes;
  const std::byte* const packed = packed_.data() + group * group_weight_bytes_ + block.offset;
  const auto& parts = parts_[static_cast<std::size_t>(block.vectors - 1)];
  for (const SimdPart& part : parts) {
    const bool first = &part == &parts.front();
    const bool last = &part == &parts.back();
    const SimdTile tile{.activations = scratch.activations,
                        .pixel_stride = s.stride_width * units_ * kernel_.unit_bytes,
                        .row_stride = s.stride_height * row_bytes_,
                        .rows = band.rows,
                        .pixels = band.columns,
                        .stretches = stretches_.data() + part.begin,
                        .stretch_count = static_cast<std::int64_t>(part.end - part.begin),
                        .weights = packed + part.first_unit * unit_bytes,
                        .vectors = block.vectors,
                        .sums = sums,
                        .sums_stride = sums_stride,
                        .accumulate = !first && !wide_sums,
                        .finish = last && !wide_sums,
                        .k = s.k()};
    kernel_.run(tile);
    if (!wide_sums) continue;
    for (std::int64_t p = 0; p < band.rows * band.columns; ++p)
      for (std::int64_t c = 0; c < block.vectors * kernel_.lanes; ++c) {
        std::int32_t& sum = wide_sums[p * sums_stride + c];
        const std::int32_t before = first ? static_cast<std::int32_t>(s.k()) : sum;
        sum = before - 2 * static_cast<std::uint16_t>(sums[p * sums_stride + c]);
      }
  }
}

}  // namespace xnorbench
