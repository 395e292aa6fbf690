#include "store/unsorted_index.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include "archive/warc_reader.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/new_file.h"

namespace dowser {
namespace {

using std::filesystem::path;

constexpr size_t kSumDigits = 16;

Error cannot_write(const path& file) {
  return {fmt::format("cannot write {}: {}", file.string(), std::strerror(errno))};
}

// By number, then by offset; "" stands before all.
bool is_before(const ArchiveEnd& a, const ArchiveEnd& b) {
  const auto number_a = archive_number(a.file), number_b = archive_number(b.file);
  return number_a != number_b ? number_a < number_b : a.offset < b.offset;
}

struct Line {
  std::string_view text;  // without checksum and line end
  std::optional<uint64_t> sum;
};

Line parse_line(std::string_view line) {
  const size_t tab = line.rfind('\t');
  if (tab == line.npos || line.size() - tab - 1 != kSumDigits) return {line, {}};
  uint64_t sum = 0;
  const char* end = line.data() + line.size();
  if (std::from_chars(line.data() + tab + 1, end, sum, 16).ptr != end) return {line, {}};
  return {line.substr(0, tab), sum};
}

struct GoodLine {
  std::string_view text;
  uint64_t sum = 0;
  size_t end = 0;  // in the file
};

std::optional<ArchiveEnd> begin_of(const Result<CdxEntry>& entry) {
  if (!entry || !archive_number(entry->filename)) return std::nullopt;
  return ArchiveEnd{entry->filename, entry->offset};
}

// The lines from the front that are whole, in order, and within the archive.
std::vector<GoodLine> good_lines(std::string_view text, const ArchiveEnd& archive_end) {
  std::vector<GoodLine> good;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    const Line line = parse_line(text.substr(begin, end - begin));
    const uint64_t sum = hash64(line.text, good.empty() ? 0 : good.back().sum);
    if (line.sum ? *line.sum != sum : !begin_of(CdxEntry::parse(line.text))) break;
    good.push_back({line.text, sum, end + 1});
  }
  while (!good.empty()) {
    const auto begin = begin_of(CdxEntry::parse(good.back().text));
    if (begin && is_before(*begin, archive_end)) break;
    good.pop_back();
  }
  return good;
}

// The entries of all records from `from` to `end`.
Result<std::vector<CdxEntry>> read_entries(const path& archive_folder, const ArchiveEnd& from,
                                           const ArchiveEnd& end) {
  std::vector<CdxEntry> entries;
  if (end.file.empty()) return entries;
  std::vector<std::pair<uint64_t, std::string>> files;
  std::error_code failed;
  for (auto it = std::filesystem::directory_iterator(archive_folder, failed);
       !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    const std::string name = it->path().filename();
    const auto number = archive_number(name);
    const bool is_wanted =
        number && number >= archive_number(from.file) && number <= archive_number(end.file);
    if (is_wanted) files.emplace_back(*number, name);
  }
  if (failed) {
    return Error{fmt::format("cannot read {}: {}", archive_folder.string(), failed.message())};
  }
  std::sort(files.begin(), files.end());
  for (const auto& [number, name] : files) {
    const Result<MappedFile> file = MappedFile::open(archive_folder / name);
    if (!file) return file.error();
    std::string_view bytes = file->bytes();
    if (name == end.file) bytes = bytes.substr(0, end.offset);
    const uint64_t offset = name == from.file ? from.offset : 0;
    if (offset >= bytes.size()) continue;
    WarcCursor cursor(bytes, offset, kBlockLimit);
    while (const std::optional<WarcRecord> record = cursor.next()) {
      if (std::optional<CdxEntry> entry = cdx_entry(*record, name)) {
        entries.push_back(std::move(*entry));
      }
    }
  }
  return entries;
}

}  // namespace

UnsortedIndex::UnsortedIndex(UnsortedIndex&& other) noexcept
    : path_(std::move(other.path_)),
      archive_folder_(std::move(other.archive_folder_)),
      file_(std::exchange(other.file_, -1)),
      sum_(other.sum_),
      pending_(std::move(other.pending_)) {}

UnsortedIndex::~UnsortedIndex() {
  if (file_ >= 0) ::close(file_);
}

Result<UnsortedIndex> UnsortedIndex::open(const path& file, path archive_folder) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return cannot_write(file);
  return UnsortedIndex(file, std::move(archive_folder), fd);
}

void UnsortedIndex::add(const CdxEntry& entry) {
  const std::string line = entry.line();
  sum_ = hash64(line, sum_);
  fmt::format_to(std::back_inserter(pending_), "{}\t{:016x}\n", line, sum_);
}

Status UnsortedIndex::flush() {
  if (Status s = write_all(file_, pending_, path_); !s) return s;
  pending_.clear();
  return {};
}

// The archive is read only after the last good line, so usually that is the request and the
// metadata of the last visit.
Status UnsortedIndex::repair(const ArchiveEnd& end) {
  uint64_t sum = 0;
  size_t size = 0;
  ArchiveEnd next;
  {
    const Result<MappedFile> file = MappedFile::open(path_);
    if (!file) return file.error();
    const std::vector<GoodLine> good = good_lines(file->bytes(), end);
    if (!good.empty()) {
      const Result<CdxEntry> last = CdxEntry::parse(good.back().text);
      next = {last->filename, last->offset + last->length};
      sum = good.back().sum;
      size = good.back().end;
    }
  }
  const Result<std::vector<CdxEntry>> missing = read_entries(archive_folder_, next, end);
  if (!missing) return missing.error();
  if (ftruncate(file_, static_cast<off_t>(size)) != 0) return cannot_write(path_);
  sum_ = sum;
  pending_.clear();
  for (const CdxEntry& entry : *missing) add(entry);
  return flush();
}

Status UnsortedIndex::write_sorted(const path& to, const ArchiveEnd& end) {
  if (Status s = flush(); !s) return s;
  if (Status s = repair(end); !s) return s;
  const Result<MappedFile> file = MappedFile::open(path_);
  if (!file) return file.error();
  std::vector<GoodLine> lines = good_lines(file->bytes(), end);
  std::sort(lines.begin(), lines.end(),
            [](const GoodLine& a, const GoodLine& b) { return a.text < b.text; });
  std::string sorted;
  sorted.reserve(file->bytes().size());
  for (const GoodLine& line : lines) sorted.append(line.text) += '\n';
  return replace_own_file(to, sorted);
}

}  // namespace dowser
