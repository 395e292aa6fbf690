#include "archive/unpacker.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "archive/warc_head.h"
#include "base/compress.h"

namespace dowser {
namespace {

constexpr size_t kWhole =
    1024 * 1024;  // members up to this size are unpacked at once, which is faster
constexpr size_t kPiece = 64 * 1024;
constexpr size_t kPeekInput = 4096;  // a gzip header may hold a file name

// The fixed part of a gzip header: magic number, deflate, no reserved flags.
bool starts_gzip(std::string_view bytes) {
  return bytes.size() >= 4 && bytes.starts_with("\x1f\x8b\x08") && (bytes[3] & 0xe0) == 0;
}

}  // namespace

struct MemberInflater {
  explicit MemberInflater(std::string_view input) : rest(input) {
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~MemberInflater() { inflateEnd(&stream); }

  // Unpacks up to `size` bytes; `result` is that of zlib.
  size_t step(char* to, size_t size, int& result) {
    const size_t n = std::min(rest.size(), size_t{1} << 30);  // avail_in has 32 bits
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    stream.avail_in = static_cast<uInt>(n);
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(size);
    result = inflate(&stream, Z_NO_FLUSH);
    rest.remove_prefix(n - stream.avail_in);
    return size - stream.avail_out;
  }

  z_stream stream{};
  std::string_view rest;
};

Unpacker::Unpacker(std::string_view file, size_t offset)
    : file_(file),
      gzip_(offset < file.size() && starts_gzip(file.substr(offset))),
      next_(std::min(offset, file.size())) {
  if (!gzip_) end_ = End::kEnd;
}

Unpacker::~Unpacker() = default;
Unpacker::Unpacker(Unpacker&&) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&&) noexcept = default;

std::string_view Unpacker::window() const {
  return gzip_ ? std::string_view(buffer_).substr(begin_) : file_.substr(next_);
}

void Unpacker::take(size_t n) {
  if (gzip_) {
    begin_ += n;
  } else {
    next_ += n;
  }
}

bool Unpacker::more() {
  if (end_ != End::kOpen) return false;
  const size_t before = window().size();
  while (end_ == End::kOpen && window().size() == before) {
    inflater_ ? inflate_piece() : start_member();
  }
  return window().size() > before;
}

void Unpacker::start_member() {
  if (next_ == file_.size()) {
    end_ = End::kEnd;
    return;
  }
  trouble_ = next_;
  const std::string_view rest = file_.substr(next_);
  if (!starts_gzip(rest)) {
    end_ = rest.size() < 4 ? End::kCut : End::kBroken;
    return;
  }
  // Marks of members that are wholly taken are of no use any more.
  while (marks_.size() > 1 && marks_[1].position <= position()) marks_.erase(marks_.begin());
  marks_.push_back({start_ + buffer_.size(), next_});
  if (Result<GzipMember> member = gunzip_member(rest, kWhole)) {
    next_ += member->consumed;
    append(std::move(member->bytes));
  } else {
    inflater_ = std::make_unique<MemberInflater>(rest);
  }
}

void Unpacker::inflate_piece() {
  std::string piece(kPiece, '\0');
  int result = Z_OK;
  piece.resize(inflater_->step(piece.data(), piece.size(), result));
  const bool starved = piece.empty() && inflater_->rest.empty();
  append(std::move(piece));
  if (result == Z_STREAM_END) {
    next_ = file_.size() - inflater_->rest.size();
    inflater_.reset();
  } else if (result != Z_OK && result != Z_BUF_ERROR) {
    end_ = End::kBroken;
  } else if (starved) {
    end_ = End::kCut;
  }
}

void Unpacker::append(std::string bytes) {
  start_ += begin_;
  buffer_.erase(0, begin_);
  begin_ = 0;
  if (buffer_.empty()) {
    buffer_ = std::move(bytes);
  } else {
    buffer_ += bytes;
  }
}

const Unpacker::Mark& Unpacker::current() const {
  const auto behind = std::upper_bound(marks_.begin(), marks_.end(), position(),
                                       [](uint64_t p, const Mark& m) { return p < m.position; });
  return *(behind - 1);
}

uint64_t Unpacker::offset() const { return gzip_ && !marks_.empty() ? current().offset : next_; }

uint64_t Unpacker::skip() const {
  return gzip_ && !marks_.empty() ? position() - current().position : 0;
}

std::vector<size_t> Unpacker::member_starts() const {
  std::vector<size_t> starts;
  for (const Mark& mark : marks_) {
    if (mark.position > position()) starts.push_back(mark.position - position());
  }
  return starts;
}

size_t Unpacker::rest_of_member() const {
  for (const Mark& mark : marks_) {
    if (mark.position > position()) return mark.position - position();
  }
  return window().size();
}

bool Unpacker::at_member_end() const {
  if (!gzip_) return false;
  if (window().empty()) return !inflater_;
  return position() > 0 && skip() == 0;
}

bool Unpacker::resynchronise() {
  buffer_.clear();
  marks_.clear();
  inflater_.reset();
  start_ = begin_ = 0;
  const size_t found = find_member(file_, trouble_ + 1);
  end_ = found == std::string_view::npos ? End::kEnd : End::kOpen;
  next_ = std::min(found, file_.size());
  return end_ == End::kOpen;
}

std::string peek_member(std::string_view file, size_t offset) {
  if (offset >= file.size() || !starts_gzip(file.substr(offset))) return {};
  MemberInflater inflater(file.substr(offset, kPeekInput));
  std::string bytes(64, '\0');
  int result = Z_OK;
  bytes.resize(inflater.step(bytes.data(), bytes.size(), result));
  return bytes;
}

size_t find_member(std::string_view file, size_t from, size_t to) {
  for (size_t at = file.find("\x1f\x8b\x08", from); at < to && at != std::string_view::npos;
       at = file.find("\x1f\x8b\x08", at + 1)) {
    const std::string start = peek_member(file, at);
    const size_t first = start.find_first_not_of("\r\n");
    if (first != std::string::npos && starts_record(std::string_view(start).substr(first)))
      return at;
  }
  return std::string_view::npos;
}

}  // namespace dowser
