#include "tests/faults/call_faults.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

bool ends_by_signal(const Fault& fault) {
  return fault.with == "KILL" || fault.with == "TEAR" || fault.with == "POWER";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

struct CallFaults::Place {
  fs::path root, crawl, out, log;
  explicit Place(const fs::path& folder)
      : root(folder), crawl(folder / "crawl"), out(folder / "out"), log(folder.string() + ".log") {}
};

std::vector<Phase> phases_of(const Crawls& crawls) {
  const Finished* once = &crawls.wanted();
  const Finished* resumed = &crawls.wanted_of_resume();
  std::vector<Phase> phases = {{"crawl", {}, false, once},
                               {"resume", crawls.finished(), false, resumed},
                               {"recover", crawls.killed(2), false, resumed},
                               {"end", crawls.complete(), false, once},
                               {"export", crawls.complete(), true, once},
                               {"explain", crawls.complete(), true, once}};
  if (crawls.has_check()) phases.push_back({"check", crawls.complete(), true, once});
  return phases;
}

const std::vector<Fault>& ways_to_fail() {
  static const std::vector<Fault> ways = {
      {"ENOSPC", true},  {"ENOSPC", false}, {"EIO", false},   {"EIO", true},    {"EMFILE", false},
      {"EMFILE", true},  {"EACCES", false}, {"EACCES", true}, {"EINTR", false}, {"SHORT", false},
      {"ENOMEM", false}, {"INT", false},    {"KILL", false},  {"TEAR", false},  {"POWER", false}};
  return ways;
}

Command CallFaults::command(const Phase& phase, const Place& place) const {
  const std::string folder = place.crawl.string();
  if (phase.name == "crawl") return crawls_.crawl(place.crawl);
  if (!phase.only_reads) return crawls_.resume(place.crawl);
  Command command = phase.name == "export" ? crawls_.dowser({"export", folder, "--table", "links"})
                    : phase.name == "explain"
                        ? crawls_.dowser({"explain", folder, "http://web.test/5.html"})
                        : crawls_.dowser({phase.name, folder});
  command.out = place.out;
  return command;
}

void CallFaults::prepare(const Phase& phase, const Place& place) const {
  fs::remove_all(place.root);
  fs::remove(place.log);
  fs::create_directories(place.root);
  if (!phase.base.empty()) {
    copy_folder(phase.base, place.crawl);
    add_files_of_user(place.crawl);
  }
}

long CallFaults::calls(const Phase& phase, const Fault& way) {
  if (phase.only_reads && way.with == "POWER") return 0;
  const Place place(crawls_.work() / "counting");
  prepare(phase, place);
  run_program(crawls_.failing(command(phase, place), {way.with, false, 0}, place.root, place.log));
  const std::string log = file_content(place.log);
  return std::count(log.begin(), log.end(), '\n');
}

void CallFaults::judge_reader(const Place& place, const Phase& phase,
                              const std::map<std::string, Hash>& before, const Ended& ended,
                              Trial& trial) {
  if (const std::string change = changed(before, files_in(place.crawl)); !change.empty()) {
    trial.bad = "CHANGED", trial.detail = change;
  } else if (ended.code == 0 && trial.fault.with != "INT") {
    const std::string disturbed = file_content(place.out);
    run_program(command(phase, place));
    if (disturbed != file_content(place.out)) {
      trial.bad = "SILENT", trial.detail = "exit 0, and another output than undisturbed";
    }
  }
}

void CallFaults::judge_writer(const Place& place, const Phase& phase, const Records& before,
                              const Ended& ended, Trial& trial) {
  const Records kept = records_in(place.crawl);
  if (const size_t lost = missing_from(kept, before)) {
    trial.bad = "LOST", trial.detail = std::to_string(lost) + " records, by the disturbed run";
    return;
  }
  if (ended.code == 0 && trial.fault.with != "INT") {
    if (const std::string wrong = difference(*phase.wanted, finished_in(place.crawl));
        !wrong.empty()) {
      trial.bad = "SILENT", trial.detail = "exit 0, and " + wrong;
      return;
    }
  }
  // A crawl that failed before it wrote down what it is has nothing to go on with; it begins again.
  const bool begun = fs::exists(place.crawl / "crawl.toml");
  const Ended later = run_program(begun ? crawls_.resume(place.crawl) : crawls_.crawl(place.crawl));
  if (later.code != 0) {
    trial.bad = later.hung ? "HANG" : later.crashed() ? "ABORT" : "STUCK";
    trial.detail = std::string(begun ? "resume" : "crawl") + " afterwards ends with " +
                   std::to_string(later.code) + ": " + first_line(later.err);
    return;
  }
  if (!phase.base.empty() && !has_files_of_user(place.crawl)) {
    trial.bad = "LOST", trial.detail = "the user's own files in archive/";
  } else if (const size_t lost = missing_from(records_in(place.crawl), kept)) {
    trial.bad = "LOST", trial.detail = std::to_string(lost) + " records, by the later resume";
  } else if (const std::string wrong = difference(*phase.wanted, finished_in(place.crawl));
             !wrong.empty()) {
    trial.bad = "DIFFERS", trial.detail = "after the later resume " + wrong;
  }
}

Trial CallFaults::run(const Phase& phase, const Fault& fault, int worker) {
  const Place place(crawls_.work() / ("trial-" + std::to_string(worker)));
  prepare(phase, place);
  const Records records = phase.base.empty() ? Records{} : records_in(phase.base);
  const auto files = phase.only_reads ? files_in(place.crawl) : std::map<std::string, Hash>{};
  const Ended ended =
      run_program(crawls_.failing(command(phase, place), fault, place.root, place.log));
  if (fault.with == "POWER") make_as_synced(place.root, Crawls::synced_folder(place.root));
  Trial trial{phase.name, fault, first_line(file_content(place.log)), ended.code};
  if (ended.hung) {
    trial.bad = "HANG";
  } else if (ended.crashed() && !(ended.code == 128 + 9 && ends_by_signal(fault))) {
    trial.bad = "ABORT";
    trial.detail = "code " + std::to_string(ended.code) + ": " + first_line(ended.err);
  } else {
    phase.only_reads ? judge_reader(place, phase, files, ended, trial)
                     : judge_writer(place, phase, records, ended, trial);
  }
  if (!trial.bad.empty()) return trial;
  // What check finds is its output.
  const bool has_found = phase.name == "check" && !file_content(place.out).empty();
  const bool must_speak = ended.code == 1 && !has_found;
  if (ended.err.empty() ? must_speak : !is_one_line(ended.err)) {
    trial.bad = "MESSAGE";
    trial.detail = "code " + std::to_string(ended.code) + ": " + ended.err;
  } else if (ended.code == 1 && !phase.only_reads && !says_what_to_do(ended.err)) {
    trial.bad = "ADVICE", trial.detail = first_line(ended.err);
  }
  return trial;
}

}  // namespace dowser::faults
