#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace dowser {

// The place to which recovery moves what it removes from a folder, so that nothing is ever deleted:
// DIR/set-aside/20261117T020101Z/. The folder is created when the first file is moved there.
class SetAside {
 public:
  SetAside(std::filesystem::path folder, Time now);

  // Moves the bytes of `file` from `offset` on to NAME.from-OFFSET. Does nothing if the file ends
  // at `offset`. The copy is on disk before the file is truncated.
  Status cut(const std::filesystem::path& file, uint64_t offset);
  // Moves a whole file or folder.
  Status move(const std::filesystem::path& file);
  // Copies a file; the original stays.
  Status copy(const std::filesystem::path& file);
  // A path in the set-aside folder for a file that the caller writes.
  Result<std::filesystem::path> path_for(const std::string& name);

  const std::filesystem::path& folder() const { return folder_; }
  bool is_empty() const { return !made_; }
  uint64_t bytes() const { return bytes_; }  // that cut() and move() took out

 private:
  std::filesystem::path folder_;
  bool made_ = false;
  uint64_t bytes_ = 0;
};

}  // namespace dowser
