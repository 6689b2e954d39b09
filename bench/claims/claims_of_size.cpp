#include "bench/claims/claims_of_size.h"

namespace xnorbench {

std::vector<ClaimRow> claims_of_size() {
  std::vector<ClaimRow> rows;
  for (const auto& part : {claims_of_operations(), claims_of_compression(), claims_of_weights()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace xnorbench
