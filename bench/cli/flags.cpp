#include "bench/cli/flags.h"

#include <fmt/format.h>

#include <utility>

#include "core/isa.h"

namespace xnorbench {
namespace {

const std::string networks_help =
    "Names, comma-separated; '*' matches any characters; NAME.json is a file of your own "
    "(face_alignment)";
const std::string float_backend_help =
    "Who computes real-valued convolutions: onednn, openblas, torch (OpenBLAS on the columns of "
    "whole images, as Torch7 does; one thread) or direct on the CPU (the first of them in this "
    "build), cublas or cudnn on a GPU (its implementation's own library, or cublas); the other "
    "device keeps its default";

void add_common(CLI::App& app, RawFlags& raw) {
  app.add_option("--implementations", raw.implementations,
                 "Names, comma-separated; '*' matches any characters")
      ->type_name("LIST");
  app.add_option("--isa", raw.isa,
                 "Instruction sets of our own vector code, comma-separated (the best of: " +
                     list_isas(",") + ")")
      ->type_name("LIST");
}

void add_out(CLI::App& app, Options& options) {
  app.add_option("--out", options.out,
                 "Folder for records ({machine} stands for this machine's name); an interrupted "
                 "run is continued by its own command")
      ->type_name("DIR");
}

void add_measuring(CLI::App& app, Options& options, RawFlags& raw) {
  add_common(app, raw);
  app.add_option("--threads", raw.threads, "Threads, comma-separated (1, pinned to one CPU)")
      ->type_name("LIST");
  app.add_option("--cache", raw.cache,
                 "hot and/or cold (last-level cache evicted before each sample)")
      ->type_name("LIST");
  app.add_option("--repetitions", raw.repetitions, "Each prepares, warms up and samples anew (9)")
      ->type_name("N");
  app.add_option("--min-time", raw.min_time, "Seconds of samples per repetition (0.1)")
      ->type_name("S");
  app.add_option("--time-limit", raw.time_limit,
                 "Skip cases beyond S seconds of measuring, and say so (0: none)")
      ->type_name("S");
  add_out(app, options);
  app.add_option("--seed", raw.seed, "Seed of data and weights (1)")->type_name("N");
  app.add_option("--workspace-limit", raw.workspace_limit,
                 "Largest scratchpad that an algorithm of cuDNN may take (256MiB)")
      ->type_name("SIZE");
  app.add_flag("--quick", raw.quick, "2 repetitions of 0.02 s: a look, not a verdict");
}

void add_batch(CLI::App& app, RawFlags& raw) {
  app.add_option("--batch", raw.batch, "Images per call, comma-separated")->type_name("LIST");
}

void add_region(CLI::App& app, RawFlags& raw) {
  app.add_option("--source", raw.source,
                 "sign and/or f32: where the timed region begins (what the problem says, or sign)")
      ->type_name("LIST");
  app.add_option("--destination", raw.destination,
                 "acc, f32, sign and/or f32_sign: where it ends (what the problem says, or acc)")
      ->type_name("LIST");
}

void add_gemm(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_region(app, raw);
  app.add_option("--shapes", options.shapes,
                 "Sizes as text (m1024_n512_k256), comma-separated, or a file with one a line "
                 "(m1024_n1024_k1024 and the hourglass' own; m4096_n4096_k4096 and "
                 "m8192_n8192_k8192 take minutes to check, and plain loops minutes a call)")
      ->type_name("TEXT|FILE");
}

void add_conv(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_batch(app, raw);
  add_region(app, raw);
  app.add_option("--shapes", options.shapes,
                 "Problems as text (ic256_ih64_oc128_kh3_ph1_pad-1, see docs/method.md), "
                 "comma-separated, or a file with one a line; six usual layers if nothing is given")
      ->type_name("TEXT|FILE");
  app.add_option("--networks", options.networks,
                 "Take the binary layers of these networks instead (names or .json files)")
      ->type_name("LIST");
}

void add_network(CLI::App& app, Options& options, RawFlags& raw) {
  add_measuring(app, options, raw);
  add_batch(app, raw);
  app.add_option("--networks", options.networks, networks_help)->type_name("LIST");
  app.add_option("--input", options.input,
                 "PNG, JPEG or .npy (float32, C x H x W) file, 'portrait' or 'random' (portrait; "
                 "random unless 3 channels)")
      ->type_name("FILE");
  app.add_option("--output", options.output,
                 "Write the output tensor as .npy (float32, N x C x H x W)")
      ->type_name("FILE");
  app.add_option("--float-backend", raw.float_backend, float_backend_help)->type_name("NAME");
  app.add_flag("--summary", options.summary, "Print the layer table and measure nothing");
  app.add_option("--dump", options.dump, "Write the network's graph as JSON and measure nothing")
      ->type_name("FILE");
  app.add_flag("--profile", options.profile, "Also time layer by layer, in passes of their own");
}

void add_memory(CLI::App& app, Options& options, RawFlags& raw) {
  add_common(app, raw);
  add_batch(app, raw);
  app.add_option("--networks", options.networks, networks_help)->type_name("LIST");
  app.add_option("--policy", raw.policy,
                 "arena (what this project runs), per_module (every module its own buffers, as "
                 "Torch7) and/or shared_columns (those with one column buffer) (all)")
      ->type_name("LIST");
  app.add_option("--float-backend", raw.float_backend,
                 float_backend_help + " (torch beside cpu_xnor_bnntorch)")
      ->type_name("NAME");
  app.add_flag(
      "--plan", options.plan_only,
      "Plan only, run nothing: for what this machine has no room for (its weights must fit)");
  app.add_flag("--detail", options.detail,
               "Print every buffer: layer, shape, type, birth and death");
  app.add_option("--budget", raw.budget,
                 "Plan only, and say what fits into SIZE (900MiB): by how much, the largest batch "
                 "and input, what would save how much")
      ->type_name("SIZE");
  app.add_option("--reserved", raw.reserved,
                 "Of the budget, what others hold: the desktop, a CUDA context (0)")
      ->type_name("SIZE");
  app.add_option("--threads", raw.threads, "Threads, comma-separated (1)")->type_name("LIST");
  app.add_option("--input", options.input, "As of network; what runs needs one")->type_name("FILE");
  app.add_option("--seed", raw.seed, "Seed of data and weights (1)")->type_name("N");
  add_out(app, options);
}

void add_reproduce(CLI::App& app, Options& options, RawFlags& raw) {
  app.add_option("--claims", raw.claims,
                 "Only claims of these names, comma-separated; '*' matches any characters (all)")
      ->type_name("LIST");
  app.add_option("--repetitions", raw.repetitions, "Each prepares, warms up and samples anew (9)")
      ->type_name("N");
  app.add_option("--min-time", raw.min_time, "Seconds of samples per repetition (0.1)")
      ->type_name("S");
  app.add_flag("--quick", raw.quick, "2 repetitions of 0.02 s: a look, not a verdict");
  app.add_option("--seed", raw.seed, "Seed of data and weights (1)")->type_name("N");
  add_out(app, options);
}

void add_check(CLI::App& app, Options& options, RawFlags& raw) {
  add_common(app, raw);
  app.add_option(
         "--shapes", options.shapes,
         "Problems as text, comma-separated, or a file with one a line; otherwise known traps")
      ->type_name("TEXT|FILE");
  app.add_option("--fuzz", raw.fuzz, "Check N random problems")->type_name("N");
  app.add_option("--seed", raw.seed, "Seed of problems and data (1)")->type_name("N");
  app.add_option("--threads", raw.threads,
                 "Threads, comma-separated (1, and 2 where there are two)")
      ->type_name("LIST");
}

void add_peak(CLI::App& app, Options& options, RawFlags& raw) {
  app.add_option("--isa", raw.isa,
                 "Instruction sets, comma-separated (all of: " + list_isas(",") + ")")
      ->type_name("LIST");
  add_out(app, options);
}

void add_list(CLI::App& app, Options& options, RawFlags&) {
  app.add_option("--filter", options.filter, "Only names that match this regular expression")
      ->type_name("RE");
}

struct CommandEntry {
  Command command;
  const char* name;
  const char* description;
  void (*add)(CLI::App& app, Options& options, RawFlags& raw);
};

constexpr CommandEntry commands[] = {
    {Command::list, "list", "What runs here, and why the rest does not", add_list},
    {Command::check, "check", "Compare all implementations with the oracle, exactly", add_check},
    {Command::gemm, "gemm", "Time matrix products of signs", add_gemm},
    {Command::conv, "conv", "Time single binary layers", add_conv},
    {Command::network, "network", "Time whole forward passes", add_network},
    {Command::memory, "memory",
     "Tell who owns the bytes of a forward pass, and what fits into a budget", add_memory},
    {Command::reproduce, "reproduce",
     "Measure, plan or count published claims, and say which of them hold", add_reproduce},
    {Command::peak, "peak",
     "Measure what this machine can do at most: instructions, bandwidth, limits", add_peak},
};

}  // namespace

void add_commands(CLI::App& app, Options& options, RawFlags& raw) {
  for (const CommandEntry& entry : commands)
    entry.add(*app.add_subcommand(entry.name, entry.description), options, raw);
}

Command chosen_command(const CLI::App& app) {
  const std::string name = app.get_subcommands().front()->get_name();
  for (const CommandEntry& entry : commands)
    if (name == entry.name) return entry.command;
  return Command::list;
}

std::string command_names() {
  std::string names;
  for (const CommandEntry& entry : commands)
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace xnorbench
