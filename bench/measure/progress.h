// Tells on stderr how far a long run is: one line that is rewritten on a terminal, plain lines
// otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace xnorbench {

/// A line on stderr. Never throws: a closed or full stderr must not end a run.
void print_note(const std::string& line);

class Progress {
 public:
  /// `steps` of about equal kind, which together should take `seconds` (0: unknown).
  Progress(std::string what, std::int64_t steps, double seconds);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more step done, which was expected to take `seconds`. `plain` is shown off a terminal only
  /// when it is not empty.
  void step(const std::string& name, const std::string& plain, double seconds);

 private:
  double remaining() const;

  std::string what_;
  std::int64_t steps_, done_ = 0;
  double expected_seconds_, done_seconds_ = 0;
  std::chrono::steady_clock::time_point begin_;
  bool terminal_;
};

}  // namespace xnorbench
