#include "engine/crawl_hints.h"

#include <fmt/format.h>

#include <algorithm>

namespace dowser {
namespace {

constexpr size_t kFewestPages = 20;  // before that nothing is said
constexpr size_t kFewestForAlarm = 200;

}  // namespace

CrawlHints::CrawlHints(const Topic& topic) : best_pages_(TopicWords(topic.words)) {}

void CrawlHints::learn(const Visit& visit) {
  fetched_ += visit.response.was_asked_for();
  best_ = std::max(best_, visit.judgement.relevance.value);
  note_words(visit);
}

void CrawlHints::note_words(const Visit& visit) {
  if (!visit.response.ok() || visit.page.terms.empty() || best_pages_.coverage().words().empty())
    return;
  const WordSet words = best_pages_.coverage().words().in(visit.page.terms);
  seen_ |= words;
  if (!visit.is_new_page()) return;
  best_pages_.add_page(visit.judgement.relevance.value, words);
}

std::string CrawlHints::alarm() {
  if (has_alarmed_ || !knows_words_ || fetched_ < kFewestForAlarm) return "";
  const TopicCoverage::Finds finds = best_pages_.finds();
  if (!finds.is_suspicious()) return "";
  has_alarmed_ = true;
  return fmt::format(
      "after {} fetches hardly any of the best pages has {}: the crawl may be following another "
      "subject; it continues, but other seeds, other words or an example page may find more",
      fetched_, best_pages_.coverage().names(finds.lacking));
}

std::vector<std::string> CrawlHints::hints(const CrawlCounters& counters) const {
  std::vector<std::string> hints;
  if (counters.fetched < kFewestPages) return hints;
  std::vector<size_t> missing;
  for (size_t i = 0; knows_words_ && i < best_pages_.coverage().words().size(); ++i) {
    if (!(seen_ >> i & 1)) missing.push_back(i);
  }
  if (!missing.empty()) {
    hints.push_back(fmt::format(
        "No page so far contains the word{} {}: check the spelling, or try other words.",
        missing.size() == 1 ? "" : "s", best_pages_.coverage().names(missing)));
  }
  if (counters.relevant == 0) {
    hints.push_back(
        fmt::format("None of the {} pages fetched seemed relevant then (the best had {:.3f}): try "
                    "seeds nearer to the "
                    "topic, other words, an example page (--example), or a lower --threshold.",
                    counters.fetched, best_));
    return hints;
  }
  return hints;
}

}  // namespace dowser
