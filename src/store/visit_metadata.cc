#include "store/visit_metadata.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "store/document_json.h"

namespace dowser {
namespace {

// The lines "name: value" of a block.
Headers fields_of(std::string_view block) {
  Headers fields;
  while (!block.empty()) {
    const size_t end = std::min(block.find('\n'), block.size());
    std::string_view line = block.substr(0, end);
    block.remove_prefix(std::min(end + 1, block.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    fields.add(std::string(line.substr(0, colon)), std::string(line.substr(colon + 2)));
  }
  return fields;
}

template <class T>
std::optional<T> number_in(const Headers& fields, std::string_view name) {
  const auto text = fields.get(name);
  if (!text) return std::nullopt;
  T value{};
  const auto [stop, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || stop != text->data() + text->size()) return std::nullopt;
  return value;
}

std::string text_in(const Headers& fields, std::string_view name) {
  return std::string(fields.get(name).value_or(""));
}

// What the catalogue holds of a page and the archive cannot tell: the body of an unchanged page is
// in the archive of an earlier crawl, and where there was no answer there is no response record.
void add_page_fields(const Visit& visit, Headers& fields) {
  const Response& response = visit.response;
  const auto add = [&](const char* name, std::string_view value) {
    if (!value.empty()) fields.add(name, std::string(value));
  };
  if (response.failure == Failure::kNone) fields.add("status", std::to_string(response.status));
  add("content-type", response.content_type());
  if (!response.body.empty()) fields.add("bytes", std::to_string(response.body.size()));
  if (response.truncated) fields.add("truncated", "yes");
  add("language", visit.page.language);
  add("charset", visit.page.charset);
  add("title", visit.page.title);
  add("canonical", visit.page.canonical.href());
}

void read_page_fields(const Headers& fields, Visit& visit) {
  Response& response = visit.response;
  if (const auto failure = fields.get("failure")) response.failure = failure_named(*failure);
  response.status = number_in<int>(fields, "status").value_or(0);
  if (const auto type = fields.get("content-type")) {
    response.headers.add("Content-Type", std::string(*type));
  }
  response.body.resize(number_in<uint32_t>(fields, "bytes").value_or(0));
  response.truncated = fields.get("truncated") == "yes";
  visit.page.language = text_in(fields, "language");
  visit.page.charset = text_in(fields, "charset");
  visit.page.title = text_in(fields, "title");
  if (Result<Url> url = Url::parse(text_in(fields, "canonical"))) visit.page.canonical = *url;
}

void add_score(const Score& score, Headers& fields) {
  if (score == Score::seed()) {
    fields.add("score", "seed");
    return;
  }
  const auto& parts = score.parts();
  fields.add("score", fmt::format("{}", parts[0]));
  if (parts[1] != 0 || parts[2] != 0 || parts[3] != 0) {
    fields.add("score-parts", fmt::format("{} {} {}", parts[1], parts[2], parts[3]));
  }
}

Score read_score(const Headers& fields) {
  const std::string first = text_in(fields, "score");
  if (first == "seed") return Score::seed();
  const std::string others = text_in(fields, "score-parts");
  double parts[3] = {};
  const char* at = others.c_str();
  for (double& part : parts) {
    char* end = nullptr;
    part = std::strtod(at, &end);
    at = end;
  }
  return Score(std::strtod(first.c_str(), nullptr), parts[0], parts[1], parts[2]);
}

std::vector<Judgement::Reason> read_reasons(std::string_view json) {
  std::vector<Judgement::Reason> reasons;
  const auto list = nlohmann::json::parse(json, nullptr, false);
  if (!list.is_array()) return reasons;
  for (const auto& pair : list) {
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_number()) {
      reasons.push_back({pair[0].get<std::string>(), pair[1].get<double>()});
    }
  }
  return reasons;
}

}  // namespace

std::string reasons_json(const Judgement& judgement) {
  if (judgement.reasons.empty()) return {};
  nlohmann::json list = nlohmann::json::array();
  for (const auto& reason : judgement.reasons) list.push_back({reason.word, reason.weight});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Headers metadata_fields(const Visit& visit, const MetadataContext& context) {
  Headers fields;
  const Response& response = visit.response;
  const Judgement& judgement = visit.judgement;
  fields.add("visit", std::to_string(visit.id.value));
  if (visit.candidate.url.href() != response.url.href()) {
    fields.add("url", std::string(visit.candidate.url.href()));
  }
  if (response.failure != Failure::kNone) {
    fields.add("failure", std::string(name_of(response.failure)));
  }
  if (response.failure != Failure::kNone || response.unchanged_since) {
    add_page_fields(visit, fields);
  }
  fields.add("relevance", fmt::format("{}", judgement.relevance.value));
  fields.add("relevant", judgement.relevant ? "yes" : "no");
  if (!judgement.label.empty()) fields.add("label", judgement.label);
  if (std::string reasons = reasons_json(judgement); !reasons.empty()) {
    fields.add("reasons", std::move(reasons));
  }
  add_score(visit.candidate.score, fields);
  fields.add("judge", std::string(context.judge));
  fields.add("strategy", std::string(context.strategy));
  const Trail& trail = visit.candidate.trail;
  if (trail.parent) {
    fields.add("parent", std::string(context.parent));
    fields.add("parent-visit", std::to_string(trail.parent->value));
    fields.add("parent-link", std::to_string(trail.position));
  }
  fields.add("depth", std::to_string(trail.depth));
  if (visit.near_duplicate_of) {
    fields.add("near-duplicate-of", std::to_string(visit.near_duplicate_of->value));
  }
  if (visit.soft_404) fields.add("soft-404", "yes");
  if (visit.document) fields.add("document", document_json(*visit.document));
  return fields;
}

std::optional<Document> document_in(const WarcRecord& metadata) {
  const std::string_view block = metadata.block;
  constexpr std::string_view kField = "\ndocument: ";
  const size_t at = block.find(kField);
  if (at == block.npos) return std::nullopt;
  const std::string_view rest = block.substr(at + kField.size());
  Result<Document> document = document_of_json(rest.substr(0, rest.find_first_of("\r\n")));
  if (!document) return std::nullopt;
  return std::move(*document);
}

Result<Visit> visit_of(const WarcRecord& metadata, std::optional<VisitId> given) {
  const Headers fields = fields_of(metadata.block);
  auto id = number_in<uint32_t>(fields, "visit");
  if (given) id = given->value;
  Result<Url> final_url = Url::parse(metadata.target);
  if (!id || !final_url) {
    return Error{"a metadata record does not name its visit, as in archives of older versions"};
  }
  Visit visit;
  visit.id = VisitId{*id};
  visit.response.url = *final_url;
  visit.response.fetched_at = metadata.date;
  visit.candidate.url = *final_url;
  if (const auto url = fields.get("url")) {
    if (Result<Url> chosen = Url::parse(*url)) visit.candidate.url = std::move(*chosen);
  }
  read_page_fields(fields, visit);
  visit.judgement = {{std::strtod(text_in(fields, "relevance").c_str(), nullptr)},
                     fields.get("relevant") == "yes",
                     text_in(fields, "label"),
                     read_reasons(text_in(fields, "reasons"))};
  visit.candidate.score = read_score(fields);
  Trail& trail = visit.candidate.trail;
  trail.depth = number_in<uint32_t>(fields, "depth").value_or(0);
  if (const auto parent = number_in<uint32_t>(fields, "parent-visit")) {
    trail.parent = VisitId{*parent};
    trail.position = number_in<uint32_t>(fields, "parent-link").value_or(0);
  }
  if (const auto repeated = number_in<uint32_t>(fields, "near-duplicate-of")) {
    visit.near_duplicate_of = VisitId{*repeated};
  }
  visit.soft_404 = fields.get("soft-404") == "yes";
  visit.document = document_in(metadata);
  return visit;
}

}  // namespace dowser
