#include <fmt/format.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/state_reading.h"
#include "run/check_parts.h"
#include "run/saved_crawl.h"

namespace dowser {
namespace {

// Reads what a check needs of a state.
class StateReader {
 public:
  StateReader(CheckedState& state, Problems& problems) : state_(state), problems_(problems) {}

  void take(std::string_view key, std::string_view value) {
    ++entries_;
    constexpr auto kVisit = SavedCrawl::kVisitKey;
    if (key == SavedCrawl::kCountersKey) {
      state_.counters = CrawlCounters::loaded(value);
    } else if (key == SavedCrawl::kModelKey) {
      state_.model_digest = value;
    } else if (key == SavedCrawl::kSyncedKey) {
      state_.synced = SavedCrawl::known_mark(value);
    } else if (key.starts_with(kVisit) && key.size() == kVisit.size() + 8) {
      take_visit(from_sortable(key.substr(kVisit.size())), value);
    }
  }

  uint64_t entries() const { return entries_; }

 private:
  void take_visit(uint64_t number, std::string_view value) {
    if (number != state_.visits.size()) {
      if (!gap_) {
        problems_.add(fmt::format("it has no record of visit {}, but has records of later ones",
                                  state_.visits.size()));
      }
      gap_ = true;
      return;
    }
    const auto visit = SavedCrawl::known_visit(static_cast<uint32_t>(number), value);
    if (!visit) {
      problems_.add(fmt::format("its record of visit {} cannot be read", number));
      gap_ = true;
      return;
    }
    const ArchiveEnd& end = visit->mark.archive;
    if (state_.files.empty() || state_.files.back() != end.file) state_.files.push_back(end.file);
    state_.visits.push_back({hash64(visit->candidate.url.href()),
                             static_cast<uint32_t>(state_.files.size() - 1), end.offset});
  }

  CheckedState& state_;
  Problems& problems_;
  uint64_t entries_ = 0;
  bool gap_ = false;
};

}  // namespace

CheckedState check_state(const std::filesystem::path& folder, CheckReport& report) {
  Problems problems(report, "state");
  CheckedState state;
  const std::filesystem::path state_folder = folder / "state";
  std::error_code failed;
  if (!std::filesystem::exists(state_folder / "CURRENT", failed)) {
    problems.add(
        "it is missing, so the crawl cannot be resumed; its pages can still be read in the archive "
        "and the catalogue");
    problems.close("missing");
    return state;
  }
  report.running = is_in_use(state_folder);
  StateReader reader(state, problems);
  const auto reading = read_state(
      state_folder, [&](std::string_view key, std::string_view value) { reader.take(key, value); });
  if (!reading) {
    problems.add(
        fmt::format("it is damaged, so the crawl cannot be resumed: {}; its pages can still be "
                    "read in the archive and the catalogue",
                    reading.error().message));
    problems.close("damaged");
    return {};
  }
  state.readable = problems.empty();
  state.broken_end = reading->broken_end;
  problems.close(fmt::format("{}, {}", counted(state.visits.size(), "visit"),
                             counted(reader.entries(), "entry", "entries")));
  return state;
}

}  // namespace dowser
