#include "run/top_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "parse/parse_page.h"
#include "run/archived_pages.h"
#include "store/database.h"
#include "text/analyzer.h"

// A word is as strong as its share in telling the two kinds of pages apart:
//
//   a ln(a / b)     a, b: the parts of the relevant and of the other pages that have the word
//
// which is its term in the Kullback-Leibler divergence: words must be frequent among relevant pages
// *and* rarer elsewhere. Both parts are smoothed by half a page. Stems are no words, so it counts
// words as they stand there, without stop words.

namespace dowser {
namespace {

constexpr int64_t kSample = 100;  // pages of each kind

struct Place {
  std::string file;
  uint64_t offset;
};

Result<std::vector<Place>> sample(Database& db, bool relevant) {
  // The most relevant of the relevant; of the others every k-th, so that the whole crawl speaks.
  Result<Statement> rows =
      db.prepare(relevant ? "SELECT archive_file, archive_offset FROM found WHERE "
                            "archive_file IS NOT NULL "
                            "ORDER BY relevance DESC, id LIMIT ?1"
                          : "SELECT archive_file, archive_offset FROM pages WHERE relevant = 0 AND "
                            "status = 200 AND "
                            "archive_file IS NOT NULL ORDER BY (id * 7919) % 10007, id LIMIT ?1");
  if (!rows) return rows.error();
  rows->bind(1, kSample);
  std::vector<Place> places;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return row.error();
    if (!*row) return places;
    places.push_back({rows->text(0), static_cast<uint64_t>(rows->integer(1))});
  }
}

class WordReader {
 public:
  explicit WordReader(std::filesystem::path folder) : pages_(std::move(folder)) {
    AnalyzerOptions options;
    options.stemming = Stemming::kNone;
    options.tokens.min_length = 3;
    analyzer_ = Analyzer(options);
  }

  Result<std::set<std::string>> words(const Place& place) {
    const Result<Response> response = pages_.response(place.file, place.offset);
    if (!response) return response.error();
    const Page page = parse_page(*response, {});
    std::set<std::string> words;
    analyzer_.for_each_term(page.text, page.language.empty() ? "en" : page.language,
                            [&](std::string_view word) { words.emplace(word); });
    return words;
  }

 private:
  ArchivedPages pages_;
  Analyzer analyzer_;
};

}  // namespace

Result<std::vector<TopWord>> top_words(const std::filesystem::path& catalogue,
                                       const std::filesystem::path& archive_folder, size_t n) {
  Result<Database> db = Database::open(catalogue);
  if (!db) return db.error();
  WordReader pages(archive_folder);
  std::map<std::string, std::pair<double, double>> counts;  // word -> relevant, other pages with it
  double totals[2] = {0, 0};
  for (const bool relevant : {true, false}) {
    const Result<std::vector<Place>> places = sample(*db, relevant);
    if (!places) return places.error();
    for (const Place& place : *places) {
      const auto words = pages.words(place);
      if (!words) continue;  // a damaged record costs one page of a sample, not the report
      for (const std::string& word : *words)
        ++(relevant ? counts[word].first : counts[word].second);
      ++totals[relevant ? 0 : 1];
    }
  }
  std::vector<TopWord> words;
  if (totals[0] < 3) return words;
  for (const auto& [word, count] : counts) {
    if (count.first < 2) continue;
    const double a = (count.first + 0.5) / (totals[0] + 1);
    const double b = (count.second + 0.5) / (totals[1] + 1);
    if (a > b) words.emplace_back(word, a * std::log(a / b));
  }
  std::sort(words.begin(), words.end(), [](const TopWord& a, const TopWord& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (words.size() > n) words.resize(n);
  return words;
}

}  // namespace dowser
