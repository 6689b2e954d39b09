#include "bench/without_fma.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/run_folder.h"
#include "bench/statistics.h"
#include "core/error.h"
#include "core/machine.h"

namespace xnorbench {
namespace {

constexpr const char* settings[][2] = {{"OPENBLAS_CORETYPE", "SANDYBRIDGE"}, {"ONEDNN_MAX_CPU_ISA", "AVX"}};

bool is_finished(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "run.json");
  const nlohmann::json run = nlohmann::json::parse(stream, nullptr, false);
  return run.is_object() && run.contains("finished") && !run["finished"].is_null();
}

/// Waits; its standard output goes nowhere, its notes where ours go. Returns the exit status.
int run_child(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw InputError("cannot start a process without FMA: fork failed");
  if (child == 0) {
    for (const auto& [name, value] : settings) setenv(name, value, 1);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

WithoutFma measure_without_fma(const Options& options, const std::filesystem::path& folder) {
  if (!this_machine().has("fma")) return {};
  const std::vector<std::string> words = {"xnorbench",
                                          "network",
                                          "--networks=face_alignment_real",
                                          "--implementations=cpu_f32_openblas,cpu_f32_onednn",
                                          "--real-layers=torch",
                                          "--input=random",
                                          "--isa=" + to_string(Isa::baseline),
                                          fmt::format("--seed={}", options.seed),
                                          fmt::format("--repetitions={}", options.session.repetitions),
                                          fmt::format("--min-time={}", options.session.min_seconds)};
  WithoutFma result;
  for (const auto& [name, value] : settings) result.command += fmt::format("{}={} ", name, value);
  result.command += fmt::format("{}", fmt::join(words, " "));
  if (!is_finished(folder)) {
    std::vector<std::string> with_folder = words;
    with_folder.push_back("--out=" + folder.string());
    if (const int status = run_child(with_folder); status != 0)
      throw InputError(fmt::format("the process without FMA failed with status {}: {}", status, result.command));
  }
  std::map<std::string, std::vector<double>> medians;
  for (const auto& [key, repetition] : read_completed(folder))
    for (const char* implementation : {"cpu_f32_openblas", "cpu_f32_onednn"})
      if (repetition.time_median_ns > 0 && key.find(fmt::format("/{}/", implementation)) != std::string::npos)
        medians[implementation].push_back(repetition.time_median_ns);
  for (const auto& [implementation, values] : medians) result.median_ns[implementation] = median(values);
  return result;
}

}  // namespace xnorbench
