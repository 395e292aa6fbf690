#include <fmt/format.h>
#include <fmt/ranges.h>

#include "strategy/strategy.h"
#include "text/tokens.h"
#include "text/topic_vector.h"

// URL combined (Uluhan 2006, fig. 8): a link is scored by the page it is on, by its words and
// by its address.
//
//   cp(link) = 0.5 · sim(q, page) + 0.25 · sim(q, anchor) + 0.25 · sim(q, url)
//
// sim(q, page) is the relevance of the page by the crawl's judge; the other two are cosines to the
// topic's words and examples. The address is split into words as text/tokens.h describes, and the
// words are then analysed as all words are, in the language of the page.
//
// Example for the topic "gold": a page of relevance 0.4 has a link "the mines" to
// http://a.org/gold/mine.html, whose address gives "gold" and "mine": 0.5 · 0.4 + 0.25 · 0
// + 0.25 · 0.71 = 0.38. Its links without such words have 0.2.
//
// The weights are Uluhan's. Difference from the paper: fig. 8 replaces the score of a link that is
// found again by the newest; here the frontier keeps the best.
//
// Cost: the words of each link and of its address are analysed: 2 µs for a link on the schools web.
// It keeps no state.

namespace dowser {
namespace {

struct Weights {
  double page = 0.5;
  double anchor = 0.25;
  double url = 0.25;
};

class UrlCombined final : public Strategy, public ExplainsScores, public HasNoState {
 public:
  UrlCombined(const Weights& weights, const Topic& topic) : weights_(weights) {
    if (!topic.words.empty()) topic_.add_words(topic.words);
    for (const Page& page : topic.examples) topic_.add_example(page.terms);
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    const Page& page = visit.page;
    anchor_ = topic_.similarity(page.anchor(link), page.language);
    url_ = topic_.similarity(fmt::format("{}", fmt::join(url_tokens(link.url.href()), " ")),
                             page.language);
    return Score(weights_.page * visit.judgement.relevance.value + weights_.anchor * anchor_ +
                 weights_.url * url_);
  }

  std::vector<ScorePart> explain(const Visit& visit, const Link&) const override {
    return {{"page", weights_.page * visit.judgement.relevance.value},
            {"anchor", weights_.anchor * anchor_},
            {"url", weights_.url * url_}};
  }

  Spec spec() const override {
    return {"url-combined",
            {{"page", fmt::format("{}", weights_.page)},
             {"anchor", fmt::format("{}", weights_.anchor)},
             {"url", fmt::format("{}", weights_.url)}}};
  }

 private:
  const Weights weights_;
  TopicVector topic_;
  double anchor_ = 0, url_ = 0;  // of the link that was scored last
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_url_combined(const Spec& spec,
                                                    const StrategyContext& context) {
  Parameters p(spec);
  Weights w;
  w.page = p.number("page", w.page);
  w.anchor = p.number("anchor", w.anchor);
  w.url = p.number("url", w.url);
  if (auto bad = p.finish()) return *bad;
  if (w.page < 0 || w.anchor < 0 || w.url < 0) {
    return Error{"the weights of url-combined must not be less than 0"};
  }
  return std::unique_ptr<Strategy>(std::make_unique<UrlCombined>(w, context.topic));
}

}  // namespace dowser
