#pragma once

#include <map>
#include <optional>
#include <set>

#include "archive/cdxj.h"
#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "engine/counters.h"
#include "run/check.h"
#include "store/catalogue.h"

// The parts of a crawl's folder as `dowser check` sees them. Each function looks at one part, adds
// its line and its problems to the report, and returns what the next ones compare with. Texts are
// kept as hashes, so that millions of pages fit into memory.

namespace dowser {

// Adds problems of one part; beyond the hundredth they are only counted.
class Problems {
 public:
  Problems(CheckReport& report, std::string part) : report_(report), part_(std::move(part)) {}

  void add(std::string what, CheckReport::Remedy remedy = CheckReport::Remedy::kNone);
  bool empty() const { return count_ == 0; }
  // The part's line in the report.
  void close(std::string summary) const;

 private:
  CheckReport& report_;
  const std::string part_;
  size_t count_ = 0;
};

std::string with_commas(uint64_t number);                                                // 12,034
std::string counted(uint64_t number, std::string_view one, std::string_view many = {});  // 3 files

// Whether the place in the archive is before the end.
bool lies_before(std::string_view file, uint64_t offset, const ArchiveEnd& end);

struct CheckedState {
  bool readable = false;
  struct Visit {
    uint64_t address = 0;  // hash64 of the address
    uint32_t file = 0;     // where the archive ended after it: in `files`
    uint64_t offset = 0;
  };
  std::vector<std::string> files;
  std::vector<Visit> visits;
  std::optional<CrawlCounters> counters;
  std::string model_digest;  // "" if there is none
  std::string broken_end;    // of its log, see base/state_reading.h
  std::optional<SyncMark> synced;

  ArchiveEnd end_of(size_t visit) const {
    return {files[visits[visit].file], visits[visit].offset};
  }
};
CheckedState check_state(const std::filesystem::path& folder, CheckReport& report);

struct CheckedArchive {
  struct Record {
    uint64_t offset = 0, length = 0;
    RecordType type = RecordType::kOther;
    uint64_t target = 0, digest = 0;  // hashes; digest is 0 if there is none
    uint64_t line = 0;                // of the index; 0 if it has none
  };
  struct File {
    std::string name;
    uint64_t size = 0;
    std::vector<Record> records;
    std::vector<ArchiveError> damage;

    const Record* find(uint64_t offset) const;
    // Whether there is no good record at this offset.
    bool is_damaged_at(uint64_t offset) const;
  };
  std::vector<File> files;
  const File* find(std::string_view name) const;
};
// The names of the crawl's own archive files, in their order.
Result<std::vector<std::string>> own_archive_files(const std::filesystem::path& archive_folder);
// Calls use(file, record) for every record that can be read, in their order.
using UseRecord = std::function<Status(const std::string& file, WarcRecord record)>;
Status for_each_record(const std::filesystem::path& archive_folder, const Watch& watch,
                       const UseRecord& use);
Result<CheckedArchive> read_archive(const std::filesystem::path& archive_folder,
                                    const Watch& watch);

struct CheckedCatalogue {
  bool readable = false;
  uint32_t visits = 0;
  bool finished = false;  // the newest run came to its end
  std::optional<SyncMark> synced;
  struct Page {
    uint64_t address = 0, final_address = 0, digest = 0;  // hashes
    std::string_view file;                                // "" if nothing was archived
    uint64_t offset = 0;
  };
  std::set<std::string> files;
  std::vector<Page> pages;
  std::string configuration;  // of the newest run; "" if it cannot be trusted
};
CheckedCatalogue check_catalogue(const std::filesystem::path& folder, CheckReport& report);

// How far the three agree; adds what they say about each other.
void compare_parts(const std::filesystem::path& folder, const CheckedState& state,
                   const CheckedCatalogue& catalogue, const CheckedArchive& archive,
                   CheckReport& report);

// What comes after `end` is not checked; without an end, everything is.
void check_archive(const CheckedArchive& archive, const CheckedCatalogue& catalogue,
                   const std::optional<ArchiveEnd>& end, CheckReport& report);
void check_index(const std::filesystem::path& folder, const CheckedArchive& archive,
                 const std::optional<ArchiveEnd>& end, bool finished, CheckReport& report);

// Writes a catalogue at `path` from the archive; rows of `old` whose sums are right are taken as
// they are. The number of pages, and how many of them were taken.
struct Rebuilt {
  uint32_t pages = 0, taken = 0, incomplete = 0;
};
Result<Rebuilt> rebuild_catalogue(const std::filesystem::path& folder,
                                  const std::filesystem::path& path, const Watch& watch);

}  // namespace dowser
