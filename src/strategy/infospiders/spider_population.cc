#include "strategy/infospiders/spider_population.h"

#include <algorithm>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr size_t kMostLinks = 500;         // in the list of an agent
constexpr size_t kMostSharedLinks = 1000;  // in the shared list

enum Purpose : uint64_t { kFounding, kBirth, kChoice };

// The index whose share of the interval 0 … 1 contains the point.
size_t drawn(std::span<const double> probabilities, double point) {
  for (size_t i = 0; i + 1 < probabilities.size(); ++i) {
    if ((point -= probabilities[i]) < 0) return i;
  }
  return probabilities.size() - 1;
}

}  // namespace

SpiderPopulation::SpiderPopulation(const SpiderOptions& options, Lists lists, const Topic& topic,
                                   uint64_t random_seed)
    : options_(options),
      lists_(lists),
      random_seed_(random_seed),
      keywords_(topic, options.keywords) {}

SpiderAgent* SpiderPopulation::find(uint32_t id) {
  const auto at = std::lower_bound(agents_.begin(), agents_.end(), id,
                                   [](const SpiderAgent& a, uint32_t i) { return a.id() < i; });
  return at != agents_.end() && at->id() == id ? &*at : nullptr;
}

SpiderLinks::List& SpiderPopulation::list_of(SpiderAgent& agent) {
  return lists_ == Lists::kOwn ? agent.links : shared_;
}

size_t SpiderPopulation::living() const {
  return static_cast<size_t>(std::count_if(agents_.begin(), agents_.end(),
                                           [](const SpiderAgent& a) { return !a.is_dead(); }));
}

Random SpiderPopulation::random(uint64_t purpose, uint32_t agent) const {
  ByteWriter key;
  key.number(visits_);
  key.number(purpose);
  key.number(agent);
  key.number(purpose == kChoice ? choices_ : 0);
  return Random(hash64(key.bytes(), random_seed_));
}

void SpiderPopulation::learn(const Visit& visit) {
  bury();
  ++visits_;
  choices_ = 0;
  newborn_ = kNobody;
  const std::optional<SpiderLink> followed = forget_visited(visit);
  const SpiderLink* link = followed ? &*followed : nullptr;
  uint32_t id = agent_of(visit, link);
  const bool is_founded = id == kNobody;
  if (is_founded) {
    id = next_id_++;
    ++founded_;
    if (to_refound_ > 0) --to_refound_;
    if (!visit.candidate.trail.parent) ++at_seeds_;
    Random r = random(kFounding, id);
    agents_.emplace_back(id, keywords_, options_, r);
  }
  last_ = id;
  SpiderAgent& agent = *find(id);
  page_ = agent.similarity(visit.page, keywords_);
  estimates_ += page_;
  inputs_ = keyword_inputs(visit.page, options_.rho, [&](TermId term) {
    const uint32_t k = keywords_.number_of(term);
    return k != kNoKeyword && agent.has_keyword(k) ? k : kNoKeyword;
  });
  // An agent is founded at a start page: the page costs nothing and gives nothing.
  if (!is_founded) live(agent, visit, link, page_);
}

// An agent that died at its last page was still needed to score the links of that page. An agent
// without links can never fetch again.
void SpiderPopulation::bury() {
  std::erase_if(agents_, [&](const SpiderAgent& agent) {
    const bool starved = lists_ == Lists::kOwn && agent.links.empty();
    if (!agent.is_dead() && !starved) return false;
    for (const uint64_t link : agent.links) links_.erase(link);
    ++deaths_;
    return true;
  });
  if (agents_.empty() && visits_ > 0 && to_refound_ == 0) to_refound_ = options_.agents;
}

std::optional<SpiderLink> SpiderPopulation::forget_visited(const Visit& visit) {
  const auto forget = [&](const Url& url) {
    const uint64_t fingerprint = seen_fingerprint(url);
    std::optional<SpiderLink> link = links_.visit(fingerprint);
    if (link) {
      if (lists_ == Lists::kShared) std::erase(shared_, fingerprint);
      if (SpiderAgent* owner = find(link->owner)) std::erase(owner->links, fingerprint);
    }
    return link;
  };
  std::optional<SpiderLink> followed = forget(visit.candidate.url);
  for (const Response& redirect : visit.redirects) forget(redirect.url);
  if (!visit.redirects.empty()) forget(visit.response.url);
  return followed;
}

uint32_t SpiderPopulation::agent_of(const Visit& visit, const SpiderLink* followed) const {
  const bool is_seed = !visit.candidate.trail.parent;
  if (agents_.empty() || to_refound_ > 0) return kNobody;
  if (is_seed) {
    const uint32_t most = options_.agents + options_.more_agents;
    return at_seeds_ < most ? kNobody : next_in_turn(last_);
  }
  if (lists_ == Lists::kOwn) return followed && find(followed->owner) ? followed->owner : kNobody;
  // Shared lists: which agent fetches what is stored in the mark of the candidate.
  const uint32_t sent = visit.candidate.mark;
  return sent != kNobody && find(sent) ? sent : next_in_turn(last_);
}

uint32_t SpiderPopulation::next_in_turn(uint32_t after) const {
  const auto next = std::find_if(agents_.begin(), agents_.end(), [&](const SpiderAgent& a) {
    return a.id() > after && !a.is_dead();
  });
  if (next != agents_.end()) return next->id();
  const auto first = std::find_if(agents_.begin(), agents_.end(),
                                  [](const SpiderAgent& a) { return !a.is_dead(); });
  return first == agents_.end() ? kNobody : first->id();
}

void SpiderPopulation::live(SpiderAgent& agent, const Visit& visit, const SpiderLink* followed,
                            double estimate) {
  const double mean = estimates_ / static_cast<double>(visits_);
  if (mean > 0) agent.feed(options_.cost * (estimate / mean - 1));
  if (followed) {
    double best = 0;
    for (const auto& inputs : inputs_) best = std::max(best, agent.value(inputs));
    const double target = std::min(1.0, estimate + options_.discount * best);
    agent.learn(followed->inputs, target, options_.rate);
  }
  if (agent.energy() >= options_.theta) give_birth(agent, visit.page);
}

void SpiderPopulation::give_birth(SpiderAgent& parent, const Page& page) {
  newborn_ = next_id_++;
  ++births_;
  Random r = random(kBirth, newborn_);
  SpiderAgent offspring = parent.reproduce(newborn_, page, keywords_, options_, r);
  SpiderLinks::List kept;
  for (size_t i = 0; i < parent.links.size(); ++i) {  // every other link
    if (i % 2 == 0) {
      kept.push_back(parent.links[i]);
    } else {
      offspring.links.push_back(parent.links[i]);
      links_.give(parent.links[i], newborn_);
    }
  }
  parent.links = std::move(kept);
  agents_.push_back(std::move(offspring));
}

SpiderPopulation::Estimate SpiderPopulation::offer(const Visit& visit, const Link& link,
                                                   double bonus) {
  SpiderAgent& agent = *find(last_);
  const std::vector<KeywordInput>& inputs = inputs_[link.position];
  const double net = agent.value(inputs);
  const Estimate e{options_.alpha * net, (1 - options_.alpha) * page_,
                   link_estimate(options_.alpha, net, page_) + bonus};
  // Links of a near duplicate wait behind all others; a dead agent chooses nothing.
  if (visit.near_duplicate_of) return e;
  if (lists_ == Lists::kOwn && agent.is_dead()) return e;
  const uint64_t fingerprint = seen_fingerprint(link);
  if (links_.is_visited(fingerprint)) return e;
  const SpiderLink* known = links_.find(fingerprint);
  if (known && known->score >= e.total) return e;

  // An offspring begins where its parent is: it gets every other link of the page.
  SpiderAgent& owner = newborn_ != kNobody && link.position % 2 == 1 ? *find(newborn_) : agent;
  const bool is_shared = lists_ == Lists::kShared;
  const bool is_listed = known && (is_shared || known->owner == owner.id());
  if (known && !is_listed) {
    if (SpiderAgent* other = find(known->owner)) std::erase(other->links, fingerprint);
  }
  links_.put(fingerprint, {link.url, page_, bonus, e.total, owner.id(), inputs});
  if (is_listed) return e;
  SpiderLinks::List& list = list_of(owner);
  list.push_back(fingerprint);
  links_.trim(list, is_shared ? kMostSharedLinks : kMostLinks);
  return e;
}

std::optional<Candidate> SpiderPopulation::choose(FrontierView& frontier) {
  // Start pages go first.
  if (living() == 0 || to_refound_ > 0 || frontier.best_score() == Score::seed()) {
    return frontier.take();
  }
  ++choices_;
  uint32_t turn = last_;
  for (uint64_t i = (choices_ - 1) % living(); i > 0; --i) turn = next_in_turn(turn);
  for (size_t tries = living(); tries > 0; --tries) {
    turn = next_in_turn(turn);
    if (std::optional<Candidate> chosen = choose(*find(turn), frontier)) return chosen;
    if (lists_ == Lists::kShared) break;
  }
  return frontier.take();
}

std::optional<Candidate> SpiderPopulation::choose(SpiderAgent& agent, FrontierView& frontier) {
  const SpiderLinks::List& list = list_of(agent);
  std::vector<double> estimates;
  estimates.reserve(list.size());
  for (const uint64_t fingerprint : list) {
    const SpiderLink& link = links_.at(fingerprint);
    estimates.push_back(link_estimate(options_.alpha, agent.value(link.inputs), link.page) +
                        link.bonus);
  }
  SpiderLinks::List open = list;  // without those that turn out to be no longer waiting
  Random r = random(kChoice, agent.id());
  while (!open.empty()) {
    const size_t i = drawn(choice_probabilities(estimates, options_.beta), r.uniform());
    if (std::optional<Candidate> taken = frontier.take(links_.at(open[i]).url)) {
      if (lists_ == Lists::kShared) taken->mark = agent.id();
      return taken;
    }
    open.erase(open.begin() + static_cast<ptrdiff_t>(i));
    estimates.erase(estimates.begin() + static_cast<ptrdiff_t>(i));
  }
  return std::nullopt;
}

void SpiderPopulation::save(ByteWriter& out) const {
  out.number(visits_);
  out.number(estimates_);
  for (const uint32_t n : {last_, next_id_, at_seeds_, to_refound_}) out.number(n);
  for (const uint64_t n : {births_, deaths_, founded_}) out.number(n);
  keywords_.save(out);
  links_.save(out);
  links_.save_list(shared_, out);
  out.number(static_cast<uint32_t>(agents_.size()));
  for (const SpiderAgent& agent : agents_) {
    agent.save(out);
    links_.save_list(agent.links, out);
  }
}

Status SpiderPopulation::load(ByteReader& in) {
  visits_ = in.number<uint64_t>();
  estimates_ = in.number<double>();
  for (uint32_t* n : {&last_, &next_id_, &at_seeds_, &to_refound_}) *n = in.number<uint32_t>();
  for (uint64_t* n : {&births_, &deaths_, &founded_}) *n = in.number<uint64_t>();
  keywords_.load(in);
  links_.load(in);
  Result<SpiderLinks::List> shared = links_.load_list(in);
  if (!shared) return shared.error();
  shared_ = std::move(*shared);
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    Result<SpiderAgent> agent = SpiderAgent::load(in, keywords_);
    if (!agent) return agent.error();
    Result<SpiderLinks::List> list = links_.load_list(in);
    if (!list) return list.error();
    agent->links = std::move(*list);
    agents_.push_back(std::move(*agent));
  }
  if (!in.ok()) return Error{"the saved agents of infospiders are cut short"};
  return {};
}

}  // namespace dowser
