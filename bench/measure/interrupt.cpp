#include "bench/measure/interrupt.h"

#include <csignal>

namespace xnorbench {
namespace {

volatile std::sig_atomic_t noted = 0;
constexpr int signals[] = {SIGINT, SIGTERM};

void note(int caught) {
  noted = 1;
  std::signal(caught, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  for (int signal : signals) std::signal(signal, note);
}

InterruptGuard::~InterruptGuard() {
  for (int signal : signals) std::signal(signal, SIG_DFL);
}

bool is_interrupted() { return noted != 0; }

}  // namespace xnorbench
