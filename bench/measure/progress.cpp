#include "bench/measure/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace xnorbench {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

void print_note(const std::string& line) {
  std::fputs(("xnorbench: " + line + "\n").c_str(), stderr);
}

Progress::Progress(std::string what, std::int64_t steps, double seconds)
    : what_(std::move(what)),
      steps_(steps),
      expected_seconds_(seconds),
      begin_(std::chrono::steady_clock::now()),
      terminal_(isatty(STDERR_FILENO) == 1) {
  if (!terminal_ && steps > 0)
    std::fputs(
        fmt::format("{}: {} steps{}\n", what_, steps_,
                    seconds > 0 ? fmt::format(", about {}", duration(seconds)) : std::string())
            .c_str(),
        stderr);
}

Progress::~Progress() {
  if (terminal_) std::fputs("\r\x1b[K", stderr);
}

double Progress::remaining() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  // Estimates are corrected by how they have held so far.
  if (expected_seconds_ > 0 && done_seconds_ > 0)
    return (expected_seconds_ - done_seconds_) * elapsed.count() / done_seconds_;
  return done_ > 0
             ? elapsed.count() / static_cast<double>(done_) * static_cast<double>(steps_ - done_)
             : 0;
}

void Progress::step(const std::string& name, const std::string& plain, double seconds) {
  ++done_;
  done_seconds_ += seconds;
  if (!terminal_) {
    if (!plain.empty())
      std::fputs(fmt::format("[{}/{}] {}\n", done_, steps_, plain).c_str(), stderr);
    return;
  }
  std::string line = fmt::format("{} {}/{}, {} left: {}", what_, done_, steps_,
                                 duration(std::max(0.0, remaining())), name);
  line.resize(std::min(line.size(), terminal_width() - 1));
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace xnorbench
