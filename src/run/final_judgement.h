#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "judge/judge.h"
#include "model/topic.h"
#include "run/config.h"

// What was thought of a page when it came is not what a crawl knows at its end. When a crawl ends,
// every page is judged again from what the archive holds of it, and the catalogue gets the new
// verdicts. Nothing is fetched. The same archive, topic and settings give the same verdicts.

namespace dowser {

// The judge that a crawl has learned, in its folder.
inline constexpr char kJudgeFile[] = "judge.model";

// Labels in the catalogue of pages that a person has marked.
inline constexpr char kUseful[] = "useful", kUseless[] = "useless";

struct FinalJudgementTask {
  std::filesystem::path folder;  // of the crawl
  const CrawlConfig& config;     // with_defaults(); its examples and counter-examples are marks
  const Topic& topic;
  const Judge& judge;  // of the crawl; one that learns is replaced by a final judge
  bool learns = false;
  std::string configuration = {};  // that the newest run gets; "": it keeps its own
  std::function<void(size_t done, size_t of)> progress = [](size_t, size_t) {};  // on any thread
  size_t threads = 0;                                                            // 0: one a core
};

struct FinalJudgement {
  double threshold = 0;
  size_t pages = 0;     // in the catalogue
  size_t relevant = 0;  // and not had before
  size_t changed = 0;   // pages that were relevant at fetch and are not, or the other way round
};

// Crash-safe: the catalogue is changed in one transaction. Takes about 0.15 ms a page and core, and
// 1 to 2 KB of memory a page.
Result<FinalJudgement> judge_again(const FinalJudgementTask& task);

// If nothing is to be judged again: what was said at fetch.
Result<FinalJudgement> final_judgement_at_fetch(const std::filesystem::path& folder,
                                                double threshold);

// The judge of a crawl: the final one, if its pages have been judged again.
Result<std::unique_ptr<Judge>> judge_of_crawl(const std::filesystem::path& folder);

}  // namespace dowser
