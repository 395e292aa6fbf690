#include "tests/faults/mutations.h"

#include <algorithm>

#include "tests/faults/mutate.h"

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What can be damaged: all files, and the folders with them.
std::vector<std::string> targets_of(const fs::path& folder) {
  std::vector<std::string> targets;
  for (const auto& [name, hash] : files_in(folder)) {
    if (!name.ends_with("LOCK") && !name.ends_with("-shm") && !is_of_user(name))
      targets.push_back(name);
  }
  return targets;
}

Mutation damage(const Crawls& crawls, uint64_t seed, uint64_t number, const fs::path& folder) {
  std::mt19937_64 random(seed * 1'000'003 + number);
  const size_t variant = random() % Crawls::kVariants;
  Mutation mutation{seed, number};
  switch (random() % 3) {
    case 0:
      mutation.base = crawls.finished();
      break;
    case 1:
      mutation.base = crawls.interrupted(variant);
      break;
    default:
      mutation.base = crawls.killed(variant);
      break;
  }
  while (mutation.detail.empty()) {
    copy_folder(mutation.base, folder);
    add_files_of_user(folder);
    const std::vector<std::string> targets = targets_of(folder);
    mutation.file = targets[random() % targets.size()];
    mutation.how = kDamages[random() % std::size(kDamages)];
    mutation.detail =
        mutate(folder / mutation.file, crawls.earlier() / mutation.file, mutation.how, random);
  }
  return mutation;
}

bool of_catalogue(const Mutation& mutation) {
  return mutation.file.starts_with("catalogue.sqlite");
}

}  // namespace

std::string Fate::file_kind() const {
  std::string kind = mutation.file;
  std::replace_if(
      kind.begin(), kind.end(), [](char c) { return c >= '0' && c <= '9'; }, '#');
  kind.erase(
      std::unique(kind.begin(), kind.end(), [](char a, char b) { return a == b && a == '#'; }),
      kind.end());
  return kind;
}

// False where the command died, hung or spoke in more than one line.
bool Mutations::accepts(const Ended& ended, const std::string& what, Fate& fate) const {
  if (!fate.outcome.empty()) return false;
  const std::string said = without_notices(ended.err);
  const bool has_found = what == "check" && !ended.out.empty();  // its findings are its output
  if (ended.hung) {
    fate.outcome = "HANG";
  } else if (ended.crashed()) {
    fate.outcome = "ABORT";
  } else if (said.empty() ? ended.code == 1 && !has_found : !is_one_line(said)) {
    fate.outcome = "MESSAGE";
  }
  if (fate.outcome.empty()) return true;
  fate.detail = what + " ends with " + std::to_string(ended.code) + ": " + ended.err.substr(0, 300);
  return false;
}

void Mutations::try_readers(const fs::path& folder, Fate& fate) const {
  std::vector<std::vector<std::string>> commands = {
      {"export", folder.string()}, {"explain", folder.string(), "http://web.test/0.html"}};
  if (crawls_.has_check()) commands.push_back({"check", folder.string()});
  const auto before = files_in(folder);
  for (const auto& words : commands) {
    const Ended ended = run_program(crawls_.dowser(words));
    if (!accepts(ended, words[0], fate)) return;
    if (words[0] == "check") fate.check_code = ended.code;
    if (const std::string change = changed(before, files_in(folder)); !change.empty()) {
      fate.outcome = "CHANGED", fate.detail = words[0] + ": " + change;
      return;
    }
  }
}

// Logs, report, index and judge can be made anew, and a catalogue can be repaired.
bool Mutations::completes_when_mended(const fs::path& folder, const Records& records,
                                      const Fate& fate) const {
  const std::string& file = fate.mutation.file;
  if (file == "catalogue.sqlite") {
    if (run_program(crawls_.dowser({"check", folder.string(), "--repair"})).code != 0) return false;
  } else if (file == "index.cdxj" || file == "index.unsorted" || file == "report.html" ||
             file == "crawl.log" || file == "judge.model") {
    fs::remove_all(folder / file);
  } else {
    return false;
  }
  return run_program(crawls_.resume(folder)).code == 0 &&
         missing_from(records_in(folder), records) == 0 &&
         // A repaired page lacks what only the catalogue knew.
         (file == "catalogue.sqlite" ||
          difference(crawls_.wanted_of_resume(), finished_in(folder)).empty());
}

// Refused: twice in the same way, and nothing has changed.
void Mutations::judge_refusal(const fs::path& folder, const Ended& ended,
                              const std::map<std::string, Hash>& before, const Tables& tables,
                              Fate& fate) const {
  fate.outcome = "refused", fate.detail = first_line(ended.err);
  const std::string change = changed(before, files_in(folder));
  // SQLite may move what is in the -wal into the file.
  const bool is_same_catalogue = change.starts_with("catalogue.sqlite") && tables.problem.empty() &&
                                 tables_in(folder) == tables;
  if (!change.empty() && !is_same_catalogue) {
    fate.outcome = "CHANGED", fate.detail = change + "; it said: " + first_line(ended.err);
  } else if (!says_what_to_do(ended.err)) {
    fate.outcome = "ADVICE";
  }
}

void Mutations::judge_completion(const fs::path& folder, const Ended& ended, const Records& records,
                                 const Tables& tables, Fate& fate) const {
  fate.outcome = "completed", fate.detail = first_line(ended.err);
  const bool silent = ended.err.empty();
  const size_t lost = missing_from(records_in(folder), records);
  const size_t cut = missing_from(records_in_archive(folder), records);
  const Finished got = finished_in(folder);
  size_t pages_lost = 0;
  const std::set<std::string> aside = urls_set_aside(folder);
  for (const std::string& url : tables.urls) {
    pages_lost += !got.tables.urls.contains(url) && !aside.contains(url);
  }
  const std::string wrong = difference_in_content(crawls_.wanted_of_resume(), got);
  const bool is_shorter = got.tables.pages.size() < crawls_.wanted_of_resume().tables.pages.size();
  if (fate.mutation.file != "archive" && !has_files_of_user(folder)) {
    fate.outcome = "LOST", fate.detail = "the user's own files in archive/";
  } else if (lost > 0) {
    fate.outcome = "LOST", fate.detail = std::to_string(lost) + " records; " + fate.detail;
  } else if (pages_lost > 0 && (silent || !of_catalogue(fate.mutation))) {
    fate.outcome = "LOST", fate.detail = std::to_string(pages_lost) + " rows; " + fate.detail;
  } else if (silent && cut > 0) {
    fate.outcome = "SILENT", fate.detail = std::to_string(cut) + " records set aside";
  } else if (silent &&
             (is_shorter || (!wrong.empty() && fate.mutation.file.starts_with("state")))) {
    fate.outcome = "SILENT", fate.detail = wrong;
  } else if (silent && !wrong.empty()) {
    fate.outcome = fate.check_code == 0 ? "MISSED" : "unnoticed", fate.detail = wrong;
  }
}

void Mutations::try_resume(const fs::path& folder, Fate& fate) const {
  const Records records = records_in(folder);
  const Tables tables = tables_in(fate.mutation.base);
  const Tables damaged = tables_in(folder);
  const auto before = files_in(folder);
  Ended ended = run_program(crawls_.resume(folder));
  if (!accepts(ended, "resume", fate)) return;
  if (ended.code == 1) {
    judge_refusal(folder, ended, before, damaged, fate);
    if (fate.outcome == "CHANGED" && says_what_to_do(ended.err) &&
        completes_when_mended(folder, records, fate)) {
      fate.outcome = "stopped", fate.detail = first_line(ended.err);
      return;
    }
    if (fate.is_bad()) return;
    // A second time, since the first has lost nothing yet it may have opened the way.
    ended = run_program(crawls_.resume(folder));
    fate.outcome.clear();
    if (!accepts(ended, "the second resume", fate)) return;
    if (ended.code == 1) judge_refusal(folder, ended, before, damaged, fate);
    if (ended.code == 1 && !fate.is_bad() && crawls_.has_accept_loss()) {
      Command command = crawls_.resume(folder);
      command.words.push_back("--accept-loss");
      ended = run_program(command);
      const Fate refused = fate;
      fate.outcome.clear();
      if (!accepts(ended, "resume --accept-loss", fate)) return;
      fate = refused;
      if (missing_from(records_in(folder), records) > 0) {
        fate.outcome = "LOST", fate.detail = "by resume --accept-loss: " + first_line(ended.err);
      }
      return;
    }
  }
  if (ended.code == 0) judge_completion(folder, ended, records, tables, fate);
}

Fate Mutations::run(uint64_t seed, uint64_t number, int worker) {
  const fs::path folder = crawls_.work() / ("mutated-" + std::to_string(worker));
  const fs::path copy = crawls_.work() / ("kept-" + std::to_string(worker));
  Fate fate{damage(crawls_, seed, number, folder)};
  copy_folder(folder, copy);
  try_readers(folder, fate);
  if (fate.outcome.empty()) try_resume(folder, fate);
  if (fate.is_bad()) {
    const fs::path kept = crawls_.work() / "kept" / std::to_string(number);
    fs::create_directories(kept.parent_path());
    copy_folder(copy, kept);
  }
  return fate;
}

}  // namespace dowser::faults
