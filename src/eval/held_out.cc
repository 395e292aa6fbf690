#include "eval/held_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/plugins.h"

namespace dowser {
namespace {

// A judge that few strategies use, so that the opinion of one of them does not become the truth.
constexpr std::string_view kHeldOutJudge = "cosine(to=nearest)";
constexpr size_t kFewestExamples = 4;

}  // namespace

Result<HeldOutTopic> held_out_topic(const HeldWeb& web, const std::vector<std::string>& examples) {
  std::vector<HeldWeb::Node> nodes;
  for (const std::string& example : examples) {
    const Result<Url> url = Url::parse(example);
    const HeldWeb::Node node = url ? web.node_of(*url) : HeldWeb::kNone;
    if (node == HeldWeb::kNone) {
      return Error{fmt::format("the archive has no page {}", example)};
    }
    if (std::count(nodes.begin(), nodes.end(), node) == 0) nodes.push_back(node);
  }
  if (nodes.size() < kFewestExamples) {
    return Error{
        fmt::format("without --labels, give at least {} pages with --example: half of them are "
                    "hidden from the strategies, to judge what they find",
                    kFewestExamples)};
  }
  HeldOutTopic topic;
  Topic held_out;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i % 2 == 0) {
      topic.examples.push_back(nodes[i]);
    } else {
      held_out.examples.push_back(web.page(nodes[i]));
    }
  }
  const auto judge = make_judge(kHeldOutJudge, {held_out, {}, {}});
  if (!judge) return judge.error();
  for (HeldWeb::Node node = 0; node < web.nodes(); ++node) {
    if ((*judge)->judge(web.page(node)).relevant) topic.pages.push_back(node);
  }
  return topic;
}

}  // namespace dowser
