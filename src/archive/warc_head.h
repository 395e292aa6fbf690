#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "archive/warc_record.h"

namespace dowser {

// "WARC/1.0", "WARC/1.1", "WARC/0.18": the line a record starts with.
bool starts_record(std::string_view bytes);

// The first line but one that starts a record; npos if there is none.
size_t find_record(std::string_view text);

// Where the head of a record ends, after its empty line; npos if it does not.
size_t end_of_head(std::string_view text);

struct WarcHead {
  WarcRecord record;               // without its block
  std::optional<uint64_t> length;  // Content-Length, where it is a number
};
// Tolerant: names in any case, bare \n, folded lines; lines that are not fields are ignored.
WarcHead parse_warc_head(std::string_view head);

}  // namespace dowser
