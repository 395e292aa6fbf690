#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/response.h"

namespace dowser {

enum class RecordType : uint8_t {
  kWarcinfo,
  kResponse,
  kResource,
  kRequest,
  kMetadata,
  kRevisit,
  kConversion,
  kContinuation,
  kOther,  // a type that the standard does not define, or none
};
std::string_view name_of(RecordType type);
RecordType record_type(std::string_view name);

// The position of a record in its file.
struct RecordPlace {
  uint64_t offset = 0;  // of its first byte, or of the gzip member it starts in
  uint64_t length = 0;  // bytes in the file (plain: without the line ends after it); 0 where it
                        // ends inside a gzip member
  uint64_t skip = 0;    // unpacked bytes of the member that belong to records before it

  // Whether other tools can find the record, which they do by offset and length only.
  bool addressable() const { return skip == 0 && length > 0; }
  friend bool operator==(const RecordPlace&, const RecordPlace&) = default;
};

// One record of a WARC file. The main fields of the standard are members of their own, so that a
// record that was read can be changed and written.
struct WarcRecord {
  RecordType type = RecordType::kOther;
  std::string id;  // "<urn:uuid:…>"; the writer makes one where it is empty
  Time date;
  std::string target;  // WARC-Target-URI as written, without the <> that some tools put around it
  std::string content_type;  // of the block
  Headers headers;           // the other fields
  std::string block;
  bool truncated = false;  // the block is shorter than its Content-Length
  RecordPlace place;       // where it was read from

  // Whether the block is an HTTP message: a header, and a body that is the payload.
  bool is_http() const;
  std::string_view payload() const;
  // "sha1:…" as declared in the record.
  std::optional<std::string_view> block_digest() const { return headers.get("WARC-Block-Digest"); }
  std::optional<std::string_view> payload_digest() const {
    return headers.get("WARC-Payload-Digest");
  }
};

// Is `declared` ("sha1:…"; base 32, base 64 or hexadecimal) the digest of these bytes? Nothing
// where the algorithm is unknown.
std::optional<bool> digest_matches(std::string_view declared, std::string_view bytes);

}  // namespace dowser
