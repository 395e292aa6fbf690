#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/response.h"
#include "run/config.h"
#include "run/crawl_web.h"

namespace dowser {

// The answers for the pages that a person named: what the topic is (--example), and what it is not
// (--not-example). A crawl keeps them, because the originals may change.
struct TopicPages {
  std::vector<Response> examples, counter_examples;
};

// Of a new crawl: addresses are looked up in its web.
Result<TopicPages> topic_pages(const CrawlConfig& config, const CrawlWeb& web);

// Of a crawl that has pages: `kept` are those that it keeps, which stand for the first ones that
// the configuration names. The others are looked up in the crawl's own archive, and then in `web`;
// null: nothing else is asked.
Result<TopicPages> topic_pages(const CrawlConfig& config, TopicPages kept, const CrawlWeb* web);

}  // namespace dowser
