#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/url.h"

// People write broken links, and a crawler that takes them literally misses pages (CINDI Robot,
// 4.2.3). The URL standard itself repairs many of them, as browsers do: backslashes, too many
// slashes, tabs and line ends inside, white space around, ".." above the root. Links that the
// standard would read as a path that nobody meant are repaired here, before parsing.

namespace dowser {

struct LinkRepair {
  std::string_view name;
  std::string_view from;  // an example, on a page of http://example.org/
  std::string_view to;
};

// In the order they are tried. (In "space-around" the spaces before and after are U+00A0.)
inline constexpr std::array<LinkRepair, 6> kLinkRepairs = {{
    {"space-around", "\u00A0/a\u00A0", "http://example.org/a"},
    {"space-inside", "http:// www.example.net /a b", "http://www.example.net/a%20b"},
    {"doubled-scheme", "http://http://www.example.net/", "http://www.example.net/"},
    {"missing-colon", "http//www.example.net/", "http://www.example.net/"},
    {"missing-slash", "http:/www.example.net/", "http://www.example.net/"},
    {"missing-scheme", "www.example.net/a", "http://www.example.net/a"},
}};

// The address that `href` means on a page with that base. `applied`, if given, receives the names
// of the repairs that were needed.
Result<Url> parse_link(std::string_view href, const Url& base,
                       std::vector<std::string_view>* applied = nullptr);

}  // namespace dowser
