#include "seed/seed_list.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "base/file.h"

namespace dowser {
namespace {

Status add_seed(const std::string& text, std::string_view where, std::vector<Url>& seeds) {
  Result<Url> url = Url::parse(text);
  if (!url || !url->is_http()) {
    return Error{fmt::format(
        "{}'{}' is not an address to start from: it must begin with http:// or https://", where,
        text)};
  }
  seeds.push_back(url->without_credentials());
  return {};
}

Status add_seeds_of(const std::filesystem::path& file, std::vector<Url>& seeds) {
  const Result<std::string> content = read_file(file, kLargestDocument);
  if (!content) return content.error();
  std::istringstream lines(*content);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::string where = fmt::format("{}, line {}: ", file.string(), number);
    if (Status s = add_seed(line, where, seeds); !s) return s;
  }
  return {};
}

}  // namespace

Result<std::vector<Url>> read_seeds(std::span<const std::string> addresses,
                                    const std::filesystem::path& file) {
  std::vector<Url> seeds;
  for (const std::string& address : addresses) {
    if (Status s = add_seed(address, "", seeds); !s) return s.error();
  }
  if (!file.empty()) {
    if (Status s = add_seeds_of(file, seeds); !s) return s.error();
  }
  if (seeds.empty())
    return Error{fmt::format("{} contains no address to start from", file.string())};
  return seeds;
}

}  // namespace dowser
