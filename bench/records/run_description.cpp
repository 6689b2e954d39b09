#include "bench/records/run_description.h"

#include <fmt/chrono.h>

#include <chrono>
#include <xsimd/xsimd.hpp>

#include "bench/records/build_info.h"
#include "core/cuda_module.h"
#include "core/implementation.h"
#include "core/machine.h"
#include "reference/libraries.h"

extern char** environ;

namespace xnorbench {
namespace {

nlohmann::ordered_json describe_libraries() {
  nlohmann::ordered_json json;
  for (const auto& [name, version] : library_versions())
    json[name] = version.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(version);
  json["benchmark"] = build_info::benchmark_version;
  json["xsimd"] =
      fmt::format("{}.{}.{}", XSIMD_VERSION_MAJOR, XSIMD_VERSION_MINOR, XSIMD_VERSION_PATCH);
  json["openmp"] = _OPENMP;
  return json;
}

nlohmann::ordered_json describe_machine() {
  const Machine& m = this_machine();
  return {{"name", m.name},
          {"cpu", m.cpu},
          {"logical_cpus", m.logical_cpus},
          {"threads_per_core", m.threads_per_core},
          {"l1d_bytes", m.l1d_bytes},
          {"l2_bytes", m.l2_bytes},
          {"l3_bytes", m.l3_bytes},
          {"memory_bytes", m.memory_bytes},
          {"isa", m.isa},
          {"os", m.os},
          {"kernel", m.kernel}};
}

/// Variables that change what a library does.
nlohmann::ordered_json describe_environment() {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    for (const char* prefix : {"OPENBLAS_", "ONEDNN_", "DNNL_", "OMP_", "GOMP_", "KMP_", "CUDA_",
                               "NVIDIA_", "CUBLAS_", "CUDNN_"})
      if (text.starts_with(prefix)) json[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return json;
}

nlohmann::ordered_json describe_implementations(
    const std::vector<const Implementation*>& implementations) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Implementation* implementation : implementations) {
    const ImplementationInfo& info = implementation->info();
    const Support support = implementation->available(this_machine());
    json.push_back({{"name", info.name},
                    {"device", info.device},
                    {"arithmetic", info.arithmetic},
                    {"description", info.description},
                    {"status", to_string(support.status)},
                    {"reason", support.reason}});
  }
  return json;
}

}  // namespace

std::string utc_now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

nlohmann::ordered_json describe_run(const std::vector<std::string>& command,
                                    const std::vector<const Implementation*>& implementations) {
  const nlohmann::ordered_json description = {
      {"schema", 2},
      {"command", command},
      {"started", utc_now()},
      {"finished", nullptr},
      {"exit_status", nullptr},
      {"project",
       {{"version", build_info::version},
        {"commit", build_info::commit},
        {"dirty", build_info::dirty}}},
      {"build",
       {{"compiler", build_info::compiler},
        {"type", build_info::type},
        {"flags", build_info::flags}}},
      {"libraries", describe_libraries()},
      {"machine", describe_machine()},
      {"environment", describe_environment()},
      {"implementations", describe_implementations(implementations)},
      {"gpu", cuda_description()},  // after the implementations, which ask for it
      {"peaks", nullptr}};          // once measured
  // Arguments and variables may hold bytes that are not UTF-8; JSON may not.
  using Json = nlohmann::ordered_json;
  return Json::parse(description.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace xnorbench
