#include "model/crawl_statistics.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "model/url_host.h"
#include "model/url_rules.h"

// The statistics analyser of the CINDI Robot (Chen 2008, sections 3.4 and 4.4). Three rates, for
// each site and for each of its directories:
//
//   PRR  page relevancy rate       relevant pages / pages
//   DDR  document download rate    documents / pages
//   ADR  accepted document rate    accepted documents / documents
//
// Example: a site has /papers/a.html (relevant), /papers/b.html and /news/c.html (both not), and
// /papers/x.pdf (accepted). Then PRR is 1/3 for the site, 1/2 for /papers/ and 0 for /news/; DDR is
// 1/3, 1/2 and 0; ADR is 1 for the site and for /papers/, and /news/ has none.
//
// What follows from the rates (the thresholds are those of the profile):
//
//   trap site           PRR < 5 % after 200 pages, looked at again after every 100: it is left
//   stop directory      a name under which more than 5 different sites had no relevant page, and no
//                       site had one; or likewise no accepted document. Whole names count.
//   directory to avoid  PRR < 5 %, DDR < 1 % or ADR < 5 %: not asked for when crawled again
//   not again           a trap, or a site with PRR < 5 %, DDR < 1 % or ADR < 5 %
//
// A good ADR vetoes a bad PRR: a directory or site of which at least one document, and not less
// than 5 % of them, was accepted is kept whatever its pages are about. Pages that lead to documents
// often say little: as printed, a crawl that was made again avoided a directory all of whose
// documents had been accepted, and kept half of them (docs/cindi.md). `adr-vetoes-prr = false` in
// the profile is as printed.
//
// Where 3.4 and 4.4 differ or are silent, this is what is done here:
//  - A page is an answer with a status of 200 to 299. It is relevant if it is judged so and neither
//    a near duplicate nor "not found" in disguise.
//  - "Under a directory" includes the directories below it, so "/" stands for the site.
//  - A document counts where it lies, not where the link to it was found. 4.4 divides by document
//    addresses that were found; 3.4 by documents that were downloaded, and so do we.
//  - A rate with nothing to divide by is unknown, and nothing follows from it. In a crawl that
//    collects no documents DDR is unknown as well; as printed it would be 0 everywhere, and every
//    directory one to avoid.
//  - Figure 15's query LIKE '%name%' finds "art" in "department"; here names are compared whole,
//    decoded and in lower case.
//  - A directory with fewer than 10 pages and fewer than 4 documents is never one to avoid: one bad
//    page says little. docs/cindi.md says where the 4 comes from.
//  - Stop directories by documents are used from the next crawl on, as printed: the document filter
//    there runs after the crawl.
//  - References are links from other sites, counted from the first one on; 4.4 counts only those
//    to sites that have been crawled before.
//
// Memory is bounded: a directory takes some 130 bytes (an estimate), and beyond the limits pages
// count for the nearest directory above theirs that is known.

namespace dowser {
namespace {

constexpr size_t kSitesShown = 10;  // of a stop directory; more than any threshold needs
constexpr uint32_t kMostLevels = 32;

std::optional<double> rate(uint32_t part, uint32_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / whole;
}

bool is_below(std::optional<double> rate, double threshold) { return rate && *rate < threshold; }

uint64_t place_hash(std::string_view host, std::string_view path) {
  return hash64(path, hash64(host));
}

}  // namespace

std::optional<double> DirectoryCounts::prr() const { return rate(relevant, pages); }
std::optional<double> DirectoryCounts::ddr() const {
  return has_documents ? rate(documents, pages) : std::nullopt;
}
std::optional<double> DirectoryCounts::adr() const { return rate(accepted, documents); }

CrawlStatistics::NameId CrawlStatistics::Names::id(std::string_view text) {
  const auto [it, is_new] = ids_.try_emplace(hash64(text), static_cast<NameId>(ends_.size()));
  if (is_new) {
    bytes_ += text;
    ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  }
  return it->second;
}

std::optional<CrawlStatistics::NameId> CrawlStatistics::Names::find(std::string_view text) const {
  const auto it = ids_.find(hash64(text));
  if (it == ids_.end()) return std::nullopt;
  return it->second;
}

std::string_view CrawlStatistics::Names::text(NameId id) const {
  const uint32_t begin = id == 0 ? 0 : ends_[id - 1];
  return std::string_view(bytes_).substr(begin, ends_[id] - begin);
}

size_t CrawlStatistics::Names::memory_bytes() const {
  return bytes_.capacity() + ends_.capacity() * sizeof(uint32_t) +
         ids_.capacity() * (sizeof(std::pair<uint64_t, NameId>) + 1);
}

CrawlStatistics::CrawlStatistics(const Profile::Statistics& rules, bool collects_documents,
                                 const StatisticsLimits& limits)
    : rules_(rules), collects_documents_(collects_documents), limits_(limits) {}

void CrawlStatistics::learn(const Visit& visit) {
  if (!visit.response.ok()) return;
  const Url& url = visit.response.url;
  if (visit.document) add_document(url, visit.document->kind.is_accepted());
  if (!visit.document || visit.document->is_web_page()) {
    add_page(url, visit.found(), visit.response.fetched_at);
  }
  const std::string_view host = name_without_dot(url);
  for (const Link& link : visit.page.links) add_reference(host, link.url);
}

std::optional<CrawlStatistics::SiteId> CrawlStatistics::site_of(std::string_view host) {
  const NameId name = names_.id(host);
  const auto it = site_ids_.find(name);
  if (it != site_ids_.end()) return it->second;
  if (sites_.size() >= limits_.sites) return std::nullopt;
  const SiteId id = static_cast<SiteId>(sites_.size());
  site_ids_.emplace(name, id);
  const NodeId root = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({root, names_.id(""), id, no_counts()});
  sites_.push_back({name, root});
  return id;
}

std::optional<CrawlStatistics::SiteId> CrawlStatistics::find_site(const Url& url) const {
  const std::optional<NameId> name = names_.find(name_without_dot(url));
  if (!name) return std::nullopt;
  const auto it = site_ids_.find(*name);
  if (it == site_ids_.end()) return std::nullopt;
  return it->second;
}

CrawlStatistics::NodeId CrawlStatistics::node_of(SiteId site, std::string_view path) {
  NodeId node = sites_[site].root;
  uint32_t level = 0;
  for (const std::string_view segment : directory_names(path)) {
    const bool fits = segment.size() <= limits_.name_bytes && level++ < kMostLevels;
    const std::optional<NameId> known = names_.find(segment);
    const auto it = known ? children_.find(child_key(node, *known)) : children_.end();
    if (it != children_.end()) {
      node = it->second;
      continue;
    }
    if (!fits || sites_[site].directories >= limits_.site_directories ||
        nodes_.size() >= limits_.directories) {
      ++folded_;
      return node;
    }
    ++sites_[site].directories;
    const NameId name = names_.id(segment);
    const NodeId child = static_cast<NodeId>(nodes_.size());
    children_.emplace(child_key(node, name), child);
    nodes_.push_back({node, name, site, no_counts()});
    node = child;
  }
  return node;
}

void CrawlStatistics::count_up(NodeId node, uint32_t DirectoryCounts::*count) {
  for (;; node = nodes_[node].parent) {
    ++(nodes_[node].counts.*count);
    if (nodes_[node].parent == node) return;
  }
}

void CrawlStatistics::add_page(const Url& url, bool relevant, Time when) {
  const std::optional<SiteId> id = site_of(name_without_dot(url));
  if (!id) return;
  const NodeId node = node_of(*id, url.path());
  count_up(node, &DirectoryCounts::pages);
  if (relevant) count_up(node, &DirectoryCounts::relevant);
  note_names(*id, url.path(), Kind::kPages, relevant);
  Site& site = sites_[*id];
  if (site.entrance.empty()) {
    site.entrance = url.href();
    site.first_page = when;
  }
  site.last_page = std::max(site.last_page, when);
  const DirectoryCounts& counts = nodes_[site.root].counts;
  if (counts.pages >= rules_.trap_pages &&
      (counts.pages - rules_.trap_pages) % rules_.trap_every == 0) {
    const bool is_bad =
        is_below(counts.prr(), rules_.trap_prr) && !is_kept_for_documents(counts, rules_.again_adr);
    site.is_trap = site.is_trap || is_bad;
  }
}

void CrawlStatistics::add_document(const Url& url, bool accepted) {
  const std::optional<SiteId> id = site_of(name_without_dot(url));
  if (!id) return;
  const NodeId node = node_of(*id, url.path());
  count_up(node, &DirectoryCounts::documents);
  if (accepted) count_up(node, &DirectoryCounts::accepted);
  note_names(*id, url.path(), Kind::kDocuments, accepted);
}

void CrawlStatistics::add_reference(std::string_view from_host, const Url& to) {
  if (!to.is_http()) return;
  const std::string_view host = name_without_dot(to);
  if (host == from_host) return;
  if (const std::optional<SiteId> site = site_of(host)) ++sites_[*site].references;
}

void CrawlStatistics::note_names(SiteId site, std::string_view path, Kind kind, bool good) {
  for (const std::string_view segment : directory_names(path)) {
    if (segment.size() > limits_.name_bytes) continue;
    const std::string plain = plain_directory_name(segment);
    const std::optional<NameId> known = names_.find(plain);
    if (!known && nodes_.size() >= limits_.directories) continue;
    note_name(site, known ? *known : names_.id(plain), kind, good);
  }
}

void CrawlStatistics::note_name(SiteId site, NameId name, Kind kind, bool good) {
  NameFacts& facts = facts_[name];
  bool& had = kind == Kind::kPages ? facts.had_page : facts.had_document;
  if (good) had = true;
  if (had) return;  // it will never be a stop directory
  uint8_t& sites = kind == Kind::kPages ? facts.page_sites : facts.document_sites;
  if (sites < UINT8_MAX && pairs_.insert(pair_key(site, name, kind)).second) ++sites;
}

bool CrawlStatistics::is_stop(const NameFacts& facts, Kind kind) const {
  return kind == Kind::kPages
             ? !facts.had_page && facts.page_sites > rules_.stop_directory_sites
             : !facts.had_document && facts.document_sites > rules_.stop_directory_sites;
}

void CrawlStatistics::use(const EarlierLists& earlier) {
  for (const StopDirectoryRow& row : earlier.stop_directories) {
    const Kind kind = row.kind == "pages" ? Kind::kPages : Kind::kDocuments;
    const NameId name = names_.id(row.name);
    for (const std::string& host : row.sites) {
      if (const auto site = site_of(host)) note_name(*site, name, kind, false);
    }
    if (kind == Kind::kDocuments && row.is_stop) facts_[name].was_stop = true;
  }
  for (const auto& [host, path] : earlier.avoid) avoid_.insert(place_hash(host, path));
  for (const std::string& host : earlier.not_again) {
    if (const auto site = site_of(host)) sites_[*site].not_again = true;
  }
}

bool CrawlStatistics::is_trap(const Url& url) const {
  const std::optional<SiteId> site = find_site(url);
  return site && sites_[*site].is_trap;
}

bool CrawlStatistics::is_not_again(const Url& url) const {
  const std::optional<SiteId> site = find_site(url);
  return site && sites_[*site].not_again;
}

bool CrawlStatistics::is_to_avoid(const Url& url) const {
  if (avoid_.empty()) return false;
  const std::string_view host = name_without_dot(url), directory = directory_of(url.path());
  for (size_t end = directory.find('/', 1); end != directory.npos;
       end = directory.find('/', end + 1)) {
    if (avoid_.contains(place_hash(host, directory.substr(0, end + 1)))) return true;
  }
  return false;
}

std::optional<std::string> CrawlStatistics::stop_directory(std::string_view path) const {
  if (facts_.empty()) return std::nullopt;
  for (const std::string_view segment : directory_names(path)) {
    std::string plain = plain_directory_name(segment);
    const std::optional<NameId> name = names_.find(plain);
    if (!name) continue;
    const auto it = facts_.find(*name);
    if (it == facts_.end()) continue;
    if (is_stop(it->second, Kind::kPages) || (it->second.was_stop && !it->second.had_document)) {
      return plain;
    }
  }
  return std::nullopt;
}

DirectoryCounts CrawlStatistics::site_counts(const Url& url) const {
  const std::optional<SiteId> site = find_site(url);
  return site ? nodes_[sites_[*site].root].counts : DirectoryCounts();
}

DirectoryCounts CrawlStatistics::directory_counts(const Url& url) const {
  const std::optional<SiteId> site = find_site(url);
  if (!site) return {};
  NodeId node = sites_[*site].root;
  for (const std::string_view segment : directory_names(url.path())) {
    const std::optional<NameId> name = names_.find(segment);
    const auto it = name ? children_.find(child_key(node, *name)) : children_.end();
    if (it == children_.end()) break;
    node = it->second;
  }
  return nodes_[node].counts;
}

bool CrawlStatistics::is_kept_for_documents(const DirectoryCounts& counts, double bad_adr) const {
  return rules_.adr_vetoes_prr && counts.accepted > 0 && !is_below(counts.adr(), bad_adr);
}

std::string CrawlStatistics::avoid_reason(const DirectoryCounts& counts) const {
  if (counts.pages < rules_.least_directory_pages &&
      counts.documents < rules_.least_directory_documents) {
    return "";
  }
  const bool is_kept = is_kept_for_documents(counts, rules_.avoid_adr);
  if (!is_kept && is_below(counts.prr(), rules_.avoid_prr)) return "prr";
  if (is_below(counts.ddr(), rules_.avoid_ddr)) return "ddr";
  if (is_below(counts.adr(), rules_.avoid_adr)) return "adr";
  return "";
}

std::string CrawlStatistics::not_again_reason(const Site& site) const {
  const DirectoryCounts& counts = nodes_[site.root].counts;
  if (site.is_trap) return "trap";
  const bool is_kept = is_kept_for_documents(counts, rules_.again_adr);
  if (!is_kept && is_below(counts.prr(), rules_.again_prr)) return "prr";
  if (is_below(counts.ddr(), rules_.again_ddr)) return "ddr";
  if (is_below(counts.adr(), rules_.again_adr)) return "adr";
  return "";
}

std::string CrawlStatistics::path_of(NodeId node) const {
  std::string path = "/";
  for (; nodes_[node].parent != node; node = nodes_[node].parent) {
    path.insert(0, names_.text(nodes_[node].name));
    path.insert(0, 1, '/');
  }
  return path;
}

std::vector<SiteRow> CrawlStatistics::sites() const {
  std::vector<SiteRow> rows;
  for (const Site& site : sites_) {
    const DirectoryCounts& counts = nodes_[site.root].counts;
    if (counts.pages == 0 && counts.documents == 0) continue;  // only referred to
    rows.push_back({std::string(names_.text(site.host)), site.entrance, site.first_page,
                    site.last_page, site.references, counts, site.is_trap, not_again_reason(site)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const SiteRow& a, const SiteRow& b) {
    return a.first_page.micros < b.first_page.micros;
  });
  return rows;
}

std::vector<DirectoryRow> CrawlStatistics::directories() const {
  std::vector<DirectoryRow> rows;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const Node& n = nodes_[node];
    if (n.counts.pages == 0 && n.counts.documents == 0) continue;
    rows.push_back({std::string(names_.text(sites_[n.site].host)), path_of(node), n.counts,
                    n.parent == node ? "" : avoid_reason(n.counts)});
  }
  std::sort(rows.begin(), rows.end(), [](const DirectoryRow& a, const DirectoryRow& b) {
    return std::tie(a.host, a.path) < std::tie(b.host, b.path);
  });
  return rows;
}

std::vector<StopDirectoryRow> CrawlStatistics::stop_directories() const {
  std::map<std::pair<std::string, Kind>, std::vector<std::string>> sites;
  for (const uint64_t pair : pairs_) {
    const NameId name = static_cast<NameId>(pair >> 32);
    const Kind kind = static_cast<Kind>(pair & 1);
    const NameFacts& facts = facts_.find(name)->second;
    if (kind == Kind::kPages ? facts.had_page : facts.had_document) continue;
    const Site& site = sites_[static_cast<uint32_t>(pair) >> 1];
    sites[{std::string(names_.text(name)), kind}].emplace_back(names_.text(site.host));
  }
  std::vector<StopDirectoryRow> rows;
  for (auto& [name, hosts] : sites) {
    std::sort(hosts.begin(), hosts.end());
    if (hosts.size() > kSitesShown) hosts.resize(kSitesShown);
    const NameFacts& facts = facts_.find(*names_.find(name.first))->second;
    rows.push_back({name.first, name.second == Kind::kPages ? "pages" : "documents",
                    std::move(hosts), is_stop(facts, name.second)});
  }
  return rows;
}

size_t CrawlStatistics::memory_bytes() const {
  const auto table = [](const auto& t) {
    return t.capacity() * (sizeof(typename std::decay_t<decltype(t)>::value_type) + 1);
  };
  size_t entrances = 0;
  for (const Site& site : sites_) entrances += site.entrance.capacity();
  return names_.memory_bytes() + sites_.capacity() * sizeof(Site) + entrances +
         nodes_.capacity() * sizeof(Node) + table(site_ids_) + table(children_) + table(facts_) +
         table(pairs_) + table(avoid_);
}

}  // namespace dowser
