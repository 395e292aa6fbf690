#include "archive/warc_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include "base/compress.h"
#include "base/file.h"
#include "base/hash.h"

namespace dowser {
namespace {

// A body that arrived compressed is stored as it is: packing again would save 1 to 6 %, nearly all
// of it in the heads. All else is packed fast: see docs/performance.md.
constexpr int kStored = 0;

// A line end in a value would start a new field.
void add_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ");
  const size_t begin = head.size();
  head.append(value);
  if (value.find_first_of("\r\n") != value.npos) {
    std::replace_if(
        head.begin() + static_cast<ptrdiff_t>(begin), head.end(),
        [](char c) { return c == '\r' || c == '\n'; }, ' ');
  }
  head += "\r\n";
}

// A name-based UUID (version 5 of RFC 9562) of all that tells a record from others.
std::string make_id(const WarcRecord& record, std::string_view block_digest, uint64_t salt) {
  const Sha1 digest = sha1(fmt::format("{}\n{}\n{}\n{}\n{}", name_of(record.type), record.target,
                                       record.date.micros, block_digest, salt));
  Sha1 b = digest;
  b[6] = (b[6] & 0x0f) | 0x50;
  b[8] = (b[8] & 0x3f) | 0x80;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string id = "<urn:uuid:";
  for (size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += kDigits[b[i] >> 4];
    id += kDigits[b[i] & 15];
  }
  return id += '>';
}

bool has_payload(RecordType type) {
  return type == RecordType::kResponse || type == RecordType::kResource ||
         type == RecordType::kConversion;
}

bool is_packed(const WarcRecord& record) {
  if (record.type != RecordType::kResponse || !record.is_http()) return false;
  const std::string_view block = record.block;
  const auto head = parse_response(block.substr(0, block.size() - record.payload().size()));
  if (!head) return false;
  const std::string_view coding = head->headers.get("Content-Encoding").value_or("identity");
  return !coding.empty() && coding != "identity";
}

std::string serialise(const WarcRecord& record, std::string_view id,
                      std::string_view block_digest) {
  constexpr size_t kHead = 1024;  // of most records
  std::string text;
  text.reserve(kHead + record.block.size());
  text += "WARC/1.1\r\n";
  const auto own_type = record.headers.get("WARC-Type");
  add_field(text, "WARC-Type", own_type ? *own_type : name_of(record.type));
  add_field(text, "WARC-Record-ID", id);
  add_field(text, "WARC-Date", to_iso8601(record.date));
  if (!record.target.empty()) add_field(text, "WARC-Target-URI", record.target);
  for (const auto& [name, value] : record.headers) {
    if (name != "WARC-Type") add_field(text, name, value);
  }
  if (!record.block_digest()) add_field(text, "WARC-Block-Digest", block_digest);
  if (!record.payload_digest() && has_payload(record.type)) {
    add_field(text, "WARC-Payload-Digest", sha1_digest(record.payload()));
  }
  if (!record.content_type.empty()) add_field(text, "Content-Type", record.content_type);
  add_field(text, "Content-Length", fmt::format("{}", record.block.size()));
  text += "\r\n";
  text += record.block;
  text += "\r\n\r\n";
  return text;
}

Error cannot_write(const std::filesystem::path& path) {
  return {fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

std::string archive_name(std::string_view prefix, uint64_t number, bool gzip) {
  return fmt::format("{}-{:05}.warc{}", prefix, number, gzip ? ".gz" : "");
}

// In the words of the standard.
std::string_view why_truncated(const Response& response) {
  switch (response.cut_by) {
    case Failure::kNone:
      return "length";
    case Failure::kTimeoutStall:
    case Failure::kTimeoutTotal:
      return "time";
    case Failure::kReset:
      return "disconnect";
    default:
      return "unspecified";
  }
}

std::string fields_text(const Headers& fields) {
  std::string text;
  for (const auto& [name, value] : fields) add_field(text, name, value);
  return text;
}

}  // namespace

WarcWriter::~WarcWriter() {
  if (file_ >= 0) ::close(file_);
}

PackedRecord pack_record(const WarcRecord& record, bool gzipped, uint64_t salt) {
  const std::string block_digest = sha1_digest(record.block);
  PackedRecord packed;
  packed.date = record.date;
  packed.id = record.id.empty() ? make_id(record, block_digest, salt) : record.id;
  packed.bytes = serialise(record, packed.id, block_digest);
  packed.plain_length = packed.bytes.size() - 4;
  packed.index_line = cdx_entry(record, "");
  if (gzipped) {
    packed.bytes = is_packed(record) ? gzip(packed.bytes, kStored) : gzip_fast(packed.bytes);
  }
  return packed;
}

Status WarcWriter::open(Time date) {
  if (file_ >= 0 && offset_ >= options_.rotate_at) {
    if (Status closed = close(); !closed) return closed;
  }
  return file_ < 0 ? open_next(date) : Status{};
}

Result<WrittenRecord> WarcWriter::write(const WarcRecord& record) {
  if (Status opened = open(record.date); !opened) return opened.error();
  return append(pack_record(record, options_.gzip, hash64(name_, offset_)));
}

Result<WrittenRecord> WarcWriter::write(const PackedRecord& record) {
  if (Status opened = open(record.date); !opened) return opened.error();
  return append(record);
}

Status WarcWriter::open_next(Time date) {
  std::error_code failed;
  std::filesystem::create_directories(options_.folder, failed);
  do {
    name_ = archive_name(options_.prefix, number_++, options_.gzip);
    file_ =
        ::open((options_.folder / name_).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) return cannot_write(options_.folder / name_);
  if (Status synced = sync_folder(options_.folder); !synced) return synced;
  offset_ = 0;
  WarcRecord info;
  info.type = RecordType::kWarcinfo;
  info.date = date;
  info.headers.add("WARC-Filename", name_);
  info.content_type = "application/warc-fields";
  info.block = fields_text(options_.info) + "format: WARC File Format 1.1\r\n";
  if (auto written = append(pack_record(info, options_.gzip)); !written) return written.error();
  return {};
}

Result<WrittenRecord> WarcWriter::append(const PackedRecord& record) {
  const std::string& bytes = record.bytes;
  const uint64_t length = options_.gzip ? bytes.size() : record.plain_length;
  const WrittenRecord written{name_, {offset_, length, 0}, record.id};
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const Error error = cannot_write(options_.folder / name_);
      // Half a record would spoil the file for tools that do not resynchronise.
      if (ftruncate(file_, static_cast<off_t>(offset_)) != 0 ||
          lseek(file_, static_cast<off_t>(offset_), SEEK_SET) < 0) {
        ::close(std::exchange(file_, -1));
      }
      return error;
    }
    done += static_cast<size_t>(n);
  }
  offset_ += bytes.size();
  return written;
}

Status WarcWriter::sync() {
  if (file_ >= 0 && fdatasync(file_) != 0) return cannot_write(options_.folder / name_);
  return {};
}

std::optional<uint64_t> archive_number(std::string_view name, std::string_view prefix, bool gzip) {
  const std::string_view suffix = gzip ? ".warc.gz" : ".warc";
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  if (name.size() < prefix.size() + suffix.size() + 2) return std::nullopt;
  const std::string_view digits =
      name.substr(prefix.size() + 1, name.size() - prefix.size() - 1 - suffix.size());
  uint64_t number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return name == archive_name(prefix, number, gzip) ? std::optional(number) : std::nullopt;
}

Status WarcWriter::resume_at(const ArchiveEnd& end, SetAside& set_aside) {
  std::optional<uint64_t> last;
  if (!end.file.empty()) {
    last = archive_number(end.file, options_.prefix, options_.gzip);
    const std::filesystem::path path = options_.folder / end.file;
    std::error_code failed;
    const uint64_t size = std::filesystem::file_size(path, failed);
    if (failed || !last)
      return Error{fmt::format("cannot continue {}: {}", path.string(),
                               failed ? failed.message() : "it was not written by this crawl")};
    if (size < end.offset) {
      return Error{
          fmt::format("{} has {} bytes and should have {}", path.string(), size, end.offset)};
    }
  }
  std::error_code failed;
  std::vector<std::filesystem::path> later;
  for (auto it = std::filesystem::directory_iterator(options_.folder, failed);
       !failed && it != std::filesystem::directory_iterator(); it.increment(failed)) {
    const auto number =
        archive_number(it->path().filename().string(), options_.prefix, options_.gzip);
    if (number && (!last || *number > *last)) later.push_back(it->path());
  }
  if (failed && (last || failed != std::errc::no_such_file_or_directory)) {
    return Error{fmt::format("cannot read {}: {}", options_.folder.string(), failed.message())};
  }
  for (const std::filesystem::path& path : later) {
    if (Status s = set_aside.move(path); !s) return s;
  }
  if (!last) return {};
  const std::filesystem::path path = options_.folder / end.file;
  if (Status s = set_aside.cut(path, end.offset); !s) return s;
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0 || lseek(file_, static_cast<off_t>(end.offset), SEEK_SET) < 0) {
    return cannot_write(path);
  }
  name_ = end.file;
  offset_ = end.offset;
  number_ = *last + 1;
  return {};
}

Status WarcWriter::close() {
  Status status = sync();
  if (::close(std::exchange(file_, -1)) != 0 && status.ok()) {
    return cannot_write(options_.folder / name_);
  }
  return status;
}

WarcRecord response_record(const Response& response) {
  WarcRecord record;
  record.type = RecordType::kResponse;
  record.date = response.fetched_at;
  record.target = response.url.href();
  record.content_type = "application/http; msgtype=response";
  if (!response.remote_address.empty()) {
    record.headers.add("WARC-IP-Address", response.remote_address);
  }
  if (response.truncated) {
    record.headers.add("WARC-Truncated", std::string(why_truncated(response)));
  }
  record.block = response_head(response) + response.body;
  return record;
}

WarcRecord request_record(const Url& url, Time date, std::string head) {
  WarcRecord record;
  record.type = RecordType::kRequest;
  record.date = date;
  record.target = url.href();
  record.content_type = "application/http; msgtype=request";
  record.block = std::move(head);
  return record;
}

WarcRecord not_modified_record(const Response& response, const Url& original, Time original_date,
                               std::string_view payload_digest) {
  WarcRecord record = response_record(response);
  record.type = RecordType::kRevisit;
  record.block = response.unchanged_since ? response.not_modified_head : response_head(response);
  if (!payload_digest.empty()) {
    record.headers.add("WARC-Payload-Digest", std::string(payload_digest));
  }
  record.headers.add("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  record.headers.add("WARC-Refers-To-Target-URI", std::string(original.href()));
  record.headers.add("WARC-Refers-To-Date", to_iso8601(original_date));
  return record;
}

WarcRecord metadata_record(const Url& url, Time date, const Headers& fields) {
  WarcRecord record;
  record.type = RecordType::kMetadata;
  record.date = date;
  record.target = url.href();
  record.content_type = "application/warc-fields";
  record.block = fields_text(fields);
  return record;
}

WarcRecord conversion_record(const Url& url, Time date, std::string response_id, std::string text) {
  WarcRecord record;
  record.type = RecordType::kConversion;
  record.date = date;
  record.target = url.href();
  record.content_type = "text/plain; charset=utf-8";
  record.headers.add("WARC-Refers-To", std::move(response_id));
  record.block = std::move(text);
  return record;
}

}  // namespace dowser
