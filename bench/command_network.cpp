#include <fmt/format.h>

#include <filesystem>

#include "bench/cases/network_case.h"
#include "bench/cases/network_summary.h"
#include "bench/cases/tensor_files.h"
#include "bench/cli/flags.h"
#include "bench/commands.h"
#include "bench/measure/progress.h"
#include "bench/measure/summary_table.h"
#include "core/error.h"
#include "core/files.h"
#include "networks/json/graph_json.h"

namespace xnorbench {
namespace {

Flags flags() {
  return joined(
      {{networks_flag(), batch_flag("1"), input_flag(),
        text_flag("--output", "FILE", "Write the output tensor as .npy (float32, N x C x H x W).",
                  &Options::output),
        switch_flag("--profile", "Also time layer by layer, in forward passes of their own.",
                    &Options::profile),
        switch_flag("--summary", "Print the table of layers and measure nothing.",
                    &Options::summary),
        text_flag("--dump", "FILE", "Write the network's graph as JSON and measure nothing.",
                  &Options::dump)},
       measuring_flags(),
       {float_backend_flag(to_string(default_float_backend("cpu")))}});
}

/// For --output: runs the first implementation that can, once.
void write_output(const Options& options, const std::shared_ptr<NetworkTask>& task) {
  for (const Implementation* implementation : options.implementations) {
    NetworkCase run(task,
                    {implementation,
                     options.float_backend.value_or(default_float_backend("cpu")),
                     {cpu_shares(options).front(), options.workspace_limit_bytes}},
                    Cache::hot, false);
    if (!run.support()) continue;
    run.prepare();
    run.run();
    write_npy(options.output, task->graph.output_shape(), run.output().data());
    fmt::print("output of {} ({}) written to {}\n", implementation->info().name, run.output_hash(),
               options.output);
    return;
  }
  throw InputError(fmt::format("--output={}: none of the implementations runs {}", options.output,
                               task->graph.name()));
}

/// --dump and --summary.
int describe(const std::vector<NetworkSource>& networks, const Options& options) {
  if (!options.output.empty() || !options.out.empty())
    throw InputError("--dump and --summary measure nothing; leave out --output and --out");
  if (!options.dump.empty()) {
    if (networks.size() > 1) throw InputError("--dump holds one network; name one in --networks");
    if (!options.dump.ends_with(".json"))
      throw InputError(fmt::format(
          "--dump={}: --networks knows a file by its ending; let the name end with .json",
          options.dump));
    std::error_code none_yet;
    if (!networks[0].file.empty() &&
        std::filesystem::equivalent(options.dump, networks[0].file, none_yet))
      throw InputError(fmt::format(
          "--dump={}: would replace the network's own file, without its values; give another",
          options.dump));
    require_writable(options.dump);
    write_json(options.dump, networks[0].build(1));
  }
  if (options.summary)
    for (const NetworkSource& network : networks) print_network_summary(network.build(1));
  return 0;
}

int run(const Options& options) {
  const std::vector<NetworkSource> networks = find_network_sources(options.networks);
  if (options.summary || !options.dump.empty()) return describe(networks, options);
  const std::vector<std::int64_t> batches = network_batches(options);
  if (!options.output.empty() && (networks.size() > 1 || batches.size() > 1))
    throw InputError("--output holds one tensor; give one network and one batch");
  if (!options.output.empty()) require_writable(options.output);

  std::vector<std::unique_ptr<TimedCase>> cases;
  std::shared_ptr<NetworkTask> task;
  for (const NetworkSource& network : networks)
    for (std::int64_t batch : batches) {
      task = make_network_task(network, batch, options.input, options.seed);
      for_each_setting(options, [&](const Implementation& implementation,
                                    const Resources& resources, Cache cache) {
        cases.push_back(std::make_unique<NetworkCase>(
            task,
            NetworkSetting{&implementation,
                           options.float_backend.value_or(default_float_backend("cpu")), resources},
            cache, options.profile));
      });
    }
  RunFolder folder(options.out, options.argv, options.implementations);
  const SessionResult result = run_session(std::move(cases), options.session, folder);
  print_summary(result);
  if (!options.output.empty() && result.any_wrong)
    print_note("a result was wrong: --output is not written");
  if (!options.output.empty() && !result.interrupted && !result.any_wrong)
    write_output(options, task);
  return finish_run(result, folder);
}

}  // namespace

Command network_command() {
  return {
      .name = "network",
      .description = "Time forward passes of whole networks.",
      .example = "network --networks=binarynet_mnist --implementations=cpu_xnor_simd",
      .example_says = "A small network on one implementation.",
      .flags = flags,
      .run = run,
      .takes_benchmark_flags = true,
  };
}

}  // namespace xnorbench
