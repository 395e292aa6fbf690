#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/held_web.h"

namespace dowser {

// Which pages are on which topic, as people said. Only evaluation reads them.
class Labels {
 public:
  // Lines of "url TAB topic", more columns are not looked at; the addresses that the web does not
  // hold as pages are counted and left out.
  static Result<Labels> read(const std::filesystem::path& file, const HeldWeb& web);

  // In order of name; the nodes of each in order, each once.
  const std::map<std::string, std::vector<HeldWeb::Node>>& topics() const { return topics_; }
  size_t missing() const { return missing_; }

 private:
  std::map<std::string, std::vector<HeldWeb::Node>> topics_;
  size_t missing_ = 0;
};

}  // namespace dowser
