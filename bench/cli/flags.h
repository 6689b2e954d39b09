// Flags that several commands share. A command lists its flags as joined() groups of these and of
// its own.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "bench/cli/command.h"

namespace xnorbench {

using Flags = std::vector<Flag>;

Flags joined(std::initializer_list<Flags> groups);

/// A flag whose value is taken as it stands.
Flag text_flag(const std::string& name, const std::string& value, const std::string& help,
               std::string Options::*member, const std::string& default_value = {});
/// A flag without a value.
Flag switch_flag(const std::string& name, const std::string& help, bool Options::*member);

Flag implementations_flag();
Flag isa_flag(const std::string& default_value);
Flag threads_flag(const std::string& default_value);
Flag seed_flag();
Flag out_flag();
Flag batch_flag(const std::string& default_value);
Flag networks_flag();
Flag input_flag();
Flag float_backend_flag(const std::string& default_backend);

/// --shapes. `what` begins its help, as in "Layers to time".
Flag shapes_flag(const std::string& what, const std::string& example,
                 const std::string& default_value);
/// --source and --destination: what is timed.
Flags region_flags();
/// --repetitions, --min-time and --quick.
Flags repetition_flags();
/// How cases are timed: implementations, threads, repetitions and where the records go.
Flags measuring_flags();

/// The most capable instruction set here, the default of --isa.
std::string best_isa_name();
/// Whether OpenMP gives as many threads. Its limits (OMP_THREAD_LIMIT, a control group) may be
/// lower than the machine's.
bool can_run_threads(int threads);

}  // namespace xnorbench
