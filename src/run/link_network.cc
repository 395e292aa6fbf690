#include "run/link_network.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/url_canonical.h"
#include "store/signature_tables.h"
#include "store/stored_pages.h"

// A page is one node however many addresses lead to it (by seen_key of model/url_canonical.h), and
// one edge stands for all links of a pair of pages. A link of a page to itself is none. With
// several crawls the newest says what a page and a link are like, and all say when they were there.

namespace dowser {
namespace {

using Hits = std::map<std::string, double>;  // by signature

struct Builder {
  explicit Builder(bool all) : all_(all) {}

  Status add(const std::filesystem::path& folder) {
    Result<StoredPages> pages = StoredPages::open(folder);
    if (!pages) return pages.error();
    const Result<SignatureTables> tables = read_signature_tables(folder / "catalogue.sqlite");
    if (!tables) return tables.error();
    std::map<int64_t, const StoredHits*> hits_of;
    for (const StoredHits& page : tables->pages) hits_of.emplace(page.page, &page);

    std::vector<std::pair<int64_t, size_t>> visited;  // row, node
    const Status read = pages->each([&](const StoredPage& row) -> Status {
      if (!row.status || *row.status < 200 || (*row.status > 299 && *row.status != 304)) return {};
      if (!all_ && !row.relevant) return {};
      const size_t node = node_of(row);
      const auto it = hits_of.find(row.id);
      hits_[node].clear();
      if (it != hits_of.end()) {
        network_.nodes[node].cluster = std::max<int64_t>(0, it->second->cluster);
        for (const auto& [signature, count] : it->second->counts) {
          hits_[node][tables->signatures[signature].name] = std::log1p(static_cast<double>(count));
        }
      }
      visited.emplace_back(row.id, node);
      return {};
    });
    if (!read) return read;
    std::map<std::pair<size_t, size_t>, int64_t> counts;
    for (const auto& [row, node] : visited) {
      const Status told = pages->each_link(row, [&, from = node](std::string_view address) {
        const Result<Url> url = Url::parse(address);
        if (!url) return;
        const auto to = by_key_.find(seen_key(*url));
        if (to != by_key_.end() && to->second != from) ++counts[{from, to->second}];
      });
      if (!told) return told;
    }
    for (const auto& [pair, count] : counts) add_edge(pair.first, pair.second, count);
    return {};
  }

  LinkNetwork finish() {
    for (NetworkEdge& edge : network_.edges) {
      edge.weight = network_.nodes[edge.to].relevance;
      edge.similarity = similarity(hits_[edge.from], hits_[edge.to]);
    }
    return std::move(network_);
  }

 private:
  size_t node_of(const StoredPage& row) {
    const auto key = [](const std::string& address) {
      const Result<Url> url = Url::parse(address);
      return url ? seen_key(*url) : address;
    };
    const std::string own = key(row.final_url);
    const auto [it, is_new] = by_key_.try_emplace(own, network_.nodes.size());
    by_key_.try_emplace(key(row.url), it->second);
    if (is_new) {
      network_.nodes.emplace_back();
      hits_.emplace_back();
    }
    const std::string day = row.fetched_at.substr(0, 10);
    NetworkNode& node = network_.nodes[it->second];
    node.url = row.final_url, node.title = row.title, node.host = row.host;
    node.relevance = row.relevance, node.relevant = row.relevant;
    node.cluster = 0;
    if (node.first.empty()) node.first = day;
    node.last = std::max(node.last, day);
    return it->second;
  }

  void add_edge(size_t from, size_t to, int64_t count) {
    const auto [it, is_new] = edge_of_.try_emplace({from, to}, network_.edges.size());
    if (is_new) network_.edges.push_back({from, to, 0, 0, std::nullopt, "", ""});
    NetworkEdge& edge = network_.edges[it->second];
    edge.count = count;
    const std::string& day = network_.nodes[from].last;
    if (edge.first.empty()) edge.first = day;
    edge.last = day;
  }

  static std::optional<double> similarity(const Hits& a, const Hits& b) {
    double product = 0, of_a = 0, of_b = 0;
    for (const auto& [name, x] : a) {
      of_a += x * x;
      if (const auto it = b.find(name); it != b.end()) product += x * it->second;
    }
    for (const auto& [name, x] : b) of_b += x * x;
    if (of_a == 0 || of_b == 0) return std::nullopt;
    return product / std::sqrt(of_a * of_b);
  }

  const bool all_;
  LinkNetwork network_;
  std::map<std::string, size_t> by_key_;
  std::vector<Hits> hits_;  // by node
  std::map<std::pair<size_t, size_t>, size_t> edge_of_;
};

}  // namespace

Result<LinkNetwork> read_link_network(const std::vector<std::filesystem::path>& folders, bool all) {
  Builder builder(all);
  for (const auto& folder : folders) {
    if (Status s = builder.add(folder); !s) return s.error();
  }
  return builder.finish();
}

}  // namespace dowser
