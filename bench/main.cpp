// xnorbench: one program; bench/commands.def lists its commands.
#include <fcntl.h>
#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "bench/cli/command_line.h"
#include "bench/commands.h"
#include "bench/measure/progress.h"

namespace xnorbench {
namespace {

int run(int argc, char** argv) {
  const std::optional<CommandLine> given = parse_command_line(argc, argv, all_commands());
  return given ? given->command.run(given->options) : 0;
}

}  // namespace
}  // namespace xnorbench

int main(int argc, char** argv) {
  // Somebody closed stdin, stdout or stderr: the next file opened would take its place and its
  // output.
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) return 2;
  // A fixed threshold: freed large blocks go back to the system, so that growth of the resident set
  // is what is in use.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  int status = 0;
  try {
    status = xnorbench::run(argc, argv);
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
