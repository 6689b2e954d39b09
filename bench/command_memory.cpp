// Who owns the bytes of a forward pass, planned and measured, under each buffer policy; and what
// fits into a budget.
#include <fmt/format.h>

#include <set>

#include "bench/cases/network_case.h"
#include "bench/cli/flags.h"
#include "bench/cli/parse.h"
#include "bench/commands.h"
#include "bench/measure/interrupt.h"
#include "bench/measure/progress.h"
#include "bench/memory/memory_table.h"
#include "core/error.h"

namespace xnorbench {
namespace {

void set_budget(const std::string& text, Options& options) {
  options.budget = {parse_size("--budget", text), 0};
  if (options.budget->bytes == 0)
    throw InputError("--budget=0 holds nothing; give a size, as --budget=900MiB");
}

/// After set_budget().
void set_reserved(const std::string& text, Options& options) {
  const std::size_t reserved = parse_size("--reserved", text);
  if (!options.budget && reserved > 0)
    throw InputError("--reserved needs a budget; give that too, as --budget=900MiB");
  if (!options.budget) return;
  if (reserved >= options.budget->bytes)
    throw InputError(fmt::format("--reserved={} leaves nothing of a budget of {} bytes", text,
                                 options.budget->bytes));
  options.budget->reserved_bytes = reserved;
}

void set_policies(const std::string& text, Options& options) {
  options.policies =
      parse_list("--policy", text, [](const std::string& name) { return &find_policy(name); });
}

Flags flags() {
  Flag input = input_flag();
  input.excludes = {"--plan", "--budget"};
  input.exclusion = "--plan and --budget run nothing; leave out --input";
  return joined(
      {{networks_flag(),
        implementations_flag(),
        batch_flag("1"),
        {"--policy", "LIST",
         "arena: this project's buffers; per_module: buffers of each module, as in Torch7; "
         "shared_columns: as per_module, with one im2col buffer for all.",
         "arena,per_module,shared_columns", set_policies},
        switch_flag("--plan", "Plan only and run nothing: for networks too large for this machine.",
                    &Options::plan_only),
        switch_flag("--detail", "Print every buffer: layer, shape, type, birth and death.",
                    &Options::detail),
        {"--budget",
         "SIZE",
         "Plan only, and say what fits into SIZE (900MiB): the largest batch and input, and what "
         "would save how much.",
         "",
         set_budget,
         {"--plan", "--detail"},
         "--budget plans and prints its own tables; leave out --plan and --detail"},
        {"--reserved", "SIZE",
         "The part of the budget that others hold, such as the desktop or a CUDA context.", "0",
         set_reserved},
        input,
        isa_flag(best_isa_name()),
        threads_flag("1"),
        float_backend_flag("the implementation's own: torch for cpu_xnor_bnntorch"),
        seed_flag(),
        out_flag()}});
}

/// Up to so many settings are printed as full tables, more as one line each.
constexpr std::size_t most_tables = 3;

std::vector<NetworkSetting> settings_of(const Options& options) {
  std::vector<NetworkSetting> settings;
  for_each_setting(
      options, [&](const Implementation& implementation, const Resources& resources, Cache) {
        for (const Policy* policy : options.policies)
          settings.push_back({&implementation,
                              options.float_backend.value_or(float_backend_beside(implementation)),
                              resources, *policy});
      });
  return settings;
}

class MemoryCommand {
 public:
  explicit MemoryCommand(const Options& options)
      : options_(options),
        networks_(find_network_sources(options.networks)),
        batches_(network_batches(options)),
        settings_(settings_of(options)),
        folder_(options.out, options.argv, options.implementations) {}

  int run() {
    const InterruptGuard guard;
    for (const NetworkSource& network : networks_)
      for (std::int64_t batch : batches_)
        options_.budget ? report_budget(network, batch) : report_memory(network, batch);
    if (!options_.budget && !is_short()) print_memory_overview(memories_);
    return finish();
  }

 private:
  /// The memory of each setting, run unless only plans are wanted.
  void report_memory(const NetworkSource& network, std::int64_t batch) {
    const std::shared_ptr<NetworkTask> task =
        options_.plan_only ? make_planning_task(network, batch, options_.seed)
                           : make_network_task(network, batch, options_.input, options_.seed);
    Progress progress(options_.plan_only ? "planning" : "running",
                      static_cast<std::int64_t>(settings_.size()));
    for (const NetworkSetting& setting : settings_) {
      if (is_interrupted()) return;
      NetworkCase network_case(task, setting, Cache::hot, false);
      progress.step(network_case.record.case_name);
      if (!runs(network_case)) continue;
      if (folder_.find(network_case.memory_identity().key(), 0)) {
        ++kept_;
        continue;
      }
      options_.plan_only ? add(network_case.plan_memory()) : measure(network_case);
    }
  }

  /// A wrong output gets no row of memory, as it gets no time.
  void measure(NetworkCase& network_case) {
    const Verification verification = network_case.verify();
    network_case.release();
    if (verification.wrong.empty()) return add(*verification.network_memory);
    any_wrong_ = true;
    print_note(fmt::format("{}: {}", network_case.record.case_name, verification.wrong));
  }

  bool is_short() const {
    return settings_.size() * networks_.size() * batches_.size() <= most_tables;
  }

  void add(const NetworkMemory& memory) {
    folder_.add_memory(memory, true);
    if (is_short() || options_.detail) print_memory(memory);
    if (options_.detail) print_buffers(memory);
    memories_.push_back(memory);
  }

  void report_budget(const NetworkSource& network, std::int64_t batch) {
    const std::shared_ptr<NetworkTask> task = make_planning_task(network, batch, options_.seed);
    std::vector<BudgetRow> rows;
    Progress progress("planning", static_cast<std::int64_t>(settings_.size()));
    for (const NetworkSetting& setting : settings_) {
      if (is_interrupted()) return;
      NetworkCase network_case(task, setting, Cache::hot, false);
      progress.step(network_case.record.case_name);
      if (!runs(network_case)) continue;
      rows.push_back(
          {setting, network_case.plan_memory(),
           find_budget_answer(task->graph, task->parameters, setting, options_.budget->left()),
           *options_.budget});
      folder_.add_memory(rows.back().memory, true);
    }
    if (rows.empty()) return;
    print_budget(rows);
    report_savings(*task, rows);
    budget_rows_.insert(budget_rows_.end(), rows.begin(), rows.end());
  }

  /// Once for each implementation: with the setting of its first row.
  void report_savings(const NetworkTask& task, const std::vector<BudgetRow>& rows) {
    std::set<std::string> reported;
    for (const BudgetRow& row : rows) {
      const std::string& name = row.memory.implementation;
      if (is_interrupted() || !reported.insert(name).second) continue;
      const std::vector<Saving> savings = find_savings(task.graph, task.parameters, row.setting);
      print_savings(*options_.budget, fmt::format("What saves how much with {}:", name), savings);
      NetworkMemory of_all = row.memory;
      of_all.policy.clear();  // savings belong to no policy
      for (const Saving& saving : savings) saving_rows_.push_back({of_all, saving});
    }
  }

  /// If not, a note says why, once for all policies.
  bool runs(const NetworkCase& network_case) {
    const Support support = network_case.support();
    const std::string note =
        fmt::format("{} on {}: {}: {}", network_case.record.network,
                    network_case.record.implementation, to_string(support.status), support.reason);
    if (!support && notes_.insert(note).second) print_note(note);
    return bool(support);
  }

  int finish() {
    if (is_interrupted()) {
      print_note(options_.out.empty() ? "interrupted"
                                      : "interrupted; the same command continues the run");
      return 130;
    }
    if (kept_ > 0)
      print_note(fmt::format(
          "{} settings were measured by an earlier part of this run: see memory.csv", kept_));
    const int status = any_wrong_ ? 1 : 0;
    if (options_.budget && !options_.out.empty()) {
      folder_.add_file(budget_csv(), budget_rows_);
      folder_.add_file(savings_csv(), saving_rows_);
    }
    return finish_folder(folder_, status);
  }

  const Options& options_;
  std::vector<NetworkSource> networks_;
  std::vector<std::int64_t> batches_;
  std::vector<NetworkSetting> settings_;
  RunFolder folder_;
  std::vector<NetworkMemory> memories_;
  std::vector<BudgetRow> budget_rows_;
  std::vector<SavingRow> saving_rows_;
  std::set<std::string> notes_;
  int kept_ = 0;  ///< of an earlier part of the run
  bool any_wrong_ = false;
};

int run(const Options& options) { return MemoryCommand(options).run(); }

}  // namespace

Command memory_command() {
  return {
      .name = "memory",
      .description = "Show who owns the bytes of a forward pass, and what fits into a budget.",
      .example = "memory --implementations=cpu_xnor_simd --budget=900MiB",
      .example_says = "How much of 900 MiB the hourglass takes, and what would save how much.",
      .flags = flags,
      .run = run,
  };
}

}  // namespace xnorbench
