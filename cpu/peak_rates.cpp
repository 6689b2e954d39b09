#include "cpu/peak_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>

#include "core/memory.h"
#include "cpu/host_clock.h"
#include "cpu/peak_rate_loops.h"

namespace xnorbench {
namespace {

constexpr int runs = 9, taken = 2;  // the third largest
constexpr double run_seconds = 0.5e-3;
constexpr int clock_cycles = 1 << 18;

struct Work {
  std::function<void(std::int64_t times)> run;
  double amount;  ///< operations or bytes of one time
};

struct Rate {
  double per_cycle, per_second;
};

double seconds_of(const Work& work, std::int64_t times) {
  const auto begin = std::chrono::steady_clock::now();
  work.run(times);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// How many times take run_seconds. Code, memory and vector units that are slow at first wake up
/// here.
std::int64_t calibrate(const Work& work) {
  std::int64_t times = 1;
  double seconds = seconds_of(work, times);
  for (; seconds < run_seconds / 8; seconds = seconds_of(work, times)) times *= 2;
  return std::max(times,
                  static_cast<std::int64_t>(static_cast<double>(times) * run_seconds / seconds));
}

Rate run_once(const Work& work, std::int64_t times) {
  const double before = time_host_cycles_hz(clock_cycles);
  const double per_second = work.amount * static_cast<double>(times) / seconds_of(work, times);
  // The faster of two clocks: an interruption makes a clock look slow, and the rate high.
  return {per_second / std::max(before, time_host_cycles_hz(clock_cycles)), per_second};
}

std::vector<Rate> measure_rates(const std::vector<Work>& works) {
  std::vector<std::int64_t> times;
  for (const Work& work : works) times.push_back(calibrate(work));
  std::vector<std::vector<Rate>> rates(works.size());
  for (int run = 0; run < runs; ++run)
    for (std::size_t i = 0; i < works.size(); ++i) rates[i].push_back(run_once(works[i], times[i]));
  std::vector<Rate> best;
  for (std::vector<Rate>& of_work : rates) {
    std::sort(of_work.begin(), of_work.end(),
              [](const Rate& a, const Rate& b) { return a.per_cycle > b.per_cycle; });
    best.push_back(of_work[taken]);
  }
  return best;
}

/// A loop, and the field that gets its rate.
struct Measured {
  PeakRateLoop loop;
  std::optional<double>* rate;
};

void measure_loops(std::vector<Measured> measured) {
  std::erase_if(measured, [](const Measured& m) { return !m.loop.run; });
  std::vector<Work> works;
  for (const Measured& m : measured)
    works.push_back({m.loop.run, static_cast<double>(m.loop.operations)});
  const std::vector<Rate> rates = measure_rates(works);
  for (std::size_t i = 0; i < measured.size(); ++i) *measured[i].rate = rates[i].per_cycle;
}

/// The loops of `isa`, without those for extensions that this machine lacks.
VectorLoops find_loops(Isa isa) {
  static constexpr const VectorLoops* tables[] = {
#define XNORBENCH_ISA(name, loops, kernel, peak_rates, needs, beside) &peak_rates##_loops,
#include "core/isas.def"
#undef XNORBENCH_ISA
  };
  const Machine& machine = this_machine();
  VectorLoops loops = *tables[static_cast<std::size_t>(isa)];
  if (loops.multiply_add_needs && !machine.has(loops.multiply_add_needs)) loops.multiply_add = {};
  // Float libraries use the 256 bits of AVX, for which there is no loop without AVX2.
  if (isa == Isa::baseline && machine.has("avx") && !machine.has("avx2")) loops.multiply_add = {};
  if (loops.vnni && machine.has(loops.vnni)) loops.dot_product = loops.dot_product_vnni;
  return loops;
}

VectorLoops require_loops(Isa isa) {
  const std::vector<Isa> isas = find_isas(this_machine());
  if (std::find(isas.begin(), isas.end(), isa) == isas.end())
    throw std::logic_error(
        fmt::format("peak rates of {}, which this machine does not have", to_string(isa)));
  return find_loops(isa);
}

}  // namespace

const VectorLoops none_loops{};

ScalarPeakRates measure_scalar_peak_rates() {
  ScalarPeakRates peak_rates;
  measure_loops(
      {{integer_loop, &peak_rates.integer},
       {this_machine().has("popcnt") ? popcnt_loop : PeakRateLoop{}, &peak_rates.popcnt}});
  return peak_rates;
}

VectorPeakRates measure_vector_peak_rates(Isa isa) {
  const VectorLoops loops = require_loops(isa);
  VectorPeakRates peak_rates;
  peak_rates.isa = isa;
  peak_rates.vector_bytes = loops.vector_bytes;
  measure_loops({{loops.multiply_add, &peak_rates.multiply_add},
                 {loops.dot_product, &peak_rates.dot_product},
                 {loops.byte_shuffle, &peak_rates.byte_shuffle},
                 {loops.byte_add, &peak_rates.byte_add},
                 {loops.logic, &peak_rates.logic},
                 {loops.popcount, &peak_rates.popcount},
                 {loops.simd_mix, &peak_rates.simd_mix},
                 {loops.swar_mix, &peak_rates.swar_mix}});
  return peak_rates;
}

std::vector<Bandwidth> measure_bandwidths(Isa isa) {
  const VectorLoops loops = require_loops(isa);
  if (!loops.read) return {};
  const Machine& machine = this_machine();
  // Blocks fill half of a cache, because other data is in it too. The block of DRAM is so much
  // larger than the last cache that the part which stays there does not matter.
  constexpr std::int64_t least_dram = std::int64_t{128} << 20;
  const std::int64_t last_level = std::max(machine.l2_bytes, machine.l3_bytes);
  std::vector<Bandwidth> levels{{"L1", machine.l1d_bytes / 2},
                                {"L2", machine.l2_bytes / 2},
                                {"L3", machine.l3_bytes / 2},
                                {"DRAM", std::max(least_dram, 4 * last_level)}};
  const auto available = static_cast<std::int64_t>(available_bytes());
  std::erase_if(levels, [&](Bandwidth& level) {
    level.block_bytes -= level.block_bytes % read_multiple;
    return level.block_bytes == 0 || (available > 0 && level.block_bytes > available / 2);
  });
  for (Bandwidth& level : levels) {
    const auto bytes = static_cast<std::size_t>(level.block_bytes);
    const std::unique_ptr<std::byte, decltype(&std::free)> block(
        static_cast<std::byte*>(std::aligned_alloc(read_multiple, bytes)), &std::free);
    if (!block) throw std::bad_alloc();
    std::fill_n(block.get(), bytes,
                std::byte{1});  // pages of its own: untouched ones are all the same page of zeros
    // Not in turns: reading the next level's block would evict this one.
    const Rate rate = measure_rates(
        {{[&](std::int64_t passes) { loops.read(block.get(), level.block_bytes, passes); },
          static_cast<double>(bytes)}})[0];
    level.bytes_per_cycle = rate.per_cycle;
    level.bytes_per_second = rate.per_second;
  }
  return levels;
}

}  // namespace xnorbench
