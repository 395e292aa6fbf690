#pragma once

#include <string>
#include <vector>

#include "model/page.h"

namespace dowser {

// What a person is looking for: words, example pages, or both; and pages that are not on the topic.
struct Topic {
  std::string words;
  std::vector<Page> examples;
  std::vector<Page> counter_examples;

  bool empty() const { return words.empty() && examples.empty(); }
};

}  // namespace dowser
