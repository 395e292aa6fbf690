#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "run/config.h"

namespace dowser {

// The settings of a crawl as options of a command. They are kept until the configuration file was
// read, so that they win over it wherever they stand.
class GivenSettings {
 public:
  // All of them, or those named.
  void declare(Arguments& arguments, std::span<const std::string_view> names = {});

  // A list on the command line replaces that of the file.
  void apply(CrawlConfig& config) const;

 private:
  struct Given {
    const Setting* setting;
    std::string value;
  };
  std::vector<Given> given_;
};

}  // namespace dowser
