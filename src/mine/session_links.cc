#include "mine/session_links.h"

#include <algorithm>

#include "model/url_canonical.h"
#include "parse/parse_page.h"

namespace dowser {

std::span<const uint64_t> PageLinks::of(const SessionPage& page) {
  if (!page.response) return {};
  const auto [it, is_new] = known_.try_emplace(std::string(page.url.href()));
  if (!is_new) return it->second;
  std::vector<uint64_t>& targets = it->second;
  const Page parsed = parse_page(*page.response, {.detect_language = false, .count_terms = false});
  for (const Link& link : parsed.links) targets.push_back(seen_fingerprint(link));
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

void link_pages(Session& session, PageLinks& links) {
  std::erase_if(session.links,
                [&](const SessionLink& link) { return session.pages[link.from].response; });
  std::vector<uint64_t> addresses;
  for (const SessionPage& page : session.pages) addresses.push_back(seen_fingerprint(page.url));
  for (uint32_t from = 0; from < session.pages.size(); ++from) {
    const std::span<const uint64_t> targets = links.of(session.pages[from]);
    for (uint32_t to = 0; to < session.pages.size(); ++to) {
      if (from != to && std::binary_search(targets.begin(), targets.end(), addresses[to])) {
        session.links.push_back({from, to});
      }
    }
  }
  std::sort(session.links.begin(), session.links.end());
  session.links.erase(std::unique(session.links.begin(), session.links.end()), session.links.end());
}

}  // namespace dowser
