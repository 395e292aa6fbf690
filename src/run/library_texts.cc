#include "run/library_texts.h"

#include <fmt/format.h>

#include "parse/parse_page.h"
#include "run/config.h"
#include "run/run.h"
#include "store/index_text.h"

namespace dowser {
namespace {

ParseOptions parse_options() {
  ParseOptions options;
  options.detect_language = options.count_terms = false;
  return options;
}

}  // namespace

LibraryTexts::LibraryTexts(std::filesystem::path crawl_folder)
    : folder_(std::move(crawl_folder)), added_(folder_) {}

Status LibraryTexts::open(const std::set<std::string>& archive_files) {
  for (const std::string& file : archive_files) {
    if (readers_.contains(file)) continue;
    Result<WarcReader> reader = WarcReader::open(folder_ / "archive" / file);
    if (!reader) {
      return Error{fmt::format("{}; dowser check {} says what is wrong", reader.error().message,
                               folder_.string())};
    }
    readers_.emplace(file, std::move(*reader));
    Result<MappedFile> bytes = MappedFile::open(folder_ / "archive" / file);
    if (!bytes) return bytes.error();
    mapped_.emplace(file, std::move(*bytes));
  }
  return {};
}

Result<Page> LibraryTexts::page(const std::string& archive_file, uint64_t offset,
                                const std::string& url) {
  const auto reader = readers_.find(archive_file);
  if (reader == readers_.end()) return Error{"the archive file " + archive_file + " is missing"};
  const Result<WarcRecord> record = reader->second.read_at({offset, 0, 0});
  if (!record) return record.error();
  Result<Response> response = parse_response(record->block);
  if (!response) return response.error();
  if (response->status == 304) {
    const std::lock_guard lock(mutex_);
    if (!earlier_) {
      const Result<CrawlConfig> config = config_of(folder_);
      earlier_ =
          std::make_unique<EarlierAnswers>(config ? config->previous : std::vector<std::string>());
    }
    response = earlier_->get(url);
    if (!response) return response.error();
  }
  if (Result<Url> address = Url::parse(url)) response->url = std::move(*address);
  return parse_page(*response, parse_options());
}

Result<std::string> LibraryTexts::conversion(const std::string& archive_file,
                                             uint64_t offset) const {
  const auto file = mapped_.find(archive_file);
  if (file == mapped_.end()) return Error{"the archive file " + archive_file + " is missing"};
  // Response, request and conversion stand one after the other, and then the metadata of the
  // visit.
  WarcCursor cursor(file->second.bytes(), offset, kBlockLimit);
  for (std::optional<WarcRecord> record = cursor.next(); record; record = cursor.next()) {
    if (record->type == RecordType::kConversion) return std::move(record->block);
    if (record->type == RecordType::kMetadata) return std::string();
  }
  return Error{fmt::format("{} cannot be read at byte {}", archive_file, offset)};
}

Result<std::string> LibraryTexts::shown(const LibraryItem& item) {
  if (!added_name(item).empty()) {
    Result<std::string> text = added_.text(item);
    if (!text) return text.error();
    return shown_text(*text);
  }
  if (item.format != "html" && item.kind != "page") {
    Result<std::string> text = conversion(item.archive_file, item.archive_offset);
    if (!text) return text.error();
    if (text->empty()) return Error{item.url + " has no text"};
    return shown_text(*text);
  }
  const Result<Page> page = this->page(item.archive_file, item.archive_offset, item.url);
  if (!page) return page.error();
  return shown_text(*page);
}

}  // namespace dowser
