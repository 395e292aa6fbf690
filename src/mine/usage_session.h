#pragma once

#include <cstdint>
#include <vector>

#include "mine/string_table.h"

// The values of usage mining: what one request reveals about a visitor, and the session it belongs
// to.

namespace dowser {

inline constexpr uint32_t kNoPage = StringTable::kNone;

enum class CameFrom : uint8_t {
  kNowhere,  // no referrer: typed, a bookmark, or a browser that does not tell
  kPage,     // a page of this site
  kOutside,  // another site, or what is not an address
};

// A request that counts as a page view, as it comes out of cleaning.
struct PageRequest {
  int64_t time = 0;   // seconds
  uint64_t user = 0;  // a hash of what identifies the visitor
  uint32_t page = kNoPage;
  uint32_t from_page = kNoPage;  // of CameFrom::kPage, where that page has been asked for
  uint32_t referrer = StringTable::kNone;
  uint32_t agent = StringTable::kNone;
  uint32_t events = 0;
  CameFrom from = CameFrom::kNowhere;
  bool identified = false;  // by a cookie or a name, not just by address and agent
  bool partial = false;     // status 206: a piece of something larger
};

struct SessionView {
  int64_t time = 0;
  uint32_t page = kNoPage;
  uint32_t from_page = kNoPage;
  uint32_t events = 0;
  CameFrom from = CameFrom::kNowhere;
  // Not in the log: the visitor must have gone back to it (path completion). It has no time.
  bool inferred = false;
};

struct UsageSession {
  uint64_t user = 0;
  uint64_t looks_like = 0;  // the user before people behind one address were distinguished
  uint32_t referrer = StringTable::kNone;  // of its first request
  // Of its first request too: the visitor may have been forgotten when the session ends.
  uint32_t agent = StringTable::kNone;
  bool identified = false;
  std::vector<SessionView> views;
  uint32_t joined = 0;  // requests that became part of a view: frames, pieces

  int64_t start() const { return views.front().time; }
  int64_t last() const { return views.back().time; }
};

}  // namespace dowser
