#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "run/check_parts.h"

namespace dowser {
namespace {

constexpr auto kRepair = CheckReport::Remedy::kRepair;

// Calls `line` with each line and its number from 1. False if the last one has no end.
bool for_each_line(std::string_view text,
                   const std::function<void(std::string_view, size_t)>& line) {
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == text.npos) return false;
    line(text.substr(0, end), ++number);
    text.remove_prefix(end + 1);
  }
  return true;
}

// Compares the lines of an index with those that the archive's records should have.
class IndexCheck {
 public:
  IndexCheck(const CheckedArchive& archive, const std::optional<ArchiveEnd>& end)
      : archive_(archive), end_(end) {
    for (const CheckedArchive::File& file : archive.files) {
      for (const CheckedArchive::Record& record : file.records) {
        if (record.line == 0) continue;
        all_.insert(record.line);
        if (!end || lies_before(file.name, record.offset, *end)) expected_.insert(record.line);
      }
    }
  }

  size_t expected() const { return expected_.size(); }

  // The file, and whether each line must be there: an index.cdxj of a crawl that continues is that
  // of its last stop.
  void check(const std::filesystem::path& path, bool sorted, bool complete, Problems& problems) {
    const std::string name = path.filename();
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) {
      problems.add(file.error().message, kRepair);
      return;
    }
    size_t wrong = 0, first = 0, disorder = 0;
    std::string_view before;
    absl::flat_hash_set<uint64_t> seen;
    const bool ended = for_each_line(file->bytes(), [&](std::string_view line, size_t number) {
      // Lines of index.unsorted end with a checksum, which only a crawl that continues needs.
      if (!sorted) line = line.substr(0, line.find('\t'));
      if (sorted && line < before && disorder == 0) disorder = number;
      before = line;
      const uint64_t hash = hash64(line);
      if (all_.contains(hash) ? seen.insert(hash).second : is_excused(line)) return;
      if (wrong++ == 0) first = number;
    });
    if (wrong > 0) {
      problems.add(fmt::format("{}: {} to no record of the archive; the first is line {}", name,
                               counted(wrong, "line belongs", "lines belong"), first),
                   kRepair);
    }
    if (disorder > 0) {
      problems.add(fmt::format("{} is out of order at line {}", name, disorder), kRepair);
    }
    if (!ended && complete) problems.add(fmt::format("{} is cut short", name), kRepair);
    size_t missing = 0;
    for (const uint64_t line : expected_) missing += !seen.contains(line);
    if (complete && missing > 0) {
      problems.add(fmt::format("{} lacks {} of the archive", name, counted(missing, "record")),
                   kRepair);
    }
  }

 private:
  // A line of a record that is damaged, or after the end.
  bool is_excused(std::string_view line) const {
    const Result<CdxEntry> entry = CdxEntry::parse(line);
    if (!entry) return false;
    if (end_ && !lies_before(entry->filename, entry->offset, *end_)) return true;
    const CheckedArchive::File* file = archive_.find(entry->filename);
    return file && !file->damage.empty() && file->is_damaged_at(entry->offset);
  }

  const CheckedArchive& archive_;
  const std::optional<ArchiveEnd>& end_;
  absl::flat_hash_set<uint64_t> all_, expected_;
};

}  // namespace

void check_index(const std::filesystem::path& folder, const CheckedArchive& archive,
                 const std::optional<ArchiveEnd>& end, bool finished, CheckReport& report) {
  Problems problems(report, "index");
  IndexCheck index(archive, end);
  std::error_code failed;
  const auto sorted = folder / "index.cdxj", unsorted = folder / "index.unsorted";
  if (std::filesystem::exists(unsorted, failed) || index.expected() > 0) {
    index.check(unsorted, false, true, problems);
  }
  if (std::filesystem::exists(sorted, failed) || finished) {
    index.check(sorted, true, finished, problems);
  } else {
    report.notes.emplace_back("there is no index.cdxj yet: it is written when the crawl stops");
  }
  report.index_is_bad = !problems.empty();
  problems.close(counted(index.expected(), "line"));
}

}  // namespace dowser
