#include "bench/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "bench/benchmark_library.h"
#include "bench/build_info.h"
#include "bench/parse.h"
#include "core/error.h"
#include "core/names.h"

namespace xnorbench {
namespace {

constexpr std::string_view machine_placeholder = "{machine}";

/// Flags as written; lists are taken apart after parsing.
struct RawFlags {
  std::string implementations = "*", batch, threads, source, destination, cache = "hot", repetitions, min_time,
              time_limit = "0", seed = "1", fuzz = "0", real_layers, workspace_limit, isa;
  bool quick = false;
};

void add_common(CLI::App& app, RawFlags& raw) {
  app.add_option("--implementations", raw.implementations, "Names, comma-separated; '*' matches any characters")
      ->type_name("LIST");
  app.add_option("--isa", raw.isa, "Instruction sets of our own vector code, comma-separated (the best of: " + list_isas(",") + ")")->type_name("LIST");
}

void add_out(CLI::App& app, Options& options) {
  app.add_option("--out", options.out, "Folder for records ({machine} stands for this machine's name); an interrupted run is continued by its own command")->type_name("DIR");
}

void add_measuring(CLI::App& app, Options& options, RawFlags& raw) {
  add_common(app, raw);
  app.add_option("--threads", raw.threads, "Threads, comma-separated (1, pinned to one CPU)")->type_name("LIST");
  app.add_option("--cache", raw.cache, "hot and/or cold (last-level cache evicted before each sample)")->type_name("LIST");
  app.add_option("--repetitions", raw.repetitions, "Each prepares, warms up and samples anew (9)")->type_name("N");
  app.add_option("--min-time", raw.min_time, "Seconds of samples per repetition (0.1)")->type_name("S");
  app.add_option("--time-limit", raw.time_limit, "Skip cases beyond S seconds of measuring, and say so (0: none)")->type_name("S");
  add_out(app, options);
  app.add_option("--seed", raw.seed, "Seed of data and weights (1)")->type_name("N");
  app.add_option("--workspace-limit", raw.workspace_limit, "Largest scratchpad that an algorithm of cuDNN may take (256MiB)")->type_name("SIZE");
  app.add_flag("--quick", raw.quick, "2 repetitions of 0.02 s: a look, not a verdict");
}

void add_batch(CLI::App& app, RawFlags& raw) {
  app.add_option("--batch", raw.batch, "Images per call, comma-separated")->type_name("LIST");
}

void add_region(CLI::App& app, RawFlags& raw) {
  app.add_option("--source", raw.source, "sign and/or f32: where the timed region begins (what the problem says, or sign)")->type_name("LIST");
  app.add_option("--destination", raw.destination, "acc, f32, sign and/or f32_sign: where it ends (what the problem says, or acc)")->type_name("LIST");
}

void add_gemm(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_region(app, raw);
  app.add_option("--shapes", options.shapes, "Sizes as text (m1024_n512_k256), comma-separated, or a file with one a line (m1024_n1024_k1024 and the hourglass' own; m4096_n4096_k4096 and m8192_n8192_k8192 take minutes to check, and plain loops minutes a call)")->type_name("TEXT|FILE");
}

void add_conv(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_batch(app, raw);
  add_region(app, raw);
  app.add_option("--shapes", options.shapes, "Problems as text (ic256_ih64_oc128_kh3_ph1_pad-1, see docs/method.md), comma-separated, or a file with one a line; six usual layers if nothing is given")->type_name("TEXT|FILE");
  app.add_option("--networks", options.networks, "Take the binary layers of these networks instead (names or .json files)")->type_name("LIST");
}

void add_network(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_batch(app, raw);
  app.add_option("--networks", options.networks, "Names, comma-separated; '*' matches any characters; NAME.json is a file of your own (face_alignment)")->type_name("LIST");
  app.add_option("--input", options.input, "PNG, JPEG or .npy (float32, C x H x W) file, 'portrait' or 'random' (portrait; random unless 3 channels)")->type_name("FILE");
  app.add_option("--output", options.output, "Write the output map as .npy (float32, N x C x H x W)")->type_name("FILE");
  app.add_option("--real-layers", raw.real_layers, "Who computes real-valued convolutions: onednn, openblas or direct on the CPU (the first of them in this build), cublas or cudnn on a GPU (its implementation's own library, or cublas); the other device keeps its default")->type_name("NAME");
  app.add_flag("--summary", options.summary, "Print the layer table and measure nothing");
  app.add_option("--dump", options.dump, "Write the network's graph as JSON and measure nothing")->type_name("FILE");
  app.add_flag("--profile", options.profile, "Also time layer by layer, in passes of their own");
}

void add_check(CLI::App& app, Options& options, RawFlags& raw) {
  add_common(app, raw);
  app.add_option("--shapes", options.shapes, "Problems as text, comma-separated, or a file with one a line; otherwise known traps")->type_name("TEXT|FILE");
  app.add_option("--fuzz", raw.fuzz, "Check N random problems")->type_name("N");
  app.add_option("--seed", raw.seed, "Seed of problems and data (1)")->type_name("N");
  app.add_option("--threads", raw.threads, "Threads, comma-separated (1, and 2 where there are two)")->type_name("LIST");
}

void add_peak(CLI::App& app, Options& options, RawFlags& raw) {
  app.add_option("--isa", raw.isa, "Instruction sets, comma-separated (all of: " + list_isas(",") + ")")->type_name("LIST");
  add_out(app, options);
}

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

/// Asked of OpenMP, whose limits (OMP_THREAD_LIMIT, a control group) may be lower than the machine's.
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
  if (threads > cpus) throw InputError(fmt::format("--threads: {} is more than the {} CPUs of this machine", threads, cpus));
  omp_set_dynamic(0);  // exactly as many as asked
  if (const int had = threads_had(threads); had < threads)
    throw InputError(fmt::format("--threads: OpenMP gives {} of {} threads here; see OMP_THREAD_LIMIT", had, threads));
  return threads;
}

std::string default_threads(Command command) {
  return command == Command::check && this_machine().logical_cpus > 1 && threads_had(2) == 2 ? "1,2" : "1";
}

std::string default_isas(Command command) { return command == Command::peak ? list_isas(",") : to_string(best_isa()); }

/// The answer names this flag.
Isa parse_isa_flag(const std::string& text) {
  try {
    return parse_isa(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--isa: {}", error.what()));
  }
}

std::string given_or(const std::string& given, const std::string& otherwise) { return given.empty() ? otherwise : given; }

void interpret(const RawFlags& raw, Options& options) {
  constexpr std::int64_t most_images = 65536, largest = INT64_MAX;
  options.implementations = find_implementations(raw.implementations);
  options.isas = parse_list("--isa", given_or(raw.isa, default_isas(options.command)), parse_isa_flag);
  options.batches =
      parse_list("--batch", raw.batch, [&](const std::string& t) { return parse_integer("--batch", t, 1, most_images); });
  options.threads = parse_list("--threads", given_or(raw.threads, default_threads(options.command)), parse_threads);
  options.sources = parse_list("--source", raw.source, [](const std::string& t) { return parse_source(t); });
  options.destinations =
      parse_list("--destination", raw.destination, [](const std::string& t) { return parse_destination(t); });
  options.caches = parse_list("--cache", raw.cache, [](const std::string& t) { return parse_cache(t); });
  options.session.repetitions =
      static_cast<int>(parse_integer("--repetitions", given_or(raw.repetitions, raw.quick ? "2" : "9"), 1, 1000));
  options.session.min_seconds = parse_seconds("--min-time", given_or(raw.min_time, raw.quick ? "0.02" : "0.1"));
  options.session.time_limit_seconds = parse_seconds("--time-limit", raw.time_limit);
  options.seed = static_cast<std::uint64_t>(parse_integer("--seed", raw.seed, 0, largest));
  options.fuzz = parse_integer("--fuzz", raw.fuzz, 0, largest);
  if (raw.quick && !(raw.repetitions.empty() && raw.min_time.empty()))
    throw InputError("--quick sets --repetitions and --min-time; give it alone, or those two");
  if (options.fuzz > 0 && !options.shapes.empty())
    throw InputError("--fuzz and --shapes both say what to check; give one of them");
  if (const std::size_t at = options.out.find(machine_placeholder); at != std::string::npos)
    options.out.replace(at, machine_placeholder.size(), this_machine().name);
  if (!raw.workspace_limit.empty()) options.workspace_limit_bytes = parse_size("--workspace-limit", raw.workspace_limit);
  options.real_layers = raw.real_layers.empty() ? default_real_layers("cpu") : parse_real_layers(raw.real_layers);
  const std::string device = device_of(options.real_layers);
  if (std::none_of(options.implementations.begin(), options.implementations.end(),
                   [&](const Implementation* i) { return raw.real_layers.empty() || i->info().device == device; }))
    throw InputError(fmt::format("--real-layers={}: for {} implementations, and --implementations={} has none of them",
                                 raw.real_layers, device, raw.implementations));
  if (const Support support = available(options.real_layers); !support) throw InputError(support.reason);
}

}  // namespace

std::vector<CpuShare> cpu_shares(const Options& options) {
  std::vector<CpuShare> shares;
  for (int threads : options.threads)
    for (Isa isa : options.isas) shares.emplace_back(threads, isa);
  return shares;
}

void for_each_setting(const Options& options,
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
      "Checks that matched implementations agree exactly, times them and accounts for their memory.");
  app.name("xnorbench");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(build_info::version) + " (" + build_info::commit + ")");
  app.footer("Flags read --word=value; comma lists sweep. --benchmark_... flags go to Google Benchmark.\n"
             "Exit status: 0 good, 1 a wrong result, 2 bad input, 130 interrupted.");

  CLI::App* list = app.add_subcommand("list", "What runs here, and why the rest does not");
  list->add_option("--filter", options.filter, "Only names that match this regular expression")->type_name("RE");
  CLI::App* check = app.add_subcommand("check", "Compare all implementations with the oracle, exactly");
  add_check(*check, options, raw);
  CLI::App* gemm = app.add_subcommand("gemm", "Time matrix products of signs");
  add_gemm(*gemm, options, raw);
  CLI::App* conv = app.add_subcommand("conv", "Time single binary layers");
  add_conv(*conv, options, raw);
  CLI::App* network = app.add_subcommand("network", "Time whole forward passes");
  add_network(*network, options, raw);
  CLI::App* peak = app.add_subcommand("peak", "Measure what this machine can do at most: instructions, bandwidth, limits");
  add_peak(*peak, options, raw);

  std::vector<std::string> arguments(words + 1, words + count);
  options.words = {"xnorbench"};
  options.words.insert(options.words.end(), arguments.begin(), arguments.end());
  options.session.benchmark_flags = take_benchmark_flags(arguments);
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::none_of(commands.begin(), commands.end(), [&](const CLI::App* a) { return a->check_name(arguments[0]); }))
    throw_unknown("command", arguments[0], "list, check, gemm, conv, network, peak; 'xnorbench --help' tells what they do");
  for (const std::string& word : arguments) {
    if (!word.starts_with('-')) break;
    if (word.starts_with("--") && word != "--help" && word != "--version")
      throw InputError(fmt::format("{} stands before the command; write xnorbench COMMAND {} ('xnorbench --help' lists commands)", word, word));
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
  options.command = *list ? Command::list : *check ? Command::check : *gemm ? Command::gemm : *conv ? Command::conv : *network ? Command::network : Command::peak;
  const bool measures = *gemm || *conv || *network;
  if (!measures && !options.session.benchmark_flags.empty())
    throw InputError(fmt::format("{} goes to gemm, conv and network only, which measure", options.session.benchmark_flags[0]));
  initialise_benchmark_library(options.session.benchmark_flags);
  interpret(raw, options);
  return options;
}

}  // namespace xnorbench
