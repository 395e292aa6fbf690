#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "model/url.h"
#include "run/run.h"
#include "store/database.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLessons = 20;
constexpr char kPageColumns[] =
    "SELECT id, url, final_url, status, failure, title, depth, parent, parent_link, score, "
    "relevance, relevant, reasons, "
    "fetched_at, archive_file, archive_offset, near_duplicate_of, soft_404 FROM pages ";

Result<std::optional<Json>> page_where(Database& database, const std::string& condition,
                                       const std::function<void(Statement&)>& bind) {
  Result<Statement> rows = database.prepare(kPageColumns + condition);
  if (!rows) return rows.error();
  bind(*rows);
  const Result<bool> found = rows->step();
  if (!found) return found.error();
  if (!*found) return std::optional<Json>();
  Json page;
  for (int i = 0; i < rows->columns(); ++i) {
    const std::string name = rows->column_name(i);
    if (rows->is_null(i))
      page[name] = nullptr;
    else if (name == "reasons")
      page[name] = Json::parse(rows->text(i), nullptr, false);
    else if (name == "score" || name == "relevance")
      page[name] = rows->real(i);
    else if (name == "relevant")
      page[name] = rows->integer(i) == 1;
    else if (rows->is_number(i))
      page[name] = rows->integer(i);
    else
      page[name] = rows->text(i);
  }
  return std::optional<Json>(std::move(page));
}

// The link of the parent whose offer won, with the terms of its score.
Status add_link(Database& database, Json& page) {
  Result<Statement> rows = database.prepare(
      "SELECT p.url, p.title, p.relevance, l.anchor, l.tag_path, l.position, l.parts FROM links l "
      "JOIN pages p ON p.id = l.page WHERE l.page = ?1 AND l.position = ?2");
  if (!rows) return rows.error();
  rows->bind(1, page["parent"].get<int64_t>()).bind(2, page["parent_link"].get<int64_t>());
  const Result<bool> found = rows->step();
  if (!found) return found.error();
  if (!*found) return {};
  page["parent_url"] = rows->text(0);
  page["parent_title"] = rows->text(1);
  page["parent_relevance"] = rows->real(2);
  page["anchor"] = rows->text(3);
  page["tag_path"] = rows->text(4);
  page["position"] = rows->integer(5);
  page["score_parts"] = rows->text(6);
  return {};
}

// Rows as objects; names and kinds are those of the columns.
Result<Json> rows_of(Result<Statement> rows) {
  if (!rows) return rows.error();
  Json all = Json::array();
  for (;;) {
    const Result<bool> found = rows->step();
    if (!found) return found.error();
    if (!*found) return all;
    Json& row = all.emplace_back();
    for (int i = 0; i < rows->columns(); ++i) {
      const std::string name = rows->column_name(i);
      if (name == "relevance" || name == "score")
        row[name] = rows->real(i);
      else if (rows->is_number(i))
        row[name] = rows->integer(i);
      else
        row[name] = rows->text(i);
    }
  }
}

// All pages that link to an address, the most relevant first.
Result<Json> parents_of(Database& database, const std::string& address) {
  Result<Statement> rows = database.prepare(
      "SELECT p.url, p.title, p.relevance, l.anchor, l.score, l.won, l.parts, COUNT(*) OVER () "
      "AS of FROM links l JOIN pages p ON p.id = l.page WHERE l.url = ?1 AND l.refused IS NULL "
      "GROUP BY p.id ORDER BY p.relevance DESC, p.id LIMIT 5");
  if (rows) rows->bind(1, address);
  return rows_of(std::move(rows));
}

// Links beside the one that won which had been followed by then: did they pay?
Result<Json> neighbours_of(Database& database, const Json& page) {
  Result<Statement> rows = database.prepare(
      "SELECT l.position - ?2 AS places, q.url, q.relevance FROM links l JOIN pages q ON q.url = "
      "l.url WHERE l.page = ?1 AND l.position BETWEEN ?2 - 6 AND ?2 + 6 AND l.position <> ?2 AND "
      "q.id < ?3 GROUP BY q.id ORDER BY ABS(l.position - ?2), places LIMIT 6");
  if (rows) {
    rows->bind(1, page["parent"].get<int64_t>())
        .bind(2, page["parent_link"].get<int64_t>())
        .bind(3, page["id"].get<int64_t>());
  }
  return rows_of(std::move(rows));
}

void print_parents(const Json& parents) {
  if (parents.empty()) return;
  const int64_t all = parents[0]["of"].get<int64_t>();
  fmt::print("  linked      from {} page{} of this crawl{}\n", all, all == 1 ? "" : "s",
             all > static_cast<int64_t>(parents.size()) ? "; the most relevant:" : ":");
  for (const Json& parent : parents) {
    fmt::print("              {:.4f}  {}, \"{}\"\n", parent["relevance"].get<double>(),
               parent["url"].get<std::string>(), parent["anchor"].get<std::string>());
  }
}

void print_neighbours(const Json& neighbours) {
  if (neighbours.empty()) return;
  fmt::print("  beside it   links of the same page that had been followed:\n");
  for (const Json& neighbour : neighbours) {
    const int64_t places = neighbour["places"].get<int64_t>();
    fmt::print("              {:.4f}  {}, {} {}\n", neighbour["relevance"].get<double>(),
               neighbour["url"].get<std::string>(), std::abs(places),
               places < 0 ? "before" : "after");
  }
}

// An address that is known, and was not fetched.
void print_waiting(const std::string& address, const Json& parents) {
  fmt::print("{}\n  not fetched so far\n", address);
  for (const Json& parent : parents) {
    if (parent["won"].get<int64_t>() == 0) continue;
    const std::string parts = parent["parts"].get<std::string>();
    fmt::print("  score       {:.6g} when it was offered{}\n", parent["score"].get<double>(),
               parts.empty() ? "" : " = " + parts);
    break;
  }
  print_parents(parents);
}

int explain_model(const std::string& folder, bool json) {
  const Result<CrawlConfig> config = config_of(folder);
  if (!config) return fail("explain", config.error());
  const Result<CrawlLessons> learned = lessons_of(*config, kMostLessons);
  if (!learned) return fail("explain", learned.error());
  Json out{{"strategy", learned->strategy}, {"judge", learned->judge}, {"visits", learned->visits}};
  Json& words = out["words"] = Json::array();
  for (const auto& [word, weight] : learned->words) words.push_back({word, weight});
  Json& lessons = out["lessons"] = Json::array();
  for (const Lesson& lesson : learned->lessons) {
    lessons.push_back({{"kind", lesson.kind},
                       {"name", lesson.name},
                       {"relevance", lesson.value},
                       {"pages", lesson.count}});
  }
  if (json) {
    fmt::print("{}\n", out.dump());
    return kDone;
  }
  fmt::print("{} with {}, after {} pages\n", learned->strategy, learned->judge, learned->visits);
  if (learned->words.empty() && learned->lessons.empty()) fmt::print("nothing was learned\n");
  if (!learned->words.empty()) fmt::print("\nwords that point to the topic\n");
  for (const auto& [word, weight] : learned->words) fmt::print("  {:7.4f}  {}\n", weight, word);
  std::string_view kind;
  for (const Lesson& lesson : learned->lessons) {
    if (lesson.kind != kind) {
      kind = lesson.kind;
      fmt::print("\nbest by {}: expected relevance, pages that tell so\n", kind);
    }
    fmt::print("  {:7.4f}  {:>5}  {}\n", lesson.value, lesson.count, lesson.name);
  }
  return kDone;
}

// Why the verdict is what it is, as the end of a sentence.
std::string reason_of_verdict(const Json& page, std::optional<double> threshold) {
  if (page["failure"].is_string()) return "since there was no answer";
  if (const int status = page["status"].get<int>(); status < 200 || status > 299) {
    return fmt::format("since the answer was {}", status);
  }
  const double relevance = page["relevance"].get<double>();
  if (relevance == 0) return "since nothing on it points to the topic";
  if (!threshold) return "";
  return fmt::format("{} the threshold of {:.4g}",
                     page["relevant"].get<bool>() ? "not below" : "below", *threshold);
}

void print_verdict(const Json& page, std::optional<double> threshold) {
  const std::string why = reason_of_verdict(page, threshold);
  fmt::print("  relevance   {:.4f}: {}{}\n", page["relevance"].get<double>(),
             page["relevant"].get<bool>() ? "relevant" : "not relevant",
             why.empty() ? "" : ", " + why);
  if (page["near_duplicate_of"].is_number()) {
    fmt::print("              not counted: it repeats visit number {}\n",
               page["near_duplicate_of"].get<int>() + 1);
  }
  if (page["soft_404"] == 1) fmt::print("              not counted: it says \"not found\"\n");
  if (!page["reasons"].is_array()) return;
  for (const Json& reason : page["reasons"]) {
    fmt::print("              {:+.4f}  {}\n", reason[1].get<double>(),
               reason[0].get<std::string>());
  }
}

void print(const Json& page, std::optional<double> threshold) {
  fmt::print("{}\n", page["url"].get<std::string>());
  if (page["final_url"] != page["url"])
    fmt::print("  led to      {}\n", page["final_url"].get<std::string>());
  if (page["title"].is_string()) fmt::print("  title       {}\n", page["title"].get<std::string>());
  if (page["failure"].is_string()) {
    fmt::print("  answer      none: {}\n", page["failure"].get<std::string>());
  } else {
    fmt::print("  answer      {}\n", page["status"].get<int>());
  }
  fmt::print("  visit       number {}, {} links from a seed\n", page["id"].get<int>() + 1,
             page["depth"].get<int>());
  if (page["parent"].is_null()) {
    fmt::print("  fetched     because it is a seed\n");
  } else {
    fmt::print("  fetched     because of a link on {}\n", page.value("parent_url", "?"));
    fmt::print(
        "              (\"{}\", relevance {:.4f}), link {} there, in {}, with the words \"{}\"\n",
        page.value("parent_title", ""), page.value("parent_relevance", 0.0),
        page.value("position", 0) + 1, page.value("tag_path", ""), page.value("anchor", ""));
    const std::string parts = page.value("score_parts", "");
    fmt::print("  score       {:.6g}{}\n", page["score"].get<double>(),
               parts.empty() ? "" : " = " + parts);
    print_neighbours(page["neighbours"]);
  }
  print_parents(page["linked_from"]);
  print_verdict(page, threshold);
  if (page["archive_file"].is_string()) {
    fmt::print("  archived    {} at {}\n", page["archive_file"].get<std::string>(),
               page["archive_offset"].get<int64_t>());
  }
}

}  // namespace

int explain_command(CommandLine line) {
  Arguments arguments("explain", "Tells why a page was fetched and judged as it was.",
                      "dowser explain birds http://schools-wikipedia.org/wp/b/Bird.htm");
  std::string folder, address;
  bool json = false, model = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.optional_word("URL", "the address of the page", &address);
  arguments.flag("model", "show what was learned instead: words, tag paths, directories", &model);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (model != address.empty()) {
    return fail("explain", Error{"name the address of a page, or say --model"}, kUsage);
  }
  if (model) return explain_model(folder, json);
  const Result<Url> url = Url::parse(address);
  if (!url) return fail("explain", Error{fmt::format("'{}' is no address", address)}, kUsage);

  Result<Database> database = Database::open(std::filesystem::path(folder) / "catalogue.sqlite");
  if (!database) return fail("explain", database.error());
  const auto bind = [&](Statement& s) { s.bind(1, url->href()); };
  auto page = page_where(*database, "WHERE url = ?1", bind);
  if (page && !*page)
    page = page_where(*database, "WHERE final_url = ?1 ORDER BY id LIMIT 1", bind);
  if (!page) return fail("explain", page.error());
  const Result<Json> parents = parents_of(*database, std::string(url->href()));
  if (!parents) return fail("explain", parents.error());
  if (!*page) {
    if (parents->empty()) {
      return fail("explain", Error{fmt::format("this crawl has not fetched {}", url->href())});
    }
    const std::string href(url->href());
    json ? fmt::print("{}\n", Json{{"url", href}, {"linked_from", *parents}}.dump())
         : print_waiting(href, *parents);
    return kDone;
  }
  (**page)["linked_from"] = *parents;
  if (!(**page)["parent"].is_null()) {
    if (Status s = add_link(*database, **page); !s) return fail("explain", s.error());
    const Result<Json> neighbours = neighbours_of(*database, **page);
    if (!neighbours) return fail("explain", neighbours.error());
    (**page)["neighbours"] = *neighbours;
  }
  const Result<double> threshold = threshold_of(folder);
  if (threshold) (**page)["threshold"] = *threshold;
  if (json) {
    fmt::print("{}\n", (*page)->dump());
  } else {
    print(**page, threshold ? std::optional(*threshold) : std::nullopt);
  }
  return kDone;
}

}  // namespace dowser
