#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/faults/crawls.h"

// Lets one file-system call of a command fail and looks at what comes of it.

namespace dowser::faults {

// A command that is disturbed.
struct Phase {
  std::string name;
  std::filesystem::path base;  // a copy of this folder is what it works on; "" : a new folder
  bool only_reads = false;
  const Finished* wanted = nullptr;  // what must be there in the end
  // Of a command that works on a finished crawl and is no crawl itself: what it is called with.
  // CRAWL is its crawl, NEW a folder for its results.
  std::vector<std::string> words = {};
};
std::vector<Phase> phases_of(const Crawls& crawls);

// The ways to fail that are tried, without the number of the call.
const std::vector<Fault>& ways_to_fail();

// What became of a disturbed command. "" in `bad`: as it should be. Otherwise one of
//   ABORT    it died of a signal or ended with a code that means nothing
//   HANG     it did not end in ten minutes
//   LOST     records that were on the disk are neither in the archive nor set aside
//   SILENT   it said that all is well, and something is missing
//   STUCK    a later resume does not complete
//   DIFFERS  a later resume completes, and the result is not that of an undisturbed crawl
//   CHANGED  a command has changed a file that it should leave alone
//   MESSAGE  not exactly one line on standard error
//   ADVICE   the line does not say what to do
struct Trial {
  std::string phase;
  Fault fault;
  std::string hit;  // the call that failed, "" where there were not so many
  int code = 0;
  std::string bad, detail;
};

class CallFaults {
 public:
  explicit CallFaults(const Crawls& crawls) : crawls_(crawls) {}

  // How many calls of the phase can fail in this way.
  long calls(const Phase& phase, const Fault& way);

  // Works in a folder of its own below crawls.work() that is named by `worker`.
  Trial run(const Phase& phase, const Fault& fault, int worker);

 private:
  struct Place;
  // What a command with words leaves where nobody disturbs it.
  struct Undisturbed {
    std::set<std::string> untouched;    // files of the crawl
    std::set<std::string> out;          // of several runs, with PLACE for the folder
    bool repeats = false;               // they all print the same
    std::map<std::string, Hash> files;  // results that are the same in all these runs
  };
  const Undisturbed& undisturbed(const Phase& phase);
  Command command(const Phase& phase, const Place& place) const;
  void prepare(const Phase& phase, const Place& place) const;
  void judge_reader(const Place& place, const Phase& phase,
                    const std::map<std::string, Hash>& before, const Ended& ended, Trial& trial);
  void judge_guest(const Place& place, const Phase& phase,
                   const std::map<std::string, Hash>& before, const Ended& ended, Trial& trial);
  void judge_writer(const Place& place, const Phase& phase, const Records& before,
                    const Ended& ended, Trial& trial);

  const Crawls& crawls_;
  std::mutex mutex_;
  std::map<std::string, Undisturbed> undisturbed_;  // by phase
};

}  // namespace dowser::faults
