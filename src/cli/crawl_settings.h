#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "run/config.h"

namespace dowser {

// The settings of a crawl as options of a command. They are kept until the configuration file has
// been read, so that they override it wherever they are on the command line.
class GivenSettings {
 public:
  // All of them, or those named.
  void declare(Arguments& arguments, std::span<const std::string_view> names = {});

  // A list on the command line replaces that of the file: see add_to_lists().
  void apply(CrawlConfig& config) const;
  bool has(std::string_view name) const;

 private:
  struct Given {
    const Setting* setting;
    std::string value;
  };
  std::vector<Given> given_;
};

// Pages that a person names later are added to the examples and counter-examples of `before`.
void add_to_lists(const CrawlConfig& before, CrawlConfig& config);

}  // namespace dowser
