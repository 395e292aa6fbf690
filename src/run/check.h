#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

// dowser check: verifies the parts of a crawl's folder, each by itself and against the others, and
// rebuilds what can be rebuilt. The archive cannot be rebuilt; index and catalogue are made again
// from it.

namespace dowser {

struct CheckReport {
  struct Part {
    std::string name;     // "archive"
    std::string summary;  // "3 files, 12,034 records"
    bool sound = true;
  };
  enum class Remedy {
    kNone,    // it cannot be rebuilt
    kRepair,  // repair_crawl() rebuilds it
  };
  struct Problem {
    std::string part;
    std::string what;  // and where: one sentence
    Remedy remedy = Remedy::kNone;
  };

  std::vector<Part> parts;
  std::vector<Problem> problems;   // the first hundred of each part
  uint64_t more_problems = 0;      // that are not in the list
  std::vector<std::string> notes;  // worth knowing, but not problems
  bool running = false;            // a crawl is running in the folder

  // What must be rebuilt.
  bool index_is_bad = false, catalogue_is_bad = false, configuration_is_bad = false,
       model_is_bad = false;

  bool sound() const { return problems.empty(); }
};

// Changes nothing, and does not disturb a running crawl. An Error if the folder contains no crawl,
// or if `watch` asked to stop.
Result<CheckReport> check_crawl(const std::filesystem::path& folder,
                                const Watch& watch = keep_going);

struct RepairReport {
  std::vector<std::string> done;    // a sentence each
  std::filesystem::path set_aside;  // where the damaged originals are now; empty if there were none
};

// Rebuilds from the archive what `report` says can be rebuilt. Originals are moved to
// DIR/set-aside/TIME/, never deleted; a repair that is interrupted leaves them where they were. An
// Error if a crawl is running.
Result<RepairReport> repair_crawl(const std::filesystem::path& folder, const CheckReport& report,
                                  const Watch& watch = keep_going);

}  // namespace dowser
