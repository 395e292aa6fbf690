#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace dowser {

// Where recovery puts what it takes out of a folder, so that nothing is ever deleted:
// DIR/set-aside/20261117T020101Z/. The folder is made when the first thing is put there.
class SetAside {
 public:
  SetAside(std::filesystem::path folder, Time now);

  // Takes out the bytes of `file` from `offset` on; they become NAME.from-OFFSET. Nothing happens
  // where the file ends there. The copy is on the disk before the file is cut.
  Status cut(const std::filesystem::path& file, uint64_t offset);
  // Takes out a whole file or folder.
  Status move(const std::filesystem::path& file);
  // The file stays as well.
  Status copy(const std::filesystem::path& file);
  // A path there for a file that the caller writes.
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
