#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "eval/held_web.h"

namespace dowser {

// A topic without labels: half of the examples that a person gave are kept from the strategies, and
// a judge made of them says which pages are on the topic.
struct HeldOutTopic {
  std::vector<HeldWeb::Node> examples;  // for the strategies
  std::vector<HeldWeb::Node> pages;     // on the topic, as the held-out judge says
};

Result<HeldOutTopic> held_out_topic(const HeldWeb& web, const std::vector<std::string>& examples);

}  // namespace dowser
