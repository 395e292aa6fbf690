#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/file.h"
#include "run/run.h"
#include "store/database.h"

// Crawls that are stopped or killed at a chosen visit, and what they leave behind.

namespace dowser {

// Stops after the visit for which `go_on` says no.
inline Result<RunResult> run_or_resume(
    const CrawlConfig& config, bool resume,
    const std::function<bool()>& go_on = [] { return true; }) {
  bool stops = false;
  CrawlEvents events;
  events.on_visit([&](const Visit&, const CrawlCounters&) { stops = !go_on() || stops; });
  const auto should_stop = [&] { return stops; };
  if (!resume) return run_crawl(config, events, should_stop);
  CrawlConfig saved = *config_of(config.out);
  saved.converter_program = config.converter_program;
  return resume_crawl(saved, events, should_stop);
}

inline void crawl_to_the_end(const CrawlConfig& config, bool resume) {
  const auto result = run_or_resume(config, resume);
  ASSERT_TRUE(result.ok()) << result.error().message;
}

// How many bytes the files of an archive have, 0 if there is none.
inline uintmax_t archived_bytes(const std::string& folder) {
  uintmax_t bytes = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/archive", none)) {
    const uintmax_t size = entry.file_size(none);
    if (!none) bytes += size;
  }
  return bytes;
}

// Waits until the keeper thread has written something and then nothing more for a while. A fixed
// time would not do: on a busy machine the thread may not have run at all.
inline void wait_for_keeper(const std::string& folder) {
  using std::chrono::milliseconds;
  for (int waited = 0; archived_bytes(folder) == 0 && waited < 30'000; waited += 10) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  for (uintmax_t before = 0, now = archived_bytes(folder); before != now;) {
    std::this_thread::sleep_for(milliseconds(80));
    before = std::exchange(now, archived_bytes(folder));
  }
}

// Crawls in a process of its own, which dies after so many visits. It pauses before visit
// `pause_at`, so that those before it are written. False: the crawl ended before that.
inline bool crawl_and_die(const CrawlConfig& config, bool resume, int visits, int pause_at) {
  const pid_t child = fork();
  if (child == 0) {
    int seen = 0;
    (void)run_or_resume(config, resume, [&] {
      ++seen;
      if (seen == pause_at && seen > 1) wait_for_keeper(config.out);
      if (seen == visits) raise(SIGKILL);
      return true;
    });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

// Archive, index and catalogue of a crawl; everything but the times of runs and the column `but`.
inline std::map<std::string, std::string> left_by_crawl(const std::string& folder,
                                                        std::string_view but = "") {
  std::map<std::string, std::string> left;
  left["index"] = *read_file(folder + "/index.cdxj");
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/archive")) {
    left[entry.path().filename()] = *read_file(entry.path());
  }
  Result<Database> db = Database::open(folder + "/catalogue.sqlite");
  for (const char* table :
       {"pages", "links", "hosts", "documents", "sites", "directories", "stop_directories"}) {
    Result<Statement> rows = db->prepare(std::string("SELECT * FROM ") + table);
    while (*rows->step()) {
      for (int i = 0; i < rows->columns(); ++i) {
        if (rows->column_name(i) != but) left[table] += rows->text(i) + "|";
      }
      left[table] += "\n";
    }
  }
  return left;
}

}  // namespace dowser
