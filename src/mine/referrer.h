#pragma once

#include <string>
#include <string_view>

// Where a visitor came from.

namespace dowser {

struct Referrer {
  std::string site;         // host name without "www.", lower case; "" if there is none
  std::string target;       // path and query, without the fragment: "/a?b"
  std::string_view engine;  // "Google", a literal; "" if it is not a search engine
  std::string keywords;     // what was searched for, where the address tells; valid UTF-8
  bool is_address = false;  // an http or https address
};

Referrer read_referrer(std::string_view header);

// "www.Example.org:80" becomes "example.org".
std::string site_name(std::string_view host);

}  // namespace dowser
