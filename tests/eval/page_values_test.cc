#include "eval/page_values.h"

#include <cmath>
#include <map>
#include <numeric>

#include "base/random.h"
#include "tests/eval/made_web.h"

namespace dowser {
namespace {

// Twelve pages of words drawn from sixty, more often the early ones.
HeldWeb wordy_web() {
  Random random(5);
  std::vector<HeldWeb::Answer> answers;
  for (int i = 0; i < 12; ++i) {
    std::string html = "<p>";
    for (uint64_t k = 0, words = 30 + random.below(60); k < words; ++k) {
      html += " qz" + std::string(1, static_cast<char>('a' + random.below(26))) +
              std::string(1, static_cast<char>('a' + random.below(1 + random.below(4)))) + "x";
    }
    answers.push_back(made_page("p" + std::to_string(i), html));
  }
  return HeldWeb(std::move(answers));
}

double times(const Page& page, TermId term) {
  for (const TermCount& t : page.terms) {
    if (t.term == term) return t.count;
  }
  return 0;
}

double length(const Page& page) {
  double sum = 0;
  for (const TermCount& t : page.terms) sum += t.count;
  return sum;
}

// BM25 as in the books, slowly: every term of every page is counted again whenever it is asked for.
std::vector<double> slow_ranks(const HeldWeb& web, const Nodes& pool, const Nodes& examples) {
  const auto n = static_cast<double>(pool.size());
  const auto df = [&](TermId term) {
    return static_cast<double>(std::count_if(
        pool.begin(), pool.end(), [&](Node page) { return times(web.page(page), term) > 0; }));
  };
  std::map<TermId, double> strength;
  for (const Node example : examples) {
    double squares = 0;
    for (const TermCount& t : web.page(example).terms)
      squares += std::pow(1 + std::log(t.count), 2);
    for (const TermCount& t : web.page(example).terms) {
      strength[t.term] +=
          (1 + std::log(t.count)) / std::sqrt(squares) * std::log(1 + n / (df(t.term) + 1));
    }
  }
  std::vector<std::pair<double, TermId>> query;
  for (const auto& [term, value] : strength) query.emplace_back(value, term);
  std::sort(query.rbegin(), query.rend());
  if (query.size() > 20) query.resize(20);
  double mean_length = 0;
  for (const Node page : pool) mean_length += length(web.page(page)) / n;
  std::map<Node, double> score;
  for (const Node page : pool) {
    for (const auto& [value, term] : query) {
      const double tf = times(web.page(page), term);
      const double idf = std::log(1 + (n - df(term) + 0.5) / (df(term) + 0.5));
      score[page] +=
          idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length(web.page(page)) / mean_length));
    }
  }
  std::vector<double> ranks(web.nodes());
  for (const Node page : pool) {
    double below = 0, equal = 0;
    for (const Node other : pool) {
      const bool same = std::abs(score[other] - score[page]) < 1e-12;
      equal += same;
      below += !same && score[other] < score[page];
    }
    ranks[page] = (below + (equal - 1) / 2) / (n - 1);
  }
  return ranks;
}

TEST(RetrievalRanks, are_those_of_the_slow_reference) {
  const HeldWeb web = wordy_web();
  const Nodes pool = {0, 1, 2, 4, 5, 7, 8, 9, 11};
  for (const Nodes& examples : {Nodes{0, 3}, Nodes{6}, Nodes{1, 2, 10}}) {
    const std::vector<double> ranks = retrieval_ranks(web, pool, examples);
    const std::vector<double> expected = slow_ranks(web, pool, examples);
    for (Node i = 0; i < web.nodes(); ++i) EXPECT_NEAR(ranks[i], expected[i], 1e-9) << i;
    EXPECT_EQ(ranks[3], 0) << "outside of the pool";
    EXPECT_EQ(*std::max_element(ranks.begin(), ranks.end()), 1);
  }
}

TEST(RetrievalRanks, equals_share_the_middle_of_their_places) {
  const HeldWeb web({made_page("a", "<p>stones"), made_page("b", "<p>birds and feathers"),
                     made_page("c", "<p>gravel"), made_page("d", "<p>granite")});
  EXPECT_EQ(retrieval_ranks(web, Nodes{0, 1, 2, 3}, Nodes{1}),
            (std::vector<double>{1 / 3.0, 1, 1 / 3.0, 1 / 3.0}));
  EXPECT_EQ(retrieval_ranks(web, Nodes{1}, Nodes{1}), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(retrieval_ranks(web, {}, Nodes{1}), std::vector<double>(4, 0.0));
}

TEST(RetrievalRanks, pages_without_words_are_equal) {
  const HeldWeb web({made_page("a", ""), made_page("b", ""), made_page("c", "<p>birds")});
  EXPECT_EQ(retrieval_ranks(web, Nodes{0, 1}, Nodes{2}), (std::vector<double>{0.5, 0.5, 0}));
}

TEST(Predicate, holds_where_all_words_of_the_keyword_stand) {
  const HeldWeb web({made_page("a", "<p>a nest of birds"), made_page("b", "<p>two birds"),
                     made_page("c", "<title>Bird</title><p>nesting"), made_page("d", "")});
  EXPECT_EQ(predicate(web, "bird-nest"), (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(predicate(web, "birds"), (std::vector<double>{1, 1, 1, 0}));
}

TEST(Popularity, is_one_on_average) {
  const HeldWeb web = bird_web();
  const std::vector<double> values = popularity(web);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 30, 1e-6);
  EXPECT_GT(values[node(web, "dull0.html")], values[node(web, "dull7.html")]);
}

TEST(Similarities, are_highest_for_the_pages_described) {
  const HeldWeb web = bird_web();
  const Nodes birds = pages_about(web, "bird"), stones = pages_about(web, "stone");
  const std::vector<double> values = similarities(web, Nodes{birds[2], birds[5]});
  for (size_t i = 0; i < 10; ++i) EXPECT_GT(values[birds[i]], values[stones[i]]);
  EXPECT_NEAR(similarities(web, Nodes{birds[2]})[birds[2]], 1, 1e-9);
}

TEST(PageValues, a_phrase_is_words_side_by_side_in_text_or_title) {
  std::vector<HeldWeb::Answer> answers;
  answers.push_back(made_page("a", "<p>birds of the ancient history of Rome"));
  answers.push_back(made_page("b", "<p>ancient birds have a history"));
  answers.push_back(made_page("c", "<title>Ancient history</title><p>birds"));
  const HeldWeb web(std::move(answers));
  EXPECT_EQ(phrase(web, "ancient-history"), std::vector<double>({1, 0, 1}));
  EXPECT_EQ(predicate(web, "ancient-history"), std::vector<double>({1, 1, 1}));
  EXPECT_EQ(phrase(web, "the of"), std::vector<double>(3));
}

TEST(PageValues, popularity_by_in_links_is_1_on_average) {
  std::vector<HeldWeb::Answer> answers;
  answers.push_back(made_page("a", "<a href=b>b</a> <a href=c>c</a>"));
  answers.push_back(made_page("b", "<a href=c>c</a>"));
  answers.push_back(made_page("c", "<p>nothing"));
  const HeldWeb web(std::move(answers));
  EXPECT_EQ(in_link_popularity(web), std::vector<double>({0, 1, 2}));
}

}  // namespace
}  // namespace dowser
