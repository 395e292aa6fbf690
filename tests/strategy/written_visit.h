#pragma once

#include <string>
#include <string_view>

#include "model/visit.h"
#include "text/terms.h"

// Visits written by hand, for strategies that are to be tried on a few pages.

namespace dowser {

// A page from text in which links are written as [words|address]. Nothing is parsed: what stands
// there is Page::text to the byte.
inline Page written_page(std::string_view address, std::string_view written) {
  Page page;
  page.url = page.base = *Url::parse(address);
  page.language = "en";
  page.tag_paths = {""};
  for (size_t at = 0; at < written.size(); ++at) {
    if (written[at] != '[') {
      page.text += written[at];
      continue;
    }
    const size_t bar = written.find('|', at), end = written.find(']', bar);
    Link link;
    link.url = *Url::parse(written.substr(bar + 1, end - bar - 1));
    link.position = static_cast<uint32_t>(page.links.size());
    link.anchor.begin = static_cast<uint32_t>(page.text.size());
    page.text += written.substr(at + 1, bar - at - 1);
    link.anchor.end = static_cast<uint32_t>(page.text.size());
    page.links.push_back(link);
    at = end;
  }
  page.terms = count_terms({page.text}, page.language);
  return page;
}

// A visit of that page, found on the page of visit `parent`, or a seed.
inline Visit written_visit(uint32_t id, std::optional<uint32_t> parent, double relevance,
                           Page page) {
  Visit visit;
  visit.id = {id};
  visit.candidate.url = page.url;
  if (parent) visit.candidate.trail.parent = VisitId{*parent};
  visit.judgement.relevance.value = relevance;
  visit.judgement.relevant = relevance >= 0.5;
  visit.response.url = page.url;
  visit.response.status = 200;
  visit.page = std::move(page);
  return visit;
}

}  // namespace dowser
