#include "learn/example_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace dowser {
namespace {

// Documents of twenty common features (0 … 19) by chance and five of their own kind.
SparseVector document(Random& random, uint32_t kind) {
  std::vector<SparseVector::Entry> entries;
  for (int i = 0; i < 10; ++i) entries.push_back({static_cast<uint32_t>(random.below(20)), 1});
  for (int i = 0; i < 5; ++i) {
    entries.push_back({kind + static_cast<uint32_t>(random.below(12)), 1});
  }
  return SparseVector(std::move(entries));
}

std::vector<SparseVector> documents(Random& random, uint32_t kind, size_t count) {
  std::vector<SparseVector> all;
  for (size_t i = 0; i < count; ++i) all.push_back(document(random, kind));
  return all;
}

constexpr uint32_t kWanted = 100, kOther = 200;

class ExampleModelTest : public testing::Test {
 protected:
  Random random_{7};
  std::vector<SparseVector> examples_ = documents(random_, kWanted, 10);
  std::vector<SparseVector> others_ = documents(random_, kOther, 60);
  ExampleModel model_ = *ExampleModel::train(examples_, others_);
};

TEST_F(ExampleModelTest, others_are_at_0_and_what_was_not_seen_of_the_kind_is_about_1) {
  double wanted = 0, other = 0;
  for (int i = 0; i < 200; ++i) {
    wanted += model_.likeness(document(random_, kWanted)) / 200;
    other += model_.likeness(document(random_, kOther)) / 200;
  }
  EXPECT_NEAR(wanted, 1, 0.2);
  EXPECT_NEAR(other, 0, 0.2);
  EXPECT_GT(model_.relevance(document(random_, kWanted)), 0.2);
  EXPECT_LT(model_.relevance(document(random_, kOther)), 0.05);
}

TEST_F(ExampleModelTest, relevance_is_a_half_at_the_middle_and_0_for_an_empty_document) {
  const SparseVector v = document(random_, kWanted);
  EXPECT_NEAR(model_.relevance(v), 1 / (1 + std::exp(-6 * (model_.likeness(v) - 0.9))), 1e-12);
  EXPECT_EQ(model_.relevance(SparseVector()), 0);
}

TEST_F(ExampleModelTest, contributions_add_up_to_the_likeness_but_for_a_constant) {
  const auto rest = [&](const SparseVector& v) {
    const SparseVector parts = model_.contributions(v);
    double sum = 0;
    for (const auto& e : parts.entries()) sum += e.value;
    return model_.likeness(v) - sum;
  };
  const double constant = rest(document(random_, kWanted));
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(rest(document(random_, kOther)), constant, 1e-6);
}

TEST_F(ExampleModelTest, words_of_the_kind_point_towards_the_topic_and_common_ones_do_not) {
  const std::vector<uint32_t> wanted = {kWanted + 1, kWanted + 2}, common = {1, 2};
  const std::vector<uint32_t> other = {kOther + 1, kOther + 2}, unknown = {9999};
  EXPECT_GT(model_.direction_of(wanted), 0.1);
  EXPECT_LT(model_.direction_of(other), 0);
  EXPECT_LT(std::abs(model_.direction_of(common)), model_.direction_of(wanted) / 2);
  EXPECT_EQ(model_.direction_of(unknown), 0);
  EXPECT_EQ(model_.direction_of({}), 0);
}

TEST_F(ExampleModelTest, comes_back_from_its_bytes_and_says_what_is_wrong_with_others) {
  ByteWriter out;
  model_.save(out);
  ByteReader in(out.bytes());
  const Result<ExampleModel> again = ExampleModel::load(in, nullptr);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->parts(), model_.parts());
  ByteReader cut(std::string_view(out.bytes()).substr(0, out.bytes().size() / 2));
  EXPECT_EQ(ExampleModel::load(cut, nullptr).error().message,
            "the saved model of examples is cut short");
  ExampleModel::Parts parts = model_.parts();
  parts.topic.pop_back();
  EXPECT_FALSE(ExampleModel::from_parts(parts, nullptr).ok());
}

TEST_F(ExampleModelTest, training_repeats_to_the_bit) {
  EXPECT_EQ(ExampleModel::train(examples_, others_)->parts(), model_.parts());
}

TEST(ExampleModel, without_others_it_goes_by_the_cosine_to_the_examples) {
  Random random(3);
  const auto examples = documents(random, kWanted, 10);
  const ExampleModel model = *ExampleModel::train(examples, {});
  EXPECT_GT(model.likeness(document(random, kWanted)), model.likeness(document(random, kOther)));
  EXPECT_FALSE(ExampleModel::train({}, {}).ok());
}

TEST_F(ExampleModelTest, a_background_that_knows_nothing_changes_nothing) {
  const BackgroundShare empty = [](uint32_t) { return 0.0; };
  const ExampleModel model = *ExampleModel::train(examples_, others_, {.background = empty});
  EXPECT_EQ(model.parts(), model_.parts());
  const SparseVector unseen({{1'000'000, 2}, {examples_[0].entries()[0].index, 1}});
  EXPECT_EQ(model.likeness(unseen), model_.likeness(unseen));
}

// A feature of three documents in four by the background tells less than one of none.
TEST(ExampleModel, what_is_common_in_the_background_weighs_little) {
  const BackgroundShare background = [](uint32_t feature) { return feature == 1 ? 0.75 : 0; };
  const std::vector<SparseVector> examples = {SparseVector({{1, 1}, {2, 1}}),
                                              SparseVector({{1, 1}, {2, 1}, {3, 1}})};
  const ExampleModel model = *ExampleModel::train(examples, {}, {.background = background});
  const std::vector<uint32_t> common = {1}, rare = {2};
  EXPECT_GT(model.direction_of(rare), 3 * model.direction_of(common));
}

}  // namespace
}  // namespace dowser
