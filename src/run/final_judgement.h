#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "guard/host_templates.h"
#include "judge/judge.h"
#include "judge/trained/final_judge.h"
#include "model/topic.h"
#include "parse/parse_page.h"
#include "run/config.h"
#include "run/saved_crawl.h"
#include "store/catalogue_reader.h"

// The final judgement. A crawl knows more at its end than when a page was fetched, so at its end
// every page is judged again from the archive, and the catalogue gets the new verdicts. Nothing is
// fetched. The same archive, topic and settings give the same verdicts.

namespace dowser {

// The judge that a crawl has learned, in its folder.
inline constexpr char kJudgeFile[] = "judge.model";

// Labels in the catalogue of pages that a person has marked.
inline constexpr char kUseful[] = "useful", kUseless[] = "useless";
// That of pages that are not called relevant, and may be (judge/trained/final_verdicts.cc).
inline constexpr char kDoubtful[] = "doubtful";

struct FinalJudgementTask {
  std::filesystem::path folder;  // of the crawl
  const CrawlConfig& config;     // with_defaults(); its examples and counter-examples are marks
  const Topic& topic;
  const Judge& judge;  // of the crawl; one that learns is replaced by a final judge
  bool learns = false;
  FieldWeights fields = {};
  // What the crawl has kept of its pages. Null, and pages that it has kept nothing of, are parsed
  // again, which takes ten times as long.
  const SavedCrawl* saved = nullptr;
  std::string configuration = {};  // that the newest run gets; "": it keeps its own
  Watch watch = keep_going;        // called on the calling thread
  size_t threads = 0;              // 0: one per core
};

struct FinalJudgement {
  double threshold = 0;
  size_t pages = 0;     // in the catalogue
  size_t relevant = 0;  // and not had before
  size_t doubtful = 0;  // likewise
  size_t changed = 0;   // pages that were relevant at fetch and are not, or the other way round
  // What is suspicious about the relevant pages as a whole, in sentences, and what to do.
  std::vector<std::string> doubts;
  bool has_senses = false;  // the relevant pages have several meanings: the catalogue names them
};

// The catalogue is changed in one transaction, so that a crash leaves all old verdicts or all new
// ones. Takes 1 to 2 KB of memory per page.
Result<FinalJudgement> judge_again(const FinalJudgementTask& task);

// The verdicts at fetch, if nothing is to be judged again.
Result<FinalJudgement> final_judgement_at_fetch(const std::filesystem::path& folder,
                                                double threshold);

// The final judge of a crawl, and what it must know to read a page.
struct CrawlJudge {
  std::unique_ptr<FinalJudge> judge;
  FieldWeights fields;
  std::shared_ptr<const HostTemplates> templates;  // shared with the options

  ParseOptions parse_options() const;
};

// An error if the pages of the crawl have not been judged again by a judge that learned.
Result<CrawlJudge> judge_of_crawl(const std::filesystem::path& folder);

// The reasons of a final verdict with the words as they appear on the page; the catalogue has them
// as they appear on the best pages, since the final judgement does not read every page again.
// Nothing if the page was not judged so, or if its record is damaged. An error if the judge or a
// file of the archive cannot be read.
Result<std::optional<std::vector<Judgement::Reason>>> reasons_on_page(
    const std::filesystem::path& folder, const CataloguePage& row);

}  // namespace dowser
