#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/crawl_hints.h"
#include "engine/guards.h"
#include "engine/judge_in_use.h"
#include "engine/stop_advice.h"
#include "model/crawl_statistics.h"
#include "model/topic.h"
#include "run/back_links.h"
#include "run/config.h"
#include "run/crawl_model.h"
#include "run/crawl_profile.h"
#include "run/topic_pages.h"
#include "strategy/strategy.h"

namespace dowser {

// The plug-ins of a crawl, and what they look at while they live. Strategy and judge hold addresses
// of the members before them, so the object stays where it was made.
struct CrawlPlugins {
  FieldWeights fields;  // of pages, for the judge
  Topic topic;
  CrawlModel model;
  CrawlProfile profile;
  std::vector<EarlierFind> earlier;     // of the crawls that --previous names
  std::optional<BackLinks> back_links;  // of --back-links
  std::unique_ptr<JudgeInUse> judge;
  std::optional<StopAdvice> advice;
  std::optional<CrawlHints> hints;
  std::optional<CrawlStatistics> statistics;
  std::unique_ptr<Strategy> strategy;
  std::optional<Guards> guards;

  // `new_model` replaces the model that the crawl has, if it is not empty.
  static Result<std::unique_ptr<CrawlPlugins>> make(const CrawlConfig& config,
                                                    const TopicPages& pages,
                                                    const std::string& new_model = "");

  // What a judge of this crawl is given.
  JudgeContext judge_context(const CrawlConfig& config) const;

 private:
  Status make_the_strategy(const CrawlConfig& config);
  Status read_back_links(const CrawlConfig& config);
};

}  // namespace dowser
