#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/warc_reader.h"
#include "archive/warc_record.h"
#include "base/result.h"

// The index of archives that other tools read: a sorted text file with one line per record,
//
//   com,example)/ 20170306040206 {"url": …, "mime": …, "status": …, "digest": …, "length": …,
//                                 "offset": …, "filename": …}
//
// in the form that warcio writes and pywb reads.

namespace dowser {

// The address in SURT form, in which related addresses sort together: "com,example)/a?b". In lower
// case, without "www.", with the arguments of the query sorted. Addresses other than http are
// unchanged.
std::string surt(std::string_view url);

struct CdxEntry {
  std::string key;        // surt(url)
  std::string timestamp;  // 20170306040206
  std::string url;
  std::string mime;    // "" where unknown; "warc/revisit" for revisits
  std::string status;  // "" if there is none
  std::string digest;  // of the payload as declared, without "sha1:"; "" if there is none
  uint64_t length = 0;
  uint64_t offset = 0;
  std::string filename;

  std::string line() const;  // without a line end
  static Result<CdxEntry> parse(std::string_view line);
  friend bool operator==(const CdxEntry&, const CdxEntry&) = default;
};

// The line of a record; nothing for requests, warcinfo and the crawler's own metadata.
std::optional<CdxEntry> cdx_entry(const WarcRecord& record, std::string filename);

class CdxIndex {
 public:
  void add(CdxEntry entry) { entries_.push_back(std::move(entry)), sorted_ = false; }
  // Adds all records from the reader's position to the end. Error if records share a gzip member,
  // because an index cannot point to them.
  Status add_all(WarcReader& reader);

  // In the order of the file.
  std::span<const CdxEntry> entries();
  // The entries whose address has the same key, the oldest first.
  std::span<const CdxEntry> find(std::string_view url);

  static Result<CdxIndex> read(const std::filesystem::path& path);
  Status write(const std::filesystem::path& path);

 private:
  std::vector<CdxEntry> entries_;
  bool sorted_ = true;
};

}  // namespace dowser
