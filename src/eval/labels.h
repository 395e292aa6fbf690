#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/held_web.h"

namespace dowser {

// Which pages are on which topic, according to people. Only evaluation reads labels.
class Labels {
 public:
  // Reads lines of "url TAB topic"; further columns are ignored. Addresses that the web does not
  // have as pages are counted and left out.
  static Result<Labels> read(const std::filesystem::path& file, const HeldWeb& web);

  // Sorted by name; the nodes of each topic are sorted, each once.
  const std::map<std::string, std::vector<HeldWeb::Node>>& topics() const { return topics_; }
  size_t missing() const { return missing_; }

 private:
  std::map<std::string, std::vector<HeldWeb::Node>> topics_;
  size_t missing_ = 0;
};

}  // namespace dowser
