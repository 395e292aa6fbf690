#include "tests/faults/call_faults.h"

#include <algorithm>
#include <stdexcept>

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

bool ends_by_signal(const Fault& fault) {
  return fault.with == "KILL" || fault.with == "TEAR" || fault.with == "POWER";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

struct CallFaults::Place {
  fs::path root, crawl, results, out, log;
  explicit Place(const fs::path& folder)
      : root(folder),
        crawl(folder / "crawl"),
        results(folder / "new"),
        out(folder / "out"),
        log(folder.string() + ".log") {}

  std::string printed() const {
    std::string text = file_content(out);
    replace_all(text, root.string(), "PLACE");
    return text;
  }
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
  const auto add = [&](const char* name, std::vector<std::string> words) {
    phases.push_back({name, crawls.complete(), false, once, std::move(words)});
  };
  const std::string site = crawls.site().string(), others = crawls.other_site().string();
  add("search", {"search", "CRAWL", "nest"});
  add("annotate", {"annotate", "CRAWL", "http://web.test/5.html", "note", "--author", "Ada"});
  add("library", {"library", "build", "CRAWL"});
  add("rejudge", {"rejudge", "CRAWL", "--threshold", "0.2"});
  add("rank", {"rank", "CRAWL", "--csv", "NEW/ranks.csv"});
  add("diff", {"diff", crawls.earlier().string(), "CRAWL", "--to", "NEW/changes.html"});
  add("topics", {"topics", "nest", "--from", "CRAWL", "--csv", "NEW/topics.csv"});
  add("usage", {"usage", crawls.server_log().string(), "--site", "web.test", "--out", "NEW/usage"});
  add("signature",
      {"signature", "keywords", "--training", site, "--background", others, "--to", "NEW/groups"});
  add("session", {"session", "import", crawls.clicks().string(), "--web", crawls.web().string(),
                  "--to", "NEW/made.sessions"});
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
  if (!phase.words.empty()) {
    std::vector<std::string> words = phase.words;
    for (std::string& word : words) {
      replace_all(word, "CRAWL", folder);
      replace_all(word, "NEW", place.results.string());
    }
    Command command = crawls_.dowser(std::move(words));
    command.out = place.out;
    return command;
  }
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
  if (!phase.words.empty()) fs::create_directory(place.results);
}

const CallFaults::Undisturbed& CallFaults::undisturbed(const Phase& phase) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = undisturbed_.try_emplace(phase.name);
  Undisturbed& known = found->second;
  if (!is_new) return known;
  const auto run = [&](const Place& place) {
    const Ended ended = run_program(command(phase, place));
    if (ended.code != 0) throw std::runtime_error(phase.name + " fails undisturbed: " + ended.err);
    known.out.insert(place.printed());
    return files_in(place.results);
  };
  const Place place(crawls_.work() / ("undisturbed-" + phase.name));
  prepare(phase, place);
  const auto before = files_in(place.crawl);
  known.files = run(place);
  // A result may contain the time, or where it is.
  const auto keep_equal = [&](const std::map<std::string, Hash>& others) {
    std::erase_if(known.files, [&](const auto& file) {
      const auto other = others.find(file.first);
      return other == others.end() || other->second != file.second;
    });
  };
  keep_equal(run(place));
  const Place elsewhere(place.root.string() + "-elsewhere");
  prepare(phase, elsewhere);
  keep_equal(run(elsewhere));
  known.repeats = known.out.size() == 1;
  const auto after = files_in(place.crawl);
  for (const auto& [name, hash] : before) {
    const auto now = after.find(name);
    if (now != after.end() && now->second == hash) known.untouched.insert(name);
  }
  return known;
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

// What the command does not touch is as it was, and the same command, given again, does its work.
void CallFaults::judge_guest(const Place& place, const Phase& phase,
                             const std::map<std::string, Hash>& before, const Ended& ended,
                             Trial& trial) {
  const Undisturbed& known = undisturbed(phase);
  const auto untouched = [&](std::map<std::string, Hash> files) {
    std::erase_if(files, [&](const auto& file) { return !known.untouched.contains(file.first); });
    return files;
  };
  const auto is_complete = [&] {
    const auto files = files_in(place.results);
    return std::ranges::all_of(known.files,
                               [&](const auto& file) {
                                 const auto found = files.find(file.first);
                                 return found != files.end() && found->second == file.second;
                               }) &&
           (!known.repeats || known.out.contains(place.printed()));
  };
  const auto look = [&](const char* when) {
    if (const std::string change = changed(untouched(before), untouched(files_in(place.crawl)));
        !change.empty()) {
      trial.bad = "CHANGED", trial.detail = change + when;
    }
  };
  look("");
  if (!trial.bad.empty()) return;
  if (ended.code == 0 && trial.fault.with != "INT" && !is_complete()) {
    trial.bad = "SILENT", trial.detail = "exit 0, and other results than undisturbed";
    return;
  }
  const Ended later = run_program(command(phase, place));
  if (later.code != 0) {
    trial.bad = later.hung ? "HANG" : later.crashed() ? "ABORT" : "STUCK";
    trial.detail = "the second run ends with " + std::to_string(later.code) + ": " + later.err;
  } else if (!is_complete()) {
    trial.bad = "DIFFERS", trial.detail = "the second run has other results than undisturbed";
  } else {
    look(", by the second run");
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
  const bool is_guest = !phase.words.empty();
  const auto files =
      phase.only_reads || is_guest ? files_in(place.crawl) : std::map<std::string, Hash>{};
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
    is_guest           ? judge_guest(place, phase, files, ended, trial)
    : phase.only_reads ? judge_reader(place, phase, files, ended, trial)
                       : judge_writer(place, phase, records, ended, trial);
  }
  if (!trial.bad.empty()) return trial;
  // What check finds is its output.
  const bool has_found = phase.name == "check" && !file_content(place.out).empty();
  const bool must_speak = ended.code == 1 && !has_found;
  const std::string said = without_notices(ended.err);
  if (said.empty() ? must_speak : !is_one_line(said)) {
    trial.bad = "MESSAGE";
    trial.detail = "code " + std::to_string(ended.code) + ": " + ended.err;
  } else if (ended.code == 1 && !phase.only_reads && !is_guest && !says_what_to_do(ended.err)) {
    trial.bad = "ADVICE", trial.detail = first_line(ended.err);
  }
  return trial;
}

}  // namespace dowser::faults
