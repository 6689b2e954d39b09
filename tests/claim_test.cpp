// Verdicts at their limits, units of sizes, and claims.csv.
#include "bench/claims/claim.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/claims/claim_builder.h"

namespace xnorbench {
namespace {

TEST(Claim, JudgesChangeAtTheirLimits) {
  EXPECT_EQ(judge_equal(105, 100), Verdict::reproduced);
  EXPECT_EQ(judge_equal(95, 100), Verdict::reproduced);
  EXPECT_EQ(judge_equal(105.1, 100), Verdict::partly);
  EXPECT_EQ(judge_equal(75, 100), Verdict::partly);
  EXPECT_EQ(judge_equal(125.1, 100), Verdict::not_reproduced);
  EXPECT_EQ(judge_at_least(1000, 100), Verdict::reproduced);
  EXPECT_EQ(judge_at_least(95, 100), Verdict::reproduced);
  EXPECT_EQ(judge_at_least(94.9, 100), Verdict::partly);
  EXPECT_EQ(judge_at_least(50, 100), Verdict::partly);
  EXPECT_EQ(judge_at_least(49.9, 100), Verdict::not_reproduced);
  EXPECT_EQ(judge_at_most(1, 100), Verdict::reproduced);
  EXPECT_EQ(judge_at_most(105, 100), Verdict::reproduced);
  EXPECT_EQ(judge_at_most(106, 100), Verdict::partly);
  EXPECT_EQ(judge_at_most(200, 100), Verdict::partly);
  EXPECT_EQ(judge_at_most(201, 100), Verdict::not_reproduced);
}

TEST(Claim, SizesAreGivenInTheUnitThatIsNearer) {
  std::vector<ClaimRow> rows;
  ClaimBuilder claim(rows, {.id = "size", .reported_value = 1, .unit = "MB"});
  claim.size("decimal", 1'000'000, "note");
  claim.size("binary", 1 << 20, "note");
  EXPECT_EQ(rows[0].unit, "MB");
  EXPECT_EQ(rows[0].note, "note (0.9537 MiB)");
  EXPECT_EQ(rows[1].unit, "MiB");
  EXPECT_EQ(rows[1].note, "note (1.049 MB)");
  EXPECT_EQ(rows[1].measured_value, 1.0);
}

TEST(Claim, CsvQuotesTextsAndLeavesAMissingValueEmpty) {
  ClaimRow row{.id = "id",
               .source = "a, b (recalled)",
               .reported_value = 39,
               .unit = "x",
               .conditions = "\"all\"",
               .definition = "d",
               .command = "c",
               .note = "n"};
  EXPECT_EQ(claims_csv().text({row}),
            "id,source,reported_value,unit,conditions,definition,baseline,measured_value,verdict,"
            "command,note\n"
            "id,\"a, b (recalled)\",39,x,\"\"\"all\"\"\",d,,,needs_device,c,n\n");
  row.measured_value = 39.375;
  row.verdict = Verdict::reproduced;
  EXPECT_NE(claims_csv().text({row}).find(",39.375,reproduced,"), std::string::npos);
}

}  // namespace
}  // namespace xnorbench
