#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mine/session_builder.h"
#include "mine/site_pages.h"

namespace dowser {

struct LogInput {
  std::string path;    // "-" is standard input
  int64_t offset = 0;  // seconds to add to its times: the error of that server's clock
};

// What to keep that would otherwise be removed by cleaning.
struct KeepOptions {
  bool assets = false;
  bool errors = false;
  bool robot_agents = false;     // robots that identify themselves
  bool robot_behaviour = false;  // visitors that behave like robots
};

struct PatternOptions {
  size_t support = 0;  // sessions; 0: one in a hundred, at least 2
  double confidence = 0.5;
  size_t largest_set = 4;
  size_t longest_sequence = 5;
  size_t clusters = 8;  // of sessions, and of pages; 0: none
};

struct UsageOptions {
  std::vector<LogInput> logs;
  std::string format;              // "": as the first lines show
  std::vector<std::string> sites;  // host names of the site; empty: the one most pages refer to
  int64_t window = 60;             // seconds by which lines may be out of order
  std::string cookie;              // the cookie that distinguishes visitors; "": the whole field
  KeepOptions keep;
  SitePagesOptions pages;
  SessionRules rules;
  std::vector<std::string> web;      // archives or crawls that know the site's links
  std::string crawl;                 // a crawl whose catalogue tells about pages
  std::vector<std::string> places;   // MaxMind files, for countries, cities and organisations
  std::vector<std::string> targets;  // patterns, or names of events: what visitors look for
  PatternOptions patterns;
  // Visitors that are remembered one by one, some 100 bytes each.
  size_t most_visitors = 500'000;
};

}  // namespace dowser
