#include <fmt/format.h>

#include <algorithm>

#include "strategy/has_agents.h"
#include "strategy/infospiders/spider_population.h"
#include "strategy/infospiders/topic_community.h"
#include "strategy/strategy.h"

// InfoSpiders: a population of agents that browse, learn, and multiply where there is something to
// find (Menczer and Belew 2000; Küçük 2009, sections 3.1.3.5 and 4.1, figure 4.1). Each agent has
// keywords, a small neural net, energy, and its own list of links. The agents take turns. In its
// turn an agent
//
// clang-format off
//   1. scores the links of its list and draws one of them at random:
//        in(k, l) = sum over occurrences of keyword k near link l of 1 / distance      (4-1)
//        lambda   = tanh(b + sum over k of w_k in(k, l))                               (4-2)
//        sigma    = alpha lambda + (1 - alpha) similarity of the page around l         (3.1.3.5)
//        Pr(l)    = e^(beta sigma) / sum of e^(beta sigma')                            (3-7, 4-3)
//   2. gains energy for the page and pays for it:
//        energy  += cost (estimate / mean estimate of all pages so far - 1)
//   3. trains its net by back-propagation on what following such a link was worth:
//        lambda  -> estimate + discount * the best lambda of the new page's links
//   4. at energy >= theta has an offspring, which gets half of the energy, every other link of the
//      list and of the page, a copy of the net with noise, and the page's most frequent term as an
//      additional keyword; at energy <= 0 it dies.
// clang-format on
//
// Estimate and similarity are the cosine between the agent's keywords and the page. Example with
// mean 0.1 and cost 0.2: a page of 0.3 gives 0.6 - 0.2 = 0.4; three of them in a row raise an agent
// from 1 to 2.2, and it splits into two agents of 1.1. A page without any keyword costs 0.2; five
// of them end an agent's life.
//
// Parameters. alpha = 0.5 (Küçük: between 0 and 1); rho = 5 (Küçük gives no number for the window);
// theta = 2, and theta / 2 at the start (Küçük, figure 4.1); agents = 10 (Küçük has 10 start pages;
// fewer start pages give fewer agents); mutation = 0.25 and hidden = 0, which Küçük leaves open.
// discount = 0.5: in Küçük the net predicts the new page only, which is discount = 0; Menczer and
// Belew add the discounted best of what comes after it, so that hubs are worth something.
// keywords = 20 terms of the examples; a topic of words has its words. cost: Küçük leaves the
// function open. It is measured in units of the mean so far, so that an average page pays for
// itself on any topic, and the population neither explodes nor dies out because of the scale. beta
// = 200: similarities differ by hundredths, and with 20 the draw is almost blind to them.
//
// Differences from Küçük. The steps of back-propagation are normalised by the length of the input,
// and the initial weights are small and positive (spider_agent.cc), because plain steps overshoot
// for inputs of 20. The crawl does not end at extinction: the best waiting links then found a new
// population, as the start pages did, and so does a page that belongs to no agent. An agent without
// links starves. If two agents find the same link, it belongs to the one that values it more, which
// is the frontier's merge rule. Lists hold 500 links; further links wait in the frontier. An
// offspring of many generations has at most ten keywords of its own.
//
// infospiders-db (Küçük, figure 4.2) also starts at the `most` = 50 best pages of earlier crawls,
// with an agent at each. All agents share one list of 1,000 links, which each of them scores with
// its own net. And it keeps a topic community: pages that a linear support vector machine assigns
// to the topic (topic_community.h). Küçük keeps that list without saying what for; here a link of a
// page in the community gets a `bonus` of 0.1 on its estimate, about as much as a page on the topic
// has. A link carries the inputs for the keywords of the agent that found it; the inputs of
// keywords that only another agent has are 0.
//
// docs/experiments.md has what it finds compared with other strategies.
//
// Cost: one pass over the terms of a page, and scoring a list for each choice: 0.1 ms for 500 links
// and 0.3 ms for the shared 1,000. 8 bytes for each visited page and about 200 for each link in a
// list. The tests are in tests/strategy/infospiders/.

namespace dowser {
namespace {

constexpr int64_t kMostEarlier = 50;
constexpr double kDefaultBonus = 0.1;

class InfoSpiders final : public Strategy,
                          public ExplainsScores,
                          public SavesState,
                          public BringsSeeds,
                          public HasAgents {
 public:
  InfoSpiders(const Spec& spec, const SpiderOptions& options, const StrategyContext& context)
      : spec_(spec),
        population_(options, SpiderPopulation::Lists::kOwn, context.topic, context.random_seed) {}

  // For infospiders-db only.
  InfoSpiders(const Spec& spec, const SpiderOptions& options, const StrategyContext& context,
              std::span<const EarlierFind> earlier, double bonus)
      : spec_(spec),
        population_(options, SpiderPopulation::Lists::kShared, context.topic, context.random_seed),
        community_(std::in_place, context.topic, context.random_seed),
        earlier_(earlier),
        community_bonus_(bonus) {}

  void learn(const Visit& visit) override {
    population_.learn(visit);
    bonus_ = community_ && community_->admit(visit) ? community_bonus_ : 0;
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    estimate_ = population_.offer(visit, link, bonus_);
    return Score(estimate_.total);
  }

  std::vector<Candidate> select(FrontierView& frontier) override {
    if (std::optional<Candidate> chosen = population_.choose(frontier)) return {std::move(*chosen)};
    return {};
  }

  // The pages that earlier crawls found.
  std::vector<Url> seeds() const override {
    std::vector<Url> seeds;
    for (const EarlierFind& find : earlier_) seeds.push_back(find.url);
    return seeds;
  }

  size_t agents() const override { return population_.living(); }

  std::vector<ScorePart> explain(const Visit&, const Link&) const override {
    const SpiderAgent* agent = population_.current();
    const auto fact = [](std::string_view name, size_t value) {
      return ScorePart{name, static_cast<double>(value), ScorePart::kFact};
    };
    std::vector<ScorePart> parts = {{"net", estimate_.net}, {"page", estimate_.page}};
    if (community_) parts.push_back({"bonus", bonus_});
    parts.push_back(fact("agent", agent->id()));
    parts.push_back({"energy", agent->energy(), ScorePart::kFact});
    parts.push_back(fact("population", population_.living()));
    parts.push_back(fact("births", population_.births()));
    parts.push_back(fact("deaths", population_.deaths()));
    parts.push_back(fact("founded", population_.founded()));
    if (community_) parts.push_back(fact("community", community_->size()));
    return parts;
  }

  void save(ByteWriter& out) const override {
    population_.save(out);
    if (community_) community_->save(out);
  }
  Status load(ByteReader& in) override {
    if (Status s = population_.load(in); !s) return s;
    return community_ ? community_->load(in) : Status{};
  }
  Spec spec() const override { return spec_; }

 private:
  const Spec spec_;
  SpiderPopulation population_;
  std::optional<TopicCommunity> community_;
  std::span<const EarlierFind> earlier_;
  const double community_bonus_ = 0;

  // These belong to the visit that was learned last and its link that was scored last.
  double bonus_ = 0;
  SpiderPopulation::Estimate estimate_;
};

Result<std::unique_ptr<Strategy>> make(const Spec& spec, const StrategyContext& context,
                                       bool has_database) {
  Parameters p(spec);
  Spec full{spec.name, {}};
  std::optional<Error> wrong;
  const auto number = [&](const char* name, double otherwise, double least, double most) {
    const double value = p.number(name, otherwise);
    if (!(value >= least && value <= most) && !wrong) {
      wrong = Error{fmt::format("{} of {} must be from {} to {}", name, spec.name, least, most)};
    }
    full.parameters[name] = fmt::format("{}", value);
    return value;
  };
  SpiderOptions o;
  o.alpha = number("alpha", o.alpha, 0, 1);
  o.beta = number("beta", o.beta, 0, 1e6);
  o.rho = static_cast<uint32_t>(number("rho", o.rho, 1, 1000));
  o.theta = number("theta", o.theta, 1e-6, 1e6);
  o.cost = number("cost", o.cost, 0, 1e6);
  o.discount = number("discount", o.discount, 0, 1);
  o.rate = number("rate", o.rate, 0, 1);
  o.mutation = number("mutation", o.mutation, 0, 1);
  o.hidden = static_cast<uint32_t>(number("hidden", o.hidden, 0, 100));
  o.agents = static_cast<uint32_t>(number("agents", o.agents, 1, 10000));
  o.keywords = static_cast<uint32_t>(number("keywords", o.keywords, 1, 1000));
  const auto most = static_cast<size_t>(has_database ? number("most", kMostEarlier, 0, 10000) : 0);
  const double bonus = has_database ? number("bonus", kDefaultBonus, 0, 1000) : 0;
  if (auto bad = p.finish()) return *bad;
  if (wrong) return *wrong;
  if (!has_database) {
    return std::unique_ptr<Strategy>(std::make_unique<InfoSpiders>(full, o, context));
  }
  const auto earlier = context.earlier.first(std::min(most, context.earlier.size()));
  o.more_agents = static_cast<uint32_t>(earlier.size());
  return std::unique_ptr<Strategy>(std::make_unique<InfoSpiders>(full, o, context, earlier, bonus));
}

}  // namespace

Result<std::unique_ptr<Strategy>> make_infospiders(const Spec& spec,
                                                   const StrategyContext& context) {
  return make(spec, context, false);
}

Result<std::unique_ptr<Strategy>> make_infospiders_db(const Spec& spec,
                                                      const StrategyContext& context) {
  return make(spec, context, true);
}

}  // namespace dowser
