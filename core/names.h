// Lists of names as users write them: separated by commas; '*' matches any run of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xnorbench {

/// The parts between commas. An empty list or part throws InputError that names `what`.
std::vector<std::string> split_list(const std::string& what, const std::string& list);

bool matches(std::string_view pattern, std::string_view name);

/// Indices of the names of `known` that `list` selects, each once, in the order of `known`. A part
/// that matches none throws InputError that lists the known names.
std::vector<std::size_t> select_names(const std::string& what, const std::string& list,
                                      const std::vector<std::string>& known);

/// The known name that differs from `name` by the fewest typing errors: characters changed, added
/// or left out. Empty when a third of the name or more would be wrong.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace xnorbench
