#include "bench/measure/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace xnorbench {
namespace {

constexpr std::chrono::minutes between_lines{1};
constexpr const char* clear_line = "\r\x1b[K";

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string note_line(const std::string& line) { return "xnorbench: " + line + "\n"; }

void write_to_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

void print_note(const std::string& line) { write_to_stderr(note_line(line)); }

ProgressOutput stderr_progress() {
  const bool is_terminal = isatty(STDERR_FILENO) == 1;
  return {is_terminal, is_terminal ? terminal_width() : 80, write_to_stderr,
          std::chrono::steady_clock::now};
}

Progress::Progress(std::string what, std::int64_t steps, double seconds, ProgressOutput output)
    : what_(std::move(what)),
      steps_(steps),
      expected_seconds_(seconds),
      output_(std::move(output)),
      begin_(output_.now()),
      last_line_(begin_) {
  if (output_.is_terminal || steps_ == 0) return;
  const std::string estimate = seconds > 0 ? fmt::format(", about {}", duration(seconds)) : "";
  output_.write(fmt::format("{}: {} steps{}\n", what_, steps_, estimate));
}

Progress::~Progress() {
  if (output_.is_terminal)
    output_.write(clear_line);
  else if (steps_ > 0)
    output_.write(
        fmt::format("{}: {} of {} in {}\n", what_, done_, steps_, duration(elapsed_seconds())));
}

double Progress::elapsed_seconds() const {
  return std::chrono::duration<double>(output_.now() - begin_).count();
}

double Progress::remaining_seconds() const {
  const double elapsed = elapsed_seconds();
  // Estimates are corrected by how they have held so far.
  if (expected_seconds_ > 0 && done_seconds_ > 0)
    return std::max(0.0, (expected_seconds_ - done_seconds_) * elapsed / done_seconds_);
  return done_ > 0 ? elapsed / static_cast<double>(done_) * static_cast<double>(steps_ - done_) : 0;
}

void Progress::step(const std::string& name, double seconds) {
  ++done_;
  done_seconds_ += seconds;
  if (output_.is_terminal) {
    std::string line = fmt::format("{} {}/{}, {} left: {}", what_, done_, steps_,
                                   duration(remaining_seconds()), name);
    line.resize(std::min(line.size(), output_.width - 1));
    return output_.write(clear_line + line);
  }
  if (done_ == steps_ || output_.now() - last_line_ < between_lines) return;
  last_line_ = output_.now();
  output_.write(fmt::format("{}: {} of {}, about {} left\n", what_, done_, steps_,
                            duration(remaining_seconds())));
}

void Progress::note(const std::string& line) {
  output_.write((output_.is_terminal ? clear_line : "") + note_line(line));
}

}  // namespace xnorbench
