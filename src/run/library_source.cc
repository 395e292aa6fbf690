#include "run/library_source.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>

#include "base/hash.h"
#include "base/ordered_work.h"
#include "mine/site_templates.h"
#include "run/check_parts.h"
#include "run/count_references.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr size_t kWatchEvery = 256;  // rows

// Without port and user name.
std::string_view host_of(std::string_view url) {
  const size_t begin = url.find("://");
  if (begin == url.npos) return {};
  url.remove_prefix(begin + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const size_t at = url.rfind('@'); at != url.npos) url.remove_prefix(at + 1);
  return url.substr(0, url.starts_with('[') ? url.find(']') + 1 : url.find(':'));
}

}  // namespace

Result<LibrarySource> LibrarySource::read(const fs::path& crawl_folder, const Watch& watch) {
  LibrarySource source;
  if (Status s = source.read_pages(crawl_folder, watch); !s) return s.error();
  Result<std::vector<LibraryItem>> added = AddedFiles(crawl_folder).list();
  if (!added) return added.error();
  source.added_ = std::move(*added);
  const Status documents = for_each_document(
      crawl_folder / "catalogue.sqlite",
      [&](const StoredDocument& document) { source.documents_.emplace(document.page, document); });
  if (!documents) return documents.error();
  return source;
}

Status LibrarySource::read_pages(const fs::path& crawl_folder, const Watch& watch) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(crawl_folder);
  if (!catalogue) return catalogue.error();
  absl::flat_hash_map<std::string, uint32_t> files;
  absl::flat_hash_map<std::string, uint32_t> places;  // by address, before and after redirects
  bool is_stopped = false;
  const auto tell = [&](uint64_t n) {
    if (n % kWatchEvery == 0 && !watch({"reading the catalogue", 0, 0})) is_stopped = true;
  };
  const Status read = catalogue->for_each_answer([&](const CataloguePage& page) {
    tell(page.id);
    if (is_stopped || page.archive_file.empty() || page.soft_404) return;
    const auto place = static_cast<uint32_t>(rows_.size());
    // Several addresses may lead to one page.
    const bool is_new = places.try_emplace(page.final_url, place).second;
    places.try_emplace(page.url, places[page.final_url]);
    if (!is_new) return;
    const auto [file, is_new_file] =
        files.try_emplace(page.archive_file, static_cast<uint32_t>(files_.size()));
    if (is_new_file) files_.push_back(page.archive_file);
    rows_.push_back({page.id, page.final_url, page.language, page.fetched_at, page.relevance,
                     page.relevant, page.near_duplicate_of.has_value(), 0, file->second,
                     page.archive_offset});
  });
  if (!read) return read;
  std::vector<uint32_t> last_page(rows_.size(), UINT32_MAX);  // that was counted for a row
  uint64_t links = 0;
  const auto count = [&](uint32_t page, std::string_view url) {
    tell(links++);
    const auto it = places.find(std::string(url));
    if (it == places.end() || last_page[it->second] == page || rows_[it->second].id == page) {
      return !is_stopped;
    }
    last_page[it->second] = page;
    ++rows_[it->second].references;
    return !is_stopped;
  };
  const Status counted = for_each_reference(crawl_folder, count);
  if (!counted) return counted;
  if (is_stopped) return stopped();
  return {};
}

std::string LibrarySource::mark(size_t count) const {
  uint64_t hash = 0;
  for (size_t i = 0; i < std::min(count, rows_.size()); ++i) {
    const Row& row = rows_[i];
    hash = hash64(row.url, hash ^ row.archive_offset) + row.id;
  }
  return fmt::format("{:016x}", hash);
}

Result<std::string> source_stamp(const fs::path& crawl_folder) {
  std::string stamp;
  for (const char* name : {"catalogue.sqlite", "catalogue.sqlite-wal"}) {
    struct stat status {};
    const int failed = ::stat((crawl_folder / name).c_str(), &status);
    if (failed && stamp.empty()) {
      return Error{fmt::format("{} is not the folder of a crawl: it has no catalogue.sqlite",
                               crawl_folder.string())};
    }
    // An empty -wal comes and goes whenever somebody reads.
    if (failed || status.st_size == 0) continue;
    stamp +=
        fmt::format("{} {}.{:09} ", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  const Result<std::string> added = AddedFiles(crawl_folder).stamp();
  if (!added) return added.error();
  return stamp + *added;
}

std::string archive_stamp(const fs::path& crawl_folder) {
  std::string stamp;
  const auto names = own_archive_files(crawl_folder / "archive");
  if (!names) return stamp;
  for (const std::string& name : *names) {
    struct stat status {};
    if (::stat((crawl_folder / "archive" / name).c_str(), &status) != 0) continue;
    stamp += fmt::format("{} {} {}.{:09} ", name, status.st_size, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  }
  return stamp;
}

bool is_readable(const fs::path& crawl_folder, const std::string& place) {
  const size_t file_end = place.find(' '), offset_end = place.find(' ', file_end + 1);
  if (file_end == place.npos || offset_end == place.npos) return false;
  uint64_t offset = 0;
  std::from_chars(place.data() + file_end + 1, place.data() + offset_end, offset);
  const std::string file = place.substr(0, file_end);
  LibraryTexts texts(crawl_folder);
  return texts.open({file}).ok() && texts.page(file, offset, place.substr(offset_end + 1)).ok();
}

namespace {

// Makes the texts of rows; on many threads at once.
class RowTexts {
 public:
  RowTexts(const fs::path& crawl_folder, const LibrarySource& source)
      : source_(source), texts_(crawl_folder) {}

  Status open() {
    const auto& files = source_.archive_files();
    return texts_.open({files.begin(), files.end()});
  }

  // Nothing if it is not an HTML or plain-text page, or cannot be read.
  std::optional<Page> page(size_t place) {
    const LibrarySource::Row& row = source_.rows()[place];
    const StoredDocument* document = source_.document(row);
    if (document && document->format != "html") return std::nullopt;
    Result<Page> page = texts_.page(file_of(row), row.archive_offset, row.url);
    if (!page || page->blocks.empty()) return std::nullopt;
    return std::move(*page);
  }

  // Nothing for a page without text; an error if the archive cannot be read there.
  Result<std::optional<IndexText>> text(size_t place, const SiteTemplates& templates) {
    const LibrarySource::Row& row = source_.rows()[place];
    const StoredDocument* document = source_.document(row);
    if (document && document->format != "html") return document_text(row, *document);
    Result<Page> page = texts_.page(file_of(row), row.archive_offset, row.url);
    if (!page) return page.error();
    if (page->blocks.empty()) return std::optional<IndexText>();
    templates.mark(*page);
    IndexText text = index_text(*page);
    LibraryItem& item = text.item;
    item.kind = "page";
    item.format = page->content_type == "text/plain" ? "text" : "html";
    if (document) {  // a web page that is a paper
      IndexText card = index_text(card_of(*document), "");
      if (!card.title.empty()) text.title = card.title, item.title = card.item.title;
      if (!card.abstract.empty()) text.abstract = card.abstract;
      if (!card.keywords.empty()) text.keywords = card.keywords;
      text.author = card.author;
      item.kind = card.item.kind, item.authors = card.item.authors, item.year = card.item.year;
      item.abstract = card.item.abstract, item.keywords = card.item.keywords;
    }
    set_facts(row, item);
    return std::optional(std::move(text));
  }

  // For is_readable().
  std::string place_of(size_t place) const {
    const LibrarySource::Row& row = source_.rows()[place];
    return fmt::format("{} {} {}", file_of(row), row.archive_offset, row.url);
  }

 private:
  const std::string& file_of(const LibrarySource::Row& row) const {
    return source_.archive_files()[row.archive_file];
  }

  static LibraryItem card_of(const StoredDocument& document) {
    LibraryItem item;
    item.kind = document.kind.empty() ? "other" : document.kind;
    item.format = document.format, item.title = document.title, item.authors = document.authors;
    item.abstract = document.abstract, item.keywords = document.keywords;
    item.year = document.year;
    return item;
  }

  // A document that could not be converted has no text, and is found by its address.
  Result<std::optional<IndexText>> document_text(const LibrarySource::Row& row,
                                                 const StoredDocument& document) {
    LibraryItem item = card_of(document);
    if (item.title.empty()) item.title = document.name;
    set_facts(row, item);
    item.host = host_of(row.url);
    const Result<std::string> text = texts_.conversion(file_of(row), row.archive_offset);
    if (!text) return text.error();
    return std::optional(index_text(std::move(item), *text));
  }

  void set_facts(const LibrarySource::Row& row, LibraryItem& item) const {
    item.url = row.url, item.language = row.language, item.fetched_at = row.fetched_at;
    item.relevance = row.relevance, item.relevant = row.relevant, item.is_copy = row.is_copy;
    item.references = row.references;
    item.archive_file = file_of(row), item.archive_offset = row.archive_offset;
    item.page = row.id;
  }

  const LibrarySource& source_;
  LibraryTexts texts_;
};

// The rows of each host.
std::vector<std::vector<size_t>> rows_of_hosts(const std::vector<LibrarySource::Row>& rows) {
  absl::flat_hash_map<std::string, size_t> numbers;
  std::vector<std::vector<size_t>> hosts;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto [it, is_new] = numbers.try_emplace(std::string(host_of(rows[i].url)), hosts.size());
    if (is_new) hosts.emplace_back();
    hosts[it->second].push_back(i);
  }
  return hosts;
}

}  // namespace

Result<UnreadableRows> add_rows(const fs::path& crawl_folder, const LibrarySource& source,
                                size_t first, LibraryWriter& writer, const Watch& watch) {
  UnreadableRows unreadable;
  if (first >= source.rows().size()) return unreadable;
  RowTexts texts(crawl_folder, source);
  if (Status s = texts.open(); !s) return s.error();
  const auto templates = SiteTemplates::learn(
      rows_of_hosts(source.rows()), [&](size_t place) { return texts.page(place); },
      [&](size_t done, size_t of) {
        return watch({"templates of hosts", done, of});
      });
  if (!templates) return stopped();
  const size_t all = source.rows().size() - first;
  using Text = Result<std::optional<IndexText>>;
  OrderedWork<Text> work(all, [&](size_t n) { return texts.text(first + n, *templates); });
  for (size_t n = 0; n < all; ++n) {
    if (n % kWatchEvery == 0 && !watch({"pages", n, all})) return stopped();
    const Text text = work.next();
    if (!text) {
      if (unreadable.count++ == 0) unreadable.first = texts.place_of(first + n);
    } else if (*text) {
      if (Status s = writer.add(**text); !s) return s.error();
    }
  }
  if (!watch({"writing the index", 0, 0})) return stopped();
  return unreadable;
}

}  // namespace dowser
