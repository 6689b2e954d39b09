#include "bench/claims/without_fma.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bench/measure/interrupt.h"
#include "bench/records/run_folder.h"
#include "bench/records/statistics.h"
#include "core/error.h"
#include "core/machine.h"

namespace xnorbench {
namespace {

using namespace std::string_literals;

struct Setting {
  const char *name, *value;
};
constexpr Setting settings[] = {{"OPENBLAS_CORETYPE", "SANDYBRIDGE"},
                                {"ONEDNN_MAX_CPU_ISA", "AVX"}};

/// Nothing if there is no run or it was interrupted.
std::optional<int> exit_status_of(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "run.json");
  const nlohmann::json run = nlohmann::json::parse(stream, nullptr, false);
  if (!run.is_object() || !run.contains("exit_status") || !run["exit_status"].is_number_integer())
    return std::nullopt;
  return run["exit_status"].get<int>();
}

/// The environment of this process, with the settings.
std::vector<std::string> environment_of_child() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    if (std::none_of(std::begin(settings), std::end(settings),
                     [&](const auto& s) { return text.starts_with(s.name + "="s); }))
      variables.push_back(text);
  }
  for (const Setting& setting : settings) variables.push_back(setting.name + "="s + setting.value);
  return variables;
}

/// Null-terminated, as the system takes it.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits for the child and returns its exit status. Its standard output is discarded, its notes go
/// to our standard error. It ends when we end, and when we are interrupted.
int run_child(std::vector<std::string> words) {
  std::vector<std::string> variables = environment_of_child();
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  const pid_t child = fork();
  if (child < 0)
    throw InputError(fmt::format("cannot start a process without FMA: {}", std::strerror(errno)));
  if (child == 0) {  // nothing but system calls: other threads may hold any lock
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execve("/proc/self/exe", arguments.data(), environment.data());
    _exit(127);
  }
  constexpr useconds_t look_again = 100'000;
  int status = 0;
  for (bool is_told = false; waitpid(child, &status, WNOHANG) == 0; usleep(look_again)) {
    if (is_interrupted() && !is_told) kill(child, SIGTERM);
    is_told = is_interrupted();
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

WithoutFma measure_without_fma(const Options& options, const std::filesystem::path& folder) {
  if (!this_machine().has("fma")) return {};
  const std::vector<std::string> words = {
      "xnorbench",
      "network",
      "--networks=face_alignment_real",
      "--implementations=cpu_f32_openblas,cpu_f32_onednn",
      "--float-backend=torch",
      "--input=random",
      "--isa=" + to_string(Isa::baseline),
      fmt::format("--seed={}", options.seed),
      fmt::format("--repetitions={}", options.session.repetitions),
      fmt::format("--min-time={}", options.session.min_seconds)};
  WithoutFma result;
  for (const auto& [name, value] : settings) result.command += fmt::format("{}={} ", name, value);
  result.command += fmt::format("{}", fmt::join(words, " "));
  std::optional<int> status = exit_status_of(folder);
  if (!status) {
    std::vector<std::string> with_folder = words;
    with_folder.push_back("--out=" + folder.string());
    status = run_child(with_folder);
  }
  if (is_interrupted()) return result;
  if (*status == 1)
    throw std::logic_error(
        fmt::format("a wrong result without FMA, see {}: {}", folder.string(), result.command));
  if (*status != 0)
    throw InputError(
        fmt::format("the process without FMA ended with status {}: {}", *status, result.command));
  std::map<std::string, std::vector<double>> medians;
  for (const auto& [key, repetition] : read_completed(folder))
    for (const char* implementation : {"cpu_f32_openblas", "cpu_f32_onednn"})
      if (repetition.time_median_ns > 0 &&
          key.find(fmt::format("/{}/", implementation)) != std::string::npos)
        medians[implementation].push_back(repetition.time_median_ns);
  for (const auto& [implementation, values] : medians)
    result.median_ns[implementation] = median(values);
  return result;
}

}  // namespace xnorbench
