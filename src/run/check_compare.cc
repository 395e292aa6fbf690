#include <fmt/format.h>

#include <algorithm>

#include "run/check_parts.h"
#include "run/recovery.h"

// What the parts of a crawl's folder say about each other.

namespace dowser {
namespace {

using std::filesystem::path;
constexpr auto kRepair = CheckReport::Remedy::kRepair;

// How many of the first visits the archive reaches to.
uint32_t reached(const CheckedState& state, const CheckedArchive& archive) {
  for (size_t n = state.visits.size(); n > 0; --n) {
    const ArchiveEnd end = state.end_of(n - 1);
    if (end.file.empty()) return static_cast<uint32_t>(n);
    const CheckedArchive::File* file = archive.find(end.file);
    if (file && file->size >= end.offset) return static_cast<uint32_t>(n);
  }
  return 0;
}

// The counters of the state against the pages.
void compare_counters(const CrawlCounters& state, const CrawlCounters& pages, Problems& problems) {
  const auto compare = [&](const char* name, uint64_t a, uint64_t b) {
    if (a == b) return;
    problems.add(fmt::format("it counts {} {}, and the pages of the catalogue give {}",
                             with_commas(a), name, with_commas(b)));
  };
  compare("fetched pages", state.fetched, pages.fetched);
  compare("relevant pages", state.relevant, pages.relevant);
  compare("failures", state.failed, pages.failed);
  compare("pages that robots.txt forbids", state.disallowed, pages.disallowed);
  compare("near duplicates", state.near_duplicates, pages.near_duplicates);
  compare("soft 404s", state.soft_404, pages.soft_404);
  compare("cut pages", state.truncated, pages.truncated);
  compare("bytes", state.bytes, pages.bytes);
  compare("documents", state.documents, pages.documents);
  compare("accepted documents", state.documents_accepted, pages.documents_accepted);
  compare("failed documents", state.documents_failed, pages.documents_failed);
  compare("copies of documents", state.document_copies, pages.document_copies);
}

class Comparison {
 public:
  Comparison(const path& folder, const CheckedState& state, const CheckedCatalogue& catalogue,
             const CheckedArchive& archive, CheckReport& report)
      : folder_(folder), state_(state), catalogue_(catalogue), archive_(archive), report_(report) {}

  void run() {
    const auto visits = static_cast<uint32_t>(state_.visits.size());
    uint32_t kept = catalogue_.readable ? catalogue_.visits : visits;
    if (state_.readable) kept = std::min({kept, visits, reached(state_, archive_)});
    if (state_.readable) compare_lengths(kept);
    for (uint32_t i = 0; i < kept; ++i) {
      if (catalogue_.readable) compare_place(i);
      if (state_.readable) compare_mark(i);
      if (catalogue_.readable && state_.readable &&
          catalogue_.pages[i].address != state_.visits[i].address) {
        of_state_.add(
            fmt::format("its visit {} has another address than page {} of the catalogue", i, i));
      }
    }
    if (catalogue_.readable && state_.readable && state_.counters && kept == visits &&
        !report_.catalogue_is_bad) {
      const auto pages = recount(folder_ / "catalogue.sqlite", *state_.counters, visits);
      if (pages) compare_counters(*state_.counters, *pages, of_state_);
    }
    report_.catalogue_is_bad = report_.catalogue_is_bad || !of_catalogue_.empty();
  }

 private:
  // A crash can lose what was written after the last sync, and nothing else.
  void compare_lengths(uint32_t kept) {
    const auto visits = static_cast<uint32_t>(state_.visits.size());
    const uint32_t in_archive = reached(state_, archive_);
    const SyncMark none, of_state = state_.synced.value_or(none);
    const SyncMark of_catalogue = catalogue_.synced.value_or(none);
    uint32_t promised = of_state.visits;
    if (!report_.running) {  // else the catalogue is newer than what was read of the state
      promised = std::max(promised, of_catalogue.visits);
      if (!state_.synced && catalogue_.finished) promised = std::max(visits, catalogue_.visits);
      if (of_catalogue.syncs > of_state.syncs) compare_age(visits);
    }
    const auto holds = [&](uint32_t n) {
      return fmt::format("it holds {} of {} that are known to have been stored", with_commas(n),
                         counted(promised, "page"));
    };
    if (!state_.broken_end.empty() && visits < promised) {
      of_state_.add(fmt::format("its log is damaged: {}", state_.broken_end));
    }
    if (visits < promised) {
      of_state_.add(holds(visits) + ": dowser resume --accept-loss fetches the others again");
    }
    if (in_archive < visits && in_archive < promised) {
      of_archive_.add(holds(in_archive) + ": the end of a file, or a file, is missing");
    }
    if (catalogue_.readable && catalogue_.visits < promised) {
      of_catalogue_.add(holds(catalogue_.visits), kRepair);
    }
    if (!state_.broken_end.empty() && visits >= promised) {
      if (catalogue_.finished) {
        of_state_.add(fmt::format("its log is damaged: {}", state_.broken_end));
      } else {
        report_.notes.emplace_back(
            "the log of the state ends in a broken entry, as after a crash of the machine");
      }
    }
    const uint32_t most = std::max(visits, catalogue_.readable ? catalogue_.visits : uint32_t{0});
    if (kept < promised || kept == most) return;
    report_.notes.push_back(fmt::format(
        "archive, catalogue and state all hold {}; {} more are only in some of them: {}",
        counted(kept, "page"), with_commas(most - kept),
        report_.running ? "the crawl is running"
                        : "a crash can cause this, and dowser resume fetches them again"));
  }

  void compare_age(uint32_t visits) {
    visits == catalogue_.visits
        ? of_catalogue_.add("its table progress does not match the state", kRepair)
        : of_state_.add("it is older than the catalogue: it is damaged, or has been replaced");
  }

  // The row points at the answer in the archive.
  void compare_place(uint32_t id) {
    const CheckedCatalogue::Page& page = catalogue_.pages[id];
    if (page.file.empty()) return;
    const CheckedArchive::File* file = archive_.find(page.file);
    if (!file) {
      if (missing_.insert(std::string(page.file)).second) {
        of_archive_.add(
            fmt::format("{} is missing: it held page {} and later ones", page.file, id));
      }
      return;
    }
    const CheckedArchive::Record* record = file->find(page.offset);
    if (!record && !file->damage.empty() && file->is_damaged_at(page.offset)) return;
    if (!record && page.offset >= file->size) {
      if (missing_.insert(std::string(page.file)).second) {
        of_archive_.add(fmt::format("{} ends at {}: page {} and later ones came after that",
                                    page.file, with_commas(file->size), id));
      }
      return;
    }
    const bool is_answer =
        record && (record->type == RecordType::kResponse || record->type == RecordType::kRevisit);
    if (!is_answer || record->target != page.final_address || record->digest != page.digest) {
      of_catalogue_.add(fmt::format("page {} points at {}, offset {}, but its answer is not there",
                                    id, page.file, page.offset),
                        kRepair);
    }
  }

  // The state's mark after a visit is the end of a record.
  void compare_mark(uint32_t id) {
    const ArchiveEnd end = state_.end_of(id);
    if (end.file.empty()) return;
    const CheckedArchive::File* file = archive_.find(end.file);
    if (!file || end.offset == 0 || !file->damage.empty()) return;
    const auto& records = file->records;
    const auto behind = std::lower_bound(
        records.begin(), records.end(), end.offset,
        [](const CheckedArchive::Record& r, uint64_t offset) { return r.offset < offset; });
    if (behind == records.begin() || (behind - 1)->offset + (behind - 1)->length != end.offset) {
      of_state_.add(
          fmt::format("after visit {} it expects the end of a record at offset {} of {}, but no "
                      "record ends there",
                      id, end.offset, end.file));
    }
  }

  const path folder_;
  const CheckedState& state_;
  const CheckedCatalogue& catalogue_;
  const CheckedArchive& archive_;
  CheckReport& report_;
  Problems of_state_{report_, "state"}, of_archive_{report_, "archive"},
      of_catalogue_{report_, "catalogue"};
  std::set<std::string> missing_;  // files of which it was said
};

}  // namespace

void compare_parts(const path& folder, const CheckedState& state, const CheckedCatalogue& catalogue,
                   const CheckedArchive& archive, CheckReport& report) {
  Comparison(folder, state, catalogue, archive, report).run();
}

}  // namespace dowser
