// Files that come with the program, and files that are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace xnorbench {

/// A file or folder that comes with the program, by its place relative to the program's folder:
/// `beside` in a build tree or a bundle, `installed` in a prefix (cmake/install.cmake). Returns the
/// second if neither is there.
std::filesystem::path shipped_file(const char* beside, const char* installed);

/// Throws InputError unless a file of this name can be written. To be called before hours of
/// measuring, not after.
void require_writable(const std::string& file);

/// Writes under another name and then renames, so that an existing file is replaced whole or not at
/// all, and a reader never sees half of it. Throws InputError that ends with `advice` when it
/// cannot.
void write_whole(const std::string& file, std::string_view content,
                 std::string_view advice = "give a file in a folder that can be written");

}  // namespace xnorbench
