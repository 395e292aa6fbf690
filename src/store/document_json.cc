#include "store/document_json.h"

#include <nlohmann/json.hpp>

namespace dowser {
namespace {

using nlohmann::json;

void add_text(json& object, const char* name, std::string_view value) {
  if (!value.empty()) object[name] = value;
}

void add_field(json& object, const char* name, const HeaderField& field) {
  if (field.value.empty()) return;
  object[name] = {{"value", field.value}, {"source", name_of(field.source)}};
}

std::string text_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

template <class Number>
Number number_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<Number>() : Number{};
}

std::vector<std::string> texts_in(const json& object, const char* name) {
  std::vector<std::string> texts;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return texts;
  for (const json& one : *found) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

std::optional<VisitId> visit_in(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  return VisitId{found->get<uint32_t>()};
}

HeaderField field_in(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_object()) return {};
  return {text_in(*found, "value"), header_source_named(text_in(*found, "source"))};
}

}  // namespace

std::string document_json(const Document& document) {
  const DocumentHeader& header = document.header;
  json object = {{"format", name_of(document.format)}};
  add_text(object, "failure", name_of(document.failure));
  add_text(object, "detail", document.detail);
  add_text(object, "name", document.name);
  add_text(object, "digest", document.digest);
  if (document.failure == ConversionFailure::kNone) {
    object["kind"] = name_of(document.kind.type);
    object["confidence"] = document.kind.confidence;
    if (!document.kind.reasons.empty()) object["kind-reasons"] = document.kind.reasons;
  }
  add_field(object, "title", header.title);
  add_field(object, "abstract", header.abstract);
  add_field(object, "keywords", header.keywords);
  add_field(object, "subject", header.subject);
  if (!header.authors.empty()) {
    object["authors"] = header.authors;
    object["authors-source"] = name_of(header.authors_source);
  }
  if (header.year != 0) {
    object["year"] = header.year;
    object["year-source"] = name_of(header.year_source);
  }
  if (header.references > 0) object["references"] = header.references;
  if (document.same_bytes_as) object["same-bytes-as"] = document.same_bytes_as->value;
  if (document.other_format_of) object["other-format-of"] = document.other_format_of->value;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Document> document_of_json(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object())
    return Error{"the document field of a metadata record is not valid JSON"};
  Document document;
  document.format =
      document_format_named(text_in(object, "format")).value_or(DocumentFormat::kUnknown);
  document.failure =
      conversion_failure_named(text_in(object, "failure")).value_or(ConversionFailure::kDamaged);
  document.detail = text_in(object, "detail");
  document.name = text_in(object, "name");
  document.digest = text_in(object, "digest");
  document.kind.type = document_type_named(text_in(object, "kind")).value_or(DocumentType::kOther);
  document.kind.confidence = number_in<double>(object, "confidence");
  document.kind.reasons = texts_in(object, "kind-reasons");
  DocumentHeader& header = document.header;
  header.title = field_in(object, "title");
  header.abstract = field_in(object, "abstract");
  header.keywords = field_in(object, "keywords");
  header.subject = field_in(object, "subject");
  header.authors = texts_in(object, "authors");
  header.authors_source = header_source_named(text_in(object, "authors-source"));
  header.year = number_in<int>(object, "year");
  header.year_source = header_source_named(text_in(object, "year-source"));
  header.references = number_in<uint32_t>(object, "references");
  document.same_bytes_as = visit_in(object, "same-bytes-as");
  document.other_format_of = visit_in(object, "other-format-of");
  return document;
}

}  // namespace dowser
