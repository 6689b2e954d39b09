// forward_0_67s and realtime: the real-valued hourglass, with FMA and without, and the binary one.
#include <fmt/format.h>

#include "bench/claims/claim_ratio.h"
#include "bench/claims/claims_of_speed.h"

namespace xnorbench {
namespace {

constexpr double published_seconds = 0.67, published_ratio = 58;
constexpr const char* paper = "arXiv 1703.00862";
constexpr Baseline libraries[] = {{"cpu_f32_openblas", "im2col and OpenBLAS, as Torch7"},
                                  {"cpu_f32_onednn", "oneDNN"}};

std::string real_twin() { return network_at_batch("face_alignment_real", 1); }
std::string hourglass() { return network_at_batch("face_alignment", 1); }

std::string twin_command(const char* implementation) {
  return fmt::format(
      "xnorbench network --networks=face_alignment_real --input=random --float-backend=torch "
      "--implementations={}",
      implementation);
}

void claim_forward(std::vector<ClaimRow>& rows, const ClaimTimes& times,
                   const WithoutFma& without_fma) {
  ClaimBuilder claim(
      rows, published("forward_0_67s", paper, published_seconds, "s",
                      "the real-valued hourglass on one core of an i7-3820 (AVX, no FMA), Torch7"));
  for (const auto& [implementation, what] : libraries) {
    auto add = [&, what = what](const char* instructions, std::optional<double> ns,
                                const std::string& reason) {
      const std::string definition = fmt::format("{} {}, one thread", what, instructions);
      if (!ns) return claim.unmeasured(definition, "", reason);
      claim.equal(definition, "", *ns * 1e-9,
                  fmt::format("{:.1f} times as fast as the published core",
                              published_seconds / (*ns * 1e-9)));
    };
    claim.repeated_by(twin_command(implementation));
    add("on this machine's best instructions", times.ns(real_twin(), implementation),
        times.reason(real_twin(), implementation));
    claim.repeated_by(without_fma.command);
    const auto found = without_fma.median_ns.find(implementation);
    add("without FMA (AVX), as the i7-3820",
        found == without_fma.median_ns.end() ? std::nullopt : std::optional(found->second),
        "This CPU has no FMA (the row above is what it does without), or the library was not built "
        "in");
  }
}

void claim_real_time(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  const char* const prediction = "prediction, never tested: near 58x would make 0.67 s real-time";
  constexpr double milliseconds = 1e3 * published_seconds / published_ratio;
  const std::optional<double> ns = times.ns(hourglass(), xnor_on_cpu);
  const std::string reason = times.reason(hourglass(), xnor_on_cpu);
  const std::string command =
      fmt::format("xnorbench network --networks=face_alignment --input=random --implementations={}",
                  xnor_on_cpu);

  ClaimBuilder pass(rows, published("realtime", paper, milliseconds, "ms", prediction));
  pass.repeated_by(command);
  const char* const one_pass = "one pass of the binary hourglass, one thread";
  const std::string limit =
      fmt::format("{} s / {:.0f} = {:.1f} ms", published_seconds, published_ratio, milliseconds);
  ns ? pass.at_most(one_pass, "", *ns * 1e-6, limit) : pass.unmeasured(one_pass, "", reason);

  ClaimBuilder rate(rows, published("realtime", paper, 1e3 / milliseconds, "frames/s", prediction));
  rate.repeated_by(command);
  const char* const frames = "frames a second of the binary hourglass, one thread";
  const std::string frame_limit =
      fmt::format("One frame in {:.1f} ms is {:.0f} a second", milliseconds, 1e3 / milliseconds);
  ns ? rate.ratio(frames, "", 1e9 / *ns, frame_limit) : rate.unmeasured(frames, "", reason);
}

void claim_ratio_of_networks(std::vector<ClaimRow>& rows, const ClaimTimes& times) {
  ClaimBuilder claim(rows, published("realtime", paper, published_ratio, "x",
                                     "predicted for a whole network on a CPU"));
  for (const auto& [implementation, what] : libraries) {
    const std::string definition = "the binary hourglass over its real-valued twin, one thread";
    const std::string baseline = fmt::format("{} ({})", what, implementation);
    claim.repeated_by(fmt::format(
        "{}; xnorbench network --networks=face_alignment --input=random --implementations={}",
        twin_command(implementation), xnor_on_cpu));
    const std::optional<double> slow = times.ns(real_twin(), implementation),
                                fast = times.ns(hourglass(), xnor_on_cpu);
    if (slow && fast)
      claim.ratio(definition, baseline, *slow / *fast,
                  "Real layers at both ends stay, and the library is a tuned one");
    else
      claim.unmeasured(definition, baseline,
                       slow ? times.reason(hourglass(), xnor_on_cpu)
                            : times.reason(real_twin(), implementation));
  }
  for (const Baseline& baseline : cpu_baselines)
    add_ratio(claim, times, hourglass(),
              "the binary hourglass over the same network in other arithmetic, one thread",
              xnor_on_cpu, baseline,
              "The same signs and the same real layers, through oneDNN, on both sides");
}

}  // namespace

void add_hourglass_cases(ClaimCases& cases) {
  cases.add_network("face_alignment", 1, cpu_implementations);
  cases.add_network("face_alignment_real", 1, "cpu_f32_openblas,cpu_f32_onednn");
}

std::vector<ClaimRow> claims_of_hourglass(const ClaimTimes& times, const WithoutFma& without_fma) {
  std::vector<ClaimRow> rows;
  claim_forward(rows, times, without_fma);
  claim_real_time(rows, times);
  claim_ratio_of_networks(rows, times);
  return rows;
}

}  // namespace xnorbench
