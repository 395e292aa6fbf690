#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "judge/signature/signature_judge.h"
#include "learn/signature/signature_files.h"
#include "model/url.h"
#include "parse/parse_page.h"
#include "run/final_judgement.h"
#include "run/run.h"
#include "run/stored_answer.h"
#include "store/catalogue_reader.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLessons = 20;
constexpr size_t kMostLinks = 5;
constexpr size_t kKnownHost = 20;  // pages, after which the strategy does not explore it any more

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// Names are those of the columns of the catalogue.
Json json_of(const CataloguePage& page) {
  Json json{{"id", page.id},
            {"url", page.url},
            {"final_url", page.final_url},
            {"status", value_or_null(page.status)},
            {"failure", text_or_null(page.failure)},
            {"title", text_or_null(page.title)},
            {"depth", page.depth},
            {"parent", value_or_null(page.parent)},
            {"parent_link", page.parent ? Json(page.parent_link) : Json()},
            {"score", value_or_null(page.score)},
            {"relevance", page.relevance},
            {"relevant", page.relevant},
            {"label", text_or_null(page.label)},
            {"relevance_at_fetch", page.relevance_at_fetch},
            {"relevant_at_fetch", page.relevant_at_fetch},
            {"near_duplicate_of", value_or_null(page.near_duplicate_of)},
            {"soft_404", page.soft_404}};
  json["reasons"] = page.reasons.empty() ? Json() : Json::parse(page.reasons, nullptr, false);
  json["fetched_at"] = page.fetched_at;
  json["archive_file"] = text_or_null(page.archive_file);
  json["archive_offset"] = page.archive_file.empty() ? Json() : Json(page.archive_offset);
  return json;
}

// The link of the parent whose offer won, with the terms of its score.
void add_link(const LinkOnPage& link, Json& page) {
  page["parent_url"] = link.page_url;
  page["parent_title"] = link.page_title;
  page["parent_relevance"] = link.page_relevance;
  page["anchor"] = link.anchor;
  page["tag_path"] = link.tag_path;
  page["position"] = link.position;
  page["score_offered"] = link.score;
  page["score_parts"] = link.parts;
}

Json json_of(const CatalogueReader::LinksTo& linking) {
  Json all = Json::array();
  for (const LinkOnPage& link : linking.links) {
    all.push_back({{"url", link.page_url},
                   {"title", link.page_title},
                   {"relevance", link.page_relevance},
                   {"anchor", link.anchor},
                   {"score", link.score},
                   {"won", link.won ? 1 : 0},
                   {"parts", link.parts},
                   {"of", linking.pages}});
  }
  return all;
}

Json json_of(const std::vector<CatalogueReader::Neighbour>& neighbours) {
  Json all = Json::array();
  for (const auto& neighbour : neighbours) {
    all.push_back(
        {{"places", neighbour.places}, {"url", neighbour.url}, {"relevance", neighbour.relevance}});
  }
  return all;
}

// Everything that the catalogue says about an address; nothing if the crawl never met it.
Result<std::optional<Json>> explanation_of(const std::filesystem::path& folder,
                                           CatalogueReader& catalogue, const std::string& address) {
  const auto links = catalogue.links_to(address, kMostLinks);
  if (!links) return links.error();
  const auto page = catalogue.page_at(address);
  if (!page) return page.error();
  if (!*page) {
    if (links->links.empty()) return std::optional<Json>();
    return std::optional<Json>(Json{{"url", address}, {"linked_from", json_of(*links)}});
  }
  Json json = json_of(**page);
  const auto reasons = reasons_on_page(folder, **page);
  if (!reasons) return reasons.error();
  if (*reasons) {
    json["reasons"] = Json::array();
    for (const auto& reason : **reasons) json["reasons"].push_back({reason.word, reason.weight});
  }
  json["linked_from"] = json_of(*links);
  if (!(*page)->parent) return std::optional<Json>(std::move(json));
  const auto link = catalogue.winning_link(**page);
  if (!link) return link.error();
  if (*link) add_link(**link, json);
  const auto neighbours = catalogue.neighbours(**page);
  if (!neighbours) return neighbours.error();
  json["neighbours"] = json_of(*neighbours);
  const auto before = catalogue.pages_of_host_before(**page);
  if (!before) return before.error();
  json["pages_of_host_before"] = *before;
  return std::optional<Json>(std::move(json));
}

// Of a crawl with signatures: which of them hit the page, and where.
Status add_passages(const std::filesystem::path& folder, Json& page) {
  std::error_code failed;
  const std::filesystem::path place = folder / "signatures";
  if (!std::filesystem::is_directory(place, failed) || !page["archive_file"].is_string()) return {};
  const auto library = read_library(place);
  if (!library) return library.error();
  const Result<CrawlConfig> config = config_of(folder);
  if (!config) return config.error();
  StoredPage row;
  row.final_url = page["final_url"].get<std::string>();
  row.archive_file = page["archive_file"].get<std::string>();
  row.archive_offset = page["archive_offset"].get<int64_t>();
  ArchivedPages archive(folder / "archive");
  EarlierAnswers earlier(config->previous);
  const Result<Page> stored = stored_page(row, archive, earlier);
  if (!stored) return stored.error();
  Json all = Json::array();
  for (const SignaturePassage& p : passages(*library, *stored)) {
    all.push_back({{"signature", (*library)[p.signature].name},
                   {"hits", p.count},
                   {"precision", (*library)[p.signature].evidence.precision()},
                   {"passage", p.passage}});
  }
  page["signatures"] = std::move(all);
  return {};
}

void print_passages(const Json& page) {
  if (!page.contains("signatures")) return;
  for (const Json& s : page["signatures"]) {
    const auto hits = s["hits"].get<int64_t>();
    fmt::print("  hit         {} ({} time{}): \"{}\"\n", s["signature"].get<std::string>(), hits,
               hits == 1 ? "" : "s", s["passage"].get<std::string>());
  }
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
  fmt::print("  neighbours  links of the same page that had been followed:\n");
  for (const Json& neighbour : neighbours) {
    const int64_t places = neighbour["places"].get<int64_t>();
    fmt::print("              {:.4f}  {}, {} {}\n", neighbour["relevance"].get<double>(),
               neighbour["url"].get<std::string>(), std::abs(places),
               places < 0 ? "before" : "after");
  }
}

// "0.5 = page=0.3 anchor=0.2 (layer=2)". The parts are of the score that the link was offered with.
std::string sum_of(double score, const std::string& parts) {
  const bool has_terms = !parts.empty() && !parts.starts_with('(');
  return fmt::format("{:.6g}{}{}", score, has_terms ? " = " : parts.empty() ? "" : " ", parts);
}

// A strategy may change its mind about a link while it waits.
void print_score(const Json& page) {
  const double score = page["score"].get<double>(), offered = page.value("score_offered", score);
  const std::string parts = page.value("score_parts", "");
  const std::string shown = fmt::format("{:.6g}", score);
  if (shown == fmt::format("{:.6g}", offered)) {
    fmt::print("  score       {}\n", sum_of(score, parts));
    return;
  }
  fmt::print("  score       {} when it was chosen\n", shown);
  fmt::print("              {} when it was offered\n", sum_of(offered, parts));
}

// An address that is known, and was not fetched.
void print_waiting(const std::string& address, const Json& parents) {
  fmt::print("{}\n  not fetched yet\n", address);
  for (const Json& parent : parents) {
    if (parent["won"].get<int64_t>() == 0) continue;
    const std::string parts = parent["parts"].get<std::string>();
    fmt::print("  score       {} when it was offered\n",
               sum_of(parent["score"].get<double>(), parts));
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
    print_json(out);
    return kDone;
  }
  fmt::print("{} with {}, after {} pages\n", learned->strategy, learned->judge, learned->visits);
  if (learned->words.empty() && learned->lessons.empty())
    fmt::print("the crawl has learned nothing yet\n");
  if (!learned->words.empty()) fmt::print("\nwords that point to the topic\n");
  for (const auto& [word, weight] : learned->words) fmt::print("  {:7.4f}  {}\n", weight, word);
  std::string_view kind;
  for (const Lesson& lesson : learned->lessons) {
    if (lesson.kind != kind) {
      kind = lesson.kind;
      fmt::print("\nbest by {}: expected relevance, number of pages it is based on\n", kind);
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
  if (page["label"] == kUseful) return "since you marked it as useful";
  if (page["label"] == kUseless) return "since you marked it as useless";
  const double relevance = page["relevance"].get<double>();
  if (relevance == 0) return "since nothing on it points to the topic";
  if (!threshold) return "";
  return fmt::format("{} the threshold {:.4g}", relevance < *threshold ? "below" : "not below",
                     *threshold);
}

void print_verdict(const Json& page, std::optional<double> threshold) {
  const std::string why = reason_of_verdict(page, threshold);
  fmt::print("  relevance   {:.4f}: {}{}\n", page["relevance"].get<double>(),
             page["relevant"].get<bool>() ? "relevant" : "not relevant",
             why.empty() ? "" : ", " + why);
  if (page["relevance_at_fetch"] != page["relevance"] ||
      page["relevant_at_fetch"] != page["relevant"]) {
    fmt::print("  at fetch    {:.4f}: {}\n", page["relevance_at_fetch"].get<double>(),
               page["relevant_at_fetch"].get<bool>() ? "relevant" : "not relevant");
  }
  if (page["near_duplicate_of"].is_number()) {
    fmt::print("              not counted: it repeats visit number {}\n",
               page["near_duplicate_of"].get<int>() + 1);
  }
  if (page["soft_404"] == true) fmt::print("              not counted: it says \"not found\"\n");
  if (!page["reasons"].is_array()) return;
  for (const Json& reason : page["reasons"]) {
    fmt::print("              {:+.4f}  {}\n", reason[1].get<double>(),
               reason[0].get<std::string>());
  }
}

// Most of the texts come from the web.
Json printable_texts(Json json) {
  if (json.is_string()) return printable(json.get<std::string>());
  if (json.is_structured()) {
    for (Json& part : json) part = printable_texts(std::move(part));
  }
  return json;
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
    print_score(page);
    if (const auto before = page.value("pages_of_host_before", kKnownHost); before < kKnownHost) {
      fmt::print("  host        explored: {} of its pages {} known then\n", before,
                 before == 1 ? "was" : "were");
    }
    print_neighbours(page["neighbours"]);
  }
  print_parents(page["linked_from"]);
  print_verdict(page, threshold);
  print_passages(page);
  if (page["archive_file"].is_string()) {
    fmt::print("  archived    {} at {}\n", page["archive_file"].get<std::string>(),
               page["archive_offset"].get<int64_t>());
  }
}

}  // namespace

int explain_command(CommandLine line) {
  Arguments arguments("explain", "Shows why a page was fetched, and why it was judged as it was.",
                      "dowser explain birds http://schools-wikipedia.org/wp/b/Bird.htm");
  std::string folder, address;
  bool json = false, model = false;
  arguments.word("DIR", "the folder of the crawl", &folder);
  arguments.optional_word("URL", "the address of the page", &address);
  arguments.flag("model", "show what the crawl has learned instead: words, tag paths, directories",
                 &model);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (model != address.empty()) {
    return fail("explain", Error{"name the address of a page, or give --model"}, kUsage);
  }
  if (model) return explain_model(folder, json);
  const Result<Url> url = Url::parse(address);
  if (!url)
    return fail("explain", Error{fmt::format("'{}' is not a valid address", address)}, kUsage);

  const std::string href(url->href());
  Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
  if (!catalogue) return fail("explain", catalogue.error());
  auto page = explanation_of(folder, *catalogue, href);
  if (!page) return fail("explain", page.error());
  if (!*page) return fail("explain", Error{fmt::format("this crawl has not fetched {}", href)});
  const bool was_fetched = (*page)->contains("id");
  const Result<std::optional<double>> threshold = threshold_of(folder);
  if (!threshold) return fail("explain", threshold.error());
  if (was_fetched) {
    if (*threshold) (**page)["threshold"] = **threshold;
    if (Status s = add_passages(folder, **page); !s) return fail("explain", s.error());
  }
  if (json) {
    print_json(**page);
  } else {
    const Json shown = printable_texts(std::move(**page));
    was_fetched ? print(shown, *threshold) : print_waiting(href, shown["linked_from"]);
  }
  return kDone;
}

}  // namespace dowser
