#include "store/unsorted_index.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"

namespace dowser {
namespace {

Error cannot_write(const std::filesystem::path& path) {
  return {fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

// The lines of a file, each with its end; one without an end was being written when the crawl died.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    if (end == text.npos) break;
    lines.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  return lines;
}

bool lies_before(std::string_view line, const ArchiveEnd& end) {
  const Result<CdxEntry> entry = CdxEntry::parse(line.substr(0, line.size() - 1));
  if (!entry) return false;
  return entry->filename < end.file || (entry->filename == end.file && entry->offset < end.offset);
}

}  // namespace

UnsortedIndex::UnsortedIndex(UnsortedIndex&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      pending_(std::move(other.pending_)) {}

UnsortedIndex::~UnsortedIndex() {
  if (file_ >= 0) ::close(file_);
}

Result<UnsortedIndex> UnsortedIndex::open(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return cannot_write(path);
  return UnsortedIndex(path, file);
}

Result<UnsortedIndex> UnsortedIndex::create(const std::filesystem::path& path) {
  return open(path);
}

Result<UnsortedIndex> UnsortedIndex::go_on(const std::filesystem::path& path,
                                           const ArchiveEnd& end) {
  Result<UnsortedIndex> index = open(path);
  if (!index) return index;
  size_t kept = 0;
  {
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) return file.error();
    // Lines stand in the order of the archive: from the end, until one lies before the cut.
    std::vector<std::string_view> lines = lines_of(file->bytes());
    while (!lines.empty() && !lies_before(lines.back(), end)) lines.pop_back();
    if (!lines.empty()) {
      kept = static_cast<size_t>(lines.back().data() + lines.back().size() - file->bytes().data());
    }
  }
  if (ftruncate(index->file_, static_cast<off_t>(kept)) != 0) return cannot_write(path);
  return index;
}

Status UnsortedIndex::flush() {
  for (size_t done = 0; done < pending_.size();) {
    const ssize_t n = ::write(file_, pending_.data() + done, pending_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return cannot_write(path_);
    done += static_cast<size_t>(n);
  }
  pending_.clear();
  return {};
}

Status UnsortedIndex::write_sorted(const std::filesystem::path& path) {
  if (Status s = flush(); !s) return s;
  const Result<MappedFile> file = MappedFile::open(path_);
  if (!file) return file.error();
  std::vector<std::string_view> lines = lines_of(file->bytes());
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  sorted.reserve(file->bytes().size());
  for (const std::string_view line : lines) sorted += line;
  return write_file(path, sorted);
}

}  // namespace dowser
