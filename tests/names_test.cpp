// Users choose by names: lists with commas, '*' for any run of characters. A part that chooses
// nothing is a mistake and never an empty run.
#include "core/names.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/implementation.h"

namespace xnorbench {
namespace {

const std::vector<std::string> known{"cpu_f32_direct", "cpu_f32_openblas", "cpu_xnor_swar",
                                     "cuda_f32_cublas"};

std::string error_of(const std::string& list) {
  try {
    select_names("implementation", list, known);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "'" << list << "' was accepted";
  return {};
}

TEST(NameList, SplitsAtCommas) {
  EXPECT_EQ(split_list("layer", "a"), std::vector<std::string>{"a"});
  EXPECT_EQ(split_list("layer", "a,b c,*"), (std::vector<std::string>{"a", "b c", "*"}));
}

TEST(NameList, WithAnEmptyPartIsRefusedByItsName) {
  for (const char* list : {"", ",", "a,", ",a", "a,,b"}) {
    try {
      split_list("network", list);
      ADD_FAILURE() << "'" << list << "' was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("network list '" + std::string(list) + "'"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(NamePattern, WithoutStarMatchesTheWholeNameOnly) {
  EXPECT_TRUE(matches("abc", "abc"));
  EXPECT_TRUE(matches("", ""));
  for (const char* name : {"", "ab", "abcd", "xabc", "ABC"})
    EXPECT_FALSE(matches("abc", name)) << name;
  EXPECT_FALSE(matches("a.c", "abc")) << "only '*' is special";
}

TEST(NamePattern, StarMatchesAnyRunOfCharacters) {
  for (const char* name : {"", "a", "abc"}) EXPECT_TRUE(matches("*", name)) << name;
  EXPECT_TRUE(matches("a*", "a"));
  EXPECT_TRUE(matches("a*c", "ac"));
  EXPECT_TRUE(matches("a*c", "abcbc"));
  EXPECT_TRUE(matches("*b*", "abc"));
  EXPECT_TRUE(matches("**c", "abc"));
  EXPECT_FALSE(matches("a*c", "abcb"));
  EXPECT_FALSE(matches("a*c", "bac"));
  EXPECT_FALSE(matches("a*a", "a")) << "a character is used once";
}

TEST(NameSelection, KeepsTheOrderOfTheListOfAllAndTakesEachOnce) {
  EXPECT_EQ(select_names("implementation", "cpu_xnor_swar,cpu_*,cpu_f32_direct", known),
            (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(select_names("implementation", "*_f32_*", known), (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(select_names("implementation", "*", known).size(), known.size());
}

TEST(NameSelection, OfAnUnknownNameIsRefusedAndListsTheKnown) {
  for (const char* list : {"cpu_f32", "gpu_*", "cpu_f32_direct,swar", " cpu_f32_direct"}) {
    const std::string message = error_of(list);
    EXPECT_NE(message.find("unknown implementation"), std::string::npos) << message;
    for (const std::string& name : known)
      EXPECT_NE(message.find(name), std::string::npos) << message;
  }
  EXPECT_NE(error_of("*,nonesuch").find("'nonesuch'"), std::string::npos)
      << "the other parts do not excuse it";
}

TEST(NearestName, IsTheOneWithFewestTypingErrors) {
  const std::vector<std::string> known = {"conv", "check", "network", "--networks", "resnet18"};
  EXPECT_EQ(nearest_name("cnov", known), "");  // two of four letters are wrong
  EXPECT_EQ(nearest_name("convv", known), "conv");
  EXPECT_EQ(nearest_name("netwrok", known), "network");
  EXPECT_EQ(nearest_name("--network", known), "--networks");
  EXPECT_EQ(nearest_name("resnet81", known), "resnet18");
  EXPECT_EQ(nearest_name("memory", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name("conv", {}), "");
}

TEST(ImplementationList, HasUniqueNamesThatFindTheirImplementation) {
  for (const Implementation* implementation : all_implementations()) {
    const ImplementationInfo& info = implementation->info();
    const auto found = find_implementations(info.name);
    ASSERT_EQ(found.size(), 1U) << info.name;
    EXPECT_EQ(found.front(), implementation);
    EXPECT_TRUE(info.name.starts_with(info.device + "_" + info.arithmetic + "_")) << info.name;
    EXPECT_FALSE(info.description.empty()) << info.name;
  }
  EXPECT_EQ(find_implementations("*").size(), all_implementations().size());
  EXPECT_THROW(find_implementations("cpu_xnor_nonesuch"), InputError);
}

TEST(ImplementationList, HasTheBitKernelsThatThisProcessorCanRun) {
  EXPECT_TRUE(find_implementations("cpu_xnor_swar").front()->available(this_machine()));
  const Support popcnt = find_implementations("cpu_xnor_popcnt").front()->available(this_machine());
  EXPECT_EQ(static_cast<bool>(popcnt), this_machine().has("popcnt")) << popcnt.reason;
}

}  // namespace
}  // namespace xnorbench
