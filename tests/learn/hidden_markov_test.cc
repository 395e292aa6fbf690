#include "learn/hidden_markov.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

CountMatrix matrix(std::vector<std::vector<double>> rows) {
  CountMatrix m(static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(rows[0].size()));
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows[r].size(); ++c) m.at(r, c) = rows[r][c];
  }
  return m;
}

double total(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

HiddenMarkov example() {  // of the essay
  return *HiddenMarkov::from_parts(
      {matrix({{0.9, 0.1}, {0.5, 0.5}}), matrix({{0.8, 0.2}, {0.3, 0.7}})});
}

TEST(HiddenMarkov, probabilities_are_shares_of_the_counts) {
  const auto m = HiddenMarkov::train(matrix({{0, 0, 0}, {3, 1, 0}, {0, 2, 6}}),
                                     matrix({{4, 0}, {1, 3}, {0, 5}}), 0);
  ASSERT_TRUE(m) << m.error().message;
  const double third = 1.0 / 3;  // a state that was never left: anything may come
  EXPECT_EQ(m->parts().transitions,
            matrix({{third, third, third}, {0.75, 0.25, 0}, {0, 0.25, 0.75}}));
  EXPECT_EQ(m->parts().emissions, matrix({{1, 0}, {0.25, 0.75}, {0, 1}}));
}

TEST(HiddenMarkov, smoothing_is_added_to_every_count) {
  const auto m = HiddenMarkov::train(matrix({{3, 1}, {0, 0}}), matrix({{1, 0, 0}, {0, 2, 2}}), 0.5);
  EXPECT_EQ(m->parts().transitions, matrix({{0.7, 0.3}, {0.5, 0.5}}));
  EXPECT_EQ(m->parts().emissions.at(0, 0), 1.5 / 2.5);
  EXPECT_EQ(m->parts().emissions.at(1, 0), 0.5 / 5.5);
  EXPECT_FALSE(HiddenMarkov::train(matrix({{1}}), matrix({{1}}), -1));
  EXPECT_FALSE(HiddenMarkov::train(matrix({{1}}), matrix({{1}}), std::nan("")));
}

TEST(HiddenMarkov, forward_values_of_four_pages_are_those_by_hand) {
  const HiddenMarkov m = example();
  // The joint probabilities of the textbook, without division, and their shares.
  double a0 = 0.5 * 0.8, a1 = 0.5 * 0.3;
  std::vector<double> alpha = m.start(0);
  for (const uint32_t symbol : {1u, 0u, 1u}) {
    EXPECT_NEAR(alpha[0], a0 / (a0 + a1), 1e-12);
    EXPECT_NEAR(alpha[1], a1 / (a0 + a1), 1e-12);
    const double b0 = symbol == 0 ? 0.8 : 0.2, b1 = symbol == 0 ? 0.3 : 0.7;
    const double next0 = b0 * (a0 * 0.9 + a1 * 0.5), next1 = b1 * (a0 * 0.1 + a1 * 0.5);
    a0 = next0, a1 = next1;
    alpha = m.forward(alpha, symbol);
  }
  EXPECT_NEAR(alpha[0], a0 / (a0 + a1), 1e-12);
  const auto prediction = m.predict(m.start(0));
  EXPECT_NEAR(prediction[0], (0.4 * 0.9 + 0.15 * 0.5) / 0.55, 1e-12);
  EXPECT_NEAR(total(prediction), 1, 1e-12);
}

TEST(HiddenMarkov, an_uncertain_observation_is_the_mean_of_the_certain_ones) {
  const HiddenMarkov m = example();
  EXPECT_EQ(m.likelihood(std::vector<double>{1, 0}), m.likelihood(0u));
  const std::vector<double> either = m.likelihood(std::vector<double>{0.25, 0.75});
  EXPECT_NEAR(either[0], 0.25 * 0.8 + 0.75 * 0.2, 1e-15);
  EXPECT_NEAR(either[1], 0.25 * 0.3 + 0.75 * 0.7, 1e-15);
  EXPECT_EQ(observed(m.uniform(), m.likelihood(1u)), m.start(1));
}

TEST(HiddenMarkov, ten_thousand_pages_do_not_underflow) {
  Random random(1);
  CountMatrix steps(4, 4), symbols(4, 9);
  for (double& x : steps.values) x = static_cast<double>(random.below(50));
  for (double& x : symbols.values) x = static_cast<double>(random.below(50));
  const auto m = HiddenMarkov::train(steps, symbols);
  std::vector<double> alpha = m->start(0);
  for (int i = 0; i < 10000; ++i) {
    alpha = m->forward(alpha, static_cast<uint32_t>(random.below(9)));
    ASSERT_NEAR(total(alpha), 1, 1e-9);
    ASSERT_GT(*std::min_element(alpha.begin(), alpha.end()), 1e-9);
  }
}

TEST(HiddenMarkov, an_impossible_observation_leaves_the_expectation) {
  const auto m = HiddenMarkov::train(matrix({{1, 1}, {1, 1}}), matrix({{1, 0, 0}, {0, 1, 0}}), 0);
  EXPECT_EQ(m->forward(m->start(0), 2), (std::vector<double>{0.5, 0.5}));
}

TEST(HiddenMarkov, saving_keeps_all_of_it_and_broken_parts_are_refused) {
  expect_survives_saving(example());
  EXPECT_FALSE(HiddenMarkov::from_parts({matrix({{1, 1}, {0, 1}}), matrix({{1}, {1}})}));
  EXPECT_FALSE(HiddenMarkov::from_parts({matrix({{1, 0}, {0, 1}}), matrix({{1}})}));
  EXPECT_FALSE(HiddenMarkov::from_parts({CountMatrix(21, 21), CountMatrix(21, 2)}));
}

using Priority = std::array<double, 4>;

TEST(Priority, components_are_compared_one_after_the_other_in_steps) {
  const auto p = [](std::vector<double> v) { return packed_priority(v); };
  EXPECT_GT(p({0.5, 0.1, 0.4}), p({0.4, 0.6, 0}));
  EXPECT_EQ(p({0.5001, 0.4999}), p({0.5, 0.5}));  // the same after rounding
  EXPECT_GT(p({0.5001, 0.6}), p({0.5, 0.5}));     // then the next decides
  EXPECT_GT(p({0.502, 0}), p({0.5, 0.5}));
  std::vector<double> many(20, 0), other = many;
  many[19] = 0.001;
  EXPECT_GT(p(many), p(other));
}

TEST(Priority, the_first_number_is_the_probability_of_the_first_state_for_people_to_read) {
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<double> v(5);
    for (double& x : v) x = random.uniform();
    const double shown = packed_priority(v)[0];
    EXPECT_GE(shown, v[0] - 0.0005001);
    EXPECT_LT(shown, v[0] + 0.0005001 + 0.001);
  }
  EXPECT_DOUBLE_EQ(packed_priority(std::vector<double>{0.412, 0, 0})[0], 0.412);
}

TEST(Priority, the_order_is_a_strict_weak_ordering_on_a_million_triples) {
  Random random(2);
  std::vector<std::vector<double>> pool;  // close together, where "equal within" would not be one
  for (int i = 0; i < 400; ++i) {
    std::vector<double> v(4);
    for (double& x : v) x = 0.25 + 0.004 * random.uniform();
    pool.push_back(v);
  }
  std::vector<Priority> packed;
  for (const auto& v : pool) packed.push_back(packed_priority(v));
  const auto tolerant = [](const std::vector<double>& a, const std::vector<double>& b) {
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) >= 0.001) return a[i] < b[i];
    }
    return false;
  };
  int broken_as_printed = 0;
  for (int i = 0; i < 1000000; ++i) {
    const size_t x = random.below(400), y = random.below(400), z = random.below(400);
    const Priority &a = packed[x], &b = packed[y], &c = packed[z];
    ASSERT_FALSE(a < a);
    ASSERT_FALSE(a < b && b < a);
    ASSERT_FALSE(a < b && b < c && !(a < c));
    const auto equal = [](const Priority& p, const Priority& q) { return !(p < q) && !(q < p); };
    ASSERT_FALSE(equal(a, b) && equal(b, c) && !equal(a, c));
    broken_as_printed +=
        tolerant(pool[x], pool[y]) && tolerant(pool[y], pool[z]) && !tolerant(pool[x], pool[z]);
  }
  EXPECT_GT(broken_as_printed, 0);
}

// The paper's forward values without division are joint probabilities: at depth all their
// predictions round to zero, and two paths that differ greatly cannot be told apart.
TEST(Priority, without_division_the_order_is_lost_at_depth_and_with_it_is_not) {
  const auto m = *HiddenMarkov::train(matrix({{2, 1, 1}, {5, 3, 2}, {1, 4, 9}}),
                                      matrix({{8, 1, 1}, {1, 7, 2}, {1, 2, 9}}));
  const CountMatrix &a = m.parts().transitions, &b = m.parts().emissions;
  const auto undivided = [&](std::vector<double> alpha, uint32_t symbol) {
    std::vector<double> next(3);
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 3; ++j) next[j] += alpha[i] * a.at(i, j) * b.at(j, symbol);
    }
    return next;
  };
  std::vector<double> good = m.start(0), bad = m.start(2), raw_good = good, raw_bad = bad;
  for (int depth = 1; depth <= 30; ++depth) {
    // The good path ends on symbol 1, one step before the target; the bad one on 2.
    const uint32_t noise = depth % 3;
    good = m.forward(good, depth == 30 ? 1 : noise);
    bad = m.forward(bad, depth == 30 ? 2 : noise);
    raw_good = undivided(raw_good, depth == 30 ? 1 : noise);
    raw_bad = undivided(raw_bad, depth == 30 ? 2 : noise);
  }
  EXPECT_EQ(packed_priority(m.predict(raw_good)), packed_priority(m.predict(raw_bad)));
  EXPECT_GT(packed_priority(m.predict(good)), packed_priority(m.predict(bad)));
}

}  // namespace
}  // namespace dowser
