#include "core/machine.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string_view>

namespace xnorbench {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Value of the first "key<tab or spaces>: value" line.
std::string cpuinfo(std::string_view key) {
  std::ifstream stream("/proc/cpuinfo");
  std::string line;
  while (std::getline(stream, line)) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || !line.starts_with(key)) continue;
    if (line.find_first_not_of(" \t", key.size()) == colon) return line.substr(colon + 2);
  }
  return {};
}

/// "512K" -> bytes.
std::int64_t parse_cache_size(const std::string& text) {
  if (text.empty()) return 0;
  const std::int64_t number = std::strtoll(text.c_str(), nullptr, 10);
  return text.back() == 'K' ? number << 10 : text.back() == 'M' ? number << 20 : number;
}

std::int64_t cache_bytes(const std::string& level, std::string_view type) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    if (first_line(folder + "level") == level && first_line(folder + "type") == type)
      return parse_cache_size(first_line(folder + "size"));
  }
  return 0;
}

/// Entries of a list such as "0-1" or "0,64".
int count_cpu_list(const std::string& list) {
  std::istringstream stream(list);
  std::string part;
  int count = 0;
  while (std::getline(stream, part, ',')) {
    const std::size_t dash = part.find('-');
    count += dash == std::string::npos
                 ? 1
                 : std::atoi(part.c_str() + dash + 1) - std::atoi(part.c_str()) + 1;
  }
  return count;
}

struct Extension {
  const char* name;
  bool (*is_supported)();
};

#if defined(__x86_64__)

/// The builtin of older compilers does not know this one.
bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 &&
         (a >> 4 & 1U) != 0;
}

// The builtin takes a literal.
#define XNORBENCH_EXTENSION(name)                          \
  Extension {                                              \
    name, [] { return __builtin_cpu_supports(name) != 0; } \
  }
constexpr Extension extensions[] = {
    XNORBENCH_EXTENSION("popcnt"),
    XNORBENCH_EXTENSION("ssse3"),
    XNORBENCH_EXTENSION("avx"),
    XNORBENCH_EXTENSION("fma"),
    XNORBENCH_EXTENSION("avx2"),
    XNORBENCH_EXTENSION("avx512f"),
    XNORBENCH_EXTENSION("avx512cd"),
    XNORBENCH_EXTENSION("avx512dq"),
    XNORBENCH_EXTENSION("avx512bw"),
    XNORBENCH_EXTENSION("avx512vnni"),
    XNORBENCH_EXTENSION("avx512vpopcntdq"),
    XNORBENCH_EXTENSION("avx512bitalg"),
    {"avxvnni", has_avxvnni},
};
#undef XNORBENCH_EXTENSION

#elif defined(__aarch64__)
constexpr Extension extensions[] = {{"neon", [] { return true; }}};
#else
constexpr std::array<Extension, 0> extensions{};
#endif

/// Lower case letters and digits with single dashes.
std::string slug(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (result.ends_with('-')) result.pop_back();
  return result;
}

Machine describe() {
  Machine machine;
  machine.cpu = cpuinfo("model name");
  const std::string family = cpuinfo("cpu family");
  if (!family.empty())
    machine.cpu += fmt::format(" (family {} model {})", family, cpuinfo("model"));
  machine.logical_cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  machine.threads_per_core =
      count_cpu_list(first_line("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"));
  machine.l1d_bytes = cache_bytes("1", "Data");
  machine.l2_bytes = cache_bytes("2", "Unified");
  machine.l3_bytes = cache_bytes("3", "Unified");
  machine.memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  for (const Extension& extension : extensions)
    if (extension.is_supported()) machine.isa.emplace_back(extension.name);
  utsname system{};
  uname(&system);
  machine.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  std::ifstream release("/etc/os-release");
  std::string line;
  while (std::getline(release, line))
    if (line.starts_with("PRETTY_NAME=\"")) machine.os = line.substr(13, line.size() - 14);
  machine.name = slug(machine.cpu.empty() ? system.machine : machine.cpu) +
                 fmt::format("-{}cpu", machine.logical_cpus);
  return machine;
}

}  // namespace

std::vector<std::string> known_extensions() {
  std::vector<std::string> names;
  for (const Extension& extension : extensions) names.emplace_back(extension.name);
  return names;
}

bool Machine::has(const std::string& extension) const {
  return std::find(isa.begin(), isa.end(), extension) != isa.end();
}

const Machine& this_machine() {
  static const Machine machine = describe();
  return machine;
}

}  // namespace xnorbench
