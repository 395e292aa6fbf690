#include "eval/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "eval/held_out.h"
#include "eval/labels.h"
#include "eval/match.h"
#include "eval/measures.h"
#include "eval/perfect_judge.h"
#include "eval/session_model.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

constexpr std::string_view kWith = " with ";

const StrategyPlugin* find_own(std::span<const StrategyPlugin> own, std::string_view name) {
  for (const StrategyPlugin& plugin : own) {
    if (plugin.name == name) return &plugin;
  }
  return nullptr;
}

Result<std::vector<Contestant>> contestants_of(const CompareOptions& options,
                                               std::vector<std::string>& notes) {
  std::vector<std::string> names = options.strategies;
  if (names.empty()) {
    for (const StrategyPlugin& plugin : strategy_plugins()) {
      if (plugin.needs_hmm && options.sessions.empty()) {
        notes.push_back(fmt::format(
            "{} is left out: it learns from browsing sessions, which --sessions FILE must name",
            plugin.name));
        continue;
      }
      names.emplace_back(plugin.name);
    }
    for (const StrategyPlugin& plugin : options.own) names.emplace_back(plugin.name);
  }
  // The baseline that lift is measured from.
  if (std::find(names.begin(), names.end(), "breadth-first") == names.end()) {
    names.push_back("breadth-first");
  }
  std::vector<Contestant> contestants;
  for (const std::string& name : names) {
    Result<Contestant> contestant = parse_contestant(name, options.own);
    if (!contestant) return contestant.error();
    if (contestant->needs_hmm && options.sessions.empty()) {
      return Error{fmt::format("{} learns from browsing sessions: name them with --sessions FILE",
                               contestant->name)};
    }
    const bool is_there =
        std::any_of(contestants.begin(), contestants.end(),
                    [&](const Contestant& other) { return other.name == contestant->name; });
    if (!is_there) contestants.push_back(std::move(*contestant));
  }
  contestants.push_back({std::string(kOracle), std::string(kOracle), "cosine"});
  return contestants;
}

using Topics = std::map<std::string, std::vector<HeldWeb::Node>>;

Result<Topics> chosen_topics(const Labels& labels, const CompareOptions& options) {
  Topics chosen;
  for (const auto& [name, nodes] : labels.topics()) {
    const bool named = std::count(options.topics.begin(), options.topics.end(), name) > 0;
    const bool enough =
        nodes.size() >= std::max(2 * options.example_count, options.example_count + 2);
    if (named || (options.topics.empty() && enough)) chosen.emplace(name, nodes);
  }
  for (const std::string& name : options.topics) {
    if (chosen.contains(name)) continue;
    std::vector<std::string> names;
    for (const auto& [other, nodes] : labels.topics()) names.push_back(other);
    return Error{
        fmt::format("no page is labelled '{}': there are {}", name, fmt::join(names, ", "))};
  }
  if (chosen.empty())
    return Error{
        "no topic has enough labelled pages: give fewer of them as examples with --positives"};
  return chosen;
}

Result<std::vector<HeldWeb::Node>> seeds_of(const HeldWeb& web, const CompareOptions& options) {
  std::vector<HeldWeb::Node> seeds;
  for (const std::string& text : options.seeds) {
    const Result<Url> url = Url::parse(text);
    const HeldWeb::Node node = url ? web.node_of(*url) : HeldWeb::kNone;
    if (node == HeldWeb::kNone) continue;
    if (std::count(seeds.begin(), seeds.end(), node) == 0) seeds.push_back(node);
  }
  if (seeds.empty() && !options.seeds.empty()) {
    return Error{"none of the start pages is in the archive"};
  }
  return seeds;
}

// Runs all draws of all topics on several threads; each draw is one task.
Status run_matches(const MatchSetting& setting, const Topics& topics, const DrawOptions& draws,
                   const Watch& watch, Comparison& comparison) {
  struct Piece {
    const std::string* name;
    const std::vector<HeldWeb::Node>* pages;
    ComparedTopic* topic;
    uint32_t draw;
  };
  std::vector<Piece> pieces;
  size_t next_topic = 0;
  for (const auto& [name, pages] : topics) {
    ComparedTopic* topic = &comparison.topics[next_topic++];
    for (uint32_t draw = 0; draw < comparison.options.draws; ++draw) {
      pieces.push_back({&name, &pages, topic, draw});
    }
  }
  std::atomic<size_t> next = 0;
  size_t done = 0;
  std::mutex mutex;
  std::vector<Status> results(pieces.size());
  const auto play = [&](const Piece& piece) -> Status {
    const Result<Draw> draw = make_draw(setting.web, *piece.name, *piece.pages, piece.draw, draws);
    if (!draw) return draw.error();
    const bool extra = piece.draw < comparison.options.extra_draws;
    Result<std::vector<Trial>> trials = play_match(setting, *piece.name, *draw, extra);
    if (!trials) return trials.error();
    piece.topic->reachable[piece.draw] = draw->reachable;
    piece.topic->distance[piece.draw] = draw->distance;
    for (size_t i = 0; i < trials->size(); ++i) {
      piece.topic->trials[i][piece.draw] = std::move((*trials)[i]);
    }
    return {};
  };
  const auto work = [&] {
    for (size_t i; (i = next++) < pieces.size();) {
      results[i] = play(pieces[i]);
      const std::lock_guard lock(mutex);
      if (results[i] && !watch({"draws", ++done, pieces.size()})) results[i] = stopped();
      if (!results[i]) next = pieces.size();
    }
  };
  std::vector<std::thread> helpers;
  const size_t threads = std::min(comparison.options.threads, pieces.size());
  for (size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  for (const Status& s : results) {
    if (!s) return s;
  }
  return {};
}

}  // namespace

Result<Contestant> parse_contestant(std::string_view text, std::span<const StrategyPlugin> own) {
  Contestant contestant;
  const size_t with = text.find(kWith);
  const Result<Spec> spec = Spec::parse(text.substr(0, with));
  if (!spec) return spec.error();
  contestant.strategy = contestant.name = spec->text();
  const StrategyPlugin* plugin = find_own(own, spec->name);
  Result<std::string> judge =
      plugin ? Result<std::string>(std::string(plugin->judge)) : judge_for(contestant.strategy);
  if (!judge) return judge.error();
  contestant.judge = std::move(*judge);
  if (with != text.npos) {
    contestant.judge = text.substr(with + kWith.size());
    contestant.name += std::string(kWith) + contestant.judge;
  }
  // Checked before a long comparison begins; only names and parameters matter, so the topic is
  // empty.
  Topic topic;
  topic.words = "dowsing";
  topic.examples.assign(4, parse_html("<p>dowsing finds water with a rod", {}));
  static const HmmFile any = any_model();
  StrategyContext context{topic};
  context.hmm = &any;
  const auto strategy =
      plugin ? plugin->make(*spec, context) : make_strategy(contestant.strategy, context);
  if (!strategy) return strategy.error();
  const auto listed = strategy_plugin(contestant.strategy);
  contestant.needs_hmm = (listed && (*listed)->needs_hmm) || contestant.judge == "lsi";
  if (contestant.judge == kPerfect) return contestant;
  if (const auto made = make_judge(contestant.judge, {topic, {}, {}, &any}); !made) {
    return made.error();
  }
  return contestant;
}

Result<Comparison> compare(const CompareOptions& options, const Watch& watch) {
  Comparison comparison;
  comparison.options = options;
  Result<std::vector<Contestant>> contestants = contestants_of(options, comparison.notes);
  if (!contestants) return contestants.error();
  comparison.contestants = std::move(*contestants);
  comparison.points = curve_points(options.budget);

  const Result<HeldWeb> web = HeldWeb::load(options.web, options.threads);
  if (!web) return web.error();
  comparison.pages = web->nodes();
  comparison.links = web->links().edges();

  Topics topics;
  DrawOptions draws{
      options.example_count, options.seed_count, options.seed_distance, options.random_seed, {}, {},
      options.words};
  std::optional<GoalSessions> sessions;
  if (!options.sessions.empty()) {
    Result<GoalSessions> read = GoalSessions::read(options.sessions, *web);
    if (!read) return read.error();
    sessions = std::move(*read);
    draws.sessions = &*sessions;
    draws.sessions_per_goal = options.sessions_per_goal;
    draws.mark_topic = options.mark_topic;
  }
  if (options.labels.empty()) {
    comparison.held_out_judge = true;
    Result<HeldOutTopic> topic = held_out_topic(*web, options.examples);
    if (!topic) return topic.error();
    topics.emplace("topic", std::move(topic->pages));
    draws.given_examples = std::move(topic->examples);
  } else {
    const Result<Labels> labels = Labels::read(options.labels, *web);
    if (!labels) return labels.error();
    comparison.missing_labels = labels->missing();
    Result<Topics> chosen = chosen_topics(*labels, options);
    if (!chosen) return chosen.error();
    topics = std::move(*chosen);
  }
  for (const auto& [name, pages] : topics) {
    if (options.words.empty() || options.words.contains(name)) continue;
    return Error{fmt::format(
        "there are no words for topic {}: add a line for it to the file of --words", name)};
  }
  Result<std::vector<HeldWeb::Node>> seeds = seeds_of(*web, options);
  if (!seeds) return seeds.error();
  draws.seeds = std::move(*seeds);

  for (const auto& [name, pages] : topics) {
    ComparedTopic& topic = comparison.topics.emplace_back();
    topic.name = name;
    topic.pages = pages.size();
    topic.reachable.resize(options.draws);
    topic.distance.resize(options.draws);
    topic.trials.assign(comparison.contestants.size(), std::vector<Trial>(options.draws));
  }
  const MatchSetting setting{*web,
                             comparison.contestants,
                             options,
                             comparison.points,
                             popularity(*web),
                             in_link_popularity(*web)};
  if (Status s = run_matches(setting, topics, draws, watch, comparison); !s) return s.error();
  return comparison;
}

namespace {

std::vector<double> values_of(const std::vector<Trial>& trials,
                              const Comparison::Measure& measure) {
  std::vector<double> values;
  for (const Trial& trial : trials) {
    if (const std::optional<double> value = measure(trial)) values.push_back(*value);
  }
  return values;
}

}  // namespace

Interval Comparison::mean(size_t contestant, const Measure& measure) const {
  std::vector<std::vector<double>> groups;
  for (const ComparedTopic& topic : topics) {
    std::vector<double> values = values_of(topic.trials[contestant], measure);
    if (!values.empty()) groups.push_back(std::move(values));
  }
  return bootstrap_mean(groups);
}

Interval Comparison::mean(size_t contestant, size_t topic, const Measure& measure) const {
  std::vector<double> values = values_of(topics[topic].trials[contestant], measure);
  if (values.empty()) return {};
  return bootstrap_mean({std::move(values)});
}

Interval Comparison::difference(size_t a, size_t b, const Measure& measure) const {
  std::vector<std::vector<double>> groups;
  for (const ComparedTopic& topic : topics) {
    std::vector<double> values;
    for (size_t draw = 0; draw < topic.trials[a].size(); ++draw) {
      const auto of_a = measure(topic.trials[a][draw]), of_b = measure(topic.trials[b][draw]);
      if (of_a && of_b) values.push_back(*of_a - *of_b);
    }
    if (!values.empty()) groups.push_back(std::move(values));
  }
  return bootstrap_mean(groups);
}

std::map<size_t, AdviceScore> Comparison::advice(size_t contestant) const {
  std::map<size_t, AdviceScore> scores;
  for (const ComparedTopic& topic : topics) {
    for (const Trial& trial : topic.trials[contestant]) {
      for (const AdviceCheck& check : trial.advice) scores[check.fetched].add(check);
    }
  }
  return scores;
}

}  // namespace dowser
