#include "core/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <fstream>
#include <regex>

#include "core/error.h"
#include "core/files.h"

namespace xnorbench {
namespace {

static_assert(std::endian::native == std::endian::little,
              "written and read as the machine's own floats");

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw InputError(
      fmt::format("{}: {}; expected an .npy file of little-endian float32 in C order", file, what));
}

/// The header dictionary's text; leaves the stream at the data.
std::string read_header(std::ifstream& stream, const std::string& file) {
  char start[8] = {};
  stream.read(start, sizeof start);
  if (!stream || std::string_view(start, magic.size()) != magic) fail(file, "not an .npy file");
  const int version = start[6];
  if (version < 1 || version > 3)
    fail(file, fmt::format("version {} of the format is unknown", version));
  unsigned char bytes[4] = {};
  stream.read(reinterpret_cast<char*>(bytes), version == 1 ? 2 : 4);
  const std::uint32_t length =
      static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) |
      static_cast<std::uint32_t>(bytes[3]) << 24;
  // NumPy writes some 100 bytes; std::regex recurses over them.
  constexpr std::uint32_t longest = 4096;
  if (!stream || length > longest) fail(file, "its header is cut off or too long");
  std::string header(length, '\0');
  stream.read(header.data(), length);
  if (!stream) fail(file, "its header is cut off");
  return header;
}

std::string find(const std::string& header, const char* pattern, const std::string& file,
                 const char* name) {
  std::smatch match;
  if (!std::regex_search(header, match, std::regex(pattern)))
    fail(file, fmt::format("its header has no {}", name));
  return match[1];
}

std::vector<std::int64_t> parse_shape(const std::string& text, const std::string& file) {
  std::vector<std::int64_t> shape;
  static const std::regex number("[0-9]+");
  for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i) {
    if (i->length() > 12) fail(file, fmt::format("a side of {} is too long", i->str()));
    shape.push_back(std::stoll(i->str()));
  }
  return shape;
}

}  // namespace

NpyArray read_npy(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("cannot open {}; give a file that can be read", file));
  const std::string header = read_header(stream, file);
  const std::string type = find(header, "'descr': *'([^']*)'", file, "'descr'");
  if (type != "<f4") fail(file, fmt::format("its type is '{}', not '<f4'", type));
  if (find(header, "'fortran_order': *(True|False)", file, "'fortran_order'") == "True")
    fail(file, "it is in Fortran order");
  NpyArray array;
  array.shape = parse_shape(find(header, "'shape': *\\(([0-9, ]*)\\)", file, "'shape'"), file);

  // Compared with the file's own length before anything is allocated.
  const auto data_begin = stream.tellg();
  stream.seekg(0, std::ios::end);
  const auto floats = static_cast<std::int64_t>(stream.tellg() - data_begin) / 4;
  std::int64_t count = 1;
  for (std::int64_t side : array.shape)
    if (__builtin_mul_overflow(count, side, &count) || count > floats)
      fail(file, fmt::format("it holds {} numbers, fewer than its shape ({}) says", floats,
                             fmt::join(array.shape, ", ")));
  stream.seekg(data_begin);
  array.values.resize(static_cast<std::size_t>(count));
  stream.read(reinterpret_cast<char*>(array.values.data()), count * 4);
  if (!stream) fail(file, "reading it failed");
  return array;
}

void write_npy(const std::string& file, const NpyArray& array) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}",
                                   fmt::join(array.shape, ", "));
  constexpr std::size_t prefix = 10;  // magic, version, length
  constexpr std::size_t alignment = 64;
  header.resize((prefix + header.size() + alignment) / alignment * alignment - prefix - 1, ' ');
  header += '\n';
  std::string content(magic);
  content += {'\x01', '\0', static_cast<char>(header.size() & 0xFF),
              static_cast<char>(header.size() >> 8)};
  content += header;
  content.append(reinterpret_cast<const char*>(array.values.data()),
                 array.values.size() * sizeof(float));
  write_whole(file, content);
}

}  // namespace xnorbench
