#include "kernels/simt/fibre.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace xnorbench::simt {
namespace {

// More than a kernel needs, because a sanitizer prints its report on the stack of the thread at
// fault. Pages that are never touched cost nothing.
constexpr std::size_t stack_bytes = 256 * 1024;
// Below it, a page that nobody may touch stops an overflow. 64 KiB: the largest page of any system.
constexpr std::size_t guard_bytes = 64 * 1024;

}  // namespace

Fibre* Fibre::running_ = nullptr;
Fibre::Stack Fibre::home_;

Fibre::Fibre() {
  void* const mapping = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) {
    throw std::bad_alloc();
  }
  mapping_ = static_cast<char*>(mapping);
  mprotect(mapping_, guard_bytes, PROT_NONE);
  stack_.known.bottom = mapping_ + guard_bytes;
  stack_.known.bytes = stack_bytes;
  sanitizer::create_thread(stack_.known);
}

Fibre::~Fibre() {
  sanitizer::destroy_thread(stack_.known);
  munmap(mapping_, guard_bytes + stack_bytes);
}

void Fibre::start(void (*function)()) {
  function_ = function;
  ended_ = false;
  make_context(stack_.context, mapping_ + guard_bytes, stack_bytes, &Fibre::enter);
}

void Fibre::resume() {
  sanitizer::adopt_thread(home_.known);
  running_ = this;
  change(home_, stack_, false);
  running_ = nullptr;
}

void Fibre::give_way() { change(running_->stack_, home_, false); }

void Fibre::enter() {
  sanitizer::arrive_at_start(home_.known);
  running_->function_();
  running_->ended_ = true;
  change(running_->stack_, home_, true);
  std::abort();
}

void Fibre::change(Stack& from, Stack& to, bool forever) {
  sanitizer::leave(from.known, to.known, forever);
  change_context(from.context, to.context);
  sanitizer::arrive(from.known);
}

}  // namespace xnorbench::simt
