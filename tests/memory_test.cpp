// Every byte has an owner: the ledger's value and peak by category, buffers that notice an overrun,
// and a refusal in words, not a crash, when the machine has not that much memory.
#include "core/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/machine.h"

namespace xnorbench {
namespace {

constexpr std::size_t small = 1000;                  // from the heap
constexpr std::size_t large = std::size_t{3} << 20;  // a mapping of its own

bool all_zero(const Buffer& buffer) {
  return std::all_of(buffer.data(), buffer.data() + buffer.size(),
                     [](std::byte b) { return b == std::byte{0}; });
}

TEST(Ledger, CountsTheBytesInUseByCategory) {
  Ledger ledger;
  EXPECT_EQ(ledger.current().total(), 0U);
  {
    const Buffer weights = ledger.allocate(Category::weights_packed, small, "weights");
    const Buffer tensor = ledger.allocate(Category::activations_bits, large, "tensor");
    EXPECT_EQ(ledger.current()[Category::weights_packed], small)
        << "as asked, without alignment and guard bytes";
    EXPECT_EQ(ledger.current()[Category::activations_bits], large);
    EXPECT_EQ(ledger.current().total(), small + large);
  }
  EXPECT_EQ(ledger.current(), MemoryUse{});
}

TEST(Ledger, KeepsThePeakAndItsCategories) {
  Ledger ledger;
  { const Buffer first = ledger.allocate(Category::weights_real, 300, "first"); }
  const Buffer second = ledger.allocate(Category::parameters, 100, "second");
  EXPECT_EQ(ledger.peak().total(), 300U) << "freed memory does not add to a later peak";
  EXPECT_EQ(ledger.peak()[Category::weights_real], 300U);
  EXPECT_EQ(ledger.peak()[Category::parameters], 0U);
  const Buffer third = ledger.allocate(Category::input_output, 250, "third");
  EXPECT_EQ(ledger.peak().total(), 350U);
  EXPECT_EQ(ledger.peak()[Category::weights_real], 0U);
  EXPECT_EQ(ledger.peak()[Category::parameters], 100U);
  EXPECT_EQ(ledger.peak()[Category::input_output], 250U);
}

TEST(Ledger, MovesBytesInsideAnArenaWithoutChangingTheSum) {
  Ledger ledger;
  const Buffer arena = ledger.allocate(Category::arena_gaps, 1000, "arena");
  ledger.fill_arena({Category::activations_real, 600});
  EXPECT_EQ(ledger.current()[Category::arena_gaps], 400U);
  EXPECT_EQ(ledger.current()[Category::activations_real], 600U);
  EXPECT_EQ(ledger.current().total(), 1000U);
  EXPECT_EQ(ledger.peak()[Category::activations_real], 600U)
      << "the peak is where the arena is fullest";
  ledger.empty_arena({Category::activations_real, 600});
  ledger.fill_arena({Category::activations_bits, 500});
  EXPECT_EQ(ledger.peak()[Category::activations_real], 600U)
      << "a less full moment does not replace it";
  EXPECT_EQ(ledger.peak()[Category::activations_bits], 0U);
  ledger.empty_arena({Category::activations_bits, 500});
}

TEST(MemoryUse, AddsUpByCategory) {
  MemoryUse a, b;
  a[Category::parameters] = 1;
  b[Category::parameters] = 2;
  b[Category::arena_gaps] = 4;
  a += b;
  EXPECT_EQ(a[Category::parameters], 3U);
  EXPECT_EQ(a[Category::arena_gaps], 4U);
  EXPECT_EQ(a.total(), 7U);
}

TEST(Category, HasANameOfItsOwn) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < category_count; ++i)
    names.emplace(to_string(static_cast<Category>(i)));
  EXPECT_EQ(names.size(), category_count);
  EXPECT_EQ(names.count(""), 0U);
  EXPECT_EQ(to_string(Category::weights_packed), "weights_packed");
  EXPECT_EQ(to_string(Category::activations_bits), "activations_bits");
  EXPECT_EQ(to_string(Category::workspace_library), "workspace_library");
  EXPECT_EQ(to_string(Category::arena_gaps), "arena_gaps");
}

TEST(Buffer, IsAlignedToACacheLineAndZero) {
  Ledger ledger;
  for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, small,
                            (std::size_t{256} << 10) - 64, (std::size_t{256} << 10) - 63, large}) {
    // Twice: the second must not show what the first left behind.
    for (int i = 0; i < 2; ++i) {
      const Buffer buffer = ledger.allocate(Category::parameters, bytes, "buffer");
      EXPECT_EQ(buffer.size(), bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
      EXPECT_TRUE(all_zero(buffer)) << bytes;
      std::fill_n(buffer.data(), bytes, std::byte{0xFF});
    }
  }
  EXPECT_EQ(ledger.current().total(), 0U);
}

TEST(Buffer, HandsItsBytesOverWhenMoved) {
  Ledger ledger;
  Buffer first = ledger.allocate(Category::parameters, small, "first");
  std::byte* const data = first.data();
  Buffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(ledger.current().total(), small) << "one owner";
  Buffer third = ledger.allocate(Category::weights_real, 10, "third");
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  third = Buffer();
  second = Buffer();
  EXPECT_EQ(ledger.current().total(), 0U);
  EXPECT_EQ(ledger.peak().total(), small + 10);
}

TEST(Buffer, GuardShowsAnyChangedByte) {
  std::byte bytes[guard_size_bytes];
  for (std::size_t i = 0; i < guard_size_bytes; ++i) {
    write_guard(host_device(), bytes);
    EXPECT_TRUE(guard_intact(host_device(), bytes));
    bytes[i] = std::byte{0};
    EXPECT_FALSE(guard_intact(host_device(), bytes)) << i;
  }
}

void overrun(std::size_t bytes) {
  Ledger ledger;
  const Buffer buffer = ledger.allocate(Category::workspace_columns, bytes, "column buffer");
  volatile std::byte* const data = buffer.data();
  data[bytes] = std::byte{1};
}

TEST(BufferDeathTest, OverrunOfASmallBufferEndsTheProgramWithItsName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(overrun(1000), "past the end of a buffer.*column buffer, 1000 bytes");
}

TEST(BufferDeathTest, OverrunOfAMappedBufferEndsTheProgramWithItsName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(overrun(large), "past the end of a buffer.*column buffer, 3145728 bytes");
}

TEST(OutOfMemory, NamesWhatNeededIt) {
  Ledger ledger;
  const auto machine = static_cast<std::size_t>(this_machine().memory_bytes);
  for (std::size_t bytes : {machine, 2 * machine, std::size_t{1} << 50, std::size_t{1} << 60}) {
    try {
      const Buffer buffer =
          ledger.allocate(Category::workspace_columns, bytes, "the im2col buffer of conv1");
      ADD_FAILURE() << bytes << " bytes were granted";
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("the im2col buffer of conv1"), std::string::npos) << message;
      EXPECT_NE(message.find("it needs " + format_mib(bytes + guard_size_bytes)), std::string::npos)
          << message;
      EXPECT_NE(message.find("this machine has"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  EXPECT_EQ(ledger.current().total(), 0U) << "a refused buffer is not counted";
  EXPECT_EQ(ledger.peak().total(), 0U);
  EXPECT_NO_THROW(require_memory(1, "nothing"));
}

TEST(ResidentSet, FollowsAMappedBuffer) {
  const std::size_t before = resident_bytes();
  if (before == 0) GTEST_SKIP() << "this system does not tell";
  constexpr std::size_t bytes = std::size_t{64} << 20;
  constexpr std::size_t slack = std::size_t{8} << 20;
  Ledger ledger;
  {
    const Buffer buffer = ledger.allocate(Category::activations_real, bytes, "tensor");
    EXPECT_LT(resident_bytes(), before + slack) << "untouched pages are not resident";
    std::fill_n(buffer.data(), bytes, std::byte{1});
    EXPECT_GT(resident_bytes(), before + bytes - slack);
  }
  EXPECT_LT(resident_bytes(), before + slack) << "freed memory leaves the resident set";
}

TEST(Mebibytes, AreBinary) {
  EXPECT_EQ(format_mib(0), "0.00 MiB");
  EXPECT_EQ(format_mib(std::size_t{5} << 18), "1.25 MiB");
  EXPECT_EQ(format_mib(1000000), "0.95 MiB");
}

}  // namespace
}  // namespace xnorbench
