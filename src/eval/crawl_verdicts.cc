#include "eval/crawl_verdicts.h"

#include <utility>
#include <vector>

namespace dowser {

std::optional<VerdictQuality> quality_at_fetch(const Course& course, const Draw& draw) {
  std::vector<char> is_counted(draw.is_on_topic.size());
  if (!draw.topic.examples.empty()) {
    for (const HeldWeb::Node node : draw.examples) is_counted[node] = true;
  }
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < course.pages.size(); ++i) {
    const HeldWeb::Node node = course.pages[i];
    if (node == HeldWeb::kNone || std::exchange(is_counted[node], true)) continue;
    verdicts.push_back(
        {course.said[i].relevance, course.said[i].relevant, draw.is_on_topic[node] != 0});
  }
  return verdict_quality(verdicts);
}

}  // namespace dowser
