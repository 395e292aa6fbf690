#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "run/saved_crawl.h"

// Decides where a crawl is resumed that was stopped, killed, or hit by a power cut. Nothing here
// changes a file. The rule is that a crash can lose only what was written after the last SyncMark,
// so
//
//   - the state must not end before the mark of the catalogue, nor the catalogue and the archive
//     before the mark of the state: what does is damaged, missing, or not mounted;
//   - otherwise the crawl goes back to the newest visit that all three hold.
//
// Folders of older versions have no marks: there at most kMostWithoutMark visits may differ. A file
// that cannot be opened or read is an error, and is never treated as missing.

namespace dowser {

inline constexpr uint32_t kMostWithoutMark = 1024;

// Why a crawl is not resumed, in one sentence, and what the user can do. Nothing was changed.
struct Refusal {
  std::string why, next_step;
};

// Whether the crawl in the folder was killed before it had begun: nothing was kept, and it can be
// started again in place. `opened` gets the state, for reading, if it can be read.
Result<bool> never_began(const std::filesystem::path& folder, std::unique_ptr<SavedCrawl>& opened);

struct Recovery {
  StoreMark mark;          // the newest visit that state, catalogue and archive hold
  uint32_t behind = 0;     // pages of the catalogue after it
  uint32_t refetched = 0;  // visits that the state knew and the store has lost
};

using RecoveryPlan = std::variant<Recovery, Refusal>;

// With `accept_loss` the marks are not compared. An Error: something cannot be read now.
Result<RecoveryPlan> plan_recovery(const std::filesystem::path& folder, const SavedCrawl& saved,
                                   bool accept_loss);

// The refusal for a crawl whose state cannot be opened.
Refusal state_is_lost(const std::filesystem::path& folder, const Error& error);

// The counters of a crawl that goes back to this number of visits, counted in its catalogue.
// Counters that the catalogue does not have stay as they were saved.
Result<CrawlCounters> recount(const std::filesystem::path& catalogue, CrawlCounters saved,
                              uint32_t visits);

}  // namespace dowser
