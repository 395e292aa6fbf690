#include "tests/faults/mutate.h"

#include <algorithm>
#include <fstream>

#include "tests/faults/crawl_folder.h"

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string mutate_folder(const fs::path& path, const fs::path& earlier, const std::string& how) {
  if (how == "remove") {
    fs::remove_all(path);
    return "the whole folder";
  }
  if (how == "empty") {  // as where a disk is not mounted
    fs::remove_all(path);
    fs::create_directory(path);
    return "the whole folder";
  }
  if (how == "older" && fs::is_directory(earlier)) {
    copy_folder(earlier, path);
    return "the whole folder";
  }
  return {};
}

std::string place(size_t from, size_t size) {
  return "bytes " + std::to_string(from) + " to " + std::to_string(from + size);
}

}  // namespace

std::string mutate(const fs::path& path, const fs::path& earlier, const std::string& how,
                   std::mt19937_64& random) {
  if (fs::is_directory(path)) return mutate_folder(path, earlier, how);
  std::string bytes = file_content(path);
  const auto below = [&](size_t n) { return n ? static_cast<size_t>(random() % n) : 0; };
  if (how == "remove") {
    fs::remove(path);
    return "the file";
  }
  if (how == "folder") {
    fs::remove(path);
    fs::create_directory(path);
    return "a folder of its name";
  }
  if (how == "junk") {
    const size_t size = 1 + below(5000);
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
    write(path, bytes);
    return std::to_string(size) + " bytes behind its end";
  }
  if (how == "older") {
    if (!fs::is_regular_file(earlier) || file_content(earlier) == bytes) return {};
    fs::copy_file(earlier, path, fs::copy_options::overwrite_existing);
    return "its older version";
  }
  if (bytes.empty()) return {};
  if (how == "empty") {
    write(path, {});
    return "all of it";
  }
  const size_t at = below(bytes.size());
  if (how == "cut") {
    bytes.resize(at);
    write(path, bytes);
    return "from byte " + std::to_string(at);
  }
  if (how == "bit") {
    const auto bit = below(8);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    write(path, bytes);
    return "bit " + std::to_string(bit) + " of byte " + std::to_string(at);
  }
  const size_t size = std::min(bytes.size() - at, 1 + below(how == "zeros" ? 4096 : 600));
  for (size_t i = 0; i < size; ++i) {
    bytes[at + i] = how == "zeros" ? '\0' : static_cast<char>(random());
  }
  write(path, bytes);
  return place(at, size);
}

}  // namespace dowser::faults
