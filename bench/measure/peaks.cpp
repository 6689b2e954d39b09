#include "bench/measure/peaks.h"

#include <map>

#include "bench/measure/clock.h"
#include "cpu/bounds.h"
#include "cpu/peak_rates.h"

namespace xnorbench {
namespace {

constexpr const char* scalar = "scalar";

template <typename PeakRates>
struct Quantity {
  const char* name;
  std::optional<double> PeakRates::*value;
};

constexpr Quantity<ScalarPeakRates> scalar_quantities[] = {
    {"integer_add", &ScalarPeakRates::integer}, {"popcnt", &ScalarPeakRates::popcnt}};
constexpr Quantity<VectorPeakRates> vector_quantities[] = {
    {"multiply_add_f32", &VectorPeakRates::multiply_add},
    {"dot_product_u8_s8", &VectorPeakRates::dot_product},
    {"byte_shuffle", &VectorPeakRates::byte_shuffle},
    {"byte_add", &VectorPeakRates::byte_add},
    {"xor", &VectorPeakRates::logic},
    {"vector_popcount", &VectorPeakRates::popcount},
    {"cpu_xnor_simd_mix", &VectorPeakRates::simd_mix},
    {"cpu_xnor_swar_mix", &VectorPeakRates::swar_mix}};

/// What this process has measured.
struct Measured {
  std::optional<ScalarPeakRates> scalar;
  std::map<Isa, VectorPeakRates> vectors;
  std::map<Isa, CorePeakRates> cores;  ///< by what was chosen
};

Measured& measured() {
  static Measured all;
  return all;
}

const VectorPeakRates& vector_peak_rates(Isa isa) {
  auto& vectors = measured().vectors;
  if (!vectors.contains(isa)) vectors[isa] = measure_vector_peak_rates(isa);
  return vectors[isa];
}

template <typename PeakRates, std::size_t count>
void add_rates(std::vector<PeakRow>& peaks, const std::string& isa, const PeakRates& peak_rates,
               const Quantity<PeakRates> (&quantities)[count]) {
  for (const auto& quantity : quantities)
    if (const std::optional<double> rate = peak_rates.*quantity.value)
      peaks.push_back({isa, quantity.name, *rate, "operations/cycle"});
}

std::optional<double> times(std::optional<double> bound, int threads) {
  return bound ? std::optional(*bound * threads) : std::nullopt;
}

bool is_on_cpu(const Implementation& implementation) {
  return implementation.info().device == "cpu";
}

}  // namespace

const CorePeakRates& core_peak_rates(Isa isa) {
  Measured& all = measured();
  if (const auto found = all.cores.find(isa); found != all.cores.end()) return found->second;
  const Pin pin(1);
  if (!all.scalar) all.scalar = measure_scalar_peak_rates();
  return all.cores[isa] = {*all.scalar, vector_peak_rates(Isa::baseline),
                           vector_peak_rates(best_isa()), vector_peak_rates(isa)};
}

std::optional<double> bound_of(const Implementation& implementation, const CpuShare& cpu) {
  if (!is_on_cpu(implementation)) return std::nullopt;
  return times(implementation.bound(core_peak_rates(cpu.isa)), cpu.threads);
}

std::optional<double> bound_of_real_layers(const Implementation& implementation,
                                           const CpuShare& cpu) {
  if (!is_on_cpu(implementation)) return std::nullopt;
  return times(f32_bound(core_peak_rates(cpu.isa)), cpu.threads);
}

std::optional<double> bound_of_network(const NetworkCounts& counts,
                                       const Implementation& implementation, const CpuShare& cpu) {
  return combined_bound(counts, bound_of(implementation, cpu),
                        bound_of_real_layers(implementation, cpu));
}

std::optional<double> combined_bound(const NetworkCounts& counts, std::optional<double> binary,
                                     std::optional<double> real) {
  double cycles = 0;
  for (const auto& [macs, bound] :
       {std::pair(counts.binary_macs, binary), std::pair(counts.real_macs, real)}) {
    if (macs == 0) continue;
    if (!bound) return std::nullopt;
    cycles += static_cast<double>(macs) / *bound;
  }
  return cycles > 0 ? std::optional(static_cast<double>(counts.macs()) / cycles) : std::nullopt;
}

std::vector<PeakRow> measured_peaks() {
  const Measured& all = measured();
  std::vector<PeakRow> peaks;
  if (all.scalar) add_rates(peaks, scalar, *all.scalar, scalar_quantities);
  for (const auto& [isa, peak_rates] : all.vectors)
    add_rates(peaks, to_string(isa), peak_rates, vector_quantities);
  for (const auto& [isa, core] : all.cores)
    for (const Implementation* implementation : all_implementations()) {
      if (!is_on_cpu(*implementation) ||
          !implementation->available(restrict_to(this_machine(), isa)))
        continue;
      if (const std::optional<double> bound = implementation->bound(core))
        peaks.push_back(
            {to_string(isa), "bound_" + implementation->info().name, *bound, "MAC/cycle"});
    }
  return peaks;
}

const CsvTable<PeakRow>& peaks_csv() {
  static const CsvTable<PeakRow> table{
      "peaks.csv",
      {
          csv_column<&PeakRow::isa>("isa"),
          csv_column<&PeakRow::quantity>("quantity"),
          {"value", CsvKind::number, [](const PeakRow& r) { return csv_significant(r.value, 6); }},
          csv_column<&PeakRow::unit>("unit"),
      }};
  return table;
}

nlohmann::ordered_json to_json(const std::vector<PeakRow>& peaks) {
  nlohmann::ordered_json json;
  for (const PeakRow& peak : peaks)
    json.push_back({{"isa", peak.isa},
                    {"quantity", peak.quantity},
                    {"value", peak.value},
                    {"unit", peak.unit}});
  return json;
}

}  // namespace xnorbench
