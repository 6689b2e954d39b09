#include "core/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "core/error.h"

namespace xnorbench {

std::filesystem::path shipped_file(const char* beside, const char* installed) {
  const std::filesystem::path program_folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::error_code error;
  if (std::filesystem::exists(program_folder / beside, error)) return program_folder / beside;
  return (program_folder / installed).lexically_normal();
}

void require_writable(const std::string& file) {
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error) || access(folder.c_str(), W_OK | X_OK) != 0 ||
      std::filesystem::is_directory(file, error))
    throw InputError(
        fmt::format("cannot write {}; give a file in a folder that can be written", file));
}

void write_whole(const std::string& file, std::string_view content, std::string_view advice) {
  const std::string temporary = file + ".new";
  std::ofstream stream(temporary, std::ios::binary);
  stream << content;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(temporary, file, error);
  if (stream && !error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw InputError(fmt::format("cannot write {}; {}", file, advice));
}

}  // namespace xnorbench
