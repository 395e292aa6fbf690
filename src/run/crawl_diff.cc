#include "run/crawl_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "parse/parse_page.h"
#include "run/run.h"
#include "run/stored_answer.h"
#include "store/signature_tables.h"
#include "store/stored_pages.h"

// Each page that the earlier crawl found, by its address, is one of these in the later crawl:
//
//   unchanged        the same bytes, or the server said so (304)
//   markup changed   other bytes, but the same title, text and addresses of links
//   text changed
//   moved            redirects elsewhere now; or it is gone, and a page with the same bytes has
//                    appeared under another address
//   gone             404 or 410
//   forbidden        by robots.txt, or 401, 403, 451
//   failed           any other status, or no answer
//   not asked        the later crawl did not come to it
//
// A page that the later crawl found and the earlier one did not know has appeared. Links are
// compared on pages that are there both times, without fragments.
//
// Where both crawls have signatures, the shift of a page is 1 - cosine of its two vectors of hits,
// ln(1 + hits) by the name of the signature; of a cluster of the earlier crawl the mean of its
// pages; of a host that of the sums of its pages. The entropy of a host is that of the shares p of
// its hits,
// - Σ p log2 p: a host that narrows to one concept has one that falls towards 0 (the "signature
// patterns towards a single strong concept" of Pinnamaneni 2013, chapter 6).

namespace dowser {
namespace {

namespace fs = std::filesystem;
using Vector = std::map<std::string, double>;  // by signature

struct Crawl {
  fs::path folder;
  std::map<std::string, StoredPage> pages;  // by address
  std::set<std::string> known;              // addresses, also after redirects
  std::map<int64_t, Vector> hits;           // by page
  std::map<int64_t, int64_t> cluster_of;
  bool has_signatures = false;
  std::vector<std::string> previous;
  std::optional<StoredPages> rows;

  size_t found() const {
    return static_cast<size_t>(
        std::count_if(pages.begin(), pages.end(), [](const auto& p) { return p.second.found; }));
  }
};

Result<Crawl> read_crawl(const fs::path& folder) {
  Crawl crawl;
  crawl.folder = folder;
  Result<StoredPages> rows = StoredPages::open(folder);
  if (!rows) return rows.error();
  crawl.rows.emplace(std::move(*rows));
  const Status read = crawl.rows->each([&](const StoredPage& page) -> Status {
    crawl.known.insert(page.url);
    crawl.known.insert(page.final_url);
    crawl.pages.emplace(page.url, page);
    return {};
  });
  if (!read) return read.error();
  if (const Result<CrawlConfig> config = config_of(folder)) crawl.previous = config->previous;
  const Result<SignatureTables> tables = read_signature_tables(folder / "catalogue.sqlite");
  if (!tables) return tables.error();
  crawl.has_signatures = !tables->signatures.empty();
  for (const StoredHits& page : tables->pages) {
    Vector& vector = crawl.hits[page.page];
    for (const auto& [signature, count] : page.counts) {
      vector[tables->signatures[signature].name] = std::log1p(static_cast<double>(count));
    }
    if (page.cluster > 0) crawl.cluster_of[page.page] = page.cluster;
  }
  return crawl;
}

double shift_of(const Vector& a, const Vector& b) {
  double product = 0, of_a = 0, of_b = 0;
  for (const auto& [name, x] : a) {
    of_a += x * x;
    if (const auto it = b.find(name); it != b.end()) product += x * it->second;
  }
  for (const auto& [name, x] : b) of_b += x * x;
  if (of_a == 0 || of_b == 0) return of_a == of_b ? 0 : 1;
  return std::max(0.0, 1 - product / std::sqrt(of_a * of_b));
}

std::string without_fragment(std::string_view url) {
  return std::string(url.substr(0, url.find('#')));
}

Result<std::set<std::string>> links_of(Crawl& crawl, int64_t page) {
  std::set<std::string> links;
  const Status read = crawl.rows->each_link(
      page, [&](std::string_view url) { links.insert(without_fragment(url)); });
  if (!read) return read.error();
  return links;
}

enum class Fate { kThere, kMoved, kGone, kForbidden, kFailed };

Fate fate_of(const StoredPage& page) {
  if (page.failure == "robots") return Fate::kForbidden;
  if (!page.status) return Fate::kFailed;
  const int64_t status = *page.status;
  if (status == 404 || status == 410) return Fate::kGone;
  // To a page that the crawl knew already, so it was not followed.
  if (status >= 300 && status < 400 && status != 304) return Fate::kMoved;
  if (status == 401 || status == 403 || status == 451) return Fate::kForbidden;
  // 304: the row of an unchanged page.
  return (status >= 200 && status < 300) || status == 304 ? Fate::kThere : Fate::kFailed;
}

class Differ {
 public:
  Differ(Crawl& before, Crawl& after)
      : before_(before),
        after_(after),
        old_archive_(before.folder / "archive"),
        new_archive_(after.folder / "archive"),
        old_answers_(before.previous),
        new_answers_(earlier_of(before, after)) {}

  Result<CrawlDiff> run(const Watch& watch) {
    diff_.before = before_.folder.string(), diff_.after = after_.folder.string();
    diff_.has_signatures = before_.has_signatures && after_.has_signatures;
    const size_t found = before_.found();
    for (const auto& [url, page] : before_.pages) {
      if (!page.found) continue;
      if (!watch({"pages compared", diff_.compared, found})) return stopped();
      if (const Status compared = compare(page); !compared) return compared.error();
    }
    add_appeared();
    pair_moved();
    for (const auto& [cluster, sum] : cluster_sums_) {
      diff_.clusters.push_back({cluster, sum.second, sum.first / static_cast<double>(sum.second)});
    }
    return std::move(diff_);
  }

 private:
  // Bodies that the later crawl was not sent are in those before it.
  static std::vector<std::string> earlier_of(const Crawl& before, const Crawl& after) {
    std::vector<std::string> folders = after.previous;
    if (folders.empty()) folders = {before.folder.string()};
    return folders;
  }

  Status compare(const StoredPage& old) {
    ++diff_.compared;
    const auto it = after_.pages.find(old.url);
    if (it == after_.pages.end()) {
      ++diff_.not_asked;
      return {};
    }
    const StoredPage& now = it->second;
    PageChange change{old.url, old.title, "", std::nullopt};
    change.detail =
        now.failure.empty() && now.status ? fmt::format("{}", *now.status) : now.failure;
    switch (fate_of(now)) {
      case Fate::kGone:
        diff_.gone.push_back(std::move(change));
        return {};
      case Fate::kForbidden:
        diff_.forbidden.push_back(std::move(change));
        return {};
      case Fate::kFailed:
        diff_.failed.push_back(std::move(change));
        return {};
      case Fate::kMoved:
        if (const auto redirect = stored_response(now, new_archive_, new_answers_)) {
          const Url target = redirect->redirect_target();
          if (!target.empty()) change.detail = target.href();
          moved_to_.insert(change.detail);
        }
        diff_.moved.push_back(std::move(change));
        return {};
      case Fate::kThere:
        break;
    }
    if (now.final_url != old.final_url) {
      change.detail = now.final_url;
      moved_to_.insert(now.final_url);
      diff_.moved.push_back(std::move(change));
      return {};
    }
    diff_.not_found += !now.relevant;
    add_shift(old, now, change);
    if (Status added = add_links(old, now); !added) return added;
    change.detail.clear();
    if (same_bytes(old, now)) {
      ++diff_.unchanged;
      return {};
    }
    const Result<bool> same = same_text(old, now);
    if (!same) return same.error();
    (*same ? diff_.markup_changed : diff_.text_changed).push_back(std::move(change));
    return {};
  }

  static bool same_bytes(const StoredPage& old, const StoredPage& now) {
    return (now.status && *now.status == 304) || (!old.digest.empty() && old.digest == now.digest);
  }

  Result<bool> same_text(const StoredPage& old, const StoredPage& now) {
    const Result<Response> a = stored_response(old, old_archive_, old_answers_);
    if (!a) return unreadable(before_, old, a.error());
    const Result<Response> b = stored_response(now, new_archive_, new_answers_);
    if (!b) return unreadable(after_, now, b.error());
    const Page p = parse_page(*a), q = parse_page(*b);
    if (p.title != q.title || p.text != q.text || p.links.size() != q.links.size()) return false;
    for (size_t i = 0; i < p.links.size(); ++i) {
      if (p.links[i].url.href() != q.links[i].url.href()) return false;
    }
    return true;
  }

  static Error unreadable(const Crawl& crawl, const StoredPage& page, const Error& why) {
    return Error{
        fmt::format("{} cannot be read from the archive of {}: {} (dowser check {} says more)",
                    page.url, crawl.folder.string(), why.message, crawl.folder.string())};
  }

  void add_shift(const StoredPage& old, const StoredPage& now, PageChange& change) {
    if (!diff_.has_signatures) return;
    const double shift = shift_of(before_.hits[old.id], after_.hits[now.id]);
    change.shift = shift;
    if (const auto it = before_.cluster_of.find(old.id); it != before_.cluster_of.end()) {
      auto& sum = cluster_sums_[it->second];
      sum.first += shift, ++sum.second;
    }
  }

  Status add_links(const StoredPage& old, const StoredPage& now) {
    const Result<std::set<std::string>> a = links_of(before_, old.id);
    if (!a) return a.error();
    const Result<std::set<std::string>> b = links_of(after_, now.id);
    if (!b) return b.error();
    for (const std::string& url : *b) {
      if (!a->contains(url)) diff_.links_came.push_back({now.url, url});
    }
    for (const std::string& url : *a) {
      if (!b->contains(url)) diff_.links_went.push_back({old.url, url});
    }
    return {};
  }

  void add_appeared() {
    for (const auto& [url, page] : after_.pages) {
      if (!page.found || before_.known.contains(page.url) ||
          before_.known.contains(page.final_url) || moved_to_.contains(page.url)) {
        continue;
      }
      diff_.appeared.push_back({page.url, page.title, "", std::nullopt});
    }
  }

  // A page that is gone, and one that has appeared with the same bytes.
  void pair_moved() {
    std::map<std::string, std::string> appeared;  // digest -> address
    for (const PageChange& page : diff_.appeared) {
      const std::string& digest = after_.pages.at(page.url).digest;
      if (!digest.empty()) appeared.emplace(digest, page.url);
    }
    std::set<std::string> paired;
    std::erase_if(diff_.gone, [&](PageChange& page) {
      const auto it = appeared.find(before_.pages.at(page.url).digest);
      if (it == appeared.end() || !paired.insert(it->second).second) return false;
      page.detail = it->second;
      diff_.moved.push_back(page);
      return true;
    });
    std::erase_if(diff_.appeared, [&](const PageChange& p) { return paired.contains(p.url); });
  }

  Crawl& before_;
  Crawl& after_;
  ArchivedPages old_archive_, new_archive_;
  EarlierAnswers old_answers_, new_answers_;
  std::set<std::string> moved_to_;
  std::map<int64_t, std::pair<double, size_t>> cluster_sums_;
  CrawlDiff diff_;
};

std::map<std::string, std::pair<Vector, size_t>> hits_by_host(const Crawl& crawl) {
  std::map<std::string, std::pair<Vector, size_t>> hosts;
  for (const auto& [url, page] : crawl.pages) {
    const auto it = crawl.hits.find(page.id);
    if (it == crawl.hits.end() || !page.found) continue;
    auto& [sum, pages] = hosts[page.host];
    for (const auto& [name, x] : it->second) sum[name] += x;
    ++pages;
  }
  return hosts;
}

std::optional<double> entropy(const Vector& hits) {
  double total = 0, bits = 0;
  for (const auto& [name, x] : hits) total += x;
  if (total == 0) return std::nullopt;
  for (const auto& [name, x] : hits) bits -= x / total * std::log2(x / total);
  return bits + 0.0;
}

bool narrows(const std::vector<std::optional<double>>& entropy) {
  for (size_t i = 0; i < entropy.size(); ++i) {
    if (!entropy[i] || (i > 0 && *entropy[i] >= *entropy[i - 1])) return false;
  }
  return *entropy.back() <= 0.9 * *entropy.front();
}

std::vector<HostConcepts> concepts_of(const std::vector<Crawl>& crawls) {
  std::map<std::string, HostConcepts> hosts;
  std::map<std::string, std::pair<Vector, Vector>> ends;  // first and last
  for (size_t i = 0; i < crawls.size(); ++i) {
    for (const auto& [host, of_host] : hits_by_host(crawls[i])) {
      HostConcepts& h = hosts[host];
      h.host = host;
      h.entropy.resize(crawls.size());
      h.pages.resize(crawls.size());
      h.entropy[i] = entropy(of_host.first);
      h.pages[i] = of_host.second;
      if (i == 0) ends[host].first = of_host.first;
      if (i + 1 == crawls.size()) ends[host].second = of_host.first;
    }
  }
  std::vector<HostConcepts> all;
  for (auto& [host, h] : hosts) {
    const auto& [first, last] = ends[host];
    h.shift = shift_of(first, last);
    h.narrows = narrows(h.entropy);
    const auto most = std::max_element(
        last.begin(), last.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != last.end()) h.strongest = most->first;
    all.push_back(std::move(h));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const HostConcepts& a, const HostConcepts& b) { return a.shift > b.shift; });
  return all;
}

}  // namespace

Result<CrawlSeries> diff_crawls(const std::vector<std::filesystem::path>& folders,
                                const Watch& watch) {
  std::vector<Crawl> crawls;
  for (const fs::path& folder : folders) {
    Result<Crawl> crawl = read_crawl(folder);
    if (!crawl) return crawl.error();
    crawls.push_back(std::move(*crawl));
  }
  CrawlSeries series;
  for (const Crawl& crawl : crawls) {
    series.crawls.push_back(crawl.folder.string());
    series.found.push_back(crawl.found());
  }
  for (size_t i = 1; i < crawls.size(); ++i) {
    Result<CrawlDiff> step = Differ(crawls[i - 1], crawls[i]).run(watch);
    if (!step) return step.error();
    series.steps.push_back(std::move(*step));
  }
  if (std::all_of(crawls.begin(), crawls.end(), [](const Crawl& c) { return c.has_signatures; })) {
    series.hosts = concepts_of(crawls);
  }
  return series;
}

}  // namespace dowser
