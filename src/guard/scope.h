#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "guard/verdict.h"
#include "model/url.h"

// What may be followed at all: the rules that the user sets, before anything is learned. A refused
// address is never fetched, not even as the target of a redirect.

namespace dowser {

struct ScopeRules {
  // If hosts or domains are named, only those are followed; if paths are, only what is below them.
  std::vector<std::string> allow_hosts;    // "example.org", "example.org:8080"; www. is as without
  std::vector<std::string> allow_domains;  // "example.org" and all names that end in it; "edu"
  std::vector<std::string> allow_paths;    // beginnings of the path: "/docs/"
  // Patterns for the whole address without its fragment: * is anything, ? one character.
  // "*/private/*", "*?print=1*". They go before everything that is allowed.
  std::vector<std::string> deny;

  uint32_t max_depth = 0;  // links from a seed; 0 = no limit
  // Uluhan (2006) limits addresses to 150–200 characters, since traps make them longer and longer.
  // Ordinary ones are longer today (searches, encoded titles in other scripts); every server
  // accepts 2,000. Traps are recognised by what their pages bring: guard/traps.h.
  size_t max_url_length = 2000;
  // Directories in the path. Chen (2008) found no document below 7 of them; 0: no limit.
  uint32_t max_path_levels = 0;
  // PDF, PostScript, Word and so on: file_type.h. Pictures, archives and programs never are.
  bool documents = false;
  // Documents whose file name contains one of these words are not followed: see name_words().
  std::vector<std::string> unwelcome_names;
};

class Scope {
 public:
  // The error names the first rule that makes no sense: a host that is not one, a pattern that no
  // address can match, or one that matches every address.
  static Result<Scope> make(ScopeRules rules);

  // Follows every page.
  Scope() = default;

  // Reasons: scheme, credentials, length, depth, denied, host, path, path-levels, file-type,
  // unwelcome-name.
  // `url` as fetched (canonical()); its fragment is not looked at.
  Verdict check(const Url& url, uint32_t depth) const;

 private:
  bool allows_host(const Url& url) const;
  bool has_unwelcome_name(const Url& url) const;

  ScopeRules rules_;
};

}  // namespace dowser
