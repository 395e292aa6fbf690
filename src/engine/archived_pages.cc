#include "engine/archived_pages.h"

#include <fmt/format.h>

#include "parse/parse_page.h"

namespace dowser {

Result<Response> ArchivedPages::response(const std::string& file, uint64_t offset) {
  auto reader = readers_.find(file);
  if (reader == readers_.end()) {
    Result<WarcReader> opened = WarcReader::open(folder_ / file);
    if (!opened) return opened.error();
    reader = readers_.emplace(file, std::move(*opened)).first;
  }
  const Result<WarcRecord> record = reader->second.read_at({offset, 0, 0});
  if (!record) return record.error();
  Result<Response> response = parse_response(record->block);
  if (!response) return response.error();
  if (Result<Url> url = Url::parse(record->target)) response->url = std::move(*url);
  response->fetched_at = record->date;
  return response;
}

Result<ArchivedVisits> ArchivedVisits::open(const std::filesystem::path& crawl_folder) {
  Result<Database> database = Database::open(crawl_folder / "catalogue.sqlite");
  if (!database) return database.error();
  Result<Statement> row = database->prepare(
      "SELECT final_url, archive_file, archive_offset, near_duplicate_of, soft_404, failure, "
      "relevance, relevant, label FROM pages WHERE id = ?1");
  if (!row) return row.error();
  return ArchivedVisits(std::move(*database), std::move(*row), crawl_folder / "archive");
}

Result<Visit> ArchivedVisits::read(VisitId id, Candidate candidate) {
  if (!status_.ok()) return status_.error();
  const Result<bool> there = row_.bind(1, int64_t{id.value}).step();
  if (!there) {
    status_ = there.error();
    return there.error();
  }
  if (!*there) return Error{fmt::format("the catalogue has no visit {}", id.value)};
  Visit visit{id, std::move(candidate), {}, {}, {}, {}, {}, row_.integer(4) != 0};
  if (!row_.is_null(3)) visit.near_duplicate_of = VisitId{static_cast<uint32_t>(row_.integer(3))};
  const std::string url = row_.text(0), file = row_.text(1), failure = row_.text(5);
  const auto offset = static_cast<uint64_t>(row_.integer(2));
  visit.judgement = {{row_.real(6)}, row_.integer(7) != 0, row_.text(8), {}};
  row_.reset();

  if (file.empty()) {
    if (Result<Url> final_url = Url::parse(url)) visit.response.url = std::move(*final_url);
    visit.response.failure = failure_named(failure);
    return visit;
  }
  Result<Response> response = pages_.response(file, offset);
  if (!response) return response.error();
  visit.response = std::move(*response);
  if (visit.response.is_redirect()) return visit;
  visit.page = parse_page(visit.response, {});
  return visit;
}

}  // namespace dowser
