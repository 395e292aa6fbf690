#include "report/rank_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/new_file.h"
#include "base/shorten.h"
#include "graph/ranking.h"
#include "report/csv.h"
#include "report/graph_file.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;
using Type = GraphColumn::Type;

constexpr size_t kCommunities = 8;       // that are listed
constexpr size_t kPagesOfCommunity = 3;  // that describe it
constexpr size_t kLine = 80;

std::string_view name_of(LinkType type) {
  switch (type) {
    case LinkType::kExternal:
      return "external";
    case LinkType::kWithin:
      return "within site";
    case LinkType::kBoilerplate:
      return "boilerplate";
  }
  return "";
}

size_t count_of(const RankedWeb& ranked, LinkType type) {
  return static_cast<size_t>(
      std::count(ranked.links.types.begin(), ranked.links.types.end(), type));
}

std::string percent(size_t part, size_t all) {
  return fmt::format("{:.0f} %",
                     all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string dump(const Json& json) {
  return printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

// One list: values and pages, each page on one line of the terminal.
std::string list_text(const LinkedPages& web, std::string_view heading,
                      const std::vector<double>& values, size_t top) {
  const std::vector<RankedNode> best = best_nodes(values, top);
  if (best.empty()) return fmt::format("\n{}: none\n", heading);
  std::string text = fmt::format("\n{:<10}{:>6}  {}\n", heading, "links", "page");
  for (const RankedNode& node : best) {
    text += fmt::format("{:<10.6f}{:>6}  {}\n", node.value, web.graph.in().degree(node.node),
                        shortened(web.pages[node.node].url, kLine - 19));
  }
  return text;
}

std::string convergence(std::string_view name, int steps, bool converged, double moved) {
  if (converged) return fmt::format("{}: {} steps", name, steps);
  return fmt::format("{}: has not converged after {} steps (changes are still {:.1e})", name, steps,
                     moved);
}

std::string ranking_text(const LinkedPages& web, const Ranking& ranking, size_t top) {
  std::string text = ranking.topic.empty()
                         ? "\nWithout a topic\n"
                         : fmt::format("\nTopic: {}\n", shortened(ranking.topic, kLine - 8));
  text += convergence("PageRank", ranking.pagerank.steps, ranking.pagerank.converged,
                      ranking.pagerank.moved) +
          "\n" +
          convergence("HITS", ranking.hits.steps, ranking.hits.converged, ranking.hits.moved);
  if (ranking.root > 0) {
    text += fmt::format(", {} pages from a root set of {}", ranking.base, ranking.root);
  }
  text += "\n";
  if (ranking.kept_within && web.graph.edges() > 0) {
    text += "HITS counts links within sites here, because there are no others\n";
  }
  text += list_text(web, "PageRank", ranking.pagerank.values, top);
  text += list_text(web, "authority", ranking.hits.authorities, top);
  text += list_text(web, "hub", ranking.hits.hubs, top);
  return text;
}

// The pages of each of the largest communities, those of the highest PageRank first.
std::vector<std::vector<uint32_t>> largest_communities(const LinkedPages& web,
                                                       const RankedWeb& ranked) {
  const size_t count = std::min(ranked.communities.count, kCommunities);
  std::vector<std::vector<uint32_t>> members(count);
  for (uint32_t n = 0; n < web.pages.size(); ++n) {
    const uint32_t community = ranked.communities.of.empty() ? 0 : ranked.communities.of[n];
    if (community < count) members[community].push_back(n);
  }
  const std::vector<double>& rank = ranked.rankings.front().pagerank.values;
  for (std::vector<uint32_t>& pages : members) {
    std::stable_sort(pages.begin(), pages.end(),
                     [&](uint32_t a, uint32_t b) { return rank[a] > rank[b]; });
  }
  return members;
}

std::string communities_text(const LinkedPages& web, const RankedWeb& ranked) {
  if (ranked.communities.of.empty()) return "";
  std::string text =
      fmt::format("\nCommunities: {} (modularity {:.2f})\n{:>7}  {}\n", ranked.communities.count,
                  ranked.communities.modularity, "pages", "the page of the highest PageRank");
  for (const std::vector<uint32_t>& pages : largest_communities(web, ranked)) {
    text += fmt::format("{:>7}  {}\n", pages.size(),
                        shortened(web.pages[pages.front()].url, kLine - 10));
  }
  return text;
}

Json page_json(const LinkedPages& web, uint32_t node) {
  return {{"url", web.pages[node].url}, {"title", web.pages[node].title}};
}

Json list_json(const LinkedPages& web, const std::vector<double>& values, size_t top) {
  Json list = Json::array();
  for (const RankedNode& node : best_nodes(values, top)) {
    Json page = page_json(web, node.node);
    page["value"] = node.value;
    page["in_links"] = web.graph.in().degree(node.node);
    list.push_back(std::move(page));
  }
  return list;
}

Json ranking_json(const LinkedPages& web, const Ranking& ranking, size_t top) {
  Json json = {{"topic", ranking.topic.empty() ? Json(nullptr) : Json(ranking.topic)},
               {"pagerank",
                {{"steps", ranking.pagerank.steps},
                 {"converged", ranking.pagerank.converged},
                 {"pages", list_json(web, ranking.pagerank.values, top)}}}};
  json["hits"] = {{"steps", ranking.hits.steps},
                  {"converged", ranking.hits.converged},
                  {"root_pages", ranking.root},
                  {"pages", ranking.base},
                  {"authorities", list_json(web, ranking.hits.authorities, top)},
                  {"hubs", list_json(web, ranking.hits.hubs, top)}};
  return json;
}

// How the columns of a ranking are named: "pagerank", "pagerank of birds".
std::string column_name(std::string_view what, const Ranking& ranking) {
  return ranking.topic.empty() ? std::string(what) : fmt::format("{} of {}", what, ranking.topic);
}

}  // namespace

std::string rank_text(const LinkedPages& web, const RankedWeb& ranked, size_t top) {
  const size_t links = web.graph.edges();
  std::string text = fmt::format("{} pages on {} hosts and {} sites, {} links between them\n",
                                 web.pages.size(), web.hosts, web.sites, links);
  if (links == 0) {
    text += "No page links to another, so all have the same rank\n";
  } else {
    text += "Links: ";
    for (const LinkType type : {LinkType::kExternal, LinkType::kWithin, LinkType::kBoilerplate}) {
      text += fmt::format("{}{} {}", type == LinkType::kExternal ? "" : ", ",
                          percent(count_of(ranked, type), links), name_of(type));
    }
    text += "\n";
  }
  for (const Ranking& ranking : ranked.rankings) text += ranking_text(web, ranking, top);
  return text + communities_text(web, ranked);
}

std::string rank_json(const LinkedPages& web, const RankedWeb& ranked, size_t top,
                      const std::vector<PhaseSeconds>& seconds) {
  Json json = {{"pages", web.pages.size()},
               {"hosts", web.hosts},
               {"sites", web.sites},
               {"links_read", web.links_read},
               {"links", web.graph.edges()}};
  for (const LinkType type : {LinkType::kExternal, LinkType::kWithin, LinkType::kBoilerplate}) {
    json["link_types"][std::string(name_of(type))] = count_of(ranked, type);
  }
  json["rankings"] = Json::array();
  for (const Ranking& ranking : ranked.rankings) {
    json["rankings"].push_back(ranking_json(web, ranking, top));
  }
  if (!ranked.communities.of.empty()) {
    Json largest = Json::array();
    for (const std::vector<uint32_t>& pages : largest_communities(web, ranked)) {
      Json best = Json::array();
      for (size_t i = 0; i < std::min(pages.size(), kPagesOfCommunity); ++i) {
        best.push_back(page_json(web, pages[i]));
      }
      largest.push_back({{"pages", pages.size()}, {"best", std::move(best)}});
    }
    json["communities"] = {{"count", ranked.communities.count},
                           {"modularity", ranked.communities.modularity},
                           {"largest", std::move(largest)}};
  }
  for (const PhaseSeconds& phase : seconds) json["seconds"][phase.phase] = phase.seconds;
  return dump(json);
}

Status write_rank_csv(const std::filesystem::path& path, const LinkedPages& web,
                      const RankedWeb& ranked) {
  Result<NewFile> file = NewFile::create(path);
  if (!file) return file.error();
  std::string head = "url,title,in_links,out_links,external_in_links,community";
  for (const Ranking& ranking : ranked.rankings) {
    for (const std::string_view what : {"pagerank", "hub", "authority"}) {
      head += "," + csv_field(column_name(what, ranking));
    }
  }
  if (Status s = file->append(head + "\r\n"); !s) return s;
  std::vector<uint32_t> order(web.pages.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<double>& rank = ranked.rankings.front().pagerank.values;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return rank[a] > rank[b]; });
  for (const uint32_t n : order) {
    std::string line = fmt::format(
        "{},{},{},{},{},{}", csv_field(std::string(web.pages[n].url)),
        csv_field(std::string(web.pages[n].title)), web.graph.in().degree(n),
        web.graph.out().degree(n), ranked.external_in_links[n],
        ranked.communities.of.empty() ? "" : fmt::format("{}", ranked.communities.of[n]));
    for (const Ranking& ranking : ranked.rankings) {
      line += fmt::format(",{},{},{}", ranking.pagerank.values[n], ranking.hits.hubs[n],
                          ranking.hits.authorities[n]);
    }
    if (Status s = file->append(line + "\r\n"); !s) return s;
  }
  return file->finish();
}

Status write_rank_graph(const std::filesystem::path& path, const LinkedPages& web,
                        const RankedWeb& ranked) {
  GraphFile::Columns columns;
  columns.nodes = {{"url", Type::kText}, {"title", Type::kText}, {"community", Type::kInteger}};
  for (const Ranking& ranking : ranked.rankings) {
    for (const std::string_view what : {"pagerank", "hub", "authority"}) {
      columns.nodes.push_back({column_name(what, ranking), Type::kReal});
    }
  }
  columns.edges = {{"type", Type::kText}, {"weight", Type::kReal}};
  Result<GraphFile> file = GraphFile::create(path, GraphFormat::kGraphMl, std::move(columns));
  if (!file) return file.error();
  std::vector<GraphValue> values;
  for (uint32_t n = 0; n < web.pages.size(); ++n) {
    const LinkedPages::Page& page = web.pages[n];
    values = {page.url, page.title};
    values.push_back(ranked.communities.of.empty()
                         ? GraphValue{}
                         : GraphValue(static_cast<int64_t>(ranked.communities.of[n])));
    for (const Ranking& ranking : ranked.rankings) {
      values.insert(values.end(), {ranking.pagerank.values[n], ranking.hits.hubs[n],
                                   ranking.hits.authorities[n]});
    }
    if (Status s = file->node(n, page.title.empty() ? page.url : page.title, values); !s) return s;
  }
  for (uint32_t n = 0; n < web.pages.size(); ++n) {
    for (size_t e = web.graph.out().begin(n); e < web.graph.out().end(n); ++e) {
      values = {name_of(ranked.links.types[e]), ranked.links.strengths[e]};
      if (Status s = file->edge(n, web.graph.out().neighbour(e), values); !s) return s;
    }
  }
  return file->finish();
}

std::string alike_text(const LinkedPages& web, uint32_t page, const std::vector<AlikePage>& alike) {
  if (alike.empty()) {
    return fmt::format("No other page has links in common with {}\n", web.pages[page].url);
  }
  std::string text = fmt::format("{:<12}{:<12}{}\n", "co-cited", "coupled", "page");
  for (const AlikePage& other : alike) {
    text += fmt::format("{:<12}{:<12}{}\n",
                        fmt::format("{:.2f} ({})", other.co_citation, other.co_citations),
                        fmt::format("{:.2f} ({})", other.coupling, other.couplings),
                        shortened(web.pages[other.page].url, kLine - 25));
  }
  return text;
}

std::string alike_json(const LinkedPages& web, uint32_t page, const std::vector<AlikePage>& alike) {
  Json json = page_json(web, page);
  json["like"] = Json::array();
  for (const AlikePage& other : alike) {
    Json row = page_json(web, other.page);
    row["co_citations"] = other.co_citations;
    row["co_citation"] = other.co_citation;
    row["couplings"] = other.couplings;
    row["coupling"] = other.coupling;
    row["linked"] = other.linked;
    json["like"].push_back(std::move(row));
  }
  return dump(json);
}

}  // namespace dowser
