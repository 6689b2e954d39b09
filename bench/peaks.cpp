#include "bench/peaks.h"

#include <map>

#include "bench/clock.h"
#include "cpu/ceilings.h"
#include "cpu/limits.h"

namespace xnorbench {
namespace {

constexpr const char* scalar = "scalar";

template <typename Ceilings>
struct Quantity {
  const char* name;
  std::optional<double> Ceilings::*value;
};

constexpr Quantity<ScalarCeilings> scalar_quantities[] = {{"integer_add", &ScalarCeilings::integer},
                                                          {"popcnt", &ScalarCeilings::popcnt}};
constexpr Quantity<VectorCeilings> vector_quantities[] = {{"multiply_add_f32", &VectorCeilings::multiply_add},
                                                          {"dot_product_u8_s8", &VectorCeilings::dot_product},
                                                          {"byte_shuffle", &VectorCeilings::byte_shuffle},
                                                          {"byte_add", &VectorCeilings::byte_add},
                                                          {"xor", &VectorCeilings::logic},
                                                          {"vector_popcount", &VectorCeilings::popcount},
                                                          {"cpu_xnor_simd_mix", &VectorCeilings::simd_mix},
                                                          {"cpu_xnor_swar_mix", &VectorCeilings::swar_mix}};

/// What this process has measured.
struct Measured {
  std::optional<ScalarCeilings> scalar;
  std::map<Isa, VectorCeilings> vectors;
  std::map<Isa, CoreCeilings> cores;  ///< by what was chosen
};

Measured& measured() {
  static Measured all;
  return all;
}

const VectorCeilings& vector_ceilings(Isa isa) {
  auto& vectors = measured().vectors;
  if (!vectors.contains(isa)) vectors[isa] = measure_vector_ceilings(isa);
  return vectors[isa];
}

template <typename Ceilings, std::size_t count>
void add_rates(std::vector<PeakRow>& peaks, const std::string& isa, const Ceilings& ceilings,
               const Quantity<Ceilings> (&quantities)[count]) {
  for (const auto& quantity : quantities)
    if (const std::optional<double> rate = ceilings.*quantity.value)
      peaks.push_back({isa, quantity.name, *rate, "operations/cycle"});
}

std::optional<double> times(std::optional<double> limit, int threads) {
  return limit ? std::optional(*limit * threads) : std::nullopt;
}

bool is_on_cpu(const Implementation& implementation) { return implementation.info().device == "cpu"; }

}  // namespace

const CoreCeilings& core_ceilings(Isa isa) {
  Measured& all = measured();
  if (const auto found = all.cores.find(isa); found != all.cores.end()) return found->second;
  const Pin pin(1);
  if (!all.scalar) all.scalar = measure_scalar_ceilings();
  return all.cores[isa] = {*all.scalar, vector_ceilings(Isa::baseline), vector_ceilings(best_isa()), vector_ceilings(isa)};
}

std::optional<double> limit_of(const Implementation& implementation, const CpuShare& cpu) {
  if (!is_on_cpu(implementation)) return std::nullopt;
  return times(implementation.limit(core_ceilings(cpu.isa)), cpu.threads);
}

std::optional<double> limit_of_real_layers(const Implementation& implementation, const CpuShare& cpu) {
  if (!is_on_cpu(implementation)) return std::nullopt;
  return times(f32_limit(core_ceilings(cpu.isa)), cpu.threads);
}

std::optional<double> limit_of_network(const NetworkCounts& counts, const Implementation& implementation, const CpuShare& cpu) {
  return combined_limit(counts, limit_of(implementation, cpu), limit_of_real_layers(implementation, cpu));
}

std::optional<double> combined_limit(const NetworkCounts& counts, std::optional<double> binary, std::optional<double> real) {
  double cycles = 0;
  for (const auto& [macs, limit] : {std::pair(counts.binary_macs, binary), std::pair(counts.real_macs, real)}) {
    if (macs == 0) continue;
    if (!limit) return std::nullopt;
    cycles += static_cast<double>(macs) / *limit;
  }
  return cycles > 0 ? std::optional(static_cast<double>(counts.macs()) / cycles) : std::nullopt;
}

std::vector<PeakRow> measured_peaks() {
  const Measured& all = measured();
  std::vector<PeakRow> peaks;
  if (all.scalar) add_rates(peaks, scalar, *all.scalar, scalar_quantities);
  for (const auto& [isa, ceilings] : all.vectors) add_rates(peaks, to_string(isa), ceilings, vector_quantities);
  for (const auto& [isa, core] : all.cores)
    for (const Implementation* implementation : all_implementations()) {
      if (!is_on_cpu(*implementation) || !implementation->available(restrict_to(this_machine(), isa))) continue;
      if (const std::optional<double> limit = implementation->limit(core))
        peaks.push_back({to_string(isa), "limit_" + implementation->info().name, *limit, "MAC/cycle"});
    }
  return peaks;
}

nlohmann::ordered_json to_json(const std::vector<PeakRow>& peaks) {
  nlohmann::ordered_json json;
  for (const PeakRow& peak : peaks)
    json.push_back({{"isa", peak.isa}, {"quantity", peak.quantity}, {"value", peak.value}, {"unit", peak.unit}});
  return json;
}

}  // namespace xnorbench
