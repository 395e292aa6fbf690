#include "archive/warc_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "archive/warc_head.h"

namespace dowser {
namespace {

constexpr size_t kMaxHead = 1024 * 1024;
constexpr size_t kSearchStart = 1024 * 1024;  // where the first record of a damaged file must start
constexpr size_t kVersion = 8;                // bytes that show the start of a record

std::string passed_over(uint64_t bytes) {
  return fmt::format("{} bytes that are not part of a record were skipped", bytes);
}

// A sentence for what is known not to be WARC, or "".
std::string refusal(std::string_view start, bool gzip) {
  if (start.starts_with("filedesc:")) {
    return fmt::format(
        "is an ARC file, the forerunner of WARC: convert it with "
        "'warcio recompress OLD.arc{} NEW.warc.gz'",
        gzip ? ".gz" : "");
  }
  if (start.starts_with("\x28\xb5\x2f\xfd"))
    return "is compressed with zstd: decompress it with 'zstd -d'";
  if (start.starts_with("PK\x03\x04")) {
    return "is a zip file: unpack it, and if it is a WACZ, give the .warc.gz files in its folder "
           "archive/";
  }
  return {};
}

}  // namespace

WarcCursor::WarcCursor(std::string_view file, uint64_t offset, uint64_t block_limit)
    : stream_(file, offset), block_limit_(block_limit) {}

void WarcCursor::note(uint64_t offset, std::string message) {
  if (errors_.size() == error_count_ && errors_.size() < kMostErrors) {
    errors_.push_back({offset, std::move(message)});
  }
  ++error_count_;
  last_error_ = offset;
}

void WarcCursor::forget_last_error() {
  if (errors_.size() == error_count_) errors_.pop_back();
  --error_count_;
}

void WarcCursor::skip(uint64_t n) {
  while (n > 0 && (!stream_.window().empty() || stream_.more())) {
    const size_t piece = std::min<uint64_t>(n, stream_.window().size());
    stream_.take(piece);
    n -= piece;
  }
}

std::optional<WarcRecord> WarcCursor::read_here() {
  skip_line_ends(false);
  while (stream_.window().size() < kVersion && stream_.more()) {
  }
  return starts_record(stream_.window()) ? read_record() : std::nullopt;
}

std::optional<WarcRecord> WarcCursor::next() {
  while (true) {
    skip_line_ends(false);
    if (stream_.window().empty()) {
      if (stream_.end() == Unpacker::End::kEnd) return std::nullopt;
      // What looked wrong inside a broken member is explained by that.
      if (error_count_ > 0 && last_error_ == stream_.trouble()) forget_last_error();
      note(stream_.trouble(), stream_.end() == Unpacker::End::kCut
                                  ? "the file ends in the middle of a gzip member"
                                  : "a gzip member is broken and was skipped");
      if (!stream_.resynchronise()) return std::nullopt;
      content_end_ = 0;
      continue;
    }
    while (stream_.window().size() < kVersion && stream_.more()) {
    }
    if (!starts_record(stream_.window())) {
      const uint64_t offset = stream_.offset(), passed = skip_to_record();
      // Where the stream breaks off, the next round has more to say.
      if (!stream_.window().empty() || !stream_.is_damaged()) note(offset, passed_over(passed));
    } else if (std::optional<WarcRecord> record = read_record()) {
      return record;
    }
  }
}

// Between records any number of line ends is fine, although the standard asks for two.
void WarcCursor::skip_line_ends(bool within_member) {
  while (true) {
    const std::string_view window = stream_.window();
    const size_t stop = within_member ? stream_.rest_of_member() : window.size();
    const size_t n = std::min(window.find_first_not_of("\r\n"), stop);
    stream_.take(n);
    if (n < window.size() || (within_member && stream_.at_member_end()) || !stream_.more()) return;
  }
}

uint64_t WarcCursor::skip_to_record() {
  const uint64_t begin = stream_.position();
  while (true) {
    const std::string_view window = stream_.window();
    size_t found = starts_record(window) ? 0 : find_record(window);
    for (const size_t start : stream_.member_starts()) {
      if (start < found && starts_record(window.substr(start))) found = start;
    }
    stream_.take(std::min(found, window.size() - std::min(window.size(), kVersion)));
    if (found != std::string_view::npos) break;
    // A start may reach over the border of what was searched, so its last bytes are searched again.
    if (!stream_.more()) {
      stream_.take(stream_.window().size());
      break;
    }
  }
  content_end_ = stream_.position();
  return content_end_ - begin;
}

std::optional<std::string> WarcCursor::read_head() {
  size_t end;
  do {
    end = end_of_head(stream_.window().substr(0, kMaxHead));
  } while (end == std::string_view::npos && stream_.window().size() < kMaxHead && stream_.more());
  if (end == std::string_view::npos) return std::nullopt;
  std::string head(stream_.window().substr(0, end));
  stream_.take(end);
  return head;
}

std::optional<WarcRecord> WarcCursor::read_record() {
  RecordPlace place{stream_.offset(), 0, stream_.skip()};
  // Line ends before the first record of a member are not worth mentioning.
  if (stream_.position() - stream_.skip() >= content_end_) place.skip = 0;

  const std::optional<std::string> text = read_head();
  if (!text && stream_.is_damaged()) {
    stream_.take(stream_.window().size());
    return std::nullopt;
  }
  std::optional<WarcHead> head;
  if (text) head = parse_warc_head(*text);
  if (!head || !head->length) {
    note(place.offset, head ? "a record has no Content-Length, so its end is unknown"
                            : "the header of a record has no end");
    if (!head) stream_.take(kVersion);
    skip_to_record();
    return std::nullopt;
  }
  WarcRecord record = std::move(head->record);
  record.place = place;
  if (!read_block(record, *head->length) || !find_end(record.place)) return std::nullopt;
  content_end_ = stream_.position();
  return record;
}

bool WarcCursor::read_block(WarcRecord& record, uint64_t length) {
  const uint64_t wanted = std::min(length, block_limit_);
  while (stream_.window().size() < wanted && !next_member_record() && stream_.more()) {
  }
  if (stream_.end() == Unpacker::End::kBroken && stream_.window().size() < wanted) {
    stream_.take(stream_.window().size());
    return false;
  }
  // What comes after shows whether the block ends where it says; not worth another gzip member.
  while (!stream_.member_is_whole() && stream_.window().size() < wanted + 2 * kVersion &&
         stream_.more()) {
  }

  const uint64_t end = block_end(length);
  record.truncated = end < length || end > wanted;
  record.block = stream_.window().substr(0, std::min(end, wanted));
  if (end > wanted) {
    note(record.place.offset,
         fmt::format("a block of {} bytes was cut to the limit of {}", length, block_limit_));
  } else if (record.truncated && !stream_.is_damaged()) {
    note(record.place.offset,
         fmt::format("a block has {} bytes, but its Content-Length is {}", end, length));
  }
  skip(end);
  return true;
}

std::optional<size_t> WarcCursor::next_member_record() const {
  for (const size_t start : stream_.member_starts()) {
    if (starts_record(stream_.window().substr(start))) return start;
  }
  return std::nullopt;
}

// Where the block ends that claims to have `length` bytes. That is before, where the bytes show
// that the claim is wrong: the next record has begun already, or the file is over.
uint64_t WarcCursor::block_end(uint64_t length) const {
  const std::string_view window = stream_.window();
  if (const auto next = next_member_record(); next && *next < length) return *next;
  if (length <= window.size()) {
    const std::string_view behind = window.substr(length, 64);
    const size_t next = std::min(behind.find_first_not_of("\r\n"), behind.size());
    if (next == behind.size() || starts_record(behind.substr(next))) return length;
  } else if (stream_.end() == Unpacker::End::kOpen) {
    return length;  // beyond the limit, and not unpacked yet
  }
  const uint64_t claimed = std::min<uint64_t>(length, window.size());
  if (starts_record(window)) return 0;
  const size_t next = find_record(window.substr(0, claimed));
  if (next == std::string_view::npos) return claimed;
  const size_t last = window.substr(0, next).find_last_not_of("\r\n");
  return last == std::string_view::npos ? 0 : last + 1;
}

// False if the gzip member of the record turns out to be broken.
bool WarcCursor::find_end(RecordPlace& place) {
  if (!stream_.is_gzip()) {
    place.length = stream_.offset() - place.offset;
    return true;
  }
  if (!stream_.at_member_end()) skip_line_ends(true);
  if (stream_.window().empty() && stream_.end() == Unpacker::End::kBroken &&
      !stream_.at_member_end()) {
    return false;
  }
  if (stream_.at_member_end()) place.length = stream_.member_end() - place.offset;
  return true;
}

Result<WarcReader> WarcReader::open(const std::filesystem::path& path, uint64_t limit) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  return make(std::move(*mapped), {}, path.string(), limit);
}

Result<WarcReader> WarcReader::over(std::string_view file, std::string name, uint64_t limit) {
  return make(std::nullopt, file, std::move(name), limit);
}

Result<WarcReader> WarcReader::make(std::optional<MappedFile> mapped, std::string_view file,
                                    std::string name, uint64_t limit) {
  const std::string_view bytes = mapped ? mapped->bytes() : file;
  if (bytes.empty()) return Error{fmt::format("{} is empty: it contains no records", name)};
  const std::string unpacked = peek_member(bytes, 0);
  const bool gzip = !unpacked.empty();
  const std::string_view start = gzip ? std::string_view(unpacked) : bytes.substr(0, 64);
  if (const std::string why = refusal(start, gzip); !why.empty()) {
    return Error{fmt::format("{} {}", name, why)};
  }
  size_t first = start.find_first_not_of("\r\n");
  if (first != std::string_view::npos && starts_record(start.substr(first))) {
    first = 0;
  } else {
    // A damaged start is no reason to give the rest up, but some record there must be.
    first =
        std::min(find_record(bytes.substr(0, kSearchStart)), find_member(bytes, 0, kSearchStart));
    if (first == std::string_view::npos) {
      return Error{fmt::format("{} is not a WARC file: it contains no record", name)};
    }
  }
  return WarcReader(std::move(mapped), file, std::move(name), first, limit);
}

WarcReader::WarcReader(std::optional<MappedFile> mapped, std::string_view file, std::string name,
                       uint64_t first, uint64_t limit)
    : mapped_(std::move(mapped)),
      file_(file),
      name_(std::move(name)),
      limit_(limit),
      cursor_(bytes(), first, limit) {
  if (first > 0) cursor_.note(0, passed_over(first));
}

Result<WarcRecord> WarcReader::read_at(const RecordPlace& place) const {
  if (place.offset < size()) {
    WarcCursor cursor(bytes(), place.offset, limit_);
    cursor.skip(place.skip);
    if (std::optional<WarcRecord> record = cursor.read_here()) {
      record->place = place;
      return std::move(*record);
    }
  }
  return Error{fmt::format("{} has no readable record at offset {}", name_, place.offset)};
}

}  // namespace dowser
