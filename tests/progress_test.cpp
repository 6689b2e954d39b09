// What a long run says of itself, by a clock that the test moves.
#include "bench/measure/progress.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xnorbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class ProgressTest : public testing::Test {
 protected:
  ProgressOutput output(bool is_terminal) {
    return {is_terminal, 40, [this](const std::string& text) { text_ += text; },
            [this] { return now_; }};
  }

  std::chrono::steady_clock::time_point now_{};
  std::string text_;
};

TEST_F(ProgressTest, ALogHasALineAMinute) {
  {
    Progress progress("measuring", 900, 450, output(false));
    for (int i = 0; i < 900; ++i) {
      now_ += milliseconds(500);
      progress.step("a case", 0.5);
    }
  }
  EXPECT_EQ(text_,
            "measuring: 900 steps, about 7 min 30 s\n"
            "measuring: 120 of 900, about 6 min 30 s left\n"
            "measuring: 240 of 900, about 5 min 30 s left\n"
            "measuring: 360 of 900, about 4 min 30 s left\n"
            "measuring: 480 of 900, about 3 min 30 s left\n"
            "measuring: 600 of 900, about 2 min 30 s left\n"
            "measuring: 720 of 900, about 1 min 30 s left\n"
            "measuring: 840 of 900, about 30 s left\n"
            "measuring: 900 of 900 in 7 min 30 s\n");
}

TEST_F(ProgressTest, AShortRunHasItsFirstAndItsLastState) {
  {
    Progress progress("checking", 60, 0, output(false));
    for (int i = 0; i < 60; ++i) progress.step("a case");
    now_ += seconds(3);
  }
  EXPECT_EQ(text_, "checking: 60 steps\nchecking: 60 of 60 in 3 s\n");
}

TEST_F(ProgressTest, StepsOfMoreThanAMinuteHaveALineEach) {
  {
    Progress progress("measuring", 3, 0, output(false));
    for (int i = 0; i < 3; ++i) {
      now_ += minutes(2);
      progress.step("a case");
    }
  }
  EXPECT_EQ(text_,
            "measuring: 3 steps\n"
            "measuring: 1 of 3, about 4 min 00 s left\n"
            "measuring: 2 of 3, about 2 min 00 s left\n"
            "measuring: 3 of 3 in 6 min 00 s\n");
}

TEST_F(ProgressTest, AnInterruptedRunSaysHowFarItCame) {
  {
    Progress progress("measuring", 10, 100, output(false));
    progress.step("a case", 10);
    now_ += seconds(12);
  }
  EXPECT_EQ(text_, "measuring: 10 steps, about 1 min 40 s\nmeasuring: 1 of 10 in 12 s\n");
}

TEST_F(ProgressTest, NothingToDoSaysNothing) {
  { Progress progress("checking", 0, 0, output(false)); }
  EXPECT_EQ(text_, "");
}

TEST_F(ProgressTest, ANoteComesAtOnce) {
  Progress progress("checking", 100, 0, output(false));
  text_.clear();
  progress.step("a case");
  progress.note("a case: wrong");
  EXPECT_EQ(text_, "xnorbench: a case: wrong\n");
}

TEST_F(ProgressTest, ATerminalHasOneLineThatIsRewritten) {
  {
    Progress progress("measuring", 4, 0, output(true));
    EXPECT_EQ(text_, "");
    now_ += seconds(1);
    progress.step("a case");
    EXPECT_EQ(text_, "\r\x1b[Kmeasuring 1/4, 3 s left: a case");
    text_.clear();
    progress.step("a case with a name longer than a line");
    EXPECT_EQ(text_, "\r\x1b[K" +
                         std::string("measuring 2/4, 1 s left: a case with a name").substr(0, 39));
    text_.clear();
    progress.note("another case: wrong");
    EXPECT_EQ(text_, "\r\x1b[Kxnorbench: another case: wrong\n");
    text_.clear();
  }
  EXPECT_EQ(text_, "\r\x1b[K");
}

}  // namespace
}  // namespace xnorbench
