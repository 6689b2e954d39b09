#include "core/planner.h"

#include <algorithm>
#include <numeric>

#include "core/memory.h"

namespace xnorbench {
namespace {

bool overlap(const Lifetime& a, const Lifetime& b) {
  return a.birth <= b.death && b.birth <= a.death;
}

/// Lowest offset at which `index` fits beside the buffers placed before it.
std::size_t lowest_free_offset(std::span<const Lifetime> lifetimes,
                               const std::vector<std::size_t>& placed,
                               const std::vector<std::size_t>& offsets, std::size_t index) {
  std::vector<std::size_t> neighbours;
  for (std::size_t other : placed)
    if (overlap(lifetimes[index], lifetimes[other])) neighbours.push_back(other);
  std::sort(neighbours.begin(), neighbours.end(),
            [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
  std::size_t offset = 0;
  for (std::size_t other : neighbours) {
    if (offset + align_up(lifetimes[index].bytes) <= offsets[other]) break;
    offset = std::max(offset, offsets[other] + align_up(lifetimes[other].bytes));
  }
  return offset;
}

ArenaPlan place(std::span<const Lifetime> lifetimes, const std::vector<std::size_t>& order) {
  ArenaPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::vector<std::size_t> placed;
  for (std::size_t index : order) {
    plan.offsets[index] = lowest_free_offset(lifetimes, placed, plan.offsets, index);
    plan.bytes = std::max(plan.bytes, plan.offsets[index] + align_up(lifetimes[index].bytes));
    placed.push_back(index);
  }
  return plan;
}

/// Places in the given order, then again and again with the buffer that sticks out at the end moved
/// to the front. The best plan of all.
ArenaPlan improve(std::span<const Lifetime> lifetimes, std::vector<std::size_t> order,
                  std::size_t lower_bound) {
  constexpr int attempts = 200;
  ArenaPlan best = place(lifetimes, order);
  ArenaPlan plan = best;
  for (int attempt = 0; attempt < attempts && best.bytes > lower_bound; ++attempt) {
    const auto last = std::find_if(order.begin(), order.end(), [&](std::size_t index) {
      return plan.offsets[index] + align_up(lifetimes[index].bytes) == plan.bytes;
    });
    if (last == order.begin()) break;
    std::rotate(order.begin(), last, last + 1);
    plan = place(lifetimes, order);
    if (plan.bytes < best.bytes) best = plan;
  }
  return best;
}

}  // namespace

Peak find_peak(std::span<const Lifetime> lifetimes) {
  Peak peak;
  for (const Lifetime& at : lifetimes) {
    // The sum only grows at a birth.
    std::size_t alive = 0;
    for (const Lifetime& other : lifetimes)
      if (other.birth <= at.birth && at.birth <= other.death) alive += other.bytes;
    if (alive > peak.bytes || (alive == peak.bytes && at.birth < peak.step))
      peak = {at.birth, alive};
  }
  return peak;
}

ArenaPlan plan_arena(std::span<const Lifetime> lifetimes) {
  std::vector<std::size_t> by_size(lifetimes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::vector<std::size_t> by_birth = by_size;
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return lifetimes[a].bytes > lifetimes[b].bytes;
  });
  std::stable_sort(by_birth.begin(), by_birth.end(), [&](std::size_t a, std::size_t b) {
    return lifetimes[a].birth < lifetimes[b].birth;
  });

  std::vector<Lifetime> rounded(lifetimes.begin(), lifetimes.end());
  for (Lifetime& lifetime : rounded) lifetime.bytes = align_up(lifetime.bytes);
  const std::size_t lower_bound = find_peak(rounded).bytes;
  ArenaPlan best = improve(lifetimes, by_size, lower_bound);
  if (ArenaPlan other = improve(lifetimes, by_birth, lower_bound); other.bytes < best.bytes)
    best = std::move(other);
  best.lower_bound = lower_bound;
  return best;
}

}  // namespace xnorbench
