#include "tests/support.h"

#include <cstdlib>
#include <stdexcept>

namespace dowser {

std::optional<std::filesystem::path> test_data(std::string_view name) {
  const char* set = std::getenv("DOWSER_DATA");
  const std::filesystem::path root =
      set ? std::filesystem::path(set) : source_dir().parent_path() / "shared" / "data";
  const std::filesystem::path file = root / name;
  if (!std::filesystem::exists(file)) return std::nullopt;
  return file;
}

std::filesystem::path source_dir() { return DOWSER_SOURCE_DIR; }

std::filesystem::path dowser_program() { return DOWSER_BINARY; }

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "dowser-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dowser
