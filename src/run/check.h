#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

// dowser check: verifies the parts of a crawl's folder, each by itself and against the others, and
// rebuilds what can be rebuilt. The archive is what cannot: index and catalogue are made again from
// it.

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
  std::vector<std::string> notes;  // worth knowing, and no problem
  bool running = false;            // a crawl is at work in the folder

  // What must be made anew.
  bool index_is_bad = false, catalogue_is_bad = false, configuration_is_bad = false,
       model_is_bad = false;

  bool sound() const { return problems.empty(); }
};

// Bytes of the archive that were read, of so many.
using CheckProgress = std::function<void(uint64_t done, uint64_t all)>;

// Changes nothing, and does not disturb a crawl at work. Error where the folder holds no crawl.
Result<CheckReport> check_crawl(const std::filesystem::path& folder, const CheckProgress& progress);

struct RepairReport {
  std::vector<std::string> done;    // a sentence each
  std::filesystem::path set_aside;  // where the damaged originals are now; "" where there were none
};

// Makes anew what `report` says can be, from the archive. Originals are moved to
// DIR/set-aside/TIME/, never deleted; one that is interrupted leaves them where they were. Error
// where a crawl is at work.
Result<RepairReport> repair_crawl(const std::filesystem::path& folder, const CheckReport& report,
                                  const CheckProgress& progress);

}  // namespace dowser
