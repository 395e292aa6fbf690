#include "run/crawl_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/new_file.h"
#include "judge/signature/signature_judge.h"
#include "learn/signature/signature_files.h"
#include "report/clusters_html.h"
#include "report/report.h"
#include "run/crawl_options.h"
#include "run/earlier_crawls.h"
#include "run/signature_hits.h"
#include "run/top_words.h"
#include "store/catalogue_reader.h"
#include "store/statistics_tables.h"

namespace dowser {
namespace {

// 10, 20, 50, 100, 200, 500 …
size_t next_round_number(size_t number) {
  const bool begins_with_2 = std::to_string(number)[0] == '2';
  return begins_with_2 ? number / 2 * 5 : number * 2;
}

// (fetched, found) at 10, 20, 50, 100 … fetches and at the end.
std::vector<std::pair<size_t, size_t>> curve_of(const std::vector<bool>& harvest) {
  std::vector<std::pair<size_t, size_t>> points;
  size_t fetched = 0, found = 0, next = 10;
  for (const bool is_find : harvest) {
    ++fetched;
    found += is_find;
    if (fetched != next) continue;
    points.emplace_back(fetched, found);
    next = next_round_number(next);
  }
  if (points.empty() || points.back().first != fetched) points.emplace_back(fetched, found);
  return points;
}

// "" unless the newest fetches found nothing, by the verdicts at the end.
std::string dry_spell(const std::vector<bool>& harvest) {
  constexpr size_t kFetches = 200;
  constexpr double kShare = 0.4;  // of all fetches
  const auto newest = std::find(harvest.rbegin(), harvest.rend(), true);
  const auto dry = static_cast<size_t>(newest - harvest.rbegin());
  if (newest == harvest.rend() || dry < kFetches ||
      static_cast<double>(dry) < kShare * static_cast<double>(harvest.size())) {
    return "";
  }
  return fmt::format(
      "The last {} fetches found no relevant page: everything that these seeds lead to has "
      "probably "
      "been found. Other seeds or words may find more.",
      dry);
}

// Of a crawl whose judge is `signatures`: keeps the library and the hits next to the pages, and
// describes the clusters. "" for other judges.
Result<std::string> signature_section(const CrawlConfig& config, const CrawlPlugins& plugins) {
  const Spec spec = plugins.judge->spec();
  if (spec.name != kLibraryKind) return std::string();
  const auto library = signatures_of(spec, plugins.judge_context(config));
  if (!library) return library.error();
  const std::filesystem::path folder = config.out;
  if (Status s = write_library(folder / "signatures", *library, Owner::kCrawl); !s)
    return s.error();
  const auto kept = keep_signature_hits(folder, *library, config.previous);
  if (!kept) return kept.error();
  if (kept->found.rows.empty()) {
    return std::string(
        "<p>No page has a hit of a signature. Are the seeds on the topic, and in the "
        "language of the library?</p>\n");
  }
  return clusters_html(kept->found, kept->clusters);
}

// Of the pages as they are judged now, which may differ from what was thought of them when they
// were fetched.
Status keep_statistics(const CrawlConfig& config, const Profile& profile,
                       const std::filesystem::path& catalogue) {
  CrawlStatistics statistics(profile.statistics, config.documents);
  Result<EarlierLists> earlier = earlier_lists(config.previous);
  if (!earlier) return earlier.error();
  statistics.use(*earlier);
  if (Status s = add_catalogue(catalogue, statistics); !s) return s;
  return write_statistics(catalogue, statistics);
}

}  // namespace

Result<RunResult> crawl_result(const CrawlConfig& config, const CrawlPlugins& plugins,
                               const CrawlCounters& counters, const FinalJudgement& judged,
                               double seconds) {
  const std::filesystem::path folder(config.out), catalogue = folder / "catalogue.sqlite";
  const auto words = top_words(catalogue, folder / "archive");
  if (!words) return words.error();
  if (Status s = keep_statistics(config, plugins.profile.profile, catalogue); !s) return s.error();
  const auto clusters = signature_section(config, plugins);
  if (!clusters) return clusters.error();
  RunResult result{counters, {}, seconds, (folder / "report.html").string(), judged.changed};
  result.counters.relevant = judged.relevant;
  result.doubtful = judged.doubtful;
  // Nobody can say how much is left of a subject that may be the wrong one.
  if (!judged.doubts.empty()) result.counters.advice.reset();
  if (result.counters.advice) {
    result.counters.advice->found = static_cast<double>(judged.relevant);
  }
  if (judged.has_senses) {
    Result<std::vector<SenseOfPages>> senses = read_senses(catalogue);
    if (!senses) return senses.error();
    result.senses = std::move(*senses);
  }
  Result<CatalogueReader> reader = CatalogueReader::open(catalogue);
  if (!reader) return reader.error();
  const Result<std::vector<bool>> harvest = reader->harvest();
  if (!harvest) return harvest.error();
  result.curve = curve_of(*harvest);
  if (std::string dry = dry_spell(*harvest); !dry.empty()) {
    result.counters.hints.push_back(std::move(dry));
  }
  const auto html = report_html({catalogue, topic_text(config), plugins.strategy->spec().text(),
                                 plugins.judge->spec().text(), judged.threshold, *words,
                                 result.counters.advice, result.counters.hints, judged.doubtful,
                                 judged.doubts, result.senses, *clusters});
  if (!html) return html.error();
  for (const std::string& doubt : judged.doubts) result.counters.hints.push_back(doubt);
  if (Status s = replace_own_file(result.report, *html); !s) return s.error();
  return result;
}

}  // namespace dowser
