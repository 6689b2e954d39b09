// Tensors in and out of files: .npy by hand and back, layouts, pictures.
#include "bench/cases/tensor_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/npy.h"

namespace xnorbench {
namespace {

namespace fs = std::filesystem;

class TensorFiles : public testing::Test {
 protected:
  TensorFiles() { fs::create_directories(folder_); }
  ~TensorFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string save(const std::string& name, const std::vector<std::int64_t>& shape,
                   const std::vector<float>& values) {
    write_npy(path(name), {shape, values});
    return path(name);
  }
  /// The message of the InputError that loading ends with.
  std::string refusal(const std::string& file, const TensorShape& shape) {
    try {
      load_input(file, shape, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "was accepted";
  }

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("xnorbench_tensor_files_" + std::to_string(getpid()));
};

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

TEST_F(TensorFiles, RoundTripKeepsEveryBit) {
  const std::vector<float> values{0.0F,
                                  -0.0F,
                                  1e-45F,
                                  -std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  3.0F};
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 1, 3}, {1, 1, 1, 1, 1, 6}}) {
    const NpyArray back = read_npy(save("x.npy", shape, values));
    EXPECT_EQ(back.shape, shape);
    ASSERT_EQ(back.values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(back.values[i]),
                std::bit_cast<std::uint32_t>(values[i]));
  }
}

TEST_F(TensorFiles, HeaderIsAsNumPyWritesIt) {
  // Lengths of the shape's text around the point where one more block of 64 bytes is needed.
  for (std::int64_t side = 1; side < std::int64_t{1} << 40; side *= 10) {
    std::ifstream stream(save("x.npy", {0, side, side, side}, {}), std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(content.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length =
        static_cast<unsigned char>(content[8]) + 256U * static_cast<unsigned char>(content[9]);
    EXPECT_EQ(content.size(), 10 + length);
    EXPECT_EQ(content.size() % 64, 0U);
    EXPECT_EQ(content.back(), '\n');
  }
}

TEST_F(TensorFiles, WritingReplacesTheWholeFileOrNothing) {
  save("x.npy", {3}, counting(3));
  save("x.npy", {1}, counting(1));
  EXPECT_EQ(read_npy(path("x.npy")).values.size(), 1U);
  EXPECT_FALSE(fs::exists(path("x.npy.new")));
  EXPECT_THROW(save("none/x.npy", {1}, counting(1)), InputError);
}

TEST_F(TensorFiles, ChannelsGoLast) {
  const TensorShape shape{.batch = 1, .height = 2, .width = 3, .channels = 2};
  // C x H x W: channel 0 is 0..5, channel 1 is 6..11.
  const std::vector<float> expected{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11};
  EXPECT_EQ(load_input(save("chw.npy", {2, 2, 3}, counting(12)), shape, 1), expected);
  EXPECT_EQ(load_input(save("nchw.npy", {1, 2, 2, 3}, counting(12)), shape, 1), expected);
}

TEST_F(TensorFiles, OneImageFillsABatch) {
  const TensorShape shape{.batch = 2, .height = 1, .width = 2, .channels = 2};
  EXPECT_EQ(load_input(save("one.npy", {2, 1, 2}, counting(4)), shape, 1),
            (std::vector<float>{0, 2, 1, 3, 0, 2, 1, 3}));
  EXPECT_EQ(load_input(save("two.npy", {2, 2, 1, 2}, counting(8)), shape, 1),
            (std::vector<float>{0, 2, 1, 3, 4, 6, 5, 7}));
}

TEST_F(TensorFiles, WrongShapeNamesBoth) {
  const TensorShape shape{.batch = 2, .height = 2, .width = 3, .channels = 2};
  for (const std::vector<std::int64_t>& sides :
       {std::vector<std::int64_t>{12}, {2, 3, 2}, {3, 2, 2, 3}, {0, 2, 2, 3}, {1, 1, 2, 2, 3}}) {
    std::int64_t count = 1;
    for (std::int64_t side : sides) count *= side;
    const std::string text =
        refusal(save("x.npy", sides, counting(static_cast<std::size_t>(count))), shape);
    EXPECT_NE(text.find("its shape is ("), std::string::npos) << text;
    EXPECT_NE(text.find("(1, 2, 2, 3) or a batch of 2"), std::string::npos) << text;
  }
}

TEST_F(TensorFiles, OutputGoesBackToChannelsFirst) {
  const TensorShape shape{.batch = 2, .height = 2, .width = 1, .channels = 3};
  const std::vector<float> tensor = counting(12);
  write_npy(path("out.npy"), shape, tensor.data());
  const NpyArray array = read_npy(path("out.npy"));
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3, 2, 1}));
  EXPECT_EQ(array.values, (std::vector<float>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  EXPECT_EQ(load_input(path("out.npy"), shape, 1), tensor);
}

TEST_F(TensorFiles, RandomRepeatsFromItsSeed) {
  const TensorShape shape{.batch = 2, .height = 8, .width = 8, .channels = 3};
  const std::vector<float> values = load_input("random", shape, 5);
  EXPECT_EQ(values, load_input("random", shape, 5));
  EXPECT_NE(values, load_input("random", shape, 6));
  EXPECT_TRUE(
      std::all_of(values.begin(), values.end(), [](float v) { return v >= 0.0F && v < 1.0F; }));
}

TEST_F(TensorFiles, PortraitComesWithTheProgram) {
  const TensorShape shape{.batch = 2, .height = 256, .width = 256, .channels = 3};
  const std::vector<float> values = load_input("portrait", shape, 1);
  ASSERT_EQ(values.size(), 2U * 256 * 256 * 3);
  EXPECT_TRUE(
      std::equal(values.begin(), values.begin() + 256 * 256 * 3, values.begin() + 256 * 256 * 3));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*low, 0.0F);
  EXPECT_LE(*high, 1.0F);
  EXPECT_GT(*high - *low, 0.5F);  // a picture, not a plane
  EXPECT_EQ(
      load_input("portrait", {.batch = 1, .height = 10, .width = 30, .channels = 3}, 1).size(),
      900U);
}

TEST_F(TensorFiles, APictureHasThreeChannels) {
  EXPECT_NE(
      refusal("portrait", {.batch = 1, .height = 8, .width = 8, .channels = 4}).find("3 channels"),
      std::string::npos);
}

TEST_F(TensorFiles, LongHeaderIsNoDanger) {
  // As long as version 1 allows; a recursive search in it would run out of stack.
  const std::string type(60000, 'f');
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (1,), }\n";
  std::ofstream stream(path("long.npy"), std::ios::binary);
  stream << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size() & 255)
         << static_cast<char>(header.size() >> 8) << header;
  stream.close();
  EXPECT_THROW(read_npy(path("long.npy")), InputError);
}

}  // namespace
}  // namespace xnorbench
