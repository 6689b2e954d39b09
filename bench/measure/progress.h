// Shows on stderr how far a long run is. On a terminal that is one line, rewritten at each step.
// Elsewhere (a file, a pipe) it is a first and a last line, and at most one a minute between them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace xnorbench {

/// A line on stderr. Never throws: a closed or full stderr must not end a run.
void print_note(const std::string& line);

/// Where progress is shown, and the clock that paces it.
struct ProgressOutput {
  bool is_terminal = false;
  std::size_t width = 80;  ///< of a terminal
  std::function<void(const std::string&)> write;
  std::function<std::chrono::steady_clock::time_point()> now;
};
ProgressOutput stderr_progress();

class Progress {
 public:
  /// `steps` of about equal kind, which together should take `seconds` (0: unknown).
  Progress(std::string what, std::int64_t steps, double seconds = 0,
           ProgressOutput output = stderr_progress());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more step is done, which was expected to take `seconds`.
  void step(const std::string& name, double seconds = 0);

  /// print_note() at once, on a line of its own.
  void note(const std::string& line);

 private:
  double elapsed_seconds() const;
  double remaining_seconds() const;

  std::string what_;
  std::int64_t steps_, done_ = 0;
  double expected_seconds_, done_seconds_ = 0;
  ProgressOutput output_;
  std::chrono::steady_clock::time_point begin_, last_line_;
};

}  // namespace xnorbench
