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

// Identifies a record of an ArchiveSet.
struct RecordRef {
  uint32_t index = 0;
  friend bool operator==(const RecordRef&, const RecordRef&) = default;
};

// Archive files as one web: address in, answer out. The index is built when the files are opened
// and kept in memory. Many threads may read at once.
class ArchiveSet {
 public:
  // Which capture is used if an address was captured more than once.
  enum class Pick { kNewest, kOldest };

  // Error if a file cannot be opened or is not WARC; damage inside a file is listed in errors().
  static Result<ArchiveSet> open(std::span<const std::filesystem::path> files,
                                 Pick pick = Pick::kNewest);

  // The response, resource or revisit for an address: first for the address as given, then for its
  // parsed form without the fragment.
  std::optional<RecordRef> find(std::string_view url) const;

  // The answer of the server. A resource is a 200 with its content type. A revisit has the header
  // of the later visit and the body of the first; if the later visit was "not modified", both are
  // of the first.
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
