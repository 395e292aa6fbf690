#include "run/archived_pages.h"

#include <fmt/format.h>

#include "engine/make_page.h"

namespace dowser {
namespace {

Result<Response> response_in(const WarcRecord& record) {
  Result<Response> response = parse_response(record.block);
  if (!response) return response.error();
  if (Result<Url> url = Url::parse(record.target)) response->url = std::move(*url);
  response->fetched_at = record.date;
  return response;
}

}  // namespace

Result<Response> ArchivedPages::response(const std::string& file, uint64_t offset) {
  auto reader = readers_.find(file);
  if (reader == readers_.end()) {
    Result<WarcReader> opened = WarcReader::open(folder_ / file);
    if (!opened) return opened.error();
    reader = readers_.emplace(file, std::move(*opened)).first;
  }
  const Result<WarcRecord> record = reader->second.read_at({offset, 0, 0});
  if (!record) return record.error();
  return response_in(*record);
}

Status ArchivedPages::add_responses(const std::string& file, uint64_t begin, uint64_t end,
                                    std::vector<Response>& to) {
  auto mapped = files_.find(file);
  if (mapped == files_.end()) {
    Result<MappedFile> opened = MappedFile::open(folder_ / file);
    if (!opened) return opened.error();
    mapped = files_.emplace(file, std::move(*opened)).first;
  }
  WarcCursor cursor(mapped->second.bytes().substr(0, end), begin, kBlockLimit);
  while (const std::optional<WarcRecord> record = cursor.next()) {
    if (record->type != RecordType::kResponse && record->type != RecordType::kRevisit) continue;
    Result<Response> response = response_in(*record);
    if (!response) return response.error();
    to.push_back(std::move(*response));
  }
  if (cursor.errors().empty()) return {};
  return Error{fmt::format("{} is damaged at byte {}: {}", (folder_ / file).string(),
                           cursor.errors().front().offset, cursor.errors().front().message)};
}

Result<std::vector<Response>> ArchivedPages::responses(const ArchiveEnd& begin,
                                                       const ArchiveEnd& end) {
  std::vector<Response> responses;
  if (end.file.empty()) return responses;  // nothing was archived so far
  uint64_t from = begin.offset;
  if (begin.file != end.file) {
    if (!begin.file.empty()) {
      if (Status s = add_responses(begin.file, from, UINT64_MAX, responses); !s) return s.error();
    }
    from = 0;
  }
  if (from < end.offset) {
    if (Status s = add_responses(end.file, from, end.offset, responses); !s) return s.error();
  }
  return responses;
}

// What the catalogue says of a visit.
struct ArchivedVisits::Row {
  Visit visit;  // as far as it is known there
  std::string file;
  uint64_t offset = 0;
};

Result<ArchivedVisits> ArchivedVisits::open(const std::filesystem::path& crawl_folder, bool lists,
                                            OptionsOf options_of) {
  Result<Database> database = Database::open(crawl_folder / "catalogue.sqlite");
  if (!database) return database.error();
  Result<Statement> row = database->prepare(
      "SELECT final_url, archive_file, archive_offset, near_duplicate_of, soft_404, failure, "
      "relevance, relevant, label FROM pages WHERE id = ?1");
  if (!row) return row.error();
  return ArchivedVisits(std::move(*database), std::move(*row), crawl_folder / "archive", lists,
                        std::move(options_of));
}

Result<ArchivedVisits::Row> ArchivedVisits::row_of(VisitId id) {
  if (!status_.ok()) return status_.error();
  const Result<bool> there = row_.bind(1, int64_t{id.value}).step();
  if (!there) {
    status_ = there.error();
    return there.error();
  }
  if (!*there) return Error{fmt::format("the catalogue has no visit {}", id.value)};
  Row row;
  Visit& visit = row.visit;
  visit.id = id;
  visit.soft_404 = row_.integer(4) != 0;
  if (!row_.is_null(3)) visit.near_duplicate_of = VisitId{static_cast<uint32_t>(row_.integer(3))};
  visit.judgement = {{row_.real(6)}, row_.integer(7) != 0, row_.text(8), {}};
  row.file = row_.text(1);
  row.offset = static_cast<uint64_t>(row_.integer(2));
  if (row.file.empty()) {
    if (Result<Url> url = Url::parse(row_.text(0))) visit.response.url = std::move(*url);
    visit.response.failure = failure_named(row_.text(5));
    visit.page = make_page(visit.response, {}, lists_);
  }
  row_.reset();
  return row;
}

Result<Visit> ArchivedVisits::read(VisitId id) {
  Result<Row> row = row_of(id);
  if (!row) return row.error();
  if (row->file.empty()) return std::move(row->visit);
  Result<Response> response = pages_.response(row->file, row->offset);
  if (!response) return response.error();
  row->visit.response = std::move(*response);
  row->visit.page = make_page(row->visit.response, options_of_(id), lists_);
  return std::move(row->visit);
}

Result<Visit> ArchivedVisits::read(VisitId id, Candidate candidate, const ArchiveEnd& begin,
                                   const ArchiveEnd& end) {
  Result<Row> row = row_of(id);
  if (!row) return row.error();
  Visit visit = std::move(row->visit);
  visit.candidate = std::move(candidate);
  Result<std::vector<Response>> responses = pages_.responses(begin, end);
  if (!responses) return responses.error();
  visit.redirects = std::move(*responses);
  if (row->file.empty()) return visit;  // in the end there was no answer
  if (visit.redirects.empty()) {
    return Error{fmt::format("the archive has no record of visit {}", id.value)};
  }
  visit.response = std::move(visit.redirects.back());
  visit.redirects.pop_back();
  visit.page = make_page(visit.response, options_of_(id), lists_);
  return visit;
}

}  // namespace dowser
