#include "strategy/learned/link_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "strategy/learned/link_features.h"

namespace dowser {
namespace {

LinkModel::Features features(std::initializer_list<uint32_t> names) {
  LinkModel::Features out;
  out.add(0, std::vector<uint32_t>(names), 1);
  return out;
}

// One feature of value 1. σ(0) = ½, so the slope is ½ - 1 = -½, and the first step of AdaGrad is
// 0.15 · ½ / sqrt(¼ + 1e-6). Then the slope is σ(w) - 1 + 1e-4 w.
TEST(LinkModel, a_step_is_that_of_the_essay) {
  LinkModel model;
  const auto x = features({7});
  EXPECT_EQ(model.logit(x), 0);
  model.learn(x, 1);
  const double first = 0.15 * 0.5 / std::sqrt(0.25 + 1e-6);
  EXPECT_NEAR(model.logit(x), first, 1e-6);
  model.learn(x, 1);
  const double slope = 1 / (1 + std::exp(-first)) - 1 + 1e-4 * first;
  EXPECT_NEAR(model.logit(x), first - 0.15 * slope / std::sqrt(0.25 + slope * slope + 1e-6), 1e-6);
}

TEST(LinkModel, a_group_weighs_the_same_however_many_names_it_has) {
  double squares = 0;
  const LinkModel::Features four = features({1, 2, 3, 4});
  for (const LinkModel::Feature& f : std::span<const LinkModel::Feature>(four))
    squares += f.value * f.value;
  EXPECT_NEAR(squares, 1, 1e-6);
}

TEST(LinkModel, learns_which_features_pay) {
  LinkModel model;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto noise = static_cast<uint32_t>(100 + random.below(500));
    const bool pays = random.below(2) == 0;
    model.learn(features({pays ? 1u : 2u, noise}), pays ? 0.9 : 0.05);
  }
  EXPECT_GT(model.logit(features({1, 7777})), 0.5);
  EXPECT_LT(model.logit(features({2, 7777})), -0.5);
}

TEST(LinkModel, comes_back_from_its_bytes) {
  LinkModel model, again;
  for (uint32_t i = 0; i < 300; ++i) model.learn(features({i, i % 7}), i % 3 == 0 ? 1 : 0);
  ByteWriter out;
  model.save(out);
  ByteReader in(out.bytes());
  ASSERT_TRUE(again.load(in).ok());
  for (uint32_t i = 0; i < 300; ++i) {
    EXPECT_EQ(again.logit(features({i, i % 7})), model.logit(features({i, i % 7})));
  }
  ByteReader cut(std::string_view(out.bytes()).substr(0, out.bytes().size() - 3));
  EXPECT_FALSE(LinkModel().load(cut).ok());
}

TEST(LinkFeatures, addresses_of_one_shape_have_the_same_traits_but_for_the_host) {
  const auto traits = [](std::string_view text) {
    const Url url = *Url::parse(text);
    return address_traits(directory_traits(url), url);
  };
  const auto smith = traits("http://a.test/~smith/cs101/hw2.html");
  const auto jones = traits("http://b.test/~jones/math7/hw13.html");
  EXPECT_NE(smith[0], jones[0]);
  for (size_t i = 1; i < smith.size(); ++i) EXPECT_EQ(smith[i], jones[i]) << i;
  EXPECT_NE(smith[1], traits("http://a.test/~smith/hw2.html")[1]);
  EXPECT_NE(smith[2], traits("http://a.test/~smith/cs101/hw2.ps")[2]);
  EXPECT_NE(smith[3], traits("http://a.test/~smith/cs101/homework.html")[3]);
}

TEST(LinkFeatures, a_directory_ends_with_the_last_slash_of_the_path) {
  const auto directory = [](std::string_view url) {
    return std::string(directory_of(*Url::parse(url)));
  };
  EXPECT_EQ(directory("http://a.test/b/c.html"), "http://a.test/b/");
  EXPECT_EQ(directory("http://a.test/b/?q=/c/d"), "http://a.test/b/");
  EXPECT_EQ(directory("http://a.test/b#c/d"), "http://a.test/");
  EXPECT_EQ(directory("mailto:a@b.test"), "mailto:");
}

}  // namespace
}  // namespace dowser
