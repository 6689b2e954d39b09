// Files that are written whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace xnorbench {

/// Throws InputError unless a file of this name can be written. To be called before hours of
/// measuring, not after.
void require_writable(const std::string& file);

/// Writes under another name and then renames, so that an existing file is replaced whole or not at
/// all, and a reader never sees half of it. Throws InputError that ends with `advice` when it
/// cannot.
void write_whole(const std::string& file, std::string_view content,
                 std::string_view advice = "give a file in a folder that can be written");

}  // namespace xnorbench
