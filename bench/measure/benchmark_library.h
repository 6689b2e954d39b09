// Google Benchmark and its flags. The names that its filter sees are our case names.
#pragma once

#include <string>
#include <vector>

namespace xnorbench {

/// Throws InputError for a flag that is not the library's, or that would work against ours.
void initialise_benchmark_library(const std::vector<std::string>& flags);

/// Whether --benchmark_filter lets a case pass; a leading '-' in the filter excludes.
bool passes_benchmark_filter(const std::vector<std::string>& flags, const std::string& case_name);

/// --benchmark_list_tests: only names are wanted.
bool wants_benchmark_names(const std::vector<std::string>& flags);

/// Runs what was registered, without the library's own tables.
void run_registered_benchmarks();

}  // namespace xnorbench
