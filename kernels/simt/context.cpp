#include "kernels/simt/context.h"

#if XNORBENCH_SIMT_ASSEMBLY

// A suspended context is a stack pointer: under it lie the registers that a function must keep,
// then the address to return to. The modes of the floating-point units are the same in all
// contexts.
extern "C" void xnorbench_simt_change_stack(void** from, void* to);
asm(R"(
  .text
  .globl xnorbench_simt_change_stack
  .hidden xnorbench_simt_change_stack
  .type xnorbench_simt_change_stack, @function
xnorbench_simt_change_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size xnorbench_simt_change_stack, .-xnorbench_simt_change_stack
)");

namespace xnorbench::simt {

void make_context(Context& context, char* bottom, std::size_t bytes, void (*entry)()) {
  constexpr int kept_registers = 6;
  void** top = reinterpret_cast<void**>(bottom + bytes);
  *--top = nullptr;  // as if called from nowhere: ends a backtrace, and aligns the stack
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < kept_registers; ++i) {
    *--top = nullptr;
  }
  context.stack_pointer = top;
}

void change_context(Context& from, Context& to) {
  xnorbench_simt_change_stack(&from.stack_pointer, to.stack_pointer);
}

}  // namespace xnorbench::simt

#else

namespace xnorbench::simt {

void make_context(Context& context, char* bottom, std::size_t bytes, void (*entry)()) {
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = bottom;
  context.state.uc_stack.ss_size = bytes;
  context.state.uc_link = nullptr;
  makecontext(&context.state, entry, 0);
}

void change_context(Context& from, Context& to) { swapcontext(&from.state, &to.state); }

}  // namespace xnorbench::simt

#endif
