// xnorbench: list, check, conv, network.
#include <fmt/format.h>
#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>

#include "bench/commands.h"
#include "core/error.h"

namespace xnorbench {
namespace {

int run(int count, char** words) {
  const Options options = parse_command_line(count, words);
  switch (options.command) {
    case Command::list: return run_list(options);
    case Command::check: return run_check(options);
    case Command::conv: return run_conv(options);
    case Command::network: return run_network(options);
  }
  return 0;
}

}  // namespace
}  // namespace xnorbench

int main(int count, char** words) {
  // A fixed threshold: freed large blocks go back to the system, so that growth of the resident set is
  // what is in use.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  try {
    return xnorbench::run(count, words);
  } catch (const xnorbench::InputError& error) {
    fmt::print(stderr, "xnorbench: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "xnorbench: no memory for this case on this machine; use a smaller shape or batch\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "xnorbench: {}\n", error.what());
    return 1;
  }
}
