// Results are compared bit by bit; hashes identify them in records; and when implementations
// disagree, the report says who agrees with whom.
#include "core/comparison.h"

#include <gtest/gtest.h>

#include <cstring>

namespace xnorbench {
namespace {

std::string hash_of_text(const char* text) { return hash_bytes(text, std::strlen(text)); }

TEST(Hash, IsFnv1aWith64Bits) {
  // From the authors' test suite (Fowler, Noll, Vo; test_fnv.c).
  EXPECT_EQ(hash_of_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_of_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_of_text("b"), "af63df4c8601f1a5");
  EXPECT_EQ(hash_of_text("foobar"), "85944171f73967e8");
  EXPECT_EQ(hash_bytes("", 1), "af63bd4c8601b7df");  // one byte 0
}

TEST(Hash, OfAResultCoversEveryByteInOrder) {
  const Canonical values{1, -2, 3};
  EXPECT_EQ(hash_of(values), hash_bytes(values.data(), 12));
  EXPECT_NE(hash_of(values), hash_of({1, 3, -2}));
  EXPECT_NE(hash_of(values), hash_of({1, -2, 3, 0}));
  EXPECT_NE(hash_of(values), hash_of({1, -2, 3 + (1 << 24)}));
}

TEST(Mismatch, IsAbsentBetweenEqualResults) {
  EXPECT_FALSE(first_mismatch(Canonical{}, Canonical{}));
  EXPECT_FALSE(first_mismatch(Canonical{5, -5, 0}, Canonical{5, -5, 0}));
}

TEST(Mismatch, TellsTheFirstPlaceAndHowManyThereAre) {
  const auto mismatch = first_mismatch(Canonical{1, 2, 3, 4, 5}, Canonical{1, 2, -3, 4, 7});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->index, 2U);
  EXPECT_EQ(mismatch->count, 2U);
  EXPECT_EQ(mismatch->expected, 3);
  EXPECT_EQ(mismatch->actual, -3);
}

TEST(Mismatch, IsSeenInTheFirstAndTheLastElement) {
  EXPECT_EQ(first_mismatch(Canonical{0, 1, 2}, Canonical{9, 1, 2})->index, 0U);
  EXPECT_EQ(first_mismatch(Canonical{0, 1, 2}, Canonical{0, 1, 9})->index, 2U);
}

TEST(Agreement, GroupsEqualResultsInOrderOfAppearance) {
  EXPECT_EQ(agreement({}), "");
  EXPECT_EQ(agreement(std::vector<NamedResult>{{"a", {1}}}), "a");
  EXPECT_EQ(agreement(std::vector<NamedResult>{{"a", {1, 2}}, {"b", {1, 2}}}), "a = b");
  const std::vector<NamedResult> five{
      {"a", {1, 2}}, {"b", {1, 3}}, {"c", {1, 2}}, {"d", {1, 3}}, {"e", {0, 2}}};
  EXPECT_EQ(agreement(five), "a = c | b = d | e");
}

TEST(Agreement, NeedsEqualLengths) {
  EXPECT_EQ(agreement(std::vector<NamedResult>{{"a", {1, 2}}, {"b", {1}}}), "a | b");
}

}  // namespace
}  // namespace xnorbench
