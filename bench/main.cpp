// xnorbench: one program, its commands in bench/cli/flags.cpp.
#include <fcntl.h>
#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "bench/commands.h"
#include "bench/measure/progress.h"

namespace xnorbench {
namespace {

int run(int count, char** words) {
  const Options options = parse_command_line(count, words);
  switch (options.command) {
    case Command::list: return run_list(options);
    case Command::check: return run_check(options);
    case Command::conv: return run_conv(options);
    case Command::gemm: return run_gemm(options);
    case Command::network: return run_network(options);
    case Command::memory: return run_memory(options);
    case Command::reproduce: return run_reproduce(options);
    case Command::peak: return run_peak(options);
  }
  return 0;
}

}  // namespace
}  // namespace xnorbench

int main(int count, char** words) {
  // Somebody closed stdin, stdout or stderr: the next file opened would take its place and its
  // output.
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) return 2;
  // A fixed threshold: freed large blocks go back to the system, so that growth of the resident set
  // is what is in use.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  int status = 0;
  try {
    status = xnorbench::run(count, words);
  } catch (const std::bad_alloc&) {
    xnorbench::print_note("no memory for this case on this machine; use a smaller shape or batch");
    status = 2;
  } catch (const std::logic_error& error) {
    xnorbench::print_note(std::string("fault in the program: ") + error.what());
    status = 1;
  } catch (const std::exception& error) {  // InputError, or what a library or the system refuses
    if (std::ferror(stdout) == 0) xnorbench::print_note(error.what());
    status = 2;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    xnorbench::print_note("cannot write to standard output");
    return 2;
  }
  return status;
}
