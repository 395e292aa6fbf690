#include "engine/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "engine/check_parts.h"
#include "engine/config.h"
#include "engine/recovery.h"

namespace dowser {
namespace {

using std::filesystem::path;
constexpr auto kRepair = CheckReport::Remedy::kRepair;
constexpr size_t kMostProblems = 100;  // of a part

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

void check_configuration(const path& folder, const CheckedCatalogue& catalogue,
                         CheckReport& report) {
  Problems problems(report, "crawl.toml");
  const Result<std::string> text = read_file(folder / "crawl.toml");
  CrawlConfig config;
  if (!text) {
    problems.add(text.error().message, kRepair);
  } else if (Status s = read_config_text(*text, "crawl.toml", config); !s) {
    problems.add(s.error().message, kRepair);
  } else if (!catalogue.configuration.empty() && catalogue.configuration != *text) {
    problems.add("it is not the configuration that the catalogue holds for the newest run",
                 kRepair);
  }
  report.configuration_is_bad = !problems.empty();
  problems.close(catalogue.configuration.empty() ? "can be read" : "as in the catalogue");
}

void check_model(const path& folder, const CheckedState& state, CheckReport& report) {
  std::error_code failed;
  const bool exists = std::filesystem::exists(folder / "model.json", failed);
  if (state.model_digest.empty()) {
    if (exists && state.readable) {
      report.notes.emplace_back(
          "model.json cannot be verified: the crawl was begun before its digest was kept");
    }
    return;
  }
  Problems problems(report, "model.json");
  const Result<std::string> text = read_file(folder / "model.json");
  if (!text) {
    problems.add(text.error().message, kRepair);
  } else if (sha1_digest(*text) != state.model_digest) {
    problems.add("it has changed since the crawl began", kRepair);
  }
  report.model_is_bad = !problems.empty();
  problems.close("as when the crawl began");
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
            fmt::format("its visit {} is of another address than page {} of the catalogue", i, i));
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
    uint32_t promised = std::max(of_state.visits, of_catalogue.visits);
    if (!state_.synced && catalogue_.finished) promised = std::max(visits, catalogue_.visits);
    if (of_catalogue.syncs > of_state.syncs) {
      visits == catalogue_.visits
          ? of_catalogue_.add("its table progress does not fit the state", kRepair)
          : of_state_.add("it is older than the catalogue: it is damaged, or has been replaced");
    }
    const auto holds = [&](uint32_t n) {
      return fmt::format("it holds {} of {} that were surely kept", with_commas(n),
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
      catalogue_.finished ? of_state_.add(fmt::format("its log is damaged: {}", state_.broken_end))
                          : report_.notes.push_back(
                                "the log of the state ends in a broken entry, as after a crash "
                                "of the machine");
    }
    const uint32_t most = std::max(visits, catalogue_.readable ? catalogue_.visits : uint32_t{0});
    if (kept < promised || kept == most) return;
    report_.notes.push_back(fmt::format(
        "archive, catalogue and state all hold {}; of {} more only some of them know: {}",
        counted(kept, "page"), with_commas(most - kept),
        report_.running ? "the crawl is at work"
                        : "a crash explains that, and dowser resume fetches them again"));
  }

  // The row points at the answer in the archive.
  void compare_place(uint32_t id) {
    const CheckedCatalogue::Page& page = catalogue_.pages[id];
    if (page.file.empty()) return;
    const CheckedArchive::File* file = archive_.find(page.file);
    if (!file) {
      if (missing_.insert(std::string(page.file)).second) {
        of_archive_.add(
            fmt::format("{} is missing: page {} and later ones stood there", page.file, id));
      }
      return;
    }
    const CheckedArchive::Record* record = file->find(page.offset);
    if (!record && !file->damage.empty() && file->is_damaged_at(page.offset)) return;
    if (!record && page.offset >= file->size) {
      if (missing_.insert(std::string(page.file)).second) {
        of_archive_.add(fmt::format("{} ends at {}: page {} and later ones stood behind that",
                                    page.file, with_commas(file->size), id));
      }
      return;
    }
    const bool is_answer =
        record && (record->type == RecordType::kResponse || record->type == RecordType::kRevisit);
    if (!is_answer || record->target != page.final_address || record->digest != page.digest) {
      of_catalogue_.add(fmt::format("page {} points at {}, offset {}, where its answer is not", id,
                                    page.file, page.offset),
                        kRepair);
    }
  }

  // The state's mark behind a visit is the end of a record.
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
      of_state_.add(fmt::format(
          "behind visit {} it expects the end of a record at offset {} of {}, which is none", id,
          end.offset, end.file));
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

bool holds_crawl(const path& folder) {
  std::error_code failed;
  const auto exists = [&](const char* name) {
    return std::filesystem::exists(folder / name, failed);
  };
  if (exists("catalogue.sqlite") || exists("state/CURRENT")) return true;
  const auto files = own_archive_files(folder / "archive");
  return exists("crawl.toml") && (exists("state") || (files && !files->empty()));
}

}  // namespace

void Problems::add(std::string what, CheckReport::Remedy remedy) {
  const auto of_part = std::count_if(report_.problems.begin(), report_.problems.end(),
                                     [&](const auto& p) { return p.part == part_; });
  ++count_;
  for (CheckReport::Part& part : report_.parts) {
    if (part.name == part_) part.sound = false;
  }
  if (static_cast<size_t>(of_part) >= kMostProblems) {
    ++report_.more_problems;
  } else {
    report_.problems.push_back({part_, std::move(what), remedy});
  }
}

void Problems::close(std::string summary) const {
  const bool sound = std::none_of(report_.problems.begin(), report_.problems.end(),
                                  [&](const auto& p) { return p.part == part_; });
  report_.parts.push_back({part_, std::move(summary), sound});
}

std::string with_commas(uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(at, ",");
  return text;
}

std::string counted(uint64_t number, std::string_view one, std::string_view many) {
  const std::string plural = many.empty() ? std::string(one) + "s" : std::string(many);
  return with_commas(number) + " " + (number == 1 ? std::string(one) : plural);
}

void compare_parts(const path& folder, const CheckedState& state, const CheckedCatalogue& catalogue,
                   const CheckedArchive& archive, CheckReport& report) {
  Comparison(folder, state, catalogue, archive, report).run();
}

// While a crawl is at work its parts grow in the order archive, index, catalogue, state. They are
// read in the opposite one, so that what the first holds the later ones hold too.
Result<CheckReport> check_crawl(const path& folder, const CheckProgress& progress) {
  if (!holds_crawl(folder)) return Error{fmt::format("{} holds no crawl", folder.string())};
  CheckReport report;
  const CheckedState state = check_state(folder, report);
  const CheckedCatalogue catalogue = check_catalogue(folder, report);
  const Result<CheckedArchive> archive = read_archive(folder / "archive", progress);
  if (!archive) return archive.error();
  std::optional<ArchiveEnd> end;
  if (state.readable && !state.visits.empty()) end = state.end_of(state.visits.size() - 1);
  check_archive(*archive, catalogue, end, report);
  check_index(folder, *archive, end, catalogue.finished, report);
  check_configuration(folder, catalogue, report);
  check_model(folder, state, report);
  compare_parts(folder, state, catalogue, *archive, report);
  report.notes.emplace_back(
      "not checked, since they cannot matter: crawl.log, report.html (can be made again), LOG, "
      "OPTIONS and IDENTITY files in state/, free space inside of catalogue.sqlite");
  return report;
}

}  // namespace dowser
