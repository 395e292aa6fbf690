#include "run/check.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/file.h"
#include "base/hash.h"
#include "base/state_reading.h"
#include "run/check_parts.h"
#include "run/config.h"
#include "run/recovery.h"
#include "store/configuration.h"

namespace dowser {
namespace {

using std::filesystem::path;
constexpr auto kRepair = CheckReport::Remedy::kRepair;
constexpr size_t kMostProblems = 100;  // of a part
constexpr int kTries = 10;             // if the crawl changes while it is read
constexpr std::chrono::milliseconds kPause{200};

void check_configuration(const path& folder, const CheckedCatalogue& catalogue,
                         CheckReport& report) {
  Problems problems(report, "crawl.toml");
  const Result<std::string> text = configuration_text(folder);
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
          "model.json cannot be verified: the crawl was started by a version that did not store "
          "its digest");
    }
    return;
  }
  Problems problems(report, "model.json");
  const Result<std::string> text = read_file(folder / "model.json", kLargestData);
  if (!text) {
    problems.add(text.error().message, kRepair);
  } else if (sha1_digest(*text) != state.model_digest) {
    problems.add("it has changed since the crawl began", kRepair);
  }
  report.model_is_bad = !problems.empty();
  problems.close("as when the crawl began");
}

bool has_own_archive(const path& folder) {
  const auto files = own_archive_files(folder / "archive");
  return !files || !files->empty();
}

bool holds_crawl(const path& folder) {
  std::error_code failed;
  for (const char* name : {"crawl.toml", "catalogue.sqlite", "state/CURRENT"}) {
    if (std::filesystem::exists(folder / name, failed)) return true;
  }
  return has_own_archive(folder);
}

// Killed in its first moments, and not at work now.
bool has_nothing(const path& folder) {
  if (has_own_archive(folder) || is_in_use(folder / "state")) return false;
  std::unique_ptr<SavedCrawl> opened;
  const Result<bool> nothing = never_began(folder, opened);
  return nothing && *nothing;
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
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(uint64_t number, std::string_view one, std::string_view many) {
  const std::string plural = many.empty() ? std::string(one) + "s" : std::string(many);
  return with_commas(number) + " " + (number == 1 ? std::string(one) : plural);
}

namespace {

// While a crawl is at work its parts grow in the order archive, index, catalogue, state. They are
// read in the opposite one, so that what the first holds the later ones hold too.
Result<CheckReport> check_once(const path& folder, const Watch& watch) {
  if (!holds_crawl(folder))
    return Error{fmt::format(
        "{} does not contain a crawl: give the folder that was named with --out", folder.string())};
  CheckReport report;
  if (has_nothing(folder)) {
    report.notes.emplace_back(
        "the crawl was killed before it stored a page: dowser resume starts it again");
    return report;
  }
  const CheckedState state = check_state(folder, report);
  const CheckedCatalogue catalogue = check_catalogue(folder, report);
  const Result<CheckedArchive> archive = read_archive(folder / "archive", watch);
  if (!archive) return archive.error();
  std::optional<ArchiveEnd> end;
  if (state.readable && !state.visits.empty()) end = state.end_of(state.visits.size() - 1);
  check_archive(*archive, catalogue, end, report);
  check_index(folder, *archive, end, catalogue.finished, report);
  check_configuration(folder, catalogue, report);
  check_model(folder, state, report);
  compare_parts(folder, state, catalogue, *archive, report);
  report.notes.emplace_back(
      "not checked, because nothing depends on them: crawl.log, report.html (can be made again), "
      "LOG, OPTIONS and IDENTITY files in state/, free space in catalogue.sqlite");
  return report;
}

// What is changed whenever a crawl is: sizes and times of its files.
std::string stamp_of(const path& folder) {
  std::string stamp;
  for (const char* name : {kConfiguration, "catalogue.sqlite", "catalogue.sqlite-wal",
                           "index.unsorted", "index.cdxj", "state/CURRENT"}) {
    struct stat status {};
    const bool exists = ::stat((folder / name).c_str(), &status) == 0;
    stamp += fmt::format("{} {}.{:09}\n", exists ? status.st_size : -1, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  }
  return stamp;
}

}  // namespace

// A crawl that is being resumed or judged again exchanges its parts one after the other. What looks
// like damage then is looked at again.
Result<CheckReport> check_crawl(const path& folder, const Watch& watch) {
  for (int tries = 1;; ++tries) {
    const std::string before = stamp_of(folder);
    Result<CheckReport> report = check_once(folder, watch);
    if ((report && report->sound()) || tries == kTries) return report;
    if (stamp_of(folder) == before && !(report && report->running)) return report;
    if (!watch({"waiting for the crawl, which is being changed", 0, 0})) return stopped();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace dowser
