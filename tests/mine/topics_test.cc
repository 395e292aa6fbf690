#include "mine/topics/topics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "mine/topics/given_counts.h"
#include "mine/topics/item_rules.h"
#include "mine/topics/topic_map.h"
#include "mine/topics/topic_rules.h"
#include "parse/parse_page.h"
#include "tests/support.h"
#include "text/tokens.h"

namespace dowser {
namespace {

Page page_of(const std::string& html, const std::string& url = "http://a.org/") {
  return parse_html(html, *Url::parse(url));
}

std::string list_of(const std::vector<std::string>& items) {
  std::string html = "<ul>";
  for (const std::string& item : items) html += "<li>" + item + "</li>";
  return html + "</ul>";
}

TEST(ItemRules, a_page_with_a_phrase_of_publications_more_than_three_times_is_noisy) {
  EXPECT_FALSE(is_noisy_page("Journal of A, Journal of B, journals"));
  EXPECT_TRUE(is_noisy_page("Journal of A, Journal of B, journals, JOURNAL"));
  EXPECT_TRUE(is_noisy_page("reply to a. Reply to b. reply to c. reply to d"));
  EXPECT_FALSE(is_noisy_page(""));
}

TEST(ItemRules, an_item_that_cannot_name_a_topic_has_a_fault) {
  EXPECT_EQ(fault_of_item("Machine learning"), ItemFault::kNone);
  EXPECT_EQ(fault_of_item("Prof. Jane Doe"), ItemFault::kSalutation);
  EXPECT_EQ(fault_of_item("Dr Who"), ItemFault::kSalutation);
  EXPECT_EQ(fault_of_item("Drosophila"), ItemFault::kNone);
  EXPECT_EQ(fault_of_item("see www.example.org"), ItemFault::kAddress);
  EXPECT_EQ(fault_of_item("jane@example.org"), ItemFault::kAddress);
  EXPECT_EQ(fault_of_item("Conference on Learning"), ItemFault::kPublication);
  EXPECT_EQ(fault_of_item("WWW10"), ItemFault::kDigits);
  EXPECT_EQ(fault_of_item("a b c d e f g h i j k l m n o"), ItemFault::kNone);
  EXPECT_EQ(fault_of_item("a b c d e f g h i j k l m n o p"), ItemFault::kLong);
  EXPECT_EQ(fault_of_item("– … –"), ItemFault::kEmpty);
  EXPECT_EQ(fault_of_item("V = volume"), ItemFault::kFormula);
  EXPECT_EQ(fault_of_item("maxit=integer"), ItemFault::kFormula);
  EXPECT_EQ(fault_of_item("\\vdash"), ItemFault::kFormula);
  EXPECT_EQ(fault_of_item("C:\\ drive"), ItemFault::kNone);
}

TEST(ListItems, a_star_means_that_something_above_the_item_holds_the_keyword) {
  ItemCollector collector("neural network");
  collector.add(
      page_of("<h2>Neural Networks</h2><ul><li>Perceptron</li><li>Models<ul><li>Hopfield "
              "net</li></ul></li></ul><h2>Other</h2><ul><li>Poetry</li></ul>"));
  std::map<std::string, bool> starred;
  std::map<std::string, std::string> headings;
  for (const ListItem& item : collector.items().items) {
    starred[item.text] = item.starred;
    headings[item.text] = collector.items().headings[item.heading];
  }
  EXPECT_TRUE(starred.at("Perceptron"));
  EXPECT_TRUE(starred.at("Hopfield net"));
  EXPECT_FALSE(starred.at("Poetry"));
  EXPECT_EQ(headings.at("Perceptron"), "Neural Networks");
  EXPECT_EQ(headings.at("Hopfield net"), "Models");
}

TEST(ListItems, pages_that_nearly_repeat_one_another_are_one_group_and_noisy_ones_give_nothing) {
  ItemCollector collector("x");
  const std::string text = "<p>" + std::string("some words that fill the page ") +
                           "and many more of them that are always the same, again and again, "
                           "until it is long enough to be compared with another page</p>";
  collector.add(page_of(text + list_of({"Alpha"}), "http://a.org/1"));
  collector.add(page_of(text + list_of({"Alpha"}), "http://b.org/2"));
  collector.add(page_of("<p>journal journal journal journal</p>" + list_of({"Beta"})));
  const ListItems& items = collector.items();
  EXPECT_EQ(items.pages[0].group, items.pages[1].group);
  EXPECT_NE(items.pages[0].host, items.pages[1].host);
  EXPECT_TRUE(items.pages[2].noisy);
  EXPECT_EQ(items.items.size(), 2u);
}

// Items that stand on pages of their own.
ListItems items_of(const std::vector<std::vector<std::string>>& pages) {
  ItemCollector collector("keyword");
  for (size_t i = 0; i < pages.size(); ++i) {
    // Words of its own, so that no page is taken for a copy of another.
    std::string own = "<p>";
    for (size_t n = 0; n < 40; ++n) own += fmt::format("w{}x{} ", i, n);
    collector.add(page_of(own + "</p>" + list_of(pages[i]), fmt::format("http://host{}.org/", i)));
  }
  return collector.take();
}

std::vector<std::string> phrases_of(const TopicCandidates& found) {
  std::vector<std::string> phrases;
  for (const TopicCandidate& candidate : found.candidates) phrases.push_back(candidate.phrase);
  std::sort(phrases.begin(), phrases.end());
  return phrases;
}

CandidateOptions with_support(size_t support) {
  CandidateOptions options;
  options.support = support;
  return options;
}

TEST(TopicCandidates, the_order_of_words_is_that_of_the_most_frequent_use_stop_words_included) {
  const ListItems items = items_of({{"Theory of computation"},
                                    {"The theory of computation"},
                                    {"Computation theory"},
                                    {"Complexity theory"}});
  const auto found = topic_candidates(items, "keyword", with_support(2));
  EXPECT_EQ(phrases_of(found), (std::vector<std::string>{"Theory of computation"}));
  EXPECT_EQ(found.candidates.front().support, 3u);
}

TEST(TopicCandidates, a_candidate_equals_an_item) {
  // "neural" and "networks" never stand alone.
  const ListItems items =
      items_of({{"Neural networks"}, {"neural networks"}, {"Networks, neural and others"}});
  EXPECT_EQ(phrases_of(topic_candidates(items, "keyword", with_support(2))),
            (std::vector<std::string>{"Neural networks"}));
}

TEST(TopicCandidates, hyphens_stay_in_the_phrase_and_make_no_difference) {
  const ListItems items =
      items_of({{"Case-based reasoning"}, {"case-based reasoning"}, {"Case based reasoning"}});
  const auto found = topic_candidates(items, "keyword", with_support(3));
  ASSERT_EQ(found.candidates.size(), 1u);
  EXPECT_EQ(found.candidates[0].phrase, "Case-based reasoning");
}

TEST(TopicCandidates, a_word_with_a_hyphen_stays_whole_even_where_a_part_of_it_is_a_stop_word) {
  const ListItems items = items_of({{"Zero-sum games"}, {"zero-sum games"}});
  EXPECT_EQ(topic_candidates(items, "keyword", with_support(2)).candidates.at(0).phrase,
            "Zero-sum games");
}

TEST(TopicCandidates, stems_join_forms_only_where_it_is_wanted) {
  const ListItems items = items_of({{"Neural network"}, {"Neural networks"}, {"neural networks"}});
  CandidateOptions options = with_support(3);
  EXPECT_TRUE(topic_candidates(items, "keyword", options).candidates.empty());
  options.stem = true;
  EXPECT_EQ(phrases_of(topic_candidates(items, "keyword", options)),
            (std::vector<std::string>{"Neural networks"}));
}

TEST(TopicCandidates, support_counts_pages_items_or_hosts) {
  ItemCollector collector("keyword");
  collector.add(page_of(list_of({"Alpha", "Alpha", "Alpha"}), "http://a.org/1"));
  collector.add(page_of(list_of({"Alpha", "Beta"}), "http://a.org/2"));
  const ListItems items = collector.take();
  CandidateOptions options = with_support(1);
  const auto support = [&](SupportBy by) {
    options.by = by;
    return topic_candidates(items, "keyword", options).candidates.front().support;
  };
  EXPECT_EQ(support(SupportBy::kPages), 2u);
  EXPECT_EQ(support(SupportBy::kItems), 4u);
  EXPECT_EQ(support(SupportBy::kHosts), 1u);
}

TEST(TopicCandidates, phrases_are_whole_items_and_the_keyword_is_none) {
  const ListItems items = items_of(
      {{"Theory of games.", "Keyword"}, {"theory of games", "keyword"}, {"Games, theory"}});
  CandidateOptions options = with_support(2);
  options.phrases = true;
  const auto found = topic_candidates(items, "keyword", options);
  ASSERT_EQ(found.candidates.size(), 1u);
  EXPECT_EQ(found.candidates[0].phrase.substr(0, 15), "Theory of games");
}

TEST(TopicCandidates, four_words_are_too_many_unless_they_are_asked_for) {
  const ListItems items = items_of({{"alpha-beta game theory"}, {"alpha-beta game theory"}});
  CandidateOptions options = with_support(2);
  EXPECT_TRUE(topic_candidates(items, "keyword", options).candidates.empty());
  options.most_words = 4;
  EXPECT_EQ(phrases_of(topic_candidates(items, "keyword", options)),
            (std::vector<std::string>{"alpha-beta game theory"}));
}

// The phrases of the candidates that are left out as rows of forms, and as parts of items.
std::pair<std::vector<std::string>, std::vector<std::string>> left_out(const ListItems& items) {
  const TopicRules rules(items, 2);
  std::vector<std::string> rows, parts;
  for (const auto& candidate : topic_candidates(items, "keyword", with_support(2)).candidates) {
    if (rules.is_row(candidate)) rows.push_back(candidate.phrase);
    if (rules.is_only_part(candidate)) parts.push_back(candidate.phrase);
  }
  return {rows, parts};
}

TEST(TopicRules, what_stands_under_one_heading_of_page_after_page_is_a_row_of_a_form) {
  ItemCollector collector("keyword");
  for (const char* name : {"neon", "iron", "zinc"}) {
    const std::string own = name;
    std::string words;  // so that no page is taken for a copy of another
    for (int i = 0; i < 40; ++i) words += fmt::format("{}{} ", own, i);
    collector.add(page_of("<title>" + own + "</title><p>" + words + "</p><h2>Compounds</h2>" +
                              list_of({"Halides", "Oxides", own + " sulfide"}) +
                              "<h2>See also</h2>" +
                              list_of({"Chemical element", own + " lamp", own + " mining",
                                       own + " trade", own + " prices"}),
                          "http://a.org/" + own));
  }
  const auto [rows, parts] = left_out(collector.take());
  EXPECT_EQ(rows, (std::vector<std::string>{"Halides", "Oxides"}));
  EXPECT_TRUE(parts.empty());
}

TEST(TopicRules, a_single_word_must_be_an_item_of_its_own_on_enough_pages) {
  const ListItems items = items_of({{"Linear", "New wave", "The kernel", "Graph theory"},
                                    {"Linear equations", "Wave", "Kernel", "Graph theory"}});
  EXPECT_EQ(left_out(items).second, (std::vector<std::string>{"Linear", "Wave"}));
}

TEST(ListItems, adjectives_and_names_are_told_by_how_prose_writes_them) {
  ItemCollector collector("keyword");
  for (int i = 0; i < 6; ++i) {
    collector.add(
        page_of(fmt::format("<p>Linear systems {} have a kernel. The Unix kernel is linear "
                            "algebra, says Ada Lovelace, and a Unix system a signal.</p>",
                            i)));
  }
  EXPECT_TRUE(collector.is_adjective({"linear"}));
  EXPECT_FALSE(collector.is_adjective({"unix"}));    // a noun before nouns
  EXPECT_FALSE(collector.is_adjective({"signal"}));  // ends like an adjective
  EXPECT_FALSE(collector.is_adjective({"linear", "algebra"}));
  EXPECT_FALSE(collector.is_adjective({"global"}));  // not seen
  EXPECT_TRUE(collector.is_name("Ada Lovelace"));
  EXPECT_TRUE(collector.is_name("Ada L. Lovelace"));
  EXPECT_FALSE(collector.is_name("Linear Systems"));
  EXPECT_FALSE(collector.is_name("Unix Kernel"));
  EXPECT_FALSE(collector.is_name("Unix"));
}

TEST(TopicScores, unknown_counts_are_type_three_and_so_is_what_is_more_frequent) {
  const auto type = [](TopicCounts counts) {
    return topic_type(counts, topic_scores(counts), std::nullopt, 1);
  };
  EXPECT_EQ(type({100, 50, 20}), TopicType::kOne);
  EXPECT_EQ(type({1'000'000, 10, 1}), TopicType::kTwo);
  EXPECT_EQ(type({100, 101, 90}), TopicType::kThree);
  EXPECT_EQ(type({100, std::nullopt, 2}), TopicType::kThree);
  EXPECT_EQ(type({100, 5, std::nullopt}), TopicType::kThree);
  EXPECT_EQ(type({std::nullopt, 5, 2}), TopicType::kThree);
  EXPECT_EQ(type({100, 0, 0}), TopicType::kTwo);
}

// P(X ≥ k) by adding up all terms.
double tail_by_hand(int n, double p, int k) {
  double sum = 0;
  for (int i = k; i <= n; ++i) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                    i * std::log(p) + (n - i) * std::log(1 - p));
  }
  return sum;
}

TEST(TopicChance, the_p_value_is_the_conditional_tail_of_the_binomial_distribution) {
  for (const unsigned both : {3u, 4u, 8u, 15u, 30u}) {
    const Chance chance = topic_chance({100, 30, both}, 1000, 6, 3, false);
    EXPECT_NEAR(chance.p_value,
                tail_by_hand(30, 0.2, static_cast<int>(both)) / tail_by_hand(30, 0.2, 3), 1e-12);
    EXPECT_NEAR(chance.expected, 3, 1e-12);
    EXPECT_NEAR(chance.by_host, 6, 1e-12);
  }
}

TEST(TopicChance, says_nothing_about_what_was_only_found_and_about_what_holds_the_keyword) {
  EXPECT_DOUBLE_EQ(topic_chance({100, 3, 3}, 1000, 0.3, 3, false).p_value, 1);
  EXPECT_DOUBLE_EQ(topic_chance({100, 50, 50}, 1000, 5, 3, true).p_value, 1);
  EXPECT_LT(topic_chance({100, 50, 50}, 1000, 5, 3, false).p_value, 1e-30);
  // Many candidates need smaller ones.
  const TopicCounts counts{100, 30, 10};
  const Chance chance = topic_chance(counts, 1000, 3, 3, false);
  ASSERT_LT(chance.p_value, 0.01);
  EXPECT_EQ(topic_type(counts, topic_scores(counts), chance, 1), TopicType::kOne);
  EXPECT_EQ(topic_type(counts, topic_scores(counts), chance, 1'000'000), TopicType::kTwo);
}

TEST(TopicChance, what_stands_in_lists_alone_is_no_sub_topic_in_a_collection) {
  const TopicCounts counts{100, 30, 10};
  Chance chance = topic_chance(counts, 1000, 3, 3, false);
  EXPECT_EQ(topic_type(counts, topic_scores(counts), chance, 1), TopicType::kOne);
  chance.is_in_prose = false;
  EXPECT_EQ(topic_type(counts, topic_scores(counts), chance, 1), TopicType::kTwo);
}

TEST(ListItems, prose_is_what_stands_outside_of_lists_and_tables) {
  ItemCollector collector("keyword");
  collector.add(
      page_of("<title>Beta distributions</title><h1>Gamma-rays</h1><p>An owl. Nests of eggs."
              "<ul><li>loc float</ul><table><tr><td>cell</table>"));
  for (const char* phrase :
       {"beta distribution", "beta distributions", "gamma-ray", "owl", "egg"}) {
    EXPECT_TRUE(collector.is_in_prose(tokens(phrase))) << phrase;
  }
  for (const char* phrase :
       {"loc float", "cell", "owl eggs", "rays an", "distributions gamma", ""}) {
    EXPECT_FALSE(collector.is_in_prose(tokens(phrase))) << phrase;
  }
}

TEST(GivenCounts, are_scored_and_wrong_ones_named_by_their_line) {
  const auto found = read_counts(
      "# a comment\nartificial intelligence\t76,700,000\nmachine learning *\t16300000\t6,670,000\n"
      "home\t?\t\n",
      "counts.tsv");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->keyword_count, 76'700'000u);
  ASSERT_EQ(found->topics.size(), 2u);
  EXPECT_EQ(found->topics[0].candidate.phrase, "machine learning");
  EXPECT_TRUE(found->topics[0].candidate.starred);
  EXPECT_EQ(found->topics[1].counts.candidate, std::nullopt);
  const auto message = [](std::string_view text) {
    const auto read = read_counts(text, "counts.tsv");
    return read ? std::string("none") : read.error().message;
  };
  EXPECT_EQ(message(""), "counts.tsv contains no counts");
  EXPECT_NE(message("k\n").find("line 1"), std::string::npos);
  EXPECT_NE(message("k\t5\nc\tmany\t2\n").find("line 2: 'many' is not a number"),
            std::string::npos);
  EXPECT_NE(message("k\t5\nc\t2\n").find("line 2"), std::string::npos);
  EXPECT_NE(message(std::string("k\t5\nc\t\0\t2\n", 10)).find("line 2"), std::string::npos);
  EXPECT_NE(message("k\t5\nc\t2\t99\n").find("more pages with both"), std::string::npos);
}

// Knows pages of lists by what they hold, and counts them.
class FakeProvider final : public SearchProvider {
 public:
  explicit FakeProvider(std::vector<std::string> pages) : pages_(std::move(pages)) {}

  Result<SearchAnswer> search(const SearchQuery& query, size_t page) override {
    SearchAnswer answer;
    if (fails) return Error{"it is broken"};
    for (size_t i = 0; i < pages_.size(); ++i) {
      const bool holds = std::all_of(
          query.phrases.begin(), query.phrases.end(),
          [&](const std::string& phrase) { return pages_[i].find(phrase) != std::string::npos; });
      if (!holds) continue;
      answer.count = answer.count.value_or(0) + 1;
      if (page == 0) answer.hits.push_back({*Url::parse(fmt::format("http://h{}.org/", i)), ""});
    }
    if (!answer.count) answer.count = 0;
    if (hides_counts) answer.count.reset();
    return answer;
  }
  Spec spec() const override { return {"fake", {}}; }
  std::optional<uint64_t> size() const override { return collection; }

  std::optional<uint64_t> collection;
  bool hides_counts = false, fails = false;
  std::vector<std::string> pages_;
};

TopicSources sources_of(FakeProvider& provider) {
  TopicSources sources;
  sources.search = sources.counts = &provider;
  sources.bring = [&](std::span<const Url> urls, const UsePage& use) -> Status {
    for (const Url& url : urls) {
      const size_t number = std::stoul(std::string(url.hostname().substr(1)));
      const std::string& html = provider.pages_[number];
      if (!use(html.starts_with("failed")
                   ? std::nullopt
                   : std::optional(page_of(html, std::string(url.href()))))) {
        break;
      }
    }
    return {};
  };
  return sources;
}

const TopicProgress kQuiet = [](std::string_view, size_t, size_t) { return true; };

std::vector<std::string> birds_and_fish() {
  return {"birds" + list_of({"swans", "ducks"}),
          "birds" + list_of({"swans", "geese"}),
          "failed birds",
          "birds" + list_of({"swans", "ducks"}) + " swans again",
          "swans" + list_of({"black swans", "birds"}),
          "swans" + list_of({"black swans", "birds"}),
          "nothing of all this"};
}

TEST(FindTopics, gathers_usable_pages_finds_candidates_and_counts_them) {
  FakeProvider provider(birds_and_fish());
  TopicMapOptions options;
  options.topics.candidates.support = 2;
  const auto found = find_topics("birds", sources_of(provider), options.topics, kQuiet);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->failed, 1u);
  EXPECT_EQ((*found)->keyword_count, 6u);
  std::map<std::string, const ScoredTopic*> topics;
  for (const ScoredTopic& topic : (*found)->topics) topics[topic.candidate.phrase] = &topic;
  ASSERT_TRUE(topics.contains("swans"));
  EXPECT_EQ(topics["swans"]->counts.candidate, 5u);
  EXPECT_EQ(topics["swans"]->counts.both, 5u);
  EXPECT_EQ(topics["swans"]->type, TopicType::kOne);
  EXPECT_FALSE(topics.contains("birds"));
}

TEST(FindTopics, singular_and_plural_are_one_topic_and_the_keyword_is_none) {
  FakeProvider provider({"bird" + list_of({"Swan", "Birds", "Goose"}),
                         "bird and more" + list_of({"Swan", "Birds", "Swans", "Goose"}),
                         "bird again, with words" + list_of({"Swans", "Swan", "bird"})});
  TopicOptions options;
  options.candidates.support = 2;
  const auto found = find_topics("bird", sources_of(provider), options, kQuiet);
  std::vector<std::string> phrases;
  for (const ScoredTopic& topic : (*found)->topics) phrases.push_back(topic.candidate.phrase);
  std::sort(phrases.begin(), phrases.end());
  EXPECT_EQ(phrases, (std::vector<std::string>{"Goose", "Swan"}));
}

TEST(FindTopics, pages_may_have_the_words_of_the_keyword_anywhere) {
  FakeProvider provider({"probability distribution" + list_of({"poisson", "normal"}),
                         "distribution of a probability" + list_of({"poisson", "cauchy"}),
                         "probability and its distribution" + list_of({"poisson", "cauchy"}),
                         "distribution of a linux" + list_of({"kernel", "cauchy"})});
  TopicOptions options;
  options.candidates.support = 2;
  options.match = KeywordMatch::kPhrase;
  const auto phrase =
      find_topics("probability distribution", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*phrase)->keyword_count, 1u);
  EXPECT_TRUE((*phrase)->topics.empty());
  options.match = KeywordMatch::kWords;
  const auto words = find_topics("probability distribution", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*words)->keyword_count, 3u);
  ASSERT_EQ((*words)->topics.size(), 2u);
  EXPECT_EQ((*words)->topics[0].candidate.phrase, "poisson");
  EXPECT_EQ((*words)->topics[0].counts.both, 3u);
  EXPECT_EQ((*words)->topics[0].type, TopicType::kOne);
  EXPECT_EQ((*words)->topics[1].candidate.phrase, "cauchy");
  EXPECT_EQ((*words)->topics[1].counts.both, 2u);
}

TEST(FindTopics, where_most_candidates_are_more_frequent_than_the_phrase_its_words_decide) {
  FakeProvider provider({"probability distribution" + list_of({"poisson", "cauchy"}),
                         "the probability distribution" + list_of({"poisson", "cauchy"}),
                         "distribution of a probability" + list_of({"poisson", "cauchy"}),
                         "probability and its distribution" + list_of({"poisson", "cauchy"})});
  provider.collection = 4;
  TopicOptions options;
  options.candidates.support = 2;
  options.match = KeywordMatch::kPhrase;
  const auto phrase =
      find_topics("probability distribution", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*phrase)->keyword_count, 2u);
  EXPECT_EQ((*phrase)->of_type(TopicType::kThree), 2u);
  options.match = KeywordMatch::kAuto;
  const auto words = find_topics("probability distribution", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*words)->keyword_count, 4u);
  EXPECT_EQ((*words)->of_type(TopicType::kThree), 0u);
  ASSERT_EQ((*words)->warnings.size(), 1u);
  EXPECT_NE((*words)->warnings[0].find("2 of 2 candidates are more frequent"), std::string::npos)
      << (*words)->warnings[0];
  // One word is its own phrase.
  const auto one = find_topics("probability", sources_of(provider), options, kQuiet);
  EXPECT_TRUE((*one)->warnings.empty());
}

TEST(FindTopics, a_page_that_failed_is_replaced_and_enough_is_enough) {
  FakeProvider provider(birds_and_fish());
  TopicOptions options;
  options.pages = 3;
  const auto found = find_topics("birds", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*found)->usable, 3u);
  EXPECT_EQ((*found)->failed, 1u);
  options.pages = 0;
  options.lists = 2;
  EXPECT_EQ((*find_topics("birds", sources_of(provider), options, kQuiet))->items.lists, 2u);
}

TEST(FindTopics, a_provider_without_counts_makes_everything_type_three_and_says_so) {
  FakeProvider provider(birds_and_fish());
  provider.hides_counts = true;
  TopicOptions options;
  options.candidates.support = 2;
  const auto found = find_topics("birds", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*found)->of_type(TopicType::kThree), (*found)->topics.size());
  ASSERT_EQ((*found)->warnings.size(), 1u);
  EXPECT_NE((*found)->warnings[0].find("Type III"), std::string::npos);
}

TEST(FindTopics, a_provider_that_fails_at_once_is_an_error_and_nothing_found_is_none) {
  FakeProvider provider(birds_and_fish());
  const auto nothing = find_topics("elephants", sources_of(provider), {}, kQuiet);
  ASSERT_TRUE(nothing.ok() && *nothing);
  EXPECT_EQ((*nothing)->usable, 0u);
  EXPECT_TRUE((*nothing)->topics.empty());
  provider.fails = true;
  EXPECT_FALSE(find_topics("birds", sources_of(provider), {}, kQuiet).ok());
}

TEST(FindTopics, ends_where_the_progress_says_so) {
  FakeProvider provider(birds_and_fish());
  int calls = 0;
  const auto found = find_topics("birds", sources_of(provider), {},
                                 [&](std::string_view, size_t, size_t) { return ++calls < 3; });
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(*found);
}

TEST(TopicMap, looks_up_what_was_found_and_cuts_circles) {
  FakeProvider provider(birds_and_fish());
  TopicMapOptions options;
  options.topics.candidates.support = 2;
  options.depth = 5;
  const auto map = map_topics("birds", sources_of(provider), options, kQuiet);
  ASSERT_TRUE(map.ok() && *map);
  // birds -> swans -> birds is a circle: no keyword is looked up twice.
  std::map<std::string, int> times;
  for (const TopicsFound& found : (*map)->found) ++times[found.keyword];
  EXPECT_EQ(times["birds"], 1);
  EXPECT_EQ(times["swans"], 1);
  for (const auto& [keyword, n] : times) EXPECT_EQ(n, 1) << keyword;
  EXPECT_FALSE((*map)->budget_is_spent);
  options.keywords = 1;
  const auto small = map_topics("birds", sources_of(provider), options, kQuiet);
  EXPECT_EQ((*small)->found.size(), 1u);
  EXPECT_TRUE((*small)->budget_is_spent);
}

}  // namespace
}  // namespace dowser
