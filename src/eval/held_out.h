#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "eval/held_web.h"

namespace dowser {

// A topic without labels: half of the user's examples are kept from the strategies, and a judge
// made of them decides which pages are on the topic.
struct HeldOutTopic {
  std::vector<HeldWeb::Node> examples;  // for the strategies
  std::vector<HeldWeb::Node> pages;     // on the topic according to the held-out judge
};

Result<HeldOutTopic> held_out_topic(const HeldWeb& web, const std::vector<std::string>& examples);

}  // namespace dowser
