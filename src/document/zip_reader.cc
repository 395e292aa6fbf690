#include "document/zip_reader.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <cstdint>
#include <memory>
#include <optional>

// The layout of a zip archive, as far as it is needed (PKWARE, APPNOTE.TXT): at the end stands a
// directory, an entry for each file with its name, sizes and the position of its local header,
// which is followed by the bytes. Numbers have the low byte first. Zip64 is not read: no document
// is that large.

namespace dowser {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30, kLongestComment = 65535;

uint32_t number(std::string_view bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

Error damaged(std::string_view what) {
  return {fmt::format("the zip archive is damaged: {}", what)};
}

// The end record may be followed by a comment.
std::optional<size_t> find_end(std::string_view archive) {
  if (archive.size() < kEndSize) return std::nullopt;
  const size_t last = archive.size() - kEndSize;
  for (size_t at = last; at + kLongestComment >= last; --at) {
    if (number(archive, at, 4) == kEnd) return at;
    if (at == 0) break;
  }
  return std::nullopt;
}

Result<std::string> unpack(std::string_view archive, size_t entry, size_t limit) {
  const uint32_t flags = number(archive, entry + 8, 2);
  const uint32_t method = number(archive, entry + 10, 2);
  const uint64_t packed = number(archive, entry + 20, 4);
  const uint64_t unpacked = number(archive, entry + 24, 4);
  const uint64_t local = number(archive, entry + 42, 4);
  if (flags & 1) return Error{"the zip archive is encrypted"};
  if (unpacked > limit)
    return Error{"out of memory: the zip archive contains a file that is too large"};
  if (local + kLocalSize > archive.size() || number(archive, local, 4) != kLocalHeader) {
    return damaged("a local header is missing");
  }
  const uint64_t begin =
      local + kLocalSize + number(archive, local + 26, 2) + number(archive, local + 28, 2);
  if (begin > archive.size() || packed > archive.size() - begin)
    return damaged("a file is cut short");
  const std::string_view bytes = archive.substr(begin, packed);
  if (method == 0) return std::string(bytes.substr(0, limit));
  if (method != 8) return damaged("a file is compressed with an unknown method");
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  std::string text(unpacked, '\0');
  const libdeflate_result result = libdeflate_deflate_decompress(
      inflater.get(), bytes.data(), bytes.size(), text.data(), text.size(), nullptr);
  if (result != LIBDEFLATE_SUCCESS) return damaged("a file cannot be decompressed");
  return text;
}

}  // namespace

Result<std::string> read_zip_file(std::string_view archive, std::string_view name, size_t limit) {
  const std::optional<size_t> end = find_end(archive);
  if (!end) return damaged("its directory is missing");
  size_t at = number(archive, *end + 16, 4);
  const uint32_t entries = number(archive, *end + 10, 2);
  for (uint32_t i = 0; i < entries; ++i) {
    if (at + kEntrySize > archive.size() || number(archive, at, 4) != kEntry) {
      return damaged("its directory is cut");
    }
    const size_t name_size = number(archive, at + 28, 2);
    const size_t more = number(archive, at + 30, 2) + number(archive, at + 32, 2);
    if (at + kEntrySize + name_size + more > archive.size()) return damaged("its directory is cut");
    if (archive.substr(at + kEntrySize, name_size) == name) return unpack(archive, at, limit);
    at += kEntrySize + name_size + more;
  }
  return Error{fmt::format("the zip archive contains no {}", name)};
}

}  // namespace dowser
