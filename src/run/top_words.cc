#include "run/top_words.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <map>
#include <set>
#include <string>

#include "parse/parse_page.h"
#include "run/archived_pages.h"
#include "store/catalogue_reader.h"
#include "text/analyzer.h"

// The strength of a word is its share in distinguishing the two kinds of pages:
//
//   a ln(a / b)     a, b: the parts of the relevant and of the other pages that have the word
//
// which is its term in the Kullback-Leibler divergence: words must be frequent among relevant pages
// *and* rarer elsewhere. Both parts are smoothed by half a page. Stems are hard to read, so words
// are counted as they appear on the pages, without stop words.

namespace dowser {
namespace {

constexpr size_t kSample = 100;  // pages of each kind

class WordReader {
 public:
  explicit WordReader(std::filesystem::path folder) : pages_(std::move(folder)) {
    AnalyzerOptions options;
    options.stemming = Stemming::kNone;
    options.tokens.min_length = 3;
    analyzer_ = Analyzer(options);
  }

  Result<std::set<std::string>> words(const CataloguePage& row) {
    const auto answer = pages_.answer(row.archive_file, row.archive_offset);
    if (!answer) return answer.error();
    const Page page = answer->page();
    std::set<std::string> words;
    analyzer_.for_each_term(page.text, page.language.empty() ? "en" : page.language,
                            [&](std::string_view word) { words.emplace(word); });
    return words;
  }

 private:
  ArchivedPages pages_;
  Analyzer analyzer_;
};

// Of a sample of pages.
struct WordCounts {
  std::map<std::string, double> pages_with;
  double pages = 0;
};

WordCounts count_words(const std::filesystem::path& archive_folder,
                       const std::vector<CataloguePage>& sample) {
  WordReader pages(archive_folder);
  WordCounts counts;
  for (const CataloguePage& row : sample) {
    const auto words = pages.words(row);
    if (!words) continue;  // a damaged record costs one page of a sample, not the report
    for (const std::string& word : *words) ++counts.pages_with[word];
    ++counts.pages;
  }
  return counts;
}

}  // namespace

Result<std::vector<TopWord>> top_words(const std::filesystem::path& catalogue,
                                       const std::filesystem::path& archive_folder, size_t n) {
  Result<CatalogueReader> reader = CatalogueReader::open(catalogue);
  if (!reader) return reader.error();
  const auto best = reader->best_pages(kSample), others = reader->sample_of_others(kSample);
  if (!best) return best.error();
  if (!others) return others.error();
  // A crawl has ended when this is done, so both samples are read at the same time.
  auto reading =
      std::async(std::launch::async, [&] { return count_words(archive_folder, *others); });
  const WordCounts relevant = count_words(archive_folder, *best);
  WordCounts other = reading.get();
  std::vector<TopWord> words;
  if (relevant.pages < 3) return words;
  for (const auto& [word, pages] : relevant.pages_with) {
    if (pages < 2) continue;
    const double a = (pages + 0.5) / (relevant.pages + 1);
    const double b = (other.pages_with[word] + 0.5) / (other.pages + 1);
    if (a > b) words.emplace_back(word, a * std::log(a / b));
  }
  std::sort(words.begin(), words.end(), [](const TopWord& a, const TopWord& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (words.size() > n) words.resize(n);
  return words;
}

}  // namespace dowser
