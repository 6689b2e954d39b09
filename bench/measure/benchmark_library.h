// Google Benchmark and its flags. Its filter sees the names of cases.
#pragma once

#include <string>
#include <vector>

namespace xnorbench {

/// Throws InputError for a flag that the library does not have, or that contradicts a flag of this
/// program.
void initialise_benchmark_library(const std::vector<std::string>& flags);

/// Whether --benchmark_filter lets a case pass. A filter that begins with '-' excludes.
bool passes_benchmark_filter(const std::vector<std::string>& flags, const std::string& case_name);

/// True with --benchmark_list_tests, which only prints names.
bool wants_benchmark_names(const std::vector<std::string>& flags);

/// Runs the registered benchmarks, without the library's own tables.
void run_registered_benchmarks();

}  // namespace xnorbench
