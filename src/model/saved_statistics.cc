#include "model/crawl_statistics.h"

// CrawlStatistics as bytes: the tables as they are, names first. Hash tables are written in any
// order, since nothing depends on it.

namespace dowser {

void CrawlStatistics::save(ByteWriter& out) const {
  if (sites_.empty() && facts_.empty() && avoid_.empty()) return;
  out.number(static_cast<uint32_t>(names_.size()));
  for (NameId id = 0; id < names_.size(); ++id) out.text(names_.text(id));
  out.number(static_cast<uint32_t>(sites_.size()));
  for (const Site& site : sites_) {
    out.number(site.host);
    out.number(site.root);
    out.text(site.entrance);
    out.number(site.first_page.micros);
    out.number(site.last_page.micros);
    out.number(site.references);
    out.number(site.directories);
    out.number(static_cast<uint8_t>(site.is_trap | site.not_again << 1));
  }
  out.number(static_cast<uint32_t>(nodes_.size()));
  for (const Node& node : nodes_) {
    out.number(node.parent);
    out.number(node.name);
    out.number(node.site);
    out.number(node.counts.pages);
    out.number(node.counts.relevant);
    out.number(node.counts.documents);
    out.number(node.counts.accepted);
  }
  out.number(static_cast<uint32_t>(facts_.size()));
  for (const auto& [name, facts] : facts_) {
    out.number(name);
    out.number(facts.page_sites);
    out.number(facts.document_sites);
    out.number(
        static_cast<uint8_t>(facts.had_page | facts.had_document << 1 | facts.was_stop << 2));
  }
  out.number(static_cast<uint32_t>(pairs_.size()));
  for (const uint64_t pair : pairs_) out.number(pair);
  out.number(static_cast<uint32_t>(avoid_.size()));
  for (const uint64_t place : avoid_) out.number(place);
  out.number(folded_);
}

Status CrawlStatistics::load(ByteReader& in) {
  const Error damaged{"the saved statistics of sites and directories are damaged"};
  // What was used of earlier crawls has been saved with the rest.
  names_ = {};
  sites_.clear();
  site_ids_.clear();
  nodes_.clear();
  children_.clear();
  facts_.clear();
  pairs_.clear();
  avoid_.clear();
  for (uint32_t left = in.number<uint32_t>(), id = 0; left > 0; --left, ++id) {
    if (names_.id(in.text()) != id || !in.ok()) return damaged;
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Site site{};
    site.host = in.number<NameId>();
    site.root = in.number<NodeId>();
    site.entrance = in.text();
    site.first_page.micros = in.number<int64_t>();
    site.last_page.micros = in.number<int64_t>();
    site.references = in.number<uint32_t>();
    site.directories = in.number<uint32_t>();
    const uint8_t flags = in.number<uint8_t>();
    site.is_trap = flags & 1;
    site.not_again = flags & 2;
    if (site.host >= names_.size()) return damaged;
    site_ids_.emplace(site.host, static_cast<SiteId>(sites_.size()));
    sites_.push_back(std::move(site));
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Node node{};
    const NodeId id = static_cast<NodeId>(nodes_.size());
    node.parent = in.number<NodeId>();
    node.name = in.number<NameId>();
    node.site = in.number<SiteId>();
    node.counts.pages = in.number<uint32_t>();
    node.counts.relevant = in.number<uint32_t>();
    node.counts.documents = in.number<uint32_t>();
    node.counts.accepted = in.number<uint32_t>();
    node.counts.has_documents = collects_documents_;
    if (node.parent > id || node.name >= names_.size() || node.site >= sites_.size()) {
      return damaged;
    }
    if (node.parent != id) children_.emplace(child_key(node.parent, node.name), id);
    nodes_.push_back(node);
  }
  for (const Site& site : sites_) {
    if (site.root >= nodes_.size()) return damaged;
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    const NameId name = in.number<NameId>();
    NameFacts facts;
    facts.page_sites = in.number<uint8_t>();
    facts.document_sites = in.number<uint8_t>();
    const uint8_t flags = in.number<uint8_t>();
    facts.had_page = flags & 1;
    facts.had_document = flags & 2;
    facts.was_stop = flags & 4;
    if (name >= names_.size()) return damaged;
    facts_.emplace(name, facts);
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    const uint64_t pair = in.number<uint64_t>();
    if (!facts_.contains(static_cast<NameId>(pair >> 32)) ||
        static_cast<uint32_t>(pair) >> 1 >= sites_.size()) {
      return damaged;
    }
    pairs_.insert(pair);
  }
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    avoid_.insert(in.number<uint64_t>());
  }
  folded_ = in.number<uint64_t>();
  return in.ok() ? Status() : Status(damaged);
}

}  // namespace dowser
