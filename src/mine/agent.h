#pragma once

#include <string_view>

// What a User-Agent header identifies itself as.

namespace dowser {

struct Agent {
  std::string_view browser;  // "Firefox"; "Other"; of a robot its kind: "Googlebot", "Robot"
  std::string_view system;   // "Windows", "Android"; "Other"
  bool robot = false;
};

// Names are literals. The rules are lists of words in agent.cc: what calls itself a bot, crawler,
// spider, library, monitor or feed reader is a robot.
Agent read_agent(std::string_view header);

}  // namespace dowser
