#include "store/document_rows.h"

#include <nlohmann/json.hpp>

namespace dowser {
namespace {

Cell text_cell(std::string_view text) { return text.empty() ? Cell() : Cell(std::string(text)); }

Cell list_cell(const std::vector<std::string>& list) {
  if (list.empty()) return {};
  return nlohmann::json(list).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Number>
Cell number_cell(Number number) {
  return number == 0 ? Cell() : Cell(static_cast<int64_t>(number));
}

Cell visit_cell(std::optional<VisitId> visit) {
  return visit ? Cell(int64_t{visit->value}) : Cell();
}

}  // namespace

// Not part of the first schema, so that a crawl which began before it was there gets it too. The
// view counts the pages that link to a document, under any of the addresses that it has.
const char kDocumentSchema[] = R"sql(
CREATE TABLE IF NOT EXISTS documents (
  page INTEGER PRIMARY KEY REFERENCES pages(id), url TEXT NOT NULL, name TEXT NOT NULL,
  format TEXT NOT NULL, failure TEXT, detail TEXT, kind TEXT, confidence REAL,
  accepted INTEGER NOT NULL, kind_reasons TEXT, title TEXT, title_source TEXT, authors TEXT,
  authors_source TEXT, abstract TEXT, keywords TEXT, subject TEXT, year INTEGER, year_source TEXT,
  bibliography INTEGER, digest TEXT, same_bytes_as INTEGER REFERENCES pages(id),
  other_format_of INTEGER REFERENCES pages(id), found_on INTEGER REFERENCES pages(id));
CREATE VIEW IF NOT EXISTS document_references AS
  SELECT COALESCE(d.same_bytes_as, d.page) AS page, COUNT(DISTINCT l.page) AS pages,
    COUNT(*) AS links
  FROM links l JOIN pages p ON p.url = SUBSTR(l.url, 1, INSTR(l.url || '#', '#') - 1)
    JOIN documents d ON d.page = p.id
  GROUP BY COALESCE(d.same_bytes_as, d.page);
)sql";

const std::string_view kInsertDocument = R"sql(
INSERT INTO documents (page, url, name, format, failure, detail, kind, confidence, accepted,
  kind_reasons, title, title_source, authors, authors_source, abstract, keywords, subject, year,
  year_source, bibliography, digest, same_bytes_as, other_format_of, found_on)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24))sql";

Row document_row(const Visit& visit) {
  const Document& document = *visit.document;
  const DocumentHeader& header = document.header;
  const bool converted = document.failure == ConversionFailure::kNone;
  const DocumentKind& kind = document.kind;
  return {int64_t{visit.id.value},
          std::string(visit.response.url.href()),
          document.name,
          std::string(name_of(document.format)),
          text_cell(name_of(document.failure)),
          text_cell(document.detail),
          converted ? text_cell(name_of(kind.type)) : Cell(),
          converted ? Cell(kind.confidence) : Cell(),
          int64_t{converted && kind.is_accepted()},
          list_cell(kind.reasons),
          text_cell(header.title.value),
          text_cell(name_of(header.title.source)),
          list_cell(header.authors),
          text_cell(name_of(header.authors_source)),
          text_cell(header.abstract.value),
          text_cell(header.keywords.value),
          text_cell(header.subject.value),
          number_cell(header.year),
          text_cell(name_of(header.year_source)),
          number_cell(header.references),
          text_cell(document.digest),
          visit_cell(document.same_bytes_as),
          visit_cell(document.other_format_of),
          visit_cell(visit.candidate.trail.parent)};
}

}  // namespace dowser
