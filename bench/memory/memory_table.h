// The tables of `xnorbench memory`, on standard output. MiB are 2^20 bytes.
#pragma once

#include <vector>

#include "bench/memory/budget.h"
#include "bench/records/network_memory.h"

namespace xnorbench {

/// Bytes by category, then by kind of layer at the step that needs most.
void print_memory(const NetworkMemory& memory);
/// One line per buffer, in the order of birth.
void print_buffers(const NetworkMemory& memory);
/// One line per setting, to compare them.
void print_memory_overview(const std::vector<NetworkMemory>& memories);

/// `rows` are of one network, batch and budget, and not empty.
void print_budget(const std::vector<BudgetRow>& rows);
void print_savings(const Budget& budget, const std::string& title,
                   const std::vector<Saving>& savings);

}  // namespace xnorbench
