#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/faults/crawls.h"

// Damages one file of a crawl's folder, as a bad disk or a person would, and looks at what the
// commands make of it.

namespace dowser::faults {

// One damage. All of it follows from a seed and a number.
struct Mutation {
  uint64_t seed = 0, number = 0;
  std::filesystem::path base;
  std::string file;  // below the folder
  std::string how;
  std::string detail;  // where exactly
};

// What became of it: the first of these that holds, the ones in capitals being wrong.
//   completed  resume goes on to the end, and all that was kept is there
//   unnoticed  so too, but what was damaged is still so and nothing was said; dowser check finds it
//   MISSED     so too, and dowser check does not find it
//   refused    it says in one line what to do, and has changed nothing
//   stopped    so too, but only on the way or at the end: once the damaged file, which can be made
//              anew, is out of the way, resume completes
//   ABORT, HANG, LOST, SILENT, CHANGED, MESSAGE, ADVICE   as in call_faults.h
struct Fate {
  Mutation mutation;
  std::string outcome;
  std::string detail;
  int check_code = 1;  // of dowser check, before resume

  bool is_bad() const { return !outcome.empty() && outcome[0] < 'a'; }
  std::string file_kind() const;  // "state/log", "catalogue", …
};

class Mutations {
 public:
  explicit Mutations(const Crawls& crawls) : crawls_(crawls) {}

  // Works in a folder of its own below crawls.work() that is named by `worker`; of a bad one it
  // leaves the damaged folder, as it was before any command, in work()/kept/.
  Fate run(uint64_t seed, uint64_t number, int worker);

 private:
  void try_readers(const std::filesystem::path& folder, Fate& fate) const;
  void try_resume(const std::filesystem::path& folder, Fate& fate) const;
  bool accepts(const Ended& ended, const std::string& what, Fate& fate) const;
  void judge_refusal(const std::filesystem::path& folder, const Ended& ended,
                     const std::map<std::string, Hash>& before, const Tables& tables,
                     Fate& fate) const;
  bool completes_when_mended(const std::filesystem::path& folder, const Records& records,
                             const Fate& fate) const;
  void judge_completion(const std::filesystem::path& folder, const Ended& ended,
                        const Records& records, const Tables& tables, Fate& fate) const;

  const Crawls& crawls_;
};

}  // namespace dowser::faults
