#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "model/url.h"
#include "store/database.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kPageColumns[] =
    "SELECT id, url, final_url, status, failure, title, depth, parent, parent_link, score, "
    "relevance, relevant, reasons, "
    "fetched_at, archive_file, archive_offset FROM pages ";

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

void print(const Json& page) {
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
  }
  fmt::print("  relevance   {:.4f}: {}\n", page["relevance"].get<double>(),
             page["relevant"].get<bool>() ? "relevant" : "not relevant");
  if (page["reasons"].is_array()) {
    for (const Json& reason : page["reasons"]) {
      fmt::print("              {:+.4f}  {}\n", reason[1].get<double>(),
                 reason[0].get<std::string>());
    }
  }
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
  bool json = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.word("URL", "the address of the page", &address);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<Url> url = Url::parse(address);
  if (!url) return fail("explain", Error{fmt::format("'{}' is no address", address)}, kUsage);

  Result<Database> database = Database::open(std::filesystem::path(folder) / "catalogue.sqlite");
  if (!database) return fail("explain", database.error());
  const auto bind = [&](Statement& s) { s.bind(1, url->href()); };
  auto page = page_where(*database, "WHERE url = ?1", bind);
  if (page && !*page)
    page = page_where(*database, "WHERE final_url = ?1 ORDER BY id LIMIT 1", bind);
  if (!page) return fail("explain", page.error());
  if (!*page) {
    return fail("explain", Error{fmt::format("this crawl has not fetched {}", url->href())});
  }
  if (!(**page)["parent"].is_null()) {
    if (Status s = add_link(*database, **page); !s) return fail("explain", s.error());
  }
  json ? fmt::print("{}\n", (*page)->dump()) : print(**page);
  return kDone;
}

}  // namespace dowser
