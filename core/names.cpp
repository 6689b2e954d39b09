#include "core/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace xnorbench {
namespace {

/// Characters to change, add or leave out to make `b` of `a` (the Levenshtein distance).
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);  // from the first i characters of a
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> split_list(const std::string& what, const std::string& list) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    if (parts.back().empty())
      throw InputError(fmt::format(
          "{} list '{}' has an empty part; expected names separated by single commas", what, list));
    begin = end + 1;
  }
  return parts;
}

bool matches(std::string_view pattern, std::string_view name) {
  // On a mismatch only the last '*' has to take one character more.
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, star_end = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_end;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::size_t> select_names(const std::string& what, const std::string& list,
                                      const std::vector<std::string>& known) {
  std::vector<bool> selected(known.size(), false);
  for (const std::string& part : split_list(what, list)) {
    bool any = false;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (matches(part, known[i])) selected[i] = any = true;
    if (!any) throw_unknown(what, part, fmt::format("{}", fmt::join(known, ", ")));
  }
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (selected[i]) indices.push_back(i);
  return indices;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  std::size_t fewest = (name.size() + 2) / 3;
  for (const std::string& candidate : known)
    if (const std::size_t count = edits(name, candidate); count < fewest) {
      fewest = count;
      nearest = candidate;
    }
  return nearest;
}

}  // namespace xnorbench
