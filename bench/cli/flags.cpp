#include "bench/cli/flags.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <iterator>

#include "bench/cases/network_setting.h"
#include "bench/cli/parse.h"
#include "core/error.h"
#include "core/isa.h"

namespace xnorbench {
namespace {

constexpr std::string_view machine_placeholder = "{machine}";

int threads_given(int threads) {
  int given = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  given = omp_get_num_threads();
  return given;
}

int parse_threads(const std::string& text) {
  const int cpus = this_machine().logical_cpus;
  const int threads = static_cast<int>(parse_integer("--threads", text, 1, INT32_MAX));
  if (threads > cpus)
    throw InputError(
        fmt::format("--threads: {} is more than the {} CPUs of this machine", threads, cpus));
  omp_set_dynamic(0);  // exactly as many as asked
  if (const int given = threads_given(threads); given < threads)
    throw InputError(fmt::format(
        "--threads: OpenMP gives {} of {} threads here; see OMP_THREAD_LIMIT", given, threads));
  return threads;
}

/// parse_isa() with the flag's name in the error.
Isa parse_isa_flag(const std::string& text) {
  try {
    return parse_isa(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--isa: {}", error.what()));
  }
}

void set_float_backend(const std::string& text, Options& options) {
  options.float_backend = parse_float_backend(text);
  const std::string device = device_of(*options.float_backend);
  if (std::none_of(options.implementations.begin(), options.implementations.end(),
                   [&](const Implementation* i) { return i->info().device == device; }))
    throw InputError(fmt::format(
        "--float-backend={} is for {} implementations, and --implementations names none of them",
        text, device));
  if (const Support support = available(*options.float_backend); !support)
    throw InputError(support.reason);
}

/// A flag with a comma-separated list of values.
template <typename Value, typename Parse>
Flag list_flag(const std::string& name, const std::string& help, const std::string& default_value,
               std::vector<Value> Options::*member, Parse parse) {
  return {name, "LIST", help, default_value,
          [name, member, parse](const std::string& text, Options& options) {
            options.*member = parse_list(name.c_str(), text, parse);
          }};
}

}  // namespace

Flags joined(std::initializer_list<Flags> groups) {
  Flags flags;
  for (const Flags& group : groups) flags.insert(flags.end(), group.begin(), group.end());
  return flags;
}

Flag text_flag(const std::string& name, const std::string& value, const std::string& help,
               std::string Options::*member, const std::string& default_value) {
  return {name, value, help, default_value,
          [member](const std::string& text, Options& options) { options.*member = text; }};
}

Flag switch_flag(const std::string& name, const std::string& help, bool Options::*member) {
  return {name, "", help, "",
          [member](const std::string&, Options& options) { options.*member = true; }};
}

Flag implementations_flag() {
  return {"--implementations", "LIST", "By name; '*' matches any characters.", "*",
          [](const std::string& text, Options& options) {
            options.implementations = find_implementations(text);
          }};
}

Flag isa_flag(const std::string& default_value) {
  return list_flag("--isa",
                   "Instruction sets for the project's own vector code: " + list_isas(", ") + ".",
                   default_value, &Options::isas, parse_isa_flag);
}

Flag threads_flag(const std::string& default_value) {
  return list_flag("--threads", "Numbers of threads. One thread is pinned to one CPU.",
                   default_value, &Options::threads, parse_threads);
}

Flag seed_flag() {
  return {"--seed", "N", "Random data and weights come from this number.", "1",
          [](const std::string& text, Options& options) {
            options.seed = static_cast<std::uint64_t>(parse_integer("--seed", text, 0, INT64_MAX));
          }};
}

Flag out_flag() {
  return {"--out", "DIR",
          "Write records into this folder. {machine} becomes the machine's name. "
          "The same command continues an interrupted run.",
          "", [](const std::string& text, Options& options) {
            options.out = text;
            if (const std::size_t at = text.find(machine_placeholder); at != std::string::npos)
              options.out.replace(at, machine_placeholder.size(), this_machine().name);
          }};
}

Flag batch_flag(const std::string& default_value) {
  return list_flag(
      "--batch", "Images per call.", default_value, &Options::batches,
      [](const std::string& text) { return parse_integer("--batch", text, 1, most_images); });
}

Flag networks_flag() {
  return text_flag("--networks", "LIST",
                   "Names ('*' matches any characters) or your own files NAME.json.",
                   &Options::networks, "face_alignment");
}

Flag input_flag() {
  return text_flag("--input", "FILE",
                   "A PNG, JPEG or .npy file (float32, C x H x W), or 'portrait' or 'random'. "
                   "The default is portrait for 3 channels, random otherwise.",
                   &Options::input);
}

Flag float_backend_flag(const std::string& default_backend) {
  return {"--float-backend", "NAME",
          "The library for real-valued convolutions: onednn, openblas, torch (OpenBLAS as Torch7 "
          "calls it) or direct on the CPU; cublas or cudnn on a GPU. The default is " +
              default_backend + ".",
          "", set_float_backend};
}

Flag shapes_flag(const std::string& what, const std::string& example,
                 const std::string& default_value) {
  return text_flag("--shapes", "LIST",
                   fmt::format("{}: shape files by name (see 'xnorbench list'), your own FILE.txt "
                               "with one shape a line, or shapes such as {}.",
                               what, example),
                   &Options::shapes, default_value);
}

Flags region_flags() {
  return {
      list_flag("--source",
                "Where the timed region begins: sign (packed signs) or f32. "
                "The default is what the shape says, or sign.",
                "", &Options::sources, [](const std::string& text) { return parse_source(text); }),
      list_flag("--destination",
                "Where it ends: acc (sums), f32, sign or f32_sign. "
                "The default is what the shape says, or acc.",
                "", &Options::destinations,
                [](const std::string& text) { return parse_destination(text); })};
}

Flags repetition_flags() {
  return {{"--repetitions", "N", "Each repetition prepares, warms up and samples anew.", "9",
           [](const std::string& text, Options& options) {
             options.session.repetitions =
                 static_cast<int>(parse_integer("--repetitions", text, 1, 1000));
           }},
          {"--min-time", "S", "Seconds of samples per repetition.", "0.1",
           [](const std::string& text, Options& options) {
             options.session.min_seconds = parse_seconds("--min-time", text);
           }},
          {"--quick",
           "",
           "2 repetitions of 0.02 s: enough for a look, too few for a verdict.",
           "",
           [](const std::string&, Options& options) {
             options.session.repetitions = 2;
             options.session.min_seconds = 0.02;
           },
           {"--repetitions", "--min-time"},
           "--quick sets --repetitions and --min-time; give it alone, or those two"}};
}

Flags measuring_flags() {
  return joined(
      {{implementations_flag(), isa_flag(best_isa_name()), threads_flag("1"),
        list_flag("--cache", "hot, or cold: caches are emptied before each sample.", "hot",
                  &Options::caches, [](const std::string& text) { return parse_cache(text); })},
       repetition_flags(),
       {{"--time-limit", "S",
         "Leave out cases that do not fit into S seconds of measuring; 0: no limit.", "0",
         [](const std::string& text, Options& options) {
           options.session.time_limit_seconds = parse_seconds("--time-limit", text);
         }},
        seed_flag(),
        {"--workspace-limit", "SIZE", "The largest workspace that a cuDNN algorithm may take.",
         "256MiB",
         [](const std::string& text, Options& options) {
           options.workspace_limit_bytes = parse_size("--workspace-limit", text);
         }},
        out_flag()}});
}

std::string best_isa_name() { return to_string(best_isa()); }

bool can_run_threads(int threads) {
  return this_machine().logical_cpus >= threads && threads_given(threads) == threads;
}

}  // namespace xnorbench
