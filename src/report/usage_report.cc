#include "report/usage_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

std::string iso(int64_t seconds) { return to_iso8601(Time{seconds * 1'000'000}); }

Json page_json(const UsagePage& page) {
  Json json = {
      {"page", page.name},
      {"url", page.url.empty() ? Json() : Json(page.url)},
      {"hits", page.hits},
      {"bytes", page.bytes},
      {"views", page.tally.views},
      {"inferred_views", page.tally.inferred},
      {"entries", page.tally.entries},
      {"exits", page.tally.exits},
      {"single", page.tally.single},
      {"mean_view_seconds", page.tally.timed == 0 ? Json()
                                                  : Json(static_cast<double>(page.tally.seconds) /
                                                         static_cast<double>(page.tally.timed))}};
  if (page.catalogue) {
    json["title"] = page.catalogue->title;
    json["relevance"] = page.catalogue->relevance;
    json["relevant"] = page.catalogue->relevant;
    if (!page.catalogue->label.empty()) json["label"] = page.catalogue->label;
  }
  return json;
}

Json pages_json(const std::vector<UsagePage>& pages) {
  Json list = Json::array();
  for (const UsagePage& page : pages) list.push_back(page_json(page));
  return list;
}

Json names_json(const UsageResult& result, const std::vector<uint32_t>& pages) {
  Json list = Json::array();
  for (const uint32_t page : pages) list.push_back(result.page_names.at(page));
  return list;
}

Json clusters_json(const UsageResult& result, const std::vector<UsageCluster>& clusters) {
  Json list = Json::array();
  for (const UsageCluster& cluster : clusters) {
    list.push_back({{"size", cluster.size}, {"pages", names_json(result, cluster.pages)}});
  }
  return list;
}

Json patterns_json(const UsageResult& result, size_t most) {
  const UsagePatterns& p = result.patterns;
  const auto list = [&](const auto& patterns) {
    Json json = Json::array();
    for (size_t i = 0; i < std::min(most, patterns.size()); ++i) {
      json.push_back(
          {{"pages", names_json(result, patterns[i].items)}, {"support", patterns[i].support}});
    }
    return json;
  };
  Json rules = Json::array();
  for (size_t i = 0; i < std::min(most, p.rules.size()); ++i) {
    const AssociationRule& rule = p.rules[i];
    rules.push_back({{"given", names_json(result, rule.given)},
                     {"then", result.page_names.at(rule.then)},
                     {"support", rule.support},
                     {"confidence", rule.confidence},
                     {"lift", rule.lift}});
  }
  return {{"sessions", p.sessions},
          {"one_session_in", result.patterns_from_one_in},
          {"support", p.support},
          {"complete", p.complete},
          {"sets", list(p.sets)},
          {"rules", rules},
          {"sequences", list(p.sequences)},
          {"paths", list(p.paths)},
          {"session_clusters", clusters_json(result, p.session_clusters)},
          {"page_clusters", clusters_json(result, p.page_clusters)}};
}

Json events_json(const UsageResult& r) {
  Json events = Json::array();
  for (size_t i = 0; i < r.events.size(); ++i) {
    const EventTally& t = r.events[i].tally;
    const double with = std::max(1.0, static_cast<double>(t.sessions));
    Json by_source = Json::object();
    for (const auto& [name, source] : r.sources) {
      by_source[name] = {{"sessions", source.sessions}, {"converted", source.converted[i]}};
    }
    events.push_back({{"event", r.events[i].name},
                      {"times", t.times},
                      {"sessions", t.sessions},
                      {"conversion", r.sessions == 0 ? 0.0
                                                     : static_cast<double>(t.sessions) /
                                                           static_cast<double>(r.sessions)},
                      {"mean_views_before", static_cast<double>(t.views_before) / with},
                      {"mean_seconds_before", static_cast<double>(t.seconds_before) / with},
                      {"by_source", by_source}});
  }
  return events;
}

}  // namespace

std::string usage_json(const UsageResult& r, double seconds) {
  Json json;
  for (const auto& [name, value] : usage_totals(r)) {
    const auto whole = static_cast<int64_t>(value);
    static_cast<double>(whole) == value ? json[name] = whole : json[name] = value;
  }
  json["seconds"] = seconds;
  json["site"] = r.site;
  json["first"] = iso(r.first);
  json["last"] = iso(r.last);
  Json logs = Json::array();
  for (const LogTally& log : r.logs) {
    logs.push_back({{"path", log.path},
                    {"format", log.format},
                    {"lines", log.lines},
                    {"cut", log.cut},
                    {"broken", log.broken},
                    {"too_long", log.too_long},
                    {"late", log.late},
                    {"problem", log.problem.empty() ? Json() : Json(log.problem)}});
  }
  json["logs"] = logs;
  Json days = Json::array();
  for (const UsageDay& day : r.days) {
    days.push_back({{"day", day.day},
                    {"hits", day.tally.hits},
                    {"bytes", day.tally.bytes},
                    {"views", day.tally.views},
                    {"sessions", day.tally.sessions}});
  }
  json["days"] = days;
  Json hours = Json::array();
  for (const Tally& hour : r.hours) hours.push_back(hour.hits);
  json["hours"] = hours;
  for (const UsageTable& table : r.tables) {
    Json rows = Json::array();
    for (const UsageCount& row : table.rows) {
      rows.push_back({{"name", row.name}, {"count", row.count}, {"bytes", row.bytes}});
    }
    json[table.key] = rows;
  }
  json["pages"] = pages_json(r.pages);
  json["entry_pages"] = pages_json(r.entry_pages);
  json["exit_pages"] = pages_json(r.exit_pages);
  json["single_access_pages"] = pages_json(r.single_pages);
  Json sources = Json::object();
  for (const auto& [name, source] : r.sources) {
    sources[name] = {{"sessions", source.sessions}, {"views", source.views}};
  }
  json["sources"] = sources;
  json["events"] = events_json(r);
  if (r.join) {
    json["crawl"] = {{"pages", r.join->pages},
                     {"seen", r.join->seen},
                     {"not_in_crawl", r.join->missing},
                     {"relevant_views", r.join->relevant_views},
                     {"other_views", r.join->other_views}};
  }
  json["patterns"] = patterns_json(r, r.rows);
  return printable_json(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

std::string usage_text(const UsageResult& r, size_t rows) {
  uint64_t lines = 0, cut = 0, broken = 0;
  for (const LogTally& log : r.logs) {
    lines += log.lines;
    cut += log.cut;
    broken += log.broken;
  }
  std::string text = fmt::format(
      "{} lines from {} to {}{}, {} damaged ({} of them still used)\nhits {}: successful {}, "
      "cached {}, redirected {}, failed {} (not found {}, server errors {}); {:.1f} MB\n",
      lines, iso(r.first), iso(r.last), r.site.empty() ? "" : " of " + r.site, cut + broken, cut,
      r.all.hits, r.successful, r.cached, r.redirected, r.failed, r.not_found, r.server_errors,
      static_cast<double>(r.all.bytes) / 1e6);
  const Cleaned& c = r.cleaned;
  text += fmt::format(
      "cleaned: robots by name {}, robots.txt {}, assets {}, errors {}, redirects {}, other {}; "
      "robots by behaviour {} sessions with {} views\n",
      c.robot_agents, c.robots_txt, c.assets, c.errors, c.redirects, c.other, r.robot_sessions,
      r.robot_views);
  text += fmt::format(
      "{} sessions of {} visitors, {} page views, {} inferred; {:.1f} views per session, {:.0f} s "
      "per view, {:.0f} s per session, {} with one view\n",
      r.sessions, r.users, r.views, r.inferred, r.mean_views, r.mean_view_seconds,
      r.mean_session_seconds, r.single);
  for (const UsageEvent& event : r.events) {
    text += fmt::format("event {}: in {} sessions ({:.1f} %)\n", event.name, event.tally.sessions,
                        r.sessions ? 100.0 * static_cast<double>(event.tally.sessions) /
                                         static_cast<double>(r.sessions)
                                   : 0);
  }
  if (r.join) {
    text += fmt::format(
        "crawl: {} pages of the site, {} of them visited; {} visited pages are not in the crawl\n",
        r.join->pages, r.join->seen, r.join->missing);
  }
  const auto pages = [&](std::string_view title, const std::vector<UsagePage>& list,
                         const auto& value) {
    if (list.empty()) return;
    text += fmt::format("\n{}\n", title);
    for (size_t i = 0; i < std::min(rows, list.size()); ++i) {
      text += fmt::format("{:>9}  {}\n", value(list[i]), list[i].name);
    }
  };
  pages("Pages by views", r.pages, [](const UsagePage& p) { return p.tally.views; });
  pages("Entry pages", r.entry_pages, [](const UsagePage& p) { return p.tally.entries; });
  pages("Exit pages", r.exit_pages, [](const UsagePage& p) { return p.tally.exits; });
  for (const char* key : {"referring_sites", "search_engines", "keywords", "browsers", "systems",
                          "countries", "not_found"}) {
    const UsageTable* table = r.table(key);
    if (!table || table->rows.empty()) continue;
    text += fmt::format("\n{}, by {}\n", table->title, table->unit);
    for (size_t i = 0; i < std::min(rows, table->rows.size()); ++i) {
      text += fmt::format("{:>9}  {}\n", table->rows[i].count, table->rows[i].name);
    }
  }
  if (!r.patterns.rules.empty()) {
    text +=
        "\nVisitors of the pages on the left also visit the one on the right (sessions, "
        "confidence, lift)\n";
    for (size_t i = 0; i < std::min(rows, r.patterns.rules.size()); ++i) {
      const AssociationRule& rule = r.patterns.rules[i];
      std::string given;
      for (const uint32_t page : rule.given) {
        given += (given.empty() ? "" : " + ") + r.page_names.at(page);
      }
      text += fmt::format("{:>9}  {:.2f} {:>5.1f}  {} -> {}\n", rule.support, rule.confidence,
                          rule.lift, given, r.page_names.at(rule.then));
    }
  }
  return text;
}

}  // namespace dowser
