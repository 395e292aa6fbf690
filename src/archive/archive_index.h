#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/warc_reader.h"
#include "base/result.h"
#include "model/response.h"

namespace dowser {

// Names a record of an ArchiveSet.
struct RecordRef {
  uint32_t index = 0;
  friend bool operator==(const RecordRef&, const RecordRef&) = default;
};

// Archive files as one web: address in, answer out. The index is made when they are opened and
// lives in memory. Many threads may read at once.
class ArchiveSet {
 public:
  // Which capture answers where an address was captured more than once.
  enum class Pick { kNewest, kOldest };

  // Error if a file cannot be opened or is not WARC; damage inside one goes to errors().
  static Result<ArchiveSet> open(std::span<const std::filesystem::path> files,
                                 Pick pick = Pick::kNewest);

  // The response, resource or revisit for an address: as it stands, or else after it has been
  // parsed and its fragment taken off.
  std::optional<RecordRef> find(std::string_view url) const;

  // What the server said. A resource is a 200 with its content type; a revisit has the head of the
  // later visit and the body of the first, or where that said "not modified" both of the first.
  Result<Response> load(RecordRef ref) const;

  // Every address that has an answer, in the order of the files.
  const std::vector<std::string>& urls() const { return urls_; }

  struct FileError {
    std::string file;
    ArchiveError error;
  };
  const std::vector<FileError>& errors() const { return errors_; }
  // How many records were damaged; errors() remembers the first of each file.
  uint64_t damaged() const { return damaged_; }

 private:
  struct Entry {
    uint32_t file = 0;
    RecordPlace place;
    Time date;
    std::optional<uint32_t> original;  // of a revisit: the entry that has the payload
  };
  struct Revisits;

  ArchiveSet() = default;
  void add_file(uint32_t file, Pick pick, Revisits& revisits);
  void add_address(std::string_view target, uint32_t index, Pick pick);

  std::vector<WarcReader> files_;
  std::vector<Entry> entries_;
  std::vector<std::string> urls_;
  absl::flat_hash_map<std::string, uint32_t> by_target_;
  absl::flat_hash_map<std::string, uint32_t> by_address_;  // only where the parsed form differs
  uint64_t damaged_ = 0;
  std::vector<FileError> errors_;
};

}  // namespace dowser
