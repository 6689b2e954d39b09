#include "bench/cli/options.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "bench/cases/network_setting.h"
#include "bench/cli/flags.h"
#include "bench/cli/parse.h"
#include "bench/measure/benchmark_library.h"
#include "bench/records/build_info.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

constexpr std::string_view machine_placeholder = "{machine}";

/// --benchmark_... flags go to the library as they are.
std::vector<std::string> take_benchmark_flags(std::vector<std::string>& words) {
  std::vector<std::string> taken;
  std::erase_if(words, [&taken](const std::string& word) {
    if (!word.starts_with("--benchmark_")) return false;
    taken.push_back(word);
    return true;
  });
  return taken;
}

/// Asked of OpenMP, whose limits (OMP_THREAD_LIMIT, a control group) may be lower than the
/// machine's.
int threads_had(int threads) {
  int had = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  had = omp_get_num_threads();
  return had;
}

int parse_threads(const std::string& text) {
  const int cpus = this_machine().logical_cpus;
  const int threads = static_cast<int>(parse_integer("--threads", text, 1, INT32_MAX));
  if (threads > cpus)
    throw InputError(
        fmt::format("--threads: {} is more than the {} CPUs of this machine", threads, cpus));
  omp_set_dynamic(0);  // exactly as many as asked
  if (const int had = threads_had(threads); had < threads)
    throw InputError(fmt::format(
        "--threads: OpenMP gives {} of {} threads here; see OMP_THREAD_LIMIT", had, threads));
  return threads;
}

std::string default_threads(Command command) {
  return command == Command::check && this_machine().logical_cpus > 1 && threads_had(2) == 2 ? "1,2"
                                                                                             : "1";
}

std::string default_isas(Command command) {
  return command == Command::peak ? list_isas(",") : to_string(best_isa());
}

/// The answer names this flag.
Isa parse_isa_flag(const std::string& text) {
  try {
    return parse_isa(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--isa: {}", error.what()));
  }
}

std::string given_or(const std::string& given, const std::string& otherwise) {
  return given.empty() ? otherwise : given;
}

void interpret_float_backend(const RawFlags& raw, Options& options) {
  if (raw.float_backend.empty()) return;
  options.float_backend = parse_float_backend(raw.float_backend);
  const std::string device = device_of(*options.float_backend);
  if (std::none_of(options.implementations.begin(), options.implementations.end(),
                   [&](const Implementation* i) { return i->info().device == device; }))
    throw InputError(fmt::format(
        "--float-backend={}: for {} implementations, and --implementations={} has none of them",
        raw.float_backend, device, raw.implementations));
  if (const Support support = available(*options.float_backend); !support)
    throw InputError(support.reason);
}

void interpret_memory(const RawFlags& raw, Options& options) {
  options.policies = parse_list("--policy", raw.policy,
                                [](const std::string& name) { return &find_policy(name); });
  if (raw.policy.empty())
    for (const Policy& policy : policies()) options.policies.push_back(&policy);
  if (!options.input.empty() && options.command == Command::memory &&
      (options.plan_only || !raw.budget.empty()))
    throw InputError(
        fmt::format("--input={}: --plan and --budget run nothing; leave it out", options.input));
  const std::size_t reserved = parse_size("--reserved", raw.reserved);
  if (raw.budget.empty()) {
    if (reserved > 0)
      throw InputError("--reserved is of a budget; give that too, as --budget=900MiB");
    return;
  }
  options.budget = {parse_size("--budget", raw.budget), reserved};
  if (options.budget->bytes == 0)
    throw InputError("--budget=0 holds nothing; give a size, as --budget=900MiB");
  if (reserved >= options.budget->bytes)
    throw InputError(
        fmt::format("--reserved={} leaves nothing of --budget={}", raw.reserved, raw.budget));
  if (options.plan_only || options.detail)
    throw InputError("--budget plans and prints its own tables; leave out --plan and --detail");
}

void interpret(const RawFlags& raw, Options& options) {
  constexpr std::int64_t largest = INT64_MAX;
  options.implementations = find_implementations(raw.implementations);
  options.isas =
      parse_list("--isa", given_or(raw.isa, default_isas(options.command)), parse_isa_flag);
  options.batches = parse_list("--batch", raw.batch, [&](const std::string& t) {
    return parse_integer("--batch", t, 1, most_images);
  });
  options.threads = parse_list("--threads", given_or(raw.threads, default_threads(options.command)),
                               parse_threads);
  options.sources =
      parse_list("--source", raw.source, [](const std::string& t) { return parse_source(t); });
  options.destinations = parse_list("--destination", raw.destination,
                                    [](const std::string& t) { return parse_destination(t); });
  options.caches =
      parse_list("--cache", raw.cache, [](const std::string& t) { return parse_cache(t); });
  options.session.repetitions = static_cast<int>(
      parse_integer("--repetitions", given_or(raw.repetitions, raw.quick ? "2" : "9"), 1, 1000));
  options.session.min_seconds =
      parse_seconds("--min-time", given_or(raw.min_time, raw.quick ? "0.02" : "0.1"));
  options.session.time_limit_seconds = parse_seconds("--time-limit", raw.time_limit);
  options.seed = static_cast<std::uint64_t>(parse_integer("--seed", raw.seed, 0, largest));
  options.fuzz = parse_integer("--fuzz", raw.fuzz, 0, largest);
  if (raw.quick && !(raw.repetitions.empty() && raw.min_time.empty()))
    throw InputError("--quick sets --repetitions and --min-time; give it alone, or those two");
  if (options.fuzz > 0 && !options.shapes.empty())
    throw InputError("--fuzz and --shapes both say what to check; give one of them");
  if (const std::size_t at = options.out.find(machine_placeholder); at != std::string::npos)
    options.out.replace(at, machine_placeholder.size(), this_machine().name);
  if (!raw.workspace_limit.empty())
    options.workspace_limit_bytes = parse_size("--workspace-limit", raw.workspace_limit);
  options.claims = parse_list("--claims", raw.claims, [](const std::string& name) { return name; });
  interpret_float_backend(raw, options);
  interpret_memory(raw, options);
}

}  // namespace

std::vector<CpuShare> cpu_shares(const Options& options) {
  std::vector<CpuShare> shares;
  for (int threads : options.threads)
    for (Isa isa : options.isas) shares.emplace_back(threads, isa);
  return shares;
}

std::vector<std::int64_t> network_batches(const Options& options) {
  return options.batches.empty() ? std::vector<std::int64_t>{1} : options.batches;
}

void for_each_setting(
    const Options& options,
    const std::function<void(const Implementation&, const Resources&, Cache)>& f) {
  const std::vector<CpuShare> shares = cpu_shares(options);
  for (const CpuShare& share : shares)
    for (Cache cache : options.caches)
      for (const Implementation* implementation : options.implementations)
        if (implementation->info().device == "cpu")
          f(*implementation, {share, options.workspace_limit_bytes}, cache);
        else if (&share == &shares.front())
          f(*implementation, {CpuShare{}, options.workspace_limit_bytes}, cache);
}

Options parse_command_line(int count, char** words) {
  Options options;
  RawFlags raw;
  CLI::App app(
      "xnorbench: benchmark of binary convolution (weights and activations +1/-1).\n"
      "Checks that matched implementations agree exactly, times them and accounts for their "
      "memory.");
  app.name("xnorbench");
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       std::string(build_info::version) + " (" + build_info::commit + ")");
  app.footer(
      "Flags read --word=value; comma lists sweep. --benchmark_... flags go to Google Benchmark.\n"
      "Exit status: 0 good, 1 a wrong result, 2 bad input, 130 interrupted.");

  add_commands(app, options, raw);

  std::vector<std::string> arguments(words + 1, words + count);
  options.words = {"xnorbench"};
  options.words.insert(options.words.end(), arguments.begin(), arguments.end());
  options.session.benchmark_flags = take_benchmark_flags(arguments);
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::none_of(commands.begin(), commands.end(),
                   [&](const CLI::App* a) { return a->check_name(arguments[0]); }))
    throw_unknown("command", arguments[0],
                  command_names() + "; 'xnorbench --help' tells what they do");
  for (const std::string& word : arguments) {
    if (!word.starts_with('-')) break;
    if (word.starts_with("--") && word != "--help" && word != "--version")
      throw InputError(
          fmt::format("{} stands before the command; write xnorbench COMMAND {} ('xnorbench "
                      "--help' lists commands)",
                      word, word));
  }
  for (const std::string& word : arguments)  // CLI11 would take the next word for the value
    if (word.starts_with("--") && word.ends_with('='))
      throw InputError(fmt::format("{} has no value; write {}VALUE, or leave it out", word, word));
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app.parse(arguments);
  } catch (const CLI::Success& asked) {  // --help, --version
    const int status = app.exit(asked);
    std::exit(std::cout.flush() ? status : 2);
  } catch (const CLI::ParseError& error) {
    const CLI::App* at = &app;
    for (CLI::App* chosen : app.get_subcommands()) at = chosen;
    throw InputError(fmt::format("{}; 'xnorbench {}--help' lists what there is", error.what(),
                                 at == &app ? std::string() : at->get_name() + " "));
  }
  options.command = chosen_command(app);
  const bool measures = options.command == Command::gemm || options.command == Command::conv ||
                        options.command == Command::network;
  if (!measures && !options.session.benchmark_flags.empty())
    throw InputError(fmt::format("{} goes to gemm, conv and network only, which measure",
                                 options.session.benchmark_flags[0]));
  initialise_benchmark_library(options.session.benchmark_flags);
  interpret(raw, options);
  return options;
}

}  // namespace xnorbench
