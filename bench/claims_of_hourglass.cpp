// forward_0_67s and realtime: the real-valued hourglass, with FMA and without, and the binary one.
#include <fmt/format.h>

#include "bench/claim_ratio.h"
#include "bench/claims_of_speed.h"

namespace xnorbench {

void add_hourglass_cases(ClaimCases& cases) {
  cases.add_network("face_alignment", 1, "cpu_f32_openblas,cpu_f32_onednn,cpu_i8_onednn,cpu_xnor_simd");
  cases.add_network("face_alignment_real", 1, "cpu_f32_openblas,cpu_f32_onednn");
}

std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma) {
  constexpr double reported_seconds = 0.67, reported_ratio = 58;
  std::vector<ClaimRow> rows;
  const std::string real = network_at_batch("face_alignment_real", 1), binary = network_at_batch("face_alignment", 1);
  const Baseline libraries[] = {{"cpu_f32_openblas", "im2col and OpenBLAS, as Torch7"}, {"cpu_f32_onednn", "oneDNN"}};

  ClaimBuilder forward(rows, published("forward_0_67s", "arXiv 1703.00862", reported_seconds, "s",
                                       "the real-valued hourglass on one core of an i7-3820 (AVX, no FMA), Torch7"));
  for (const auto& [implementation, what] : libraries) {
    auto add = [&, what = what](const char* instructions, double ns) {
      forward.equal(fmt::format("{} {}, one thread", what, instructions), "", ns * 1e-9,
                    fmt::format("{:.1f} times as fast as the published core", reported_seconds / (ns * 1e-9)));
    };
    forward.repeated_by(fmt::format("xnorbench network --networks=face_alignment_real --input=random --real-layers=torch "
                                    "--implementations={}", implementation));
    if (const std::optional<double> ns = times.ns(real, implementation))
      add("on this machine's best instructions", *ns);
    else
      forward.unmeasured(what, "", times.reason(real, implementation));
    forward.repeated_by(without_fma.command);
    if (const auto found = without_fma.median_ns.find(implementation); found != without_fma.median_ns.end())
      add("without FMA (AVX), as the i7-3820", found->second);
  }

  const char* const prediction = "prediction, never tested: near 58x would make 0.67 s real-time";
  const std::string own_command = timing_command(binary, "cpu_f32_onednn", xnor_on_cpu);
  if (const std::optional<double> ns = times.ns(binary, xnor_on_cpu)) {
    ClaimBuilder pass(rows, published("realtime", "arXiv 1703.00862", reported_seconds / reported_ratio * 1e3, "ms", prediction));
    pass.repeated_by(own_command);
    pass.at_most("one pass of the binary hourglass, one thread", "", *ns * 1e-6, "0.67 s / 58 = 11.6 ms");
    ClaimBuilder rate(rows, published("realtime", "arXiv 1703.00862", reported_ratio / reported_seconds, "frames/s", prediction));
    rate.repeated_by(own_command);
    rate.ratio("frames a second of the binary hourglass, one thread", "", 1e9 / *ns, "58 / 0.67 s = 87 frames a second");
  }
  ClaimBuilder ratio(rows, published("realtime", "arXiv 1703.00862", reported_ratio, "x", prediction));
  for (const auto& [implementation, what] : libraries) {
    ratio.repeated_by(fmt::format("xnorbench network --networks=face_alignment,face_alignment_real --input=random "
                                  "--implementations={},{}", implementation, xnor_on_cpu));
    const std::optional<double> slow = times.ns(real, implementation), fast = times.ns(binary, xnor_on_cpu);
    if (slow && fast)
      ratio.ratio("the binary hourglass over its real-valued twin, one thread", what, *slow / *fast,
                  "What fewer operations leave of 58 once the real layers and a tuned float library are there");
    else
      ratio.unmeasured("the binary hourglass over its real-valued twin, one thread", what,
                       slow ? times.reason(binary, xnor_on_cpu) : times.reason(real, implementation));
  }
  return rows;
}

}  // namespace xnorbench
