#include "eval/match.h"

#include <algorithm>
#include <map>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "base/hash.h"
#include "eval/crawl_verdicts.h"
#include "eval/measures.h"
#include "eval/oracle.h"
#include "eval/perfect_judge.h"
#include "eval/session_model.h"
#include "graph/back_link_layers.h"
#include "judge/trained/final_judge.h"
#include "model/url_rules.h"
#include "parse/weighed_terms.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

constexpr size_t kSimilarityWindow = 100;
// The earlier crawl for strategies that use one (Küçük 2009, figure 4.2): its length and strategy.
constexpr size_t kEarlierBudget = 250;
constexpr std::string_view kEarlierStrategy = "best-first";

class Match {
 public:
  Match(const MatchSetting& setting, const std::string& topic, const Draw& draw)
      : setting_(setting), web_(setting.web), draw_(draw), topic_(topic) {}

  Result<std::vector<Trial>> play(bool extra) {
    if (Status s = learn_sessions_of_draw(); !s) return s.error();
    if (Status s = find_earlier(); !s) return s.error();
    for (const Contestant& contestant : setting_.contestants) {
      Result<Course> course = run(contestant, draw_.seeds, plain());
      if (!course) return course.error();
      courses_.push_back(std::move(*course));
    }
    std::vector<Trial> results = measure();
    if (!extra) return results;
    for (size_t i = 0; i < results.size(); ++i) {
      if (Status s = measure_extra(i, results[i]); !s) return s.error();
    }
    return results;
  }

 private:
  Status learn_sessions_of_draw() {
    if (draw_.session_pages.empty()) return {};
    Result<HmmFile> model = session_model(web_, draw_, setting_.options.hmm);
    if (!model) return model.error();
    hmm_ = std::move(*model);
    return {};
  }

  CourseOptions plain() const {
    CourseOptions options;
    options.budget = setting_.options.budget;
    options.drop_missing = setting_.options.drop_missing;
    return options;
  }

  CourseOptions polite() const {
    CourseOptions options = plain();
    options.delay = setting_.options.delay;
    options.latency = setting_.options.latency;
    options.connections = setting_.options.connections;
    return options;
  }

  // The best pages of an earlier crawl from other seeds.
  Status find_earlier() {
    if (draw_.other_seeds.empty()) return {};
    const Contestant contestant{"", std::string(kEarlierStrategy), "cosine"};
    CourseOptions options = plain();
    options.budget = std::min(options.budget, kEarlierBudget);
    Result<Course> course = run(contestant, draw_.other_seeds, options);
    if (!course) return course.error();
    HeldJudgements& judgements = *held_["cosine"].judgements;
    for (const Node node : course->pages) {
      if (node == HeldWeb::kNone) continue;
      const HeldWeb::Answer& answer = web_.answer(node);
      earlier_.push_back({answer.url, judgements.of(answer).relevance.value});
    }
    std::stable_sort(earlier_.begin(), earlier_.end(),
                     [](const auto& a, const auto& b) { return a.relevance > b.relevance; });
    return {};
  }

  Result<std::unique_ptr<Strategy>> strategy_of(const Contestant& contestant,
                                                std::span<const Node> seeds,
                                                const JudgeView& judge) {
    if (contestant.strategy == kOracle) return make_oracle(web_, draw_.is_target);
    StrategyContext context{draw_.topic, seed_of(contestant, seeds)};
    if (!draw_.topic.examples.empty()) {
      context.layers_around_examples = [this](size_t layers, size_t most, bool ascends) {
        return layers_around_examples(layers, most, ascends);
      };
      context.pages_far_from_examples = [this](size_t links, size_t most) {
        return pages_far_from_examples(links, most);
      };
    }
    context.earlier = earlier_;
    context.judge = &judge;
    context.hmm = hmm_ ? &*hmm_ : nullptr;
    context.profile = profile();
    const Result<Spec> spec = Spec::parse(contestant.strategy);
    if (!spec) return spec.error();
    for (const StrategyPlugin& own : setting_.options.own) {
      if (own.name == spec->name) return own.make(*spec, context);
    }
    return make_strategy(contestant.strategy, context);
  }

  // Other start pages and other random numbers.
  uint64_t seed_of(const Contestant& contestant, std::span<const Node> seeds) const {
    return hash64(topic_ + contestant.name, setting_.options.random_seed << 32 | seeds.front());
  }

  // The archive's own back-links, for which a real crawler would ask a search engine; of a layer
  // that has more pages, `most` are drawn.
  PageLayers layers_around_examples(size_t layers, size_t most, bool ascends) const {
    const auto nodes = back_link_layers(web_.links(), targets_of_layers(ascends), layers, most,
                                        [&](Node node) { return key_of(node); });
    PageLayers pages(layers);
    for (size_t i = 0; i < layers; ++i) {
      for (const Node node : nodes[i]) pages[i].push_back(&web_.page(node));
    }
    return pages;
  }

  const Profile* profile() const {
    return setting_.options.profile ? &*setting_.options.profile : nullptr;
  }

  uint64_t key_of(Node node) const { return hash64(web_.answer(node).url.href()); }

  // The examples, and the directories above those with few back-links.
  std::vector<Node> targets_of_layers(bool ascends) const {
    std::vector<Node> targets = draw_.examples;
    for (size_t i = 0; ascends && i < draw_.examples.size(); ++i) {
      size_t known = web_.links().in().of(draw_.examples[i]).size();
      for (const Url& directory : directories_above(web_.answer(draw_.examples[i]).url)) {
        if (known >= kFewBackLinks) break;
        const Node node = web_.node_of(directory);
        if (node == HeldWeb::kNone) continue;
        targets.push_back(node);
        known += web_.links().in().of(node).size();
      }
    }
    return targets;
  }

  std::vector<const Page*> pages_far_from_examples(size_t links, size_t most) const {
    const std::vector<Node> targets = targets_of_layers(true);
    std::vector<char> is_near(web_.nodes());
    for (const Node node : targets) is_near[node] = true;
    for (const auto& layer : back_link_layers(web_.links(), targets, links, web_.nodes(),
                                              [](Node node) { return node; })) {
      for (const Node node : layer) is_near[node] = true;
    }
    std::vector<std::pair<uint64_t, Node>> far;
    for (Node node = 0; node < web_.nodes(); ++node) {
      if (!is_near[node]) far.emplace_back(key_of(node), node);
    }
    std::sort(far.begin(), far.end());
    if (far.size() > most) far.resize(most);
    std::vector<const Page*> pages;
    for (const auto& [key, node] : far) pages.push_back(&web_.page(node));
    return pages;
  }

  // A judge that never changes judges each page once for all contestants of the match.
  struct Held {
    std::unique_ptr<JudgeInUse> judge;
    std::unique_ptr<HeldJudgements> judgements;
  };

  Result<std::unique_ptr<Judge>> judge_of(const Contestant& contestant) const {
    if (contestant.judge != kPerfect) {
      Topic topic = draw_.topic;
      const FieldWeights fields = fields_for(contestant);
      if (fields != FieldWeights()) {
        for (Page& page : topic.examples) page.terms = weighed_terms(page, fields);
      }
      return make_judge(contestant.judge, {topic, {}, {}, hmm_ ? &*hmm_ : nullptr, profile()});
    }
    std::vector<const Page*> pages;
    for (Node node = 0; node < web_.nodes(); ++node) {
      if (draw_.is_target[node]) pages.push_back(&web_.page(node));
    }
    for (const Node node : draw_.examples) pages.push_back(&web_.page(node));
    return make_perfect_judge(draw_.topic, pages);
  }

  static FieldWeights fields_for(const Contestant& contestant) {
    if (contestant.judge == kPerfect) return {};
    const Result<FieldWeights> fields = fields_of(contestant.judge);
    return fields ? *fields : FieldWeights();
  }

  Result<Course> run(const Contestant& contestant, std::span<const Node> seeds,
                     CourseOptions options) {
    options.fields = fields_for(contestant);
    options.templates = contestant.judge != kPerfect;  // it knows pages by all of their terms
    Held& held = held_[contestant.judge];
    if (!held.judge) {
      auto judge = judge_of(contestant);
      if (!judge) return judge.error();
      const bool learns = trainer_of(**judge) != nullptr || options.fields != FieldWeights();
      auto in_use = std::make_unique<JudgeInUse>(std::move(*judge));
      if (learns) return run(contestant, seeds, options, *in_use, nullptr);
      held.judge = std::move(in_use);
      held.judgements = std::make_unique<HeldJudgements>(web_, *held.judge);
    }
    return run(contestant, seeds, options, *held.judge, held.judgements.get());
  }

  Result<Course> run(const Contestant& contestant, std::span<const Node> seeds,
                     const CourseOptions& options, JudgeInUse& judge, HeldJudgements* judgements) {
    auto strategy = strategy_of(contestant, seeds, judge);
    if (!strategy) return strategy.error();
    return run_course(web_, seeds, **strategy, judge, judgements, options);
  }

  std::vector<Trial> measure() {
    const std::vector<double> has_keyword = predicate(web_, topic_);
    const std::vector<double> has_phrase = phrase(web_, topic_);
    const std::vector<double> similar = similarities(web_, draw_.examples);
    const std::vector<double> similar_seeds = similarities(web_, draw_.seeds);
    std::vector<Node> held_out;
    for (Node node = 0; node < web_.nodes(); ++node) {
      if (draw_.is_target[node]) held_out.push_back(node);
    }
    const std::vector<double> similar_held_out = similarities(web_, held_out);
    const std::vector<double> ranks = retrieval_ranks(web_, pool(), draw_.examples);
    const double oracle = area_of(courses_.back(), draw_, setting_.options.budget);
    const double floor = area_of(courses_[floor_index()], draw_, setting_.options.budget);
    const absl::flat_hash_set<std::string> target_sites = sites_with_targets();
    std::vector<Trial> results;
    for (const Course& course : courses_) {
      Trial& result = results.emplace_back();
      result.pages = course.pages;
      result.found = found_curve(course, draw_, setting_.points);
      result.fetched = course.pages.size();
      result.area = area_of(course, draw_, setting_.options.budget);
      result.focus = oracle > 0 ? result.area / oracle : 0;
      result.lift = oracle > floor ? (result.area - floor) / (oracle - floor) : 0;
      result.recall = result.found.back() / static_cast<double>(draw_.reachable);
      result.harvest =
          result.found.back() / static_cast<double>(std::max<size_t>(1, result.fetched));
      result.site_recall = site_recall(course, target_sites);
      result.to_quarter = search_length(course, draw_, 0.25);
      result.to_half = search_length(course, draw_, 0.5);
      result.to_three_quarters = search_length(course, draw_, 0.75);
      result.predicate = mean_over(course, has_keyword);
      result.phrase = mean_over(course, has_phrase);
      result.similarity = mean_over(course, similar);
      result.similarity_seeds = mean_over(course, similar_seeds);
      result.similarity_held_out = mean_over(course, similar_held_out);
      result.moving_similarity =
          moving_average(course, similar, setting_.points, kSimilarityWindow);
      result.retrieval_rank = mean_over(course, ranks);
      result.popularity = mean_over(course, setting_.popularity);
      result.in_links = mean_over(course, setting_.in_links);
      result.population = population_of(course, similar);
      measure_verdicts(course, results.size() - 1, result);
      result.advice = check_advice(course.advice, course.pages, draw_);
    }
    if (hmm_) measure_similarity(results);
    return results;
  }

  // The hosts with a target that can be reached.
  absl::flat_hash_set<std::string> sites_with_targets() const {
    const std::vector<char> reachable = reachable_from(web_.links(), draw_.seeds);
    absl::flat_hash_set<std::string> sites;
    for (Node node = 0; node < web_.nodes(); ++node) {
      if (reachable[node] && draw_.is_target[node]) sites.emplace(web_.answer(node).url.hostname());
    }
    return sites;
  }

  // The target recall of Chen (2008, chapter 5): a site counts when any of its pages was fetched.
  double site_recall(const Course& course, const absl::flat_hash_set<std::string>& sites) const {
    absl::flat_hash_set<std::string> found;
    for (const Node node : course.pages) {
      if (node == HeldWeb::kNone) continue;
      std::string host(web_.answer(node).url.hostname());
      if (sites.contains(host)) found.insert(std::move(host));
    }
    return static_cast<double>(found.size()) / static_cast<double>(sites.size());
  }

  // A judge that does not learn has nothing to add at the end.
  void measure_verdicts(const Course& course, size_t contestant, Trial& result) {
    const bool is_oracle = contestant + 1 == setting_.contestants.size();
    if (setting_.options.labels.empty() || is_oracle) return;
    result.verdicts_at_fetch = result.verdicts = quality_at_fetch(course, draw_);
    const std::string& judge = setting_.contestants[contestant].judge;
    const Result<Spec> spec = Spec::parse(judge);
    if (judge == kPerfect || held_[judge].judge || !spec || !has_final_judge(*spec)) return;
    result.verdicts = final_quality(web_, course, draw_);
  }

  std::vector<PopulationAt> population_of(const Course& course,
                                          const std::vector<double>& similar) const {
    std::vector<PopulationAt> all;
    for (const Population& at : course.population) {
      Course first;
      first.pages.assign(course.pages.begin(),
                         course.pages.begin() + static_cast<ptrdiff_t>(at.fetched));
      const uint32_t point = static_cast<uint32_t>(at.fetched);
      const double found = found_curve(first, draw_, std::span(&point, 1)).front();
      all.push_back({at.fetched, at.agents, found / static_cast<double>(at.fetched),
                     mean_over(first, similar)});
    }
    return all;
  }

  void measure_similarity(std::vector<Trial>& results) const {
    const TargetSimilarity similarity = target_similarity(web_, hmm_->model, setting_.options.near);
    std::vector<size_t> near(results.size());
    size_t all = 0, in_union = 0;
    std::vector<char> in_pool(web_.nodes());  // the oracle knows too much to count
    for (size_t i = 0; i + 1 < results.size(); ++i) {
      for (const Node node : courses_[i].pages) {
        if (node != HeldWeb::kNone) in_pool[node] = true;
      }
    }
    for (Node node = 0; node < web_.nodes(); ++node) {
      in_union += in_pool[node] && similarity.is_near[node];
    }
    for (size_t i = 0; i < results.size(); ++i) {
      size_t fetched = 0;
      double sum_of_max = 0;
      std::vector<double> sums(similarity.to_target.size());
      size_t point = 0;
      const auto note_curves = [&](size_t up_to) {
        for (; point < setting_.points.size() && setting_.points[point] <= up_to; ++point) {
          const double pages = std::max(1.0, static_cast<double>(fetched));
          results[i].near_curve.push_back(static_cast<double>(near[i]) / pages);
          results[i].mean_max_curve.push_back(sum_of_max / pages);
        }
      };
      for (size_t n = 0; n < courses_[i].pages.size(); ++n) {
        const Node node = courses_[i].pages[n];
        if (node != HeldWeb::kNone) {
          ++fetched;
          near[i] += similarity.is_near[node] != 0;
          sum_of_max += similarity.nearest[node];
          for (size_t t = 0; t < sums.size(); ++t) sums[t] += similarity.to_target[t][node];
        }
        note_curves(n + 1);
      }
      note_curves(SIZE_MAX);  // a crawl that ended early stays where it was
      if (i + 1 < results.size()) all += near[i];
      const double pages = std::max(1.0, static_cast<double>(fetched));
      results[i].near_precision = static_cast<double>(near[i]) / pages;
      results[i].mean_max_similarity = sum_of_max / pages;
      results[i].max_mean_similarity = *std::max_element(sums.begin(), sums.end()) / pages;
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (in_union > 0) {
        results[i].near_recall = static_cast<double>(near[i]) / static_cast<double>(in_union);
      }
      if (all > 0) results[i].near_share = static_cast<double>(near[i]) / static_cast<double>(all);
    }
  }

  Status measure_extra(size_t index, Trial& result) {
    const Contestant& contestant = setting_.contestants[index];
    const Result<Course> slow = run(contestant, draw_.seeds, polite());
    if (!slow) return slow.error();
    const double hours = static_cast<double>(slow->elapsed.count()) / 3.6e9;
    if (hours > 0) {
      result.per_polite_hour = found_curve(*slow, draw_, setting_.points).back() / hours;
    }
    if (draw_.other_seeds.empty()) return {};
    const Result<Course> other = run(contestant, draw_.other_seeds, plain());
    if (!other) return other.error();
    result.robustness = overlap_of(courses_[index], *other, draw_);
    return {};
  }

  // The pages that any of them fetched.
  std::vector<Node> pool() const {
    std::vector<Node> nodes;
    for (const Course& course : courses_) {
      nodes.insert(nodes.end(), course.pages.begin(), course.pages.end());
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (!nodes.empty() && nodes.back() == HeldWeb::kNone) nodes.pop_back();
    return nodes;
  }

  size_t floor_index() const {
    for (size_t i = 0; i < setting_.contestants.size(); ++i) {
      if (setting_.contestants[i].name == "breadth-first") return i;
    }
    return setting_.contestants.size() - 1;
  }

  const MatchSetting& setting_;
  const HeldWeb& web_;
  const Draw& draw_;
  const std::string& topic_;
  std::optional<HmmFile> hmm_;        // learned from the sessions of the draw
  std::map<std::string, Held> held_;  // by judge
  std::vector<EarlierFind> earlier_;
  std::vector<Course> courses_;  // by contestant
};

}  // namespace

Result<std::vector<Trial>> play_match(const MatchSetting& setting, const std::string& topic,
                                      const Draw& draw, bool extra) {
  return Match(setting, topic, draw).play(extra);
}

}  // namespace dowser
