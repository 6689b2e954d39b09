// Runs the small kernels on data and compares with plain loops: true if the result is right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/simt/kernels.h"

namespace xnorbench::simt_test {

inline constexpr unsigned seed = 7;

constexpr unsigned blocks_for(int items, int items_per_block) {
  return static_cast<unsigned>((items + items_per_block - 1) / items_per_block);
}

inline std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

template <Fault fault = Fault::none>
bool pack_is_right(int rows, int columns) {
  std::mt19937 random(seed);
  std::vector<float> x(elements(rows, columns));
  std::generate(x.begin(), x.end(), [&] { return static_cast<float>(random() % 5) - 2.0F; });

  const int row_words = (columns + 31) / 32;
  std::vector<std::uint32_t> expected(elements(rows, row_words));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const bool negative = x[elements(row, columns) + static_cast<std::size_t>(column)] < 0.0F;
      expected[elements(row, row_words) + static_cast<std::size_t>(column / 32)] |=
          (negative ? 1U : 0U) << column % 32;
    }
  }

  std::vector<std::uint32_t> words(expected.size());
  launch(pack_signs<fault>, dim3(blocks_for(rows * row_words * 32, 128)), dim3(128), nullptr,
         x.data(), words.data(), rows, columns);
  return words == expected;
}

/// The packed inputs and the sums have `margin` elements behind them that belong to nobody.
template <Fault fault = Fault::none>
bool product_is_right(int rows, int columns, int bits, std::size_t margin = 0) {
  constexpr int tile = 8;
  constexpr int tile_words = 4;
  const int words = (bits + 31) / 32;
  std::mt19937 random(seed);
  std::vector<std::uint32_t> a(elements(rows, words) + margin);
  std::vector<std::uint32_t> b(elements(columns, words) + margin);
  for (std::vector<std::uint32_t>* packed_input : {&a, &b}) {
    std::generate(packed_input->begin(), packed_input->end(),
                  [&] { return static_cast<std::uint32_t>(random()); });
  }

  std::vector<int> expected(elements(rows, columns) + margin);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      int sum = bits;
      for (int word = 0; word < words; ++word) {
        sum -= 2 * __builtin_popcount(a[elements(row, words) + static_cast<std::size_t>(word)] ^
                                      b[elements(column, words) + static_cast<std::size_t>(word)]);
      }
      expected[elements(row, columns) + static_cast<std::size_t>(column)] = sum;
    }
  }

  std::vector<int> sums(expected.size());
  launch(xnor_product<tile, tile_words, fault>,
         dim3(blocks_for(columns, tile), blocks_for(rows, tile)), dim3(tile, tile), nullptr,
         a.data(), b.data(), sums.data(), rows, columns, bits);
  return sums == expected;
}

template <Fault fault = Fault::none>
bool row_sums_are_right(int rows, int columns) {
  std::vector<int> x(elements(rows, columns));
  std::vector<int> expected(elements(rows, 1));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<int>(i * 7 % 13);
    expected[i / static_cast<std::size_t>(columns)] += x[i];
  }
  std::vector<int> sums(expected.size());
  launch(row_sums<fault>, dim3(blocks_for(rows * 32, 128)), dim3(128), nullptr, x.data(),
         sums.data(), rows, columns);
  return sums == expected;
}

template <Fault fault = Fault::none>
bool block_sums_are_right(int size) {
  std::vector<unsigned> x(elements(size, 1));
  std::vector<unsigned> expected(blocks_for(size, block_sums_threads));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<unsigned>(i * 7 % 13);
    expected[i / block_sums_threads] += x[i];
  }
  std::vector<unsigned> sums(expected.size());
  launch(block_sums<fault>, dim3(blocks_for(size, block_sums_threads)), dim3(block_sums_threads),
         nullptr, x.data(), sums.data(), size);
  return sums == expected;
}

/// All kernels without a fault, at sizes that are no multiple of a tile.
inline bool all_are_right() {
  return pack_is_right(3, 100) && pack_is_right(1, 1) && pack_is_right(5, 64) &&
         product_is_right(17, 9, 700) && product_is_right(8, 8, 128) && product_is_right(1, 1, 1) &&
         row_sums_are_right(7, 100) && row_sums_are_right(1, 1) && block_sums_are_right(1000) &&
         block_sums_are_right(1);
}

}  // namespace xnorbench::simt_test
