#include "kernels/simt/warp.h"

#include <string>

#include "kernels/simt/scheduler.h"

namespace xnorbench::simt {
namespace {

/// Fails in the thread that runs, because of what it calls.
template <typename Describe>
[[noreturn]] void fail_in(const Call& call, const Describe& describe) {
  current_thread().call = call;
  fail([&] { return current_block().describe_call(current_thread()) + describe(); });
}

void enter_collective(const Call& call) {
  if (!names(call.mask, current_thread().lane())) {
    fail_in(call, [] { return "the mask does not name the thread's own lane"; });
  }
  wait(State::in_collective, call);
}

bool predicate(const void* input) { return *static_cast<const int*>(input) != 0; }

void exchange_votes(const WarpExchange& warp) {
  unsigned votes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (warp.input[lane] != nullptr && predicate(warp.input[lane])) {
      votes |= 1U << lane;
    }
  }
  for (void* const output : warp.output) {
    if (output != nullptr) {
      *static_cast<unsigned*>(output) = votes;
    }
  }
}

unsigned vote(const char* name, unsigned mask, int predicate, Place place) {
  unsigned votes = 0;
  collective(name, mask, &predicate, &votes, exchange_votes, place);
  return votes;
}

struct ShuffleInput {
  std::uint64_t bits;
  unsigned source;
};

void exchange_values(const WarpExchange& warp) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (warp.output[lane] != nullptr) {
      const unsigned source = static_cast<const ShuffleInput*>(warp.input[lane])->source;
      *static_cast<std::uint64_t*>(warp.output[lane]) =
          static_cast<const ShuffleInput*>(warp.input[source])->bits;
    }
  }
}

const char* name_of(Shuffle kind) {
  switch (kind) {
    case Shuffle::from_lane: return "__shfl_sync";
    case Shuffle::up: return "__shfl_up_sync";
    case Shuffle::down: return "__shfl_down_sync";
    case Shuffle::across: break;
  }
  return "__shfl_xor_sync";
}

/// The lane that a lane reads from: in its own section of `width` lanes, or itself. Only across may
/// reach the sections before.
int source_lane(Shuffle kind, int lane, int argument, int width) {
  const int begin = lane & ~(width - 1);
  const int end = begin + width;
  switch (kind) {
    case Shuffle::from_lane: return begin + (argument & (width - 1));
    case Shuffle::up: return lane - argument < begin ? lane : lane - argument;
    case Shuffle::down: return lane + argument >= end ? lane : lane + argument;
    case Shuffle::across: break;
  }
  return (lane ^ argument) >= end ? lane : lane ^ argument;
}

}  // namespace

void collective(const char* name, unsigned mask, const void* input, void* output,
                void (*exchange)(const WarpExchange&), Place place) {
  enter_collective({name, place, mask, input, output, exchange});
}

std::uint64_t shuffle(Shuffle kind, unsigned mask, std::uint64_t bits, int argument, int width,
                      Place place) {
  Call call{name_of(kind), place, mask};
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) {
    fail_in(call, [&] {
      return "the width is " + std::to_string(width) + ", not a power of two up to 32";
    });
  }
  if (kind != Shuffle::from_lane && (argument < 0 || argument > 31)) {
    fail_in(call,
            [&] { return "the distance is " + std::to_string(argument) + ", not one of 0 to 31"; });
  }
  const int lane = static_cast<int>(current_thread().lane());
  const ShuffleInput input{bits, static_cast<unsigned>(source_lane(kind, lane, argument, width))};
  if (!names(mask, input.source)) {
    fail_in(call, [&] {
      return "reads from lane " + std::to_string(input.source) + ", which the mask does not name";
    });
  }
  std::uint64_t output = 0;
  call.input = &input;
  call.output = &output;
  call.exchange = exchange_values;
  enter_collective(call);
  return output;
}

}  // namespace xnorbench::simt

void __syncwarp(unsigned mask, xnorbench::simt::Place place) {
  xnorbench::simt::enter_collective({"__syncwarp", place, mask});
}

unsigned __ballot_sync(unsigned mask, int predicate, xnorbench::simt::Place place) {
  return xnorbench::simt::vote("__ballot_sync", mask, predicate, place);
}

int __any_sync(unsigned mask, int predicate, xnorbench::simt::Place place) {
  return xnorbench::simt::vote("__any_sync", mask, predicate, place) != 0 ? 1 : 0;
}

int __all_sync(unsigned mask, int predicate, xnorbench::simt::Place place) {
  return xnorbench::simt::vote("__all_sync", mask, predicate, place) == mask ? 1 : 0;
}
