#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "engine/events.h"

namespace dowser {

// DIR/crawl.log: one line for each visit, for people who use tail and grep.
//
//   2026-11-15T23:30:01Z  200  0.312  5120  http://example.org/a
//   2026-11-15T23:30:02Z  timeout-stall  -  0  http://example.org/b  nothing came for 10 s
//
// Fields are separated by tabs: time, status or failure, relevance, bytes of the body, address,
// and what else there is to say. Lines with # are about the crawl itself: hosts given up, a new
// judge, warnings, its end. What a killed crawl had not written yet is in the catalogue. If the log
// cannot be written (a full disk), the crawl continues without it.
class CrawlLog {
 public:
  // Appends to what is there.
  static Result<CrawlLog> open(const std::filesystem::path& path);

  // Subscribes to the events of a crawl.
  void observe(const CrawlEvent& event);
  void note(std::string_view text);            // a line about the crawl itself
  bool has_failed() const { return failed_; }  // some lines are missing

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit CrawlLog(std::FILE* file) : file_(file) {}
  void add(const Visit& visit);
  void write(std::string_view line);
  void flush();

  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

}  // namespace dowser
