#include "engine/stop_advice.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

// A focused crawl finds most relevant pages early, and fewer and fewer later. How far the harvest
// has fallen indicates how many are left. There are four steps:
//
// 1. What is a page worth, 0 … 1? Judges use different scales: on a topic about birds one gives 0.9
//    to birds and 0.1 to fish, another 0.45 and 0.40. So relevance is rescaled by what this crawl
//    has seen: 0 at the median of all fetched pages, 1 at the fiftieth best (of a sample of a
//    thousand, in a larger crawl). With this, one set of constants serves both `learned` and the
//    cosine.
// 2. How much has the harvest fallen? t = (worth of the second half of the fetches + 1) / (worth of
//    all + 2): ½ if it has not fallen, 0.15 if nearly everything came in the first half.
// 3. How much is left after n fetches?
//
//      left + 1 = s · 67 · t^1.4 · (n / 500 s)^-0.57
//
//    The exponents describe how "left" depended on t and n on the webs below. s is the size of the
//    topic relative to theirs: 1 while the worth w of all is 200 or less, w / 100 from 400 on, (w /
//    200)² in between. So a crawl for a topic of ten times the size that is ten times as long gives
//    ten times the number. The result is rounded to whole pages; to none only below 0.2, since
//    "everything was found" is a stronger claim than "one is left".
// 4. How many will m more fetches find? left · m / (n + m): each doubling of a crawl halves what is
//    left. (Share of what was left that the next 250 fetches found at 250, 500, 750 fetches: .54,
//    .36, .22; by this rule .50, .33, .25.)
//
// Example: 500 fetches were worth 100 in all, and 24 of it came in the second half. t = 25 / 102;
// left = 67 · .245^1.4 - 1 = 8, and the next thousand fetches will find 6 of them.
//
// Where the constants come from: a fit of ln(left + 1) on crawls of schools: nine topics, ten draws
// each of random seeds 7 and 8 for learned and of 7 for best-first, at 250, 500 and 750 of 1,000
// fetches. With each topic left out of the fit in turn, left was right within a factor of 2 in .84
// of the cases for learned and in .86 for best-first; on the draws of seed 9, which were not used
// for the fit, in .93, .89 and .80 at the three points; and later, with a version of learned whose
// score is cheaper to compute, in .92, .84 and .81 on those of 7 and 8. Most errors occur where one
// or two pages are left. The fit also determines what a relevant page *is*: one that a person would
// have chosen as an example like the ten given ones, which is stricter than "relevance ≥
// threshold". The worth of all pages, times .55, is how many of those were found: right within a
// factor of 2 in .89 of the cases for learned.
//
// How far it can be trusted. On schools the error of the fit is within a factor of 2.5 in nine
// cases of ten. On two webs that were not used for the fit it is not, and the bounds, a tenth and
// fifteen times the estimate, were chosen by what those webs showed. They are wide because two
// things are invisible from inside a crawl: what a person would have accepted, and what is behind
// links that were not followed. If the harvest has not fallen (t near ½), a crawl may have seen
// only a corner of its topic; then the upper bound rises, to 540 times at t = 0.6. On webkb, whose
// topics are spread over many hosts, a crawl of 1,000 pages had reached a sixth of some topics
// without any sign that there was more, and the estimate is eight times too low. And the size of
// the topics of schools, some 50 to 110 targets, is built into the constant 67: for a topic of five
// pages the estimate is too high. docs/operating.md has the measured figures.
//
// So the crawl says nothing about what is left while links wait on more than one host. On twenty
// topics of 33 sites (bench/hard_topics) the truth was within a factor of 2 of the estimate in .18
// of the cases and within the bounds in .84, on webkb in .00 and .69 to .87; where the bounds
// seemed to tell something, they held in .67 and in .57 to .81.
//
// What was tried and not adopted: the waiting links, by the calibrated relevance of links with
// their score (this added nothing to t for learned, and half of what is left is often not even
// known yet); mixtures of two distributions of relevance, Otsu's threshold, contrasts of early and
// late pages (as measures of what was found, all were worse than the plain sum); fits that assume
// no typical size (rms error of ln left .85, against .50); pages that the judge accepts instead of
// worth, the last quarter or the last hundred fetches in addition to the last half, the worth
// itself, the median or the best relevance as terms of the fit (none better); 1 at the 95th
// percentile (late in a crawl that has found all there is, what is left over was taken for the
// topic: .82 instead of .85).
//
// A judge that learns changes its opinion of earlier pages, and early judges are generous: with t
// from the relevance at fetch the estimate was within a factor of 2 in .82 of the draws, with that
// of the newest judge in .88. So a sample of pages is judged again: the visits whose numbers have
// the lowest hashes. The sample depends only on the number of visits, so nothing is saved; a crawl
// that continues reads them again from its archive.
//
// Cost: 0.5 µs a visit, 50 µs to advise (which the engine does every 25 fetches); when the judge
// has learned, some fifteen times in a crawl, 1,000 pages are judged again. Memory: some 3 MB with
// a judge that learns, else 80 KB.

namespace dowser {
namespace {

constexpr size_t kSample = 1000;
constexpr size_t kBest = 50;  // the first so many are worth 1
constexpr double kUsualWorth = 100, kUsualFetches = 500;
constexpr double kScale = 67, kFallPower = 1.4, kFetchPower = -0.57;
constexpr double kFoundOfWorth = 0.55;
constexpr double kNoneLeft = 0.2;
// Of ln(left + 1).
constexpr double kLowError = 2.3, kHighError = 2.7;
constexpr double kSteadyFrom = 0.4, kSteadyTo = 0.6, kSteadyError = 18;
// Of the share of what is left that the next thousand bring.
constexpr double kLowShare = 0.8, kHighShare = 1.25;

double size_of_topic(double worth) {
  if (worth <= 2 * kUsualWorth) return 1;
  const double twice = worth / (2 * kUsualWorth);
  return std::min(twice * twice, worth / kUsualWorth);
}

// From a relevance to a worth.
class Stretch {
 public:
  explicit Stretch(std::vector<double> relevances) {
    std::sort(relevances.begin(), relevances.end());
    zero_ = relevances[relevances.size() / 2];
    one_ = relevances[relevances.size() - std::min(kBest, relevances.size())];
    // A judge that says yes or no, and seldom yes.
    if (one_ <= zero_) one_ = relevances.back();
  }

  double operator()(double relevance) const {
    if (one_ <= zero_) return relevance > 0 ? 1 : 0;  // all alike
    return std::clamp((relevance - zero_) / (one_ - zero_), 0.0, 1.0);
  }

 private:
  double zero_, one_;
};

}  // namespace

void StopAdvice::learn(const Visit& visit) {
  visits_ = visit.id.value + 1;
  fetched_ += visit.response.was_asked_for();
  add(visit);
  if (judge_.generation() != generation_) judge_again();
}

void StopAdvice::add(const Visit& visit) {
  SampledPage page;
  page.rank = Random(visit.id.value).next();
  if (sample_.size() >= kSample) {
    if (page.rank > sample_.front().rank) return;
    std::pop_heap(sample_.begin(), sample_.end());
    sample_.pop_back();
  }
  page.visit = visit.id.value;
  page.was_fetched = visit.response.was_asked_for();
  if (visit.is_new_page()) {
    page.relevance = visit.judgement.relevance.value;
    if (judge_.learns()) page.words = KeptTerms(visit.page);
  }
  sample_.push_back(std::move(page));
  std::push_heap(sample_.begin(), sample_.end());
}

void StopAdvice::judge_again() {
  generation_ = judge_.generation();
  for (SampledPage& page : sample_) {
    if (!page.words.terms.empty()) page.relevance = judge_.relevance(page.words).value;
  }
}

void StopAdvice::restore(uint32_t visits, size_t fetched, const ReadVisit& read_visit) {
  std::vector<std::pair<uint64_t, uint32_t>> ranked;
  for (uint32_t i = 0; i < visits; ++i) ranked.emplace_back(Random(i).next(), i);
  if (ranked.size() > kSample) {
    std::nth_element(ranked.begin(), ranked.begin() + kSample, ranked.end());
    ranked.resize(kSample);
  }
  // As they stand in the archive.
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [rank, id] : ranked) {
    if (const Result<Visit> visit = read_visit(VisitId{id})) add(*visit);
  }
  visits_ = visits;
  fetched_ = fetched;
  if (judge_.generation() != generation_) judge_again();
}

std::optional<Advice> StopAdvice::advise(size_t waiting, std::optional<size_t> found,
                                         size_t sites) const {
  if (fetched_ < kLeastFetches) return std::nullopt;
  // In order, so that the sums are the same whatever way the sample came about.
  std::vector<std::pair<uint32_t, double>> fetches;
  for (const SampledPage& page : sample_) {
    if (page.was_fetched) fetches.emplace_back(page.visit, page.relevance);
  }
  if (fetches.empty()) return std::nullopt;
  std::sort(fetches.begin(), fetches.end());
  std::vector<double> relevances;
  for (const auto& [visit, relevance] : fetches) relevances.push_back(relevance);
  const Stretch worth_of(std::move(relevances));
  const auto n = static_cast<double>(fetched_);
  const double stands_for = n / static_cast<double>(fetches.size());
  double worth = 0, late = 0;
  for (const auto& [visit, relevance] : fetches) {
    const double worth_of_page = stands_for * worth_of(relevance);
    worth += worth_of_page;
    if (visit >= visits_ / 2) late += worth_of_page;
  }
  Advice advice;
  advice.found = found ? static_cast<double>(*found) : kFoundOfWorth * worth;
  if (waiting == 0) return advice;
  advice.sites = static_cast<double>(sites);

  const double size = size_of_topic(worth);
  const double fall = (late + 1) / (worth + 2);
  const double left = size * kScale * std::pow(fall, kFallPower) *
                      std::pow(n / (kUsualFetches * size), kFetchPower);
  const double steady = std::clamp(fall, kSteadyFrom, kSteadyTo) - kSteadyFrom;
  const auto at = [&](double error) { return std::max(0.0, left * std::exp(error) - 1); };
  // What is left waits, or stands behind what waits: more is not claimed than was seen.
  const auto most = static_cast<double>(waiting);
  advice.high = std::min(most, std::ceil(at(kHighError + kSteadyError * steady)));
  advice.remaining =
      std::min(advice.high, at(0) < kNoneLeft ? 0 : std::max(1.0, std::round(at(0))));
  advice.low = std::min(advice.remaining, std::floor(at(-kLowError)));
  const double share = 1000 / (n + 1000);
  advice.next_thousand = std::min({1000.0, share * at(0), advice.remaining});
  advice.next_low = std::floor(std::min(1000.0, kLowShare * share * advice.low));
  advice.next_high = std::ceil(std::min({1000.0, kHighShare * share * advice.high, advice.high}));
  advice.next_high = std::max(advice.next_high, std::ceil(advice.next_thousand));
  return advice;
}

}  // namespace dowser
