// The tables of `xnorbench memory`, on standard output. MiB are 2^20 bytes.
#pragma once

#include <vector>

#include "bench/memory/budget.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// Bytes by category, and who owns them by kind of layer at the fullest step.
void print_memory(const NetworkMemory& memory);
/// Buffer by buffer, in order of birth.
void print_buffers(const NetworkMemory& memory);
/// One line for each, for comparing.
void print_memory_overview(const std::vector<NetworkMemory>& memories);

/// Of one network and batch.
void print_budget(const Budget& budget, const std::vector<BudgetRow>& rows);
void print_savings(const Budget& budget, const std::string& title,
                   const std::vector<Saving>& savings);

}  // namespace xnorbench
