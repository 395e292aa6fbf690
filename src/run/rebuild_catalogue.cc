#include <fmt/format.h>

#include <chrono>

#include "base/bytes.h"
#include "base/file.h"
#include "base/state_reading.h"
#include "engine/make_page.h"
#include "engine/workers.h"
#include "run/check_parts.h"
#include "run/config.h"
#include "run/crawl_options.h"
#include "run/crawl_profile.h"
#include "run/recovery.h"
#include "run/saved_crawl.h"
#include "store/catalogue.h"
#include "store/catalogue_audit.h"
#include "store/visit_metadata.h"

// Rebuilds the catalogue from the archive. The records of a visit are consecutive: the answers of
// its redirects and its own, each with its request, and then the metadata record, which names the
// visit and contains all columns of its row that cannot be derived from the answer. What is lost
// with a damaged record, and what archives of older versions do not contain, is taken from the
// state if possible. Rows of the old catalogue whose checksum is right are kept, since only they
// know how the links of a page were scored.

namespace dowser {
namespace {

using std::filesystem::path;
constexpr uint32_t kPagesPerTransaction = 256;

// What the state knows, as far as it can be read.
struct Known {
  std::vector<SavedCrawl::KnownVisit> visits;
  std::optional<SyncMark> synced;
};

Known known_to_state(const path& folder) {
  Known known;
  auto& visits = known.visits;
  constexpr auto kVisit = SavedCrawl::kVisitKey;
  std::error_code failed;
  if (!std::filesystem::exists(folder / "state" / "CURRENT", failed)) return known;
  // What was read before an error is as good as the rest: each entry has its checksum.
  (void)read_state(folder / "state", [&](std::string_view key, std::string_view value) {
    if (key == SavedCrawl::kSyncedKey) known.synced = SavedCrawl::known_mark(value);
    if (!key.starts_with(kVisit) || key.size() != kVisit.size() + 8) return;
    const uint64_t number = from_sortable(key.substr(kVisit.size()));
    if (number != visits.size()) return;
    if (auto visit = SavedCrawl::known_visit(static_cast<uint32_t>(number), value)) {
      visits.push_back(std::move(*visit));
    }
  });
  return known;
}

// The rows of the old catalogue that can be trusted.
class OldRows {
 public:
  explicit OldRows(const path& file) {
    Result<CatalogueAudit> audit = CatalogueAudit::open(file);
    if (!audit) return;
    audit_.emplace(std::move(*audit));
    if (Result<PageReader> reader = audit_->page_reader()) {
      if (reader->has_sums()) reader_.emplace(std::move(*reader));
    }
  }

  // Those of a page, where they are sound and the archive holds the same answer.
  std::optional<PageRows> page(uint32_t id, const Visit& visit, const ArchivePlace& place) {
    if (!reader_) return std::nullopt;
    auto rows = reader_->read(id);
    const auto sum = reader_->stored_sum(id);
    if (!rows || !*rows || !sum || *sum != (*rows)->sum()) return std::nullopt;
    const Row& row = (*rows)->page;
    const bool same = is(row[1], visit.candidate.url.href()) &&
                      is(row[2], visit.response.url.href()) && is(row[23], place.digest) &&
                      is(row[24], place.file) &&
                      (place.file.empty() || row[25] == Cell(place.offset));
    if (!same) return std::nullopt;
    return std::move(**rows);
  }

  std::vector<Row> runs() {
    std::vector<Row> runs;
    auto all = audit_ ? audit_->runs() : Result<std::vector<Row>>(runs);
    if (!all) return runs;
    for (Row& run : *all) {
      const auto sum = reader_ ? reader_->stored_sum(-std::get<int64_t>(run[0]))
                               : Result<std::optional<uint64_t>>(std::nullopt);
      if (sum && *sum == sum_of(run, SummedTable::kRuns)) runs.push_back(std::move(run));
    }
    return runs;
  }

 private:
  static bool is(const Cell& cell, std::string_view text) {
    const auto* found = std::get_if<std::string>(&cell);
    return found ? *found == text : text.empty();
  }

  std::optional<CatalogueAudit> audit_;
  std::optional<PageReader> reader_;
};

class Rebuild {
 public:
  Rebuild(const path& folder, Catalogue& catalogue, WorkOptions work)
      : folder_(folder),
        catalogue_(catalogue),
        work_(work),
        old_(folder / "catalogue.sqlite"),
        state_(known_to_state(folder)) {}

  Result<Rebuilt> run(const std::string& configuration, Time started, const Watch& watch) {
    const auto runs = old_.runs();
    for (const Row& run : runs) {
      if (Status s = catalogue_.add_run(run); !s) return s.error();
    }
    if (runs.empty()) {
      if (Status s = catalogue_.add_run(configuration, started); !s) return s.error();
    }
    if (Status s = catalogue_.begin(); !s) return s.error();
    Status read = for_each_record(
        folder_ / "archive", watch,
        [&](const std::string& file, WarcRecord record) { return take(file, std::move(record)); });
    if (!read) return read.error();
    // Visits after the last metadata record that can be read.
    if (Status s = fill_to(static_cast<uint32_t>(known_.size())); !s) return s.error();
    mark();
    if (Status s = catalogue_.commit(); !s) return s.error();
    if (Status s = catalogue_.recount_hosts(); !s) return s.error();
    if (Status s = catalogue_.sync(); !s) return s.error();
    return rebuilt_;
  }

 private:
  struct Answer {
    WarcRecord record;
    ArchivePlace place;
    std::string text;  // of its conversion record
  };

  // All is on disk now. Pages that the state does not know are left out of the mark where a
  // crash explains them; otherwise the state has lost them, and dowser resume must not skip
  // that.
  void mark() {
    if (!state_.synced) return;
    const auto known = static_cast<uint32_t>(known_.size());
    const uint32_t pages = rebuilt_.pages;
    const bool explained = pages <= known + kMostWithoutMark;
    catalogue_.set_synced({explained ? std::min(pages, known) : pages, state_.synced->syncs});
  }

  Status take(const std::string& file, WarcRecord record) {
    date_ = record.date;
    if (record.type == RecordType::kResponse || record.type == RecordType::kRevisit) {
      const std::string digest(record.payload_digest().value_or(""));
      ArchivePlace place{file, static_cast<int64_t>(record.place.offset), digest};
      answers_.push_back({std::move(record), std::move(place), {}});
      return {};
    }
    if (record.type == RecordType::kConversion) {
      if (!answers_.empty()) answers_.back().text = std::move(record.block);
      return {};
    }
    if (record.type != RecordType::kMetadata) return {};
    Result<Visit> visit = visit_of(record);
    if (!visit) visit = numbered(file, record);
    if (!visit) return visit.error();
    if (visit->id.value < next_) return {};
    if (Status s = fill_to(visit->id.value); !s) return s;
    return add(std::move(*visit), file, record.place.offset);
  }

  // Of an older archive: the state's marks say whose record it is.
  Result<Visit> numbered(const std::string& file, const WarcRecord& record) {
    for (uint32_t id = next_; id < known_.size(); ++id) {
      if (!lies_before(file, record.place.offset, known_[id].mark.archive)) continue;
      Result<Visit> visit = visit_of(record, VisitId{id});
      if (visit) visit->candidate = known_[id].candidate;
      return visit;
    }
    return Error{
        "the catalogue cannot be rebuilt: the archive was written by an older version, whose "
        "records do not name their visit, and the state does not have this information either"};
  }

  // Visits up to this one have no metadata record that can be read.
  Status fill_to(uint32_t id) {
    while (next_ < id) {
      if (next_ >= known_.size()) {
        return Error{fmt::format(
            "the catalogue cannot be rebuilt: neither the archive nor the state has visit {}",
            next_)};
      }
      const SavedCrawl::KnownVisit& known = known_[next_];
      Visit visit;
      visit.id = VisitId{next_};
      visit.candidate = known.candidate;
      visit.response.url = known.candidate.url;
      const Answer* last = nullptr;
      for (const Answer& answer : answers_) {
        if (lies_before(answer.place.file, answer.record.place.offset, known.mark.archive)) {
          last = &answer;
        }
      }
      visit.response.fetched_at = date_;  // about then
      if (last) {
        ++rebuilt_.incomplete;
        if (Result<Url> url = Url::parse(last->record.target)) visit.response.url = *url;
        visit.response.fetched_at = last->record.date;
      }
      if (Status s = add(std::move(visit), known.mark.archive.file, known.mark.archive.offset);
          !s) {
        return s;
      }
    }
    return {};
  }

  // The visit with its answer, which is the last before this place of the archive.
  Status add(Visit visit, const std::string& file, uint64_t offset) {
    ArchivePlace place;
    std::optional<Answer> answer;
    const ArchiveEnd end{file, offset};
    while (!answers_.empty() &&
           (file.empty() ||
            lies_before(answers_.front().place.file, answers_.front().record.place.offset, end))) {
      answer = std::move(answers_.front());
      answers_.pop_front();
    }
    const bool failed = visit.response.failure != Failure::kNone;
    if (!failed && answer && answer->record.target == visit.response.url.href()) {
      place = answer->place;
    }
    ++next_;
    ++rebuilt_.pages;
    if (rebuilt_.pages % kPagesPerTransaction == 0) {
      if (Status s = catalogue_.commit(); !s) return s;
      if (Status s = catalogue_.begin(); !s) return s;
    }
    if (std::optional<PageRows> rows = old_.page(visit.id.value, visit, place)) {
      ++rebuilt_.taken;
      return catalogue_.add(*rows);
    }
    if (!place.file.empty()) {
      if (visit.document) visit.document->text = std::move(answer->text);
      complete(visit, answer->record);
    } else if (!failed) {  // its answer is damaged
      ++rebuilt_.incomplete;
      visit.response.failure = Failure::kOther;
    }
    std::vector<FoundLink> links;
    for (const Link& link : visit.page.links) links.push_back({&link, {}, false, {}, {}});
    return catalogue_.add(visit, links, place);
  }

  // All that the answer tells. That of an unchanged page is in an earlier archive; what the
  // metadata record says about it stands already.
  void complete(Visit& visit, const WarcRecord& record) {
    if (record.type == RecordType::kRevisit) return;
    Result<Response> response = parse_response(record.block);
    if (!response) return;
    response->url = visit.response.url;
    response->fetched_at = record.date;
    response->truncated = record.headers.get("WARC-Truncated").has_value();
    visit.response = std::move(*response);
    visit.page = make_page(visit.response, work_.parse, work_.sitemaps,
                           visit.document ? &*visit.document : nullptr);
  }

  const path folder_;
  Catalogue& catalogue_;
  const WorkOptions work_;
  OldRows old_;
  const Known state_;
  const std::vector<SavedCrawl::KnownVisit>& known_ = state_.visits;
  std::deque<Answer> answers_;  // that no visit has yet
  uint32_t next_ = 0;
  Time date_;  // of the last record
  Rebuilt rebuilt_;
};

// When the crawl began, as far as that is known.
Time time_of(const path& file) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(file, failed);
  if (failed) return SystemClock().now();
  const auto system = std::chrono::file_clock::to_sys(written);
  return Time{std::chrono::duration_cast<Duration>(system.time_since_epoch()).count()};
}

}  // namespace

Result<Rebuilt> rebuild_catalogue(const path& folder, const path& file, const Watch& watch) {
  const Result<std::string> configuration = read_file(folder / "crawl.toml");
  if (!configuration) return configuration.error();
  CrawlConfig config;
  if (Status s = read_config_text(*configuration, "crawl.toml", config); !s) return s.error();
  config.out = folder.string();
  const Result<CrawlProfile> profile = CrawlProfile::read(config);
  if (!profile) return profile.error();
  Result<Catalogue> catalogue = Catalogue::create(file);
  if (!catalogue) return catalogue.error();
  Rebuild rebuild(folder, *catalogue, work_options(config, profile->profile));
  return rebuild.run(*configuration, time_of(folder / "crawl.toml"), watch);
}

}  // namespace dowser
