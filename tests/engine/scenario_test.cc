#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/file.h"
#include "base/random.h"
#include "engine/crawl.h"
#include "engine/make_page.h"
#include "engine/plugins.h"
#include "fetch/memory_web.h"
#include "graph/back_link_layers.h"
#include "learn/hmm_file.h"
#include "model/profile.h"
#include "tests/made_browsing.h"
#include "tests/support.h"
#include "text/terms.h"

// A crawl written as text, and what it must fetch in which order:
//
//   # hard focus does not follow the links of a bad page
//   strategy hard-focus
//   page a good -> b c
//   page b bad
//   seed a
//   ----
//   a b c
//
// A page is worth `good` (relevance 1), `bad` (0) or a number. `y:d` is page d of host y. Further
// lines:
//
// clang-format off
//   words A WORD…      further words of page A
//   topic WORD…        the words of the topic
//   example A B…       pages that are examples of the topic; back-links are known then
//   far A B…           pages of an archive with back-links from which no example can be reached
//   profile LINE       a line of the profile, as in a TOML file
//   redirect A -> B
//   budget N, delay TIME, max-depth N, max-per-host N, max-waiting N, random-seed N
//   only               no other strategy fetches in this order
// clang-format on
//
// The strategy hmm has a model in which pages with the word "catalogue" link to targets, pages with
// "treasure" are targets, and pages with "weather" lead nowhere.

namespace dowser {
namespace {

struct Scenario {
  std::string text;
  std::vector<std::string> expected;
};

// Reads the relevance that the scenario gave the page from its text.
class WrittenJudge final : public Judge {
 public:
  Judgement judge(const Page& page) const override {
    Judgement judgement;
    std::istringstream(page.text) >> judgement.relevance.value;
    judgement.relevant = judgement.relevance.value >= threshold();
    return judgement;
  }
  Relevance relevance(const PageTerms&) const override { return {}; }  // nobody judges again
  Spec spec() const override { return {"written", {}}; }
  double threshold() const override { return 0.5; }
};

std::string address(const std::string& name) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos) return "http://web.test/" + name;
  return "http://" + name.substr(0, colon) + ".test/" + name.substr(colon + 1);
}

std::string name_of_page(const Url& url) {
  const std::string host(url.hostname().substr(0, url.hostname().size() - 5));
  const std::string path(url.path().substr(1));
  return host == "web" ? path : host + ":" + path;
}

struct WrittenPage {
  std::string relevance, words;
  std::vector<std::string> links;

  std::string html() const {
    std::string text = "<p>" + relevance + " " + words + " ";
    for (const std::string& link : links) {
      text += "<a href='" + address(link) + "'>" + link + "</a> ";
    }
    return text;
  }
};

// The pages of a scenario as a graph, for strategies that ask for back-links.
class WrittenWeb {
 public:
  explicit WrittenWeb(const std::map<std::string, WrittenPage>& written) {
    std::map<std::string, uint32_t> numbers;
    for (const auto& [name, page] : written) {
      numbers.emplace(name, static_cast<uint32_t>(pages_.size()));
      Response response;
      response.url = *Url::parse(address(name));
      response.status = 200;
      response.headers.add("Content-Type", "text/html");
      response.body = page.html();
      pages_.push_back(make_page(response, {}, false));
    }
    std::vector<Edge> edges;
    for (const auto& [name, page] : written) {
      for (const std::string& link : page.links) {
        if (numbers.contains(link)) edges.push_back({numbers[name], numbers[link]});
      }
    }
    graph_ = LinkGraph(edges, pages_.size());
    numbers_ = std::move(numbers);
  }

  const Page& page(const std::string& name) const { return pages_[numbers_.at(name)]; }

  PageLayers layers_around(const std::vector<std::string>& names, size_t layers, size_t most) {
    std::vector<uint32_t> targets;
    for (const std::string& name : names) targets.push_back(numbers_.at(name));
    const auto nodes =
        back_link_layers(graph_, targets, layers, most, [](uint32_t node) { return node; });
    PageLayers found(layers);
    for (size_t i = 0; i < layers; ++i) {
      for (const uint32_t node : nodes[i]) found[i].push_back(&pages_[node]);
    }
    return found;
  }

 private:
  std::vector<Page> pages_;
  std::map<std::string, uint32_t> numbers_;
  LinkGraph graph_;
};

Scenario read_scenario(std::string_view text) {
  const size_t line = text.find("\n----\n");
  Scenario scenario{std::string(text.substr(0, line)), {}};
  std::istringstream expected(std::string(text.substr(line + 6)));
  for (std::string name; expected >> name;) scenario.expected.push_back(name);
  return scenario;
}

// With all that some strategy needs.
StrategyContext context_of(const Topic& topic) {
  static const HmmFile hmm =
      made_browsing({{"treasure", "catalogue", "catalogue", "weather", "weather"},
                     {{1, 0}, {2, 0}, {3, 4}, {4, 3}}});
  StrategyContext context{topic};
  context.hmm = &hmm;
  return context;
}

// `other`: another strategy than that of the scenario.
Result<std::vector<std::string>> run_scenario(const Scenario& scenario,
                                              std::optional<std::string> other = {}) {
  MemoryWeb web;
  std::map<std::string, WrittenPage> written;
  std::vector<std::string> examples, far;
  std::string profile_text;
  Topic topic;
  FrontierOptions options;
  CrawlLimits limits;
  std::string strategy_text = "breadth-first";
  std::vector<Url> seeds;
  uint64_t random_seed = 1;

  std::istringstream lines(scenario.text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string verb, name, worth, arrow;
    words >> verb >> name;
    if (verb.empty() || verb.starts_with("#")) continue;
    if (verb == "page") {
      words >> worth >> arrow;
      WrittenPage& page = written[name];
      page.relevance = worth == "good" ? "1" : worth == "bad" ? "0" : worth;
      for (std::string link; words >> link;) page.links.push_back(link);
    } else if (verb == "words") {
      std::getline(words, written[name].words);
    } else if (verb == "topic") {
      topic.words = line.substr(line.find(name));
    } else if (verb == "example") {
      examples.push_back(name);
      while (words >> name) examples.push_back(name);
    } else if (verb == "far") {
      far.push_back(name);
      while (words >> name) far.push_back(name);
    } else if (verb == "profile") {
      profile_text += line.substr(line.find(name)) + "\n";
    } else if (verb == "only") {
    } else if (verb == "redirect") {
      words >> arrow >> worth;
      web.add_redirect(address(name), address(worth));
    } else if (verb == "strategy") {
      strategy_text = line.substr(line.find(name));
    } else if (verb == "seed") {
      seeds.push_back(*Url::parse(address(name)));
    } else if (verb == "delay") {
      options.delay = *parse_duration(name);
    } else {
      const size_t number = std::stoul(name);
      if (verb == "budget")
        limits.max_pages = number;
      else if (verb == "max-depth")
        limits.max_depth = static_cast<uint32_t>(number);
      else if (verb == "max-per-host")
        options.max_per_host = number;
      else if (verb == "max-waiting")
        options.max_waiting = number;
      else if (verb == "random-seed")
        random_seed = number;
      else
        return Error{"the scenario has an unknown line: " + line};
    }
  }

  for (const auto& [name, page] : written) web.add_html(address(name), page.html());
  WrittenWeb graph(written);
  for (const std::string& name : examples) topic.examples.push_back(graph.page(name));
  const Result<Profile> profile = parse_profile(profile_text, "profile");
  if (!profile) return profile.error();
  StrategyContext context = context_of(topic);
  context.random_seed = random_seed;
  context.profile = &*profile;
  if (!examples.empty()) {
    context.layers_around_examples = [&](size_t layers, size_t most, bool) {
      return graph.layers_around(examples, layers, most);
    };
    context.pages_far_from_examples = [&](size_t, size_t) {
      std::vector<const Page*> pages;
      for (const std::string& name : far) pages.push_back(&graph.page(name));
      return pages;
    };
  }
  auto strategy = make_strategy(other.value_or(strategy_text), context);
  if (!strategy) return strategy.error();
  SimulatedClock clock(Time{0});
  Frontier frontier(options);
  const WrittenJudge judge;
  std::vector<std::string> fetched;
  const auto keep = [&](const KeptVisit& kept, const CrawlCounters&, const SavedFlight*) {
    fetched.push_back(name_of_page(kept.visit.candidate.url));
    return Status{};
  };
  InlineWorkers workers(web, clock, judge, {});
  const CrawlParts parts{clock, frontier, **strategy, workers, [](const Url&) { return true; },
                         keep};
  const auto counters = crawl(parts, limits, seeds);
  if (!counters) return counters.error();
  return fetched;
}

TEST(Scenarios, each_crawl_fetches_what_it_says_in_that_order) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/scenarios")) {
    SCOPED_TRACE(file.path().filename().string());
    const Scenario scenario = read_scenario(*read_file(file.path()));
    const auto fetched = run_scenario(scenario);
    ASSERT_TRUE(fetched.ok()) << fetched.error().message;
    EXPECT_EQ(*fetched, scenario.expected);
    ++count;
  }
  EXPECT_GE(count, 12);
}

TEST(Scenarios, no_other_strategy_fetches_in_the_order_of_a_scenario_that_says_only) {
  for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests/scenarios")) {
    const Scenario scenario = read_scenario(*read_file(file.path()));
    if (scenario.text.find("\nonly") == std::string::npos) continue;
    for (const StrategyPlugin& plugin : strategy_plugins()) {
      const std::string name(plugin.name);
      const std::string line = "strategy " + name;
      if (scenario.text.find(line + "\n") != std::string::npos) continue;
      if (scenario.text.find(line + "(") != std::string::npos) continue;
      const auto fetched = run_scenario(scenario, name);
      ASSERT_TRUE(fetched.ok()) << fetched.error().message;
      EXPECT_NE(*fetched, scenario.expected) << file.path().filename() << " with " << name;
    }
  }
}

// A web of 60 pages over three hosts, each with links to others drawn from a fixed seed.
Scenario tangled_web(const std::string& strategy, int budget) {
  Random random(7);
  const auto name = [](uint64_t i) {
    return (i % 3 == 0 ? "" : i % 3 == 1 ? "y:" : "z:") + std::string("p") + std::to_string(i);
  };
  std::string text = "strategy " + strategy + "\nbudget " + std::to_string(budget) + "\n";
  for (uint64_t i = 0; i < 60; ++i) {
    text += "page " + name(i) + " " + std::to_string(random.uniform()) + " ->";
    for (int link = 0; link < 5; ++link) text += " " + name(random.below(60));
    text += "\n";
  }
  return {text + "seed p0\nseed p3\nseed y:p1", {}};
}

// The promises that every strategy of the list keeps.
class EveryStrategy : public testing::TestWithParam<StrategyPlugin> {
 protected:
  std::string name() const { return std::string(GetParam().name); }
  std::vector<std::string> crawl_tangle(int budget) const {
    auto fetched = run_scenario(tangled_web(name(), budget));
    EXPECT_TRUE(fetched.ok());
    return *fetched;
  }
};

TEST_P(EveryStrategy, starts_at_the_seeds) {
  const auto fetched = crawl_tangle(20);
  EXPECT_EQ(std::vector(fetched.begin(), fetched.begin() + 3),
            (std::vector<std::string>{"p0", "p3", "y:p1"}));
}

TEST_P(EveryStrategy, never_visits_a_page_twice) {
  auto fetched = crawl_tangle(1000);
  EXPECT_GT(fetched.size(), 40u);
  std::sort(fetched.begin(), fetched.end());
  EXPECT_EQ(std::adjacent_find(fetched.begin(), fetched.end()), fetched.end());
}

TEST_P(EveryStrategy, stays_in_the_budget) { EXPECT_EQ(crawl_tangle(17).size(), 17u); }

TEST_P(EveryStrategy, repeats_exactly_under_the_same_seed) {
  EXPECT_EQ(crawl_tangle(40), crawl_tangle(40));
}

TEST_P(EveryStrategy, a_smaller_budget_gives_the_beginning_of_a_larger_one) {
  const auto longer = crawl_tangle(40);
  const auto shorter = crawl_tangle(25);
  EXPECT_EQ(shorter, std::vector(longer.begin(), longer.begin() + 25));
}

TEST_P(EveryStrategy, round_trips_through_its_text_form) {
  const Topic topic;
  const auto made = make_strategy(name(), context_of(topic));
  ASSERT_TRUE(made.ok());
  const std::string text = (*made)->spec().text();
  const auto again = make_strategy(text, context_of(topic));
  ASSERT_TRUE(again.ok()) << text;
  EXPECT_EQ((*again)->spec().text(), text);
}

TEST_P(EveryStrategy, refuses_a_parameter_it_does_not_have) {
  const Topic topic;
  const auto made = make_strategy(name() + "(no-such-parameter=1)", context_of(topic));
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find(name()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Conformance, EveryStrategy, testing::ValuesIn(strategy_plugins()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Plugins, an_unknown_strategy_is_refused_with_the_list) {
  const Topic topic;
  const auto made = make_strategy("best-frist", {topic});
  ASSERT_FALSE(made.ok());
  std::string names;
  for (const StrategyPlugin& plugin : strategy_plugins()) {
    names += (names.empty() ? "" : ", ") + std::string(plugin.name);
  }
  EXPECT_EQ(
      made.error().message,
      "there is no strategy 'best-frist' (did you mean 'best-first'?): choose one of " + names);
}

}  // namespace
}  // namespace dowser
