// The part of PageBuilder that reads the head and resolves addresses.

#include "base/shorten.h"
#include "model/link_repair.h"
#include "parse/page_builder.h"
#include "parse/page_head.h"

namespace dowser {

void PageBuilder::meta(const Tag& tag) {
  const Attribute* content = tag.find(AttrId::kContent);
  if (!content || open_.top().inert) return;
  if (const Attribute* name = tag.find(AttrId::kName)) {
    const auto set_once = [&](std::string& field) {
      if (field.empty()) field = folded(cut_text(content->value, options_.max_description));
    };
    if (equals_ignoring_case(name->value, "keywords")) set_once(page_.keywords);
    if (equals_ignoring_case(name->value, "description")) set_once(page_.description);
    add_citation(name->value, content->value);
    if (equals_ignoring_case(name->value, "robots")) {
      const bool none = has_word(content->value, "none");
      page_.noindex |= none || has_word(content->value, "noindex");
      page_.nofollow |= none || has_word(content->value, "nofollow");
    }
  }
  const Attribute* pragma = tag.find(AttrId::kHttpEquiv);
  if (pragma && equals_ignoring_case(pragma->value, "refresh") &&
      page_.links.size() < options_.max_links) {
    if (const auto target = refresh_target(content->value)) {
      const uint32_t here = text_.size();
      page_.links.push_back({.kind = LinkKind::kRefresh, .anchor = {here, here}});
      hrefs_.push_back(kept(*target));
    }
  }
}

// "citation_title", "DC.Creator", "dcterms.date".
void PageBuilder::add_citation(std::string_view name, std::string_view content) {
  for (const std::string_view prefix : {"citation_", "dc.", "dcterms."}) {
    if (name.size() <= prefix.size() ||
        !equals_ignoring_case(name.substr(0, prefix.size()), prefix) ||
        page_.citations.size() >= options_.max_citations) {
      continue;
    }
    std::string field(cut_text(name.substr(prefix.size()), 40));
    for (char& c : field) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    page_.citations.push_back({std::move(field), folded(cut_text(content, 4000))});
  }
}

void PageBuilder::head_link(const Tag& tag) {
  const Attribute* href = tag.find(AttrId::kHref);
  const Attribute* rel = tag.find(AttrId::kRel);
  if (!href || !rel || open_.top().inert) return;
  if (has_word(rel->value, "canonical") && canonical_href_.empty())
    canonical_href_ = kept(href->value);
  // An alternate style sheet is not another form of the page.
  if (has_word(rel->value, "alternate") && !has_word(rel->value, "stylesheet") &&
      alternate_hrefs_.size() < options_.max_alternates)
    alternate_hrefs_.push_back(kept(href->value));
}

// Keeps only what a crawler can fetch: javascript:, mailto:, malformed addresses and those that are
// too long are dropped. A long base would make every link long, so it is ignored.
void PageBuilder::resolve(const Url& url) {
  page_.url = url;
  page_.base = url;
  bool is_overlong = false;  // the one that was just resolved
  const auto resolved = [&](std::string_view href) {
    Result<Url> target = parse_link(href, page_.base);
    if (!target.ok() || !target->is_http()) return Url();
    if (target->has_credentials()) target = target->without_credentials();
    if (target->href().size() > options_.max_address && target->has_fragment()) {
      target = Url::parse(target->href().substr(0, target->href().find('#')));
      if (!target.ok()) return Url();
    }
    is_overlong = target->href().size() > options_.max_address;
    return is_overlong ? Url() : std::move(*target);
  };
  if (!base_href_.empty()) {
    if (Url base = resolved(base_href_); !base.empty()) page_.base = std::move(base);
  }
  if (!canonical_href_.empty()) page_.canonical = resolved(canonical_href_);
  for (const std::string_view href : alternate_hrefs_) {
    if (Url target = resolved(href); !target.empty()) page_.alternates.push_back(std::move(target));
  }
  size_t count = 0;
  for (size_t i = 0; i < page_.links.size(); ++i) {
    is_overlong = false;
    Url target = resolved(hrefs_[i]);
    page_.overlong_links += is_overlong;
    if (target.empty()) continue;
    Link& link = page_.links[count];
    if (count != i) link = std::move(page_.links[i]);
    link.url = std::move(target);
    link.position = static_cast<uint32_t>(count++);
  }
  page_.links.resize(count);
}

}  // namespace dowser
