#pragma once

#include <cstdint>

#include "model/url.h"

namespace dowser {

// A range of Page::text, in bytes.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  friend bool operator==(const Span&, const Span&) = default;
};

enum class LinkKind : uint8_t {
  kAnchor,   // <a href>
  kArea,     // <area href>, an image map
  kFrame,    // <frame src>, <iframe src>
  kRefresh,  // <meta http-equiv=refresh>
};

// One link of a page. Its words are ranges of the page's text, so they are not copied; the page
// returns them: page.anchor(link), page.context(link), page.tag_path(link).
struct Link {
  Url url;                   // resolved against the page's base; the fragment is kept
  uint64_t fingerprint = 0;  // of its seen key, once that was found: ask seen_fingerprint(link)
  LinkKind kind = LinkKind::kAnchor;
  bool nofollow = false;  // rel=nofollow, or the page's robots meta says so
  bool next = false;      // rel=next
  uint16_t tag_path = 0;  // index into Page::tag_paths
  uint32_t position = 0;  // zero-based index among the links of the page
  Span anchor;            // its own words; for an image, those of alt; else those of title
};

}  // namespace dowser
