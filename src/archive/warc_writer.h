#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "archive/cdxj.h"
#include "archive/warc_record.h"
#include "base/result.h"
#include "base/set_aside.h"
#include "model/response.h"

// Writes WARC 1.1. The same records in the same order give the same bytes: record ids are derived
// from the content and position of a record, and no clock is read.

namespace dowser {

struct WarcWriterOptions {
  std::filesystem::path folder;  // created if it is missing
  std::string prefix = "crawl";  // of the files: crawl-00000.warc.gz, crawl-00001.warc.gz, …
  bool gzip = true;              // one member per record; otherwise plain .warc
  uint64_t rotate_at = 1 << 30;  // a file that has reached this size gets no more records
  Headers info;                  // for the warcinfo record: software, description, …
};

struct WrittenRecord {
  std::string file;  // its name in the folder
  RecordPlace place;
  std::string id;  // for the WARC-Concurrent-To of others
};

// A record as it will be written to a file, complete except for its position. Any thread can make
// one.
struct PackedRecord {
  std::string bytes;
  std::string id;
  Time date;
  uint64_t plain_length = 0;           // of the record without compression
  std::optional<CdxEntry> index_line;  // without file and offset; nothing: it is not in the index
};
// With an id and digests where the record has none of its own. `salt` distinguishes records that
// are otherwise the same.
PackedRecord pack_record(const WarcRecord& record, bool gzip = true, uint64_t salt = 0);

// Where an archive ends: after this many bytes of a file. No file means before the first file.
struct ArchiveEnd {
  std::string file;
  uint64_t offset = 0;
};

// The number in the name of an archive file, "crawl-00012.warc.gz"; nothing if a writer with
// these options would not give it that name.
std::optional<uint64_t> archive_number(std::string_view name, std::string_view prefix = "crawl",
                                       bool gzip = true);

// One thread at a time. Existing files are never touched: a new writer continues with the next free
// number, unless it is told to continue at an end.
class WarcWriter {
 public:
  explicit WarcWriter(WarcWriterOptions options) : options_(std::move(options)) {}
  ~WarcWriter();
  WarcWriter(const WarcWriter&) = delete;
  WarcWriter& operator=(const WarcWriter&) = delete;

  // Appends the record. Each file starts with
  // a warcinfo record, dated as the first record after it. After an error the file ends with the
  // last record that was written completely, and the next write tries again.
  Result<WrittenRecord> write(const PackedRecord& record);
  Result<WrittenRecord> write(const WarcRecord& record);  // its position makes its id unique

  // Returns when everything that was written is on disk.
  Status sync();

  // The position after the last record that was written completely.
  ArchiveEnd end() const { return {name_, offset_}; }
  // Before the first write: continues an earlier writer at `end`. What that one left behind it, the
  // rest of the file and files with higher numbers, is set aside. Files with other names are not
  // touched. Error, with nothing changed, where the archive ends before.
  Status resume_at(const ArchiveEnd& end, SetAside& set_aside);

 private:
  Status open(Time date);  // a file that has room for a record
  Status open_next(Time date);
  Result<WrittenRecord> append(const PackedRecord& record);
  Status close();

  WarcWriterOptions options_;
  int file_ = -1;
  uint64_t number_ = 0;  // of the next file to try
  uint64_t offset_ = 0;
  std::string name_;
};

// What a crawl puts into its archive.
WarcRecord response_record(const Response& response);
// `head` is the request as it was sent: "GET / HTTP/1.1\r\n…\r\n\r\n".
WarcRecord request_record(const Url& url, Time date, std::string head);
// A 304: the server says that the page is still that of the record written for `original` at
// `original_date`, whose payload has this digest ("sha1:…"; "" if it is not known).
WarcRecord not_modified_record(const Response& response, const Url& original, Time original_date,
                               std::string_view payload_digest = {});
// What the crawler knows about the page, as "name: value" lines.
WarcRecord metadata_record(const Url& url, Time date, const Headers& fields);
// The text of a document, made of the response record `response_id`.
WarcRecord conversion_record(const Url& url, Time date, std::string response_id, std::string text);

}  // namespace dowser
