#pragma once

#include <string>
#include <string_view>

#include "model/visit.h"
#include "text/terms.h"

namespace dowser {

inline Url spider_address(std::string_view name) {
  return *Url::parse("http://web.test/" + std::string(name));
}

// A page as text: "owl [snow>a] white owl" has a link with the words "snow" to spider_address("a").
inline Page spider_page(std::string_view name, std::string_view text) {
  Page page;
  page.url = page.base = spider_address(name);
  page.language = "en";
  while (!text.empty()) {
    const size_t open = text.find('[');
    page.text += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t arrow = text.find('>', open), close = text.find(']', open);
    Link link;
    link.url = spider_address(text.substr(arrow + 1, close - arrow - 1));
    link.position = static_cast<uint32_t>(page.links.size());
    link.anchor.begin = static_cast<uint32_t>(page.text.size());
    page.text += text.substr(open + 1, arrow - open - 1);
    link.anchor.end = static_cast<uint32_t>(page.text.size());
    page.links.push_back(link);
    text.remove_prefix(close + 1);
  }
  std::vector<uint32_t> cuts;
  for (const Link& link : page.links) cuts.insert(cuts.end(), {link.anchor.begin, link.anchor.end});
  page.placed_terms = placed_terms(page.text, "en", cuts);
  page.terms = count_terms(page.placed_terms);
  return page;
}

// The visit of it; without a parent, as a start page.
inline Visit spider_visit(uint32_t id, std::string_view name, std::string_view text,
                          std::optional<uint32_t> parent = {}) {
  Visit visit;
  visit.id = {id};
  visit.candidate.url = spider_address(name);
  if (parent) visit.candidate.trail.parent = VisitId{*parent};
  visit.response.url = visit.candidate.url;
  visit.response.status = 200;
  visit.page = spider_page(name, text);
  return visit;
}

}  // namespace dowser
