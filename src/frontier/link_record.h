#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontier/link_store.h"

// Links and hosts as short strings of bytes, the same on every machine:
//
// clang-format off
//   standing  score, parent + 1 or 0, depth, position (varints)
//   score     n (1 byte), n parts (8 each; trailing zeros are left out)
//   link      fingerprint (8), standing, href
//   host      taken (varint), abandoned (1), ready_at (8), delay (8)
// clang-format on

namespace dowser {

std::string encode_link(uint64_t fingerprint, std::string_view href, const Score& score,
                        const Trail& trail);
std::string encode_standing(const Score& score, const Trail& trail);
std::string encode_score(const Score& score);
std::string encode_host(const HostRecord& record);

struct LinkRecord {
  uint64_t fingerprint = 0;
  Score score;
  Trail trail;
  std::string_view href;  // into the decoded bytes
};

// Nothing if the bytes are not such a record.
std::optional<LinkRecord> decode_link(std::string_view bytes);
std::optional<std::pair<Score, Trail>> decode_standing(std::string_view bytes);
std::optional<Score> decode_score(std::string_view bytes);
std::optional<HostRecord> decode_host(std::string_view bytes);

}  // namespace dowser
