#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/terms.h"
#include "model/link.h"
#include "model/url.h"

namespace dowser {

enum class BlockKind : uint8_t {
  kText,       // text outside all of the following
  kHeading,    // h1 … h6, level in Block::level
  kParagraph,  // p, blockquote, dd
  kListItem,   // li, dt; Block::list names its list
  kTableCell,  // td, th, caption
  kPre,        // pre, textarea
};

// The role of a block.
enum class BlockRole : uint8_t {
  kContent,   // what the page is about
  kLinks,     // a list of links outside the content that no tag or name marks as a menu
  kBeside,    // other text outside the content
  kMenu,      // navigation, by its tag or name
  kHeader,    // of the page or site
  kFooter,    // of the page or site
  kAside,     // related stories, advertisements, forms, captions
  kComments,  // comments by readers
  kTemplate,  // text that appears on most pages of the host
  kDrawing,   // the labels of a drawing (SVG)
};
inline constexpr size_t kBlockRoles = 10;
std::string_view name_of(BlockRole role);  // "content", "menu", …

// A piece of visible text between two block boundaries.
struct Block {
  BlockKind kind = BlockKind::kText;
  BlockRole role = BlockRole::kContent;
  uint8_t level = 0;      // of a heading, 1 … 6
  int32_t list = -1;      // of a list item (or of what stands inside one): index into Page::lists
  uint16_t tag_path = 0;  // index into Page::tag_paths
  Span text;
};

// A list of the page: ul, ol, dl, menu, dir.
struct List {
  int32_t parent = -1;   // the list it stands in: index into Page::lists
  int32_t heading = -1;  // what introduces it: index into Page::blocks of the nearest heading
                         // before it, or of the item that encloses it
};

// What parse/ makes of the bytes of a response: text and links. Nothing is fetched or judged for
// it.
struct Page {
  Url url;   // where it was fetched from, after redirects
  Url base;  // what its links are relative to

  std::string content_type;       // without parameters, lower case: "text/html"
  std::string charset;            // as decoded: "utf-8", "windows-1252"
  std::string language;           // ISO 639-1, from the text and what is declared, "" where unsure
  std::string declared_language;  // of <html lang>, or else of the header Content-Language

  std::string title;
  std::string description;      // <meta name=description>
  std::string keywords;         // <meta name=keywords>
  Url canonical;                // <link rel=canonical>
  std::vector<Url> alternates;  // <link rel=alternate>: translations, feeds
  // <meta name=citation_title> and the like, and Dublin Core, in lower case without "citation_" and
  // "dc.": metadata that publishers provide for libraries.
  struct Citation {
    std::string name, content;
  };
  std::vector<Citation> citations;
  bool noindex = false;  // <meta name=robots>
  bool nofollow = false;

  // All visible text in document order, UTF-8, white space collapsed, one line per block.
  std::string text;
  std::vector<Block> blocks;
  std::vector<List> lists;
  std::vector<Span> emphasised;        // b, strong, i, em, u, big, h1 … h6
  std::vector<std::string> tag_paths;  // "div.nav>ul>li>a", each distinct one once
  std::vector<Link> links;             // in document order
  uint32_t overlong_links = 0;         // links left out because their addresses are too long
  // What judges see, in order of term: title, description, keywords and text, each by its weight
  // (model/field_weights.h); stop words and stems by the page's language.
  std::vector<TermCount> terms;
  std::vector<PlacedTerm> placed_terms;  // of the text alone, in its order

  std::string_view words(Span span) const {
    return std::string_view(text).substr(span.begin, span.size());
  }
  std::string_view anchor(const Link& link) const { return words(link.anchor); }
  std::string_view tag_path(const Link& link) const { return tag_paths[link.tag_path]; }

  // The words just before and just after the link's own, `n` of each at most, separated by white
  // space in the text. They may reach into neighbouring blocks: in a list of links, that is where
  // the explanation of a link is.
  struct Context {
    std::string_view before;
    std::string_view after;
  };
  Context context(const Link& link, int n = 10) const;

  // The terms of a part of the text that begins and ends at a blank, or where a link does.
  std::span<const PlacedTerm> terms_in(Span span) const;
};

}  // namespace dowser
