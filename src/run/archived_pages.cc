#include "run/archived_pages.h"

#include <fmt/format.h>

#include "engine/make_page.h"
#include "store/visit_metadata.h"

namespace dowser {
namespace {

Result<Response> response_in(const WarcRecord& record) {
  Result<Response> response = parse_response(record.block);
  if (!response) return response.error();
  if (Result<Url> url = Url::parse(record.target)) response->url = std::move(*url);
  response->fetched_at = record.date;
  return response;
}

// "crawl-00008.warc.gz" after "crawl-00007.warc.gz".
std::optional<std::string> next_archive_file(const std::string& file) {
  const std::optional<uint64_t> number = archive_number(file);
  if (!number) return std::nullopt;
  return fmt::format("crawl-{:05}.warc.gz", *number + 1);
}

}  // namespace

Result<Response> ArchivedPages::response(const std::string& file, uint64_t offset) {
  auto reader = readers_.find(file);
  if (reader == readers_.end()) {
    Result<WarcReader> opened = WarcReader::open(folder_ / file);
    if (!opened) {
      status_ = opened.error();
      return opened.error();
    }
    reader = readers_.emplace(file, std::move(*opened)).first;
  }
  const Result<WarcRecord> record = reader->second.read_at({offset, 0, 0});
  if (!record) return record.error();
  return response_in(*record);
}

Page ArchivedPages::Answer::page(bool lists, const ParseOptions& options) const {
  return make_page(response, options, lists, document ? &*document : nullptr);
}

Result<const MappedFile*> ArchivedPages::mapped(const std::string& file) {
  auto mapped = files_.find(file);
  if (mapped == files_.end()) {
    Result<MappedFile> opened = MappedFile::open(folder_ / file);
    if (!opened) {
      status_ = opened.error();
      return opened.error();
    }
    mapped = files_.emplace(file, std::move(*opened)).first;
  }
  return &mapped->second;
}

Result<bool> ArchivedPages::add_records(const std::string& file, uint64_t begin, uint64_t end,
                                        bool one_visit, Records& to) {
  const Result<const MappedFile*> bytes = mapped(file);
  if (!bytes) return bytes.error();
  WarcCursor cursor((*bytes)->bytes().substr(0, end), begin, kBlockLimit);
  while (std::optional<WarcRecord> record = cursor.next()) {
    if (record->type == RecordType::kResponse || record->type == RecordType::kRevisit) {
      Result<Response> response = response_in(*record);
      if (!response) return response.error();
      to.responses.push_back(std::move(*response));
      to.document.reset();
    } else if (record->type == RecordType::kConversion) {
      to.document.emplace().text = std::move(record->block);
    } else if (record->type == RecordType::kMetadata) {
      std::string text = to.document ? std::move(to.document->text) : std::string();
      to.document = document_in(*record);
      if (to.document) to.document->text = std::move(text);
      if (one_visit) return true;
    }
  }
  if (cursor.errors().empty()) return false;
  return Error{fmt::format("{} is damaged at byte {}: {}", (folder_ / file).string(),
                           cursor.errors().front().offset, cursor.errors().front().message)};
}

Result<ArchivedPages::Answer> ArchivedPages::answer(const std::string& file, uint64_t offset) {
  Records records;
  Result<bool> found = add_records(file, offset, UINT64_MAX, true, records);
  // The archive may continue in the next file, with the rest of the records.
  if (found && !*found) {
    if (const std::optional<std::string> next = next_archive_file(file)) {
      std::error_code failed;
      if (!std::filesystem::exists(folder_ / *next, failed) && !failed) {
        status_ = Error{fmt::format("{} ends before all records of the page at byte {}",
                                    (folder_ / file).string(), offset)};
        found = status_.error();
      } else {
        found = add_records(*next, 0, UINT64_MAX, true, records);
      }
    }
  }
  if (records.responses.empty()) {
    return found ? Error{fmt::format("{} has no record at byte {}", file, offset)} : found.error();
  }
  return Answer{std::move(records.responses.front()), std::move(records.document)};
}

Result<ArchivedPages::Records> ArchivedPages::records(const ArchiveEnd& begin,
                                                      const ArchiveEnd& end) {
  Records records;
  if (end.file.empty()) return records;  // nothing was archived so far
  uint64_t from = begin.offset;
  if (begin.file != end.file) {
    if (!begin.file.empty()) {
      const auto read = add_records(begin.file, from, UINT64_MAX, false, records);
      if (!read) return read.error();
    }
    from = 0;
  }
  if (from < end.offset) {
    const auto read = add_records(end.file, from, end.offset, false, records);
    if (!read) return read.error();
  }
  return records;
}

// What the catalogue says about a visit.
struct ArchivedVisits::Row {
  Visit visit;  // as far as it is known there
  std::string file;
  uint64_t offset = 0;
};

Result<ArchivedVisits> ArchivedVisits::open(const std::filesystem::path& crawl_folder, bool lists,
                                            OptionsOf options_of) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(crawl_folder);
  if (!catalogue) return catalogue.error();
  return ArchivedVisits(std::move(*catalogue), crawl_folder / "archive", lists,
                        std::move(options_of));
}

Result<ArchivedVisits::Row> ArchivedVisits::row_of(VisitId id) {
  if (!status_.ok()) return status_.error();
  const Result<std::optional<CataloguePage>> page = catalogue_.page(id);
  if (!page) {
    status_ = page.error();
    return page.error();
  }
  if (!*page) return Error{fmt::format("the catalogue has no visit {}", id.value)};
  const CataloguePage& known = **page;
  Row row;
  Visit& visit = row.visit;
  visit.id = id;
  visit.soft_404 = known.soft_404;
  if (known.near_duplicate_of) visit.near_duplicate_of = VisitId{*known.near_duplicate_of};
  visit.judgement = {{known.relevance_at_fetch}, known.relevant_at_fetch, known.label, {}};
  row.file = known.archive_file;
  row.offset = known.archive_offset;
  if (row.file.empty()) {
    if (Result<Url> url = Url::parse(known.final_url)) visit.response.url = std::move(*url);
    visit.response.failure = failure_named(known.failure);
    visit.page = make_page(visit.response, {}, lists_);
  }
  return row;
}

Result<Visit> ArchivedVisits::read(VisitId id) {
  Result<Row> row = row_of(id);
  if (!row) return row.error();
  if (row->file.empty()) return std::move(row->visit);
  Result<ArchivedPages::Answer> answer = pages_.answer(row->file, row->offset);
  if (!answer) return answer.error();
  row->visit.page = answer->page(lists_, options_of_(id));
  row->visit.response = std::move(answer->response);
  row->visit.document = std::move(answer->document);
  return std::move(row->visit);
}

Result<Visit> ArchivedVisits::read(VisitId id, Candidate candidate, const ArchiveEnd& begin,
                                   const ArchiveEnd& end) {
  Result<Row> row = row_of(id);
  if (!row) return row.error();
  Visit visit = std::move(row->visit);
  visit.candidate = std::move(candidate);
  Result<ArchivedPages::Records> records = pages_.records(begin, end);
  if (!records) return records.error();
  visit.redirects = std::move(records->responses);
  if (row->file.empty()) return visit;  // in the end there was no answer
  if (visit.redirects.empty()) {
    return Error{fmt::format("the archive has no record for visit {}", id.value)};
  }
  visit.response = std::move(visit.redirects.back());
  visit.redirects.pop_back();
  visit.document = std::move(records->document);
  visit.page = make_page(visit.response, options_of_(id), lists_,
                         visit.document ? &*visit.document : nullptr);
  return visit;
}

}  // namespace dowser
