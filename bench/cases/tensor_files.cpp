#include "bench/cases/tensor_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bench/cases/data_folder.h"
#include "core/error.h"
#include "core/npy.h"
#include "core/random.h"

namespace xnorbench {
namespace {

/// Calls f(index in N, C, H, W order, index in N, H, W, C order) for every element.
template <typename F>
void for_each_transposed(const TensorShape& s, F&& f) {
  std::int64_t from = 0;
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t c = 0; c < s.channels; ++c)
      for (std::int64_t pixel = 0; pixel < s.height * s.width; ++pixel, ++from)
        f(static_cast<std::size_t>(from),
          static_cast<std::size_t>((n * s.height * s.width + pixel) * s.channels + c));
}

std::vector<float> repeat_image(const std::vector<float>& image, std::int64_t batch) {
  std::vector<float> values;
  values.reserve(image.size() * static_cast<std::size_t>(batch));
  for (std::int64_t n = 0; n < batch; ++n) values.insert(values.end(), image.begin(), image.end());
  return values;
}

std::vector<float> load_picture(const std::string& file, const TensorShape& shape) {
  if (shape.channels != 3)
    throw InputError(
        fmt::format("{}: a picture has 3 channels, the network takes {}; give an .npy file", file,
                    shape.channels));
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(
        fmt::format("cannot open {}; give a PNG, JPEG or .npy file, 'portrait' or 'random'", file));
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load(file.c_str(), &width, &height, &channels, 3), &stbi_image_free);
  if (!pixels)
    throw InputError(
        fmt::format("{} is not a picture that can be read ({}); give a PNG, JPEG or .npy file",
                    file, stbi_failure_reason()));
  const auto to_height = static_cast<int>(shape.height);
  const auto to_width = static_cast<int>(shape.width);
  std::vector<stbi_uc> resized(static_cast<std::size_t>(to_height * to_width * 3));
  if (width == to_width && height == to_height)
    std::copy_n(pixels.get(), resized.size(), resized.begin());
  else if (!stbir_resize_uint8(pixels.get(), width, height, 0, resized.data(), to_width, to_height,
                               0, 3))
    throw InputError(fmt::format("{}: no memory to resize {}x{} pixels", file, width, height));
  std::vector<float> image(resized.size());
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(resized[i]) / 255.0F;
  return repeat_image(image, shape.batch);
}

std::vector<float> load_npy(const std::string& file, const TensorShape& shape) {
  const NpyArray array = read_npy(file);
  std::vector<std::int64_t> sides = array.shape;
  if (sides.size() == 3) sides.insert(sides.begin(), 1);
  const std::vector<std::int64_t> one{1, shape.channels, shape.height, shape.width};
  std::vector<std::int64_t> all = one;
  all[0] = shape.batch;
  if (sides != one && sides != all)
    throw InputError(fmt::format("{}: its shape is ({}); the network takes ({}) or a batch of {}",
                                 file, fmt::join(array.shape, ", "), fmt::join(one, ", "),
                                 shape.batch));
  TensorShape from = shape;
  from.batch = sides[0];
  std::vector<float> values(array.values.size());
  for_each_transposed(
      from, [&](std::size_t nchw, std::size_t nhwc) { values[nhwc] = array.values[nchw]; });
  return from.batch == shape.batch ? values : repeat_image(values, shape.batch);
}

std::vector<float> random_input(const TensorShape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(shape.count()));
  for (float& value : values) value = random.uniform(0.0F, 1.0F);
  return values;
}

}  // namespace

std::vector<float> load_input(const std::string& source, const TensorShape& shape,
                              std::uint64_t seed) {
  if (source == "random") return random_input(shape, seed);
  if (source == "portrait")
    return load_picture((data_folder() / "portrait_256.png").string(), shape);
  if (source.ends_with(".npy")) return load_npy(source, shape);
  return load_picture(source, shape);
}

void write_npy(const std::string& file, const TensorShape& shape, const float* values) {
  NpyArray array;
  array.shape = {shape.batch, shape.channels, shape.height, shape.width};
  array.values.resize(static_cast<std::size_t>(shape.count()));
  for_each_transposed(
      shape, [&](std::size_t nchw, std::size_t nhwc) { array.values[nchw] = values[nhwc]; });
  write_npy(file, array);
}

}  // namespace xnorbench
