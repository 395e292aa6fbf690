#include "eval/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/file.h"

namespace dowser {

Result<Labels> Labels::read(const std::filesystem::path& file, const HeldWeb& web) {
  const Result<std::string> text = read_file(file, kLargestDocument);
  if (!text) return text.error();
  Labels labels;
  std::istringstream lines(*text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const size_t tab = line.find('\t');
    const std::string topic =
        tab == line.npos ? "" : line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    if (topic.empty()) {
      return Error{
          fmt::format("line {} of {} is not a label: it must be an address, a tab and a topic",
                      number, file.string())};
    }
    const Result<Url> url = Url::parse(line.substr(0, tab));
    if (!url && number == 1) continue;  // column names
    const HeldWeb::Node node = url ? web.node_of(*url) : HeldWeb::kNone;
    if (node == HeldWeb::kNone) {
      ++labels.missing_;
    } else {
      labels.topics_[topic].push_back(node);
    }
  }
  for (auto& [topic, nodes] : labels.topics_) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  if (labels.topics_.empty()) {
    return Error{fmt::format("{} has no label for any page in the archive", file.string())};
  }
  return labels;
}

}  // namespace dowser
