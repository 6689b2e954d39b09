// Errors that reach the user. Exit status 2 for input that cannot be used, 1 for a wrong result
// (a wrong result is an outcome of checking, not an exception).
#pragma once

#include <stdexcept>
#include <string>

namespace xnorbench {

/// Bad input: the message is one line that says what is wrong, where, and what would be right.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `name` is not one of the known ones: the message lists them.
[[noreturn]] void throw_unknown(const std::string& what, const std::string& name,
                                const std::string& known);

}  // namespace xnorbench
