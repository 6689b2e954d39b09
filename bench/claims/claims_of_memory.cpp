#include "bench/claims/claims_of_memory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/cases/network_case.h"
#include "bench/claims/claim_builder.h"
#include "core/error.h"

namespace xnorbench {
namespace {

constexpr double mb = 1e6, mib = 1024 * 1024;

}  // namespace

NetworkMemory measure_torch7_memory(std::uint64_t seed) {
  const std::shared_ptr<NetworkTask> task =
      make_network_task(find_network_sources("face_alignment").front(), 1, "random", seed);
  const Implementation& implementation = *find_implementations("cpu_xnor_bnntorch").front();
  NetworkCase network_case(
      task,
      {&implementation, float_backend_beside(implementation), Resources{}, per_module_policy()},
      Cache::hot, false);
  if (const Support support = network_case.support(); !support) throw InputError(support.reason);
  const Verification verification = network_case.verify();
  if (!verification.wrong.empty())
    throw std::logic_error("the memory of face_alignment: " + verification.wrong);
  return *verification.network_memory;
}

std::vector<ClaimRow> claims_of_memory(const NetworkMemory& modules) {
  constexpr double reported_mb = 700, card_mib = 900, held_mib = 250;
  std::vector<ClaimRow> rows;
  ClaimBuilder claim(
      rows, {.id = "memory_700MB",
             .source = "the question this project starts from",
             .reported_value = reported_mb,
             .unit = "MB",
             .conditions =
                 "about; GPU memory for one 256x256 image with a 1.4 MB model; CUDA 10.0, cuDNN "
                 "5.1, bnn.torch without optnet"});
  const auto total = static_cast<double>(modules.planned.total());
  const auto columns = static_cast<double>(modules.planned[Category::workspace_columns]);
  claim.repeated_by(
      "xnorbench memory --networks=face_alignment --implementations=cpu_xnor_bnntorch "
      "--policy=per_module");
  claim.equal("the network's own buffers, planned", "", total / mb,
              fmt::format("{:.1f} MiB, of them {:.0f}% float columns of im2col; a CUDA context and "
                          "library handles come on top",
                          total / mib, 100 * columns / total));
  claim.equal("the network's own buffers, measured on the CPU", "",
              static_cast<double>(modules.measured->total()) / mb,
              "The ledger's high-water mark in one forward pass");
  claim.equal("growth of the process in that pass, as the system sees it", "",
              static_cast<double>(*modules.resident_growth) / mb,
              "Resident memory before and after");
  claim.unmeasured(
      "the same with a CUDA context, on a GPU", "",
      "bnn.torch's kernels are rebuilt for the CPU only; contexts take 100 to 300 MiB");

  ClaimBuilder card(
      rows, {.id = "memory_700MB",
             .source = "the question this project starts from",
             .reported_value = card_mib,
             .unit = "MiB",
             .conditions = "out of memory on a 900 MB Quadro K600 of which X holds 250 MB"});
  card.repeated_by(
      "xnorbench memory --implementations=cpu_xnor_bnntorch --budget=900MiB --reserved=250MiB");
  card.planned("the network's own buffers and the 250 MiB that X holds, before any CUDA context",
               "", held_mib + total / mib,
               fmt::format("{:.0f} MiB are left for a context and the libraries' handles, which "
                           "take 100 to 300: out of "
                           "memory, as reported",
                           card_mib - held_mib - total / mib));
  return rows;
}

}  // namespace xnorbench
