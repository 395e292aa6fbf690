#include "run/crawl_result.h"

#include "base/file.h"
#include "report/report.h"
#include "run/crawl_options.h"
#include "run/top_words.h"
#include "store/database.h"

namespace dowser {
namespace {

// 10, 20, 50, 100, 200, 500 …
size_t next_round_number(size_t number) {
  const bool begins_with_2 = std::to_string(number)[0] == '2';
  return begins_with_2 ? number / 2 * 5 : number * 2;
}

// (fetched, found) at 10, 20, 50, 100 … fetches and at the end.
Result<std::vector<std::pair<size_t, size_t>>> harvest_curve(
    const std::filesystem::path& catalogue) {
  Result<Database> db = Database::open(catalogue);
  if (!db) return db.error();
  Result<Statement> rows = db->prepare(
      "SELECT relevant AND near_duplicate_of IS NULL AND NOT soft_404 FROM fetched "
      "ORDER BY id");
  if (!rows) return rows.error();
  std::vector<std::pair<size_t, size_t>> points;
  size_t fetched = 0, found = 0, next = 10;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    ++fetched;
    found += rows->integer(0) != 0;
    if (fetched != next) continue;
    points.emplace_back(fetched, found);
    next = next_round_number(next);
  }
  if (points.empty() || points.back().first != fetched) points.emplace_back(fetched, found);
  return points;
}

}  // namespace

Result<RunResult> crawl_result(const CrawlConfig& config, const Store& store,
                               const CrawlPlugins& plugins, const CrawlCounters& counters,
                               double seconds) {
  const auto words = top_words(store.catalogue_path(), store.archive_folder());
  if (!words) return words.error();
  const auto html =
      report_html({store.catalogue_path(), topic_text(config), plugins.strategy->spec().text(),
                   plugins.judge->spec().text(), plugins.judge->threshold(), *words,
                   counters.advice, counters.hints});
  if (!html) return html.error();
  const std::filesystem::path report = std::filesystem::path(config.out) / "report.html";
  if (Status s = write_file(report, *html); !s) return s.error();
  auto curve = harvest_curve(store.catalogue_path());
  if (!curve) return curve.error();
  return RunResult{counters, std::move(*curve), seconds, report.string()};
}

}  // namespace dowser
