// Runs one kernel with one fault that a sanitizer is to report, or the right ones: fault NAME |
// none. Exit status of its own: 0 if nothing was noticed, 2 for a bad name, 3 for a simt::Error.
#include <cstdio>
#include <map>
#include <string>

#include "tests/simt/cases.h"

namespace xnorbench::simt_test {
namespace {

bool all_are_right_in_all_orders() {
  bool right = true;
  for (const simt::Order order :
       {simt::Order::forward, simt::Order::reverse, simt::Order::shuffled}) {
    simt::options() = {order, order, seed};
    right = all_are_right() && right;
  }
  return right;
}

const std::map<std::string, bool (*)()> runs = {
    {"none", all_are_right_in_all_orders},
    {"global_overread", [] { return pack_is_right<Fault::global_overread>(3, 100); }},
    {"missing_barrier_after_load",
     [] { return product_is_right<Fault::missing_barrier_after_load>(17, 9, 700); }},
    {"missing_barrier_after_use",
     [] { return product_is_right<Fault::missing_barrier_after_use>(17, 9, 700); }},
    {"tile_guard", [] { return product_is_right<Fault::tile_guard>(17, 9, 700); }},
    {"store_guard", [] { return product_is_right<Fault::store_guard>(17, 9, 700); }},
    {"shared_row", [] { return product_is_right<Fault::shared_row>(17, 9, 700); }},
    {"missing_syncwarp", [] { return block_sums_are_right<Fault::missing_syncwarp>(1000); }},
    {"vote_as_syncwarp", [] { return block_sums_are_right<Fault::vote_as_syncwarp>(1000); }},
    {"shared_overrun", [] { return block_sums_are_right<Fault::shared_overrun>(1000); }},
};

}  // namespace
}  // namespace xnorbench::simt_test

int main(int count, char** arguments) {
  using namespace xnorbench;
  const auto run = count == 2 ? simt_test::runs.find(arguments[1]) : simt_test::runs.end();
  if (run == simt_test::runs.end()) {
    std::fputs("expected the name of one fault\n", stderr);
    return 2;
  }
  try {
    std::puts(run->second() ? "right" : "wrong");
    return 0;
  } catch (const simt::Error& error) {
    std::printf("%s\n", error.what());
    return 3;
  }
}
