// The list of instruction sets (core/isas.def): what each asks for, and that each part of the
// program has an entry for it.
#include "core/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/row_loops_tables.h"
#include "cpu/peak_rate_loops.h"
#include "cpu/simd_kernel.h"

namespace xnorbench {
namespace {

struct Entry {
  Isa isa;
  std::string name, kernel_name;
  const RowLoops& row_loops;
  const SimdKernel& kernel;
  const VectorLoops& peak_rates;
  std::string needs, beside;
};

const Entry entries[] = {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside)      \
  {Isa::name,          #name, #kernel, row_loops_##loops, kernel##_kernel, \
   peak_rates##_loops, needs, beside},
#include "core/isas.def"
#undef XNORBENCH_ISA
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Machine machine_with(std::vector<std::string> extensions) {
  Machine machine;
  machine.isa = std::move(extensions);
  return machine;
}

using Names = std::vector<std::string>;

Names found_on(std::vector<std::string> extensions) {
  Names names;
  for (Isa isa : find_isas(machine_with(std::move(extensions)))) names.push_back(to_string(isa));
  return names;
}

TEST(Isas, AreInOrderOfTheirListAndHaveTheirNames) {
  int index = 0;
  std::set<std::string> names;
  for (const Entry& entry : entries) {
    EXPECT_EQ(static_cast<int>(entry.isa), index++) << entry.name;
    EXPECT_EQ(to_string(entry.isa), entry.name);
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  }
}

TEST(Isas, HaveCompleteFunctionsOfTheirOwn) {
  for (const Entry& entry : entries) {
    EXPECT_TRUE(entry.row_loops.sign_bits && entry.row_loops.larger) << entry.name;
    EXPECT_EQ(&row_loops(entry.isa), &entry.row_loops) << entry.name;
    if (entry.kernel_name != "none") {
      EXPECT_EQ(entry.kernel.isa, entry.kernel_name);
      EXPECT_TRUE(entry.kernel.run && entry.kernel.expand && entry.kernel.pack) << entry.name;
      EXPECT_GT(entry.kernel.macs_per_operation, 0) << entry.name;
      EXPECT_TRUE(entry.peak_rates.simd_mix.run) << entry.name;
      EXPECT_GT(entry.peak_rates.vector_bytes, 0) << entry.name;
    }
    EXPECT_EQ(entry.peak_rates.vnni != nullptr, entry.peak_rates.dot_product_vnni.run != nullptr);
  }
}

TEST(Isas, AskForExtensionsThatAreDetected) {
  std::vector<std::string> known = known_extensions();
  const auto is_known = [&](const std::string& extension) {
    return std::find(known.begin(), known.end(), extension) != known.end();
  };
  for (const Entry& entry : entries) {
    for (const std::string& extension : words(entry.needs + " " + entry.beside))
      EXPECT_TRUE(is_known(extension)) << entry.name << ": core/machine.cpp and " << extension;
    for (const char* extension : {entry.peak_rates.vnni, entry.peak_rates.multiply_add_needs})
      EXPECT_TRUE(!extension || is_known(extension)) << entry.name << ": " << extension;
  }
}

TEST(Isas, AreFoundByTheirExtensions) {
  EXPECT_EQ(found_on({}), Names{to_string(Isa::baseline)});
  EXPECT_EQ(find_isas(machine_with(known_extensions())).size(), std::size(entries));
#if defined(__x86_64__)
  EXPECT_EQ(found_on({"avx", "fma", "avx2"}), (Names{"sse2", "avx2"}));
  EXPECT_EQ(found_on({"avx2", "avx512f", "avx512bitalg"}), (Names{"sse2", "avx2"}));
  EXPECT_EQ(found_on({"avx2", "avx512f", "avx512cd", "avx512dq", "avx512bw"}),
            (Names{"sse2", "avx2", "avx512bw"}));
#endif
}

TEST(Isas, RestrictAMachineToWhatTheyHave) {
  const Machine all = machine_with(known_extensions());
  for (const Entry& entry : entries) {
    const Machine restricted = restrict_to(all, entry.isa);
    EXPECT_EQ(find_isas(restricted).back(), entry.isa) << entry.name;
    for (const std::string& extension : words(entry.needs + " " + entry.beside))
      EXPECT_TRUE(restricted.has(extension)) << entry.name << ' ' << extension;
  }
#if defined(__x86_64__)
  EXPECT_EQ(restrict_to(all, Isa::sse2).isa, (Names{"popcnt", "ssse3", "avx", "fma"}));
  EXPECT_FALSE(restrict_to(all, Isa::avx2).has("avx512vnni"));
  EXPECT_FALSE(restrict_to(all, Isa::avx512bw).has("avx512bitalg"));
  EXPECT_TRUE(restrict_to(all, Isa::avx512bw).has("avx512vnni"));
#endif
}

TEST(Isas, AreParsedByName) {
  for (Isa isa : find_isas(this_machine())) EXPECT_EQ(parse_isa(to_string(isa)), isa);
  EXPECT_THROW(parse_isa("mmx"), InputError);
  EXPECT_TRUE(limitation(best_isa()).empty());
}

}  // namespace
}  // namespace xnorbench
