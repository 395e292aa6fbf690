#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "model/visit.h"

namespace dowser {

// DIR/crawl.log: a line a visit, for people who look into a crawl with tail and grep.
//
//   2026-11-15T23:30:01Z  200  0.312  5120  http://example.org/a
//   2026-11-15T23:30:02Z  timeout-stall  -  0  http://example.org/b  nothing came for 10 s
//
// Fields are separated by tabs: time, status or failure, relevance, bytes of the body, address,
// and what else there is to say. What a killed crawl had not written yet is in the catalogue.
// The log is for people: where it cannot be written (a full disk) the crawl goes on without it.
class CrawlLog {
 public:
  // Goes on behind what is there.
  static Result<CrawlLog> open(const std::filesystem::path& path);

  void visit(const Visit& visit);
  void note(Time now, std::string_view text);  // a line about the crawl itself
  void flush();
  bool has_failed() const { return failed_; }  // some lines are missing

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit CrawlLog(std::FILE* file) : file_(file) {}
  void write(std::string_view line);

  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
};

}  // namespace dowser
