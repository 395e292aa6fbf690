#include "learn/hmm_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/hmm_file.h"
#include "tests/learn/made_examples.h"

namespace dowser {
namespace {

using Terms = std::vector<TermCount>;

// home (0) -> list (1) -> target (2); list -> other (3) -> home; a page that leads nowhere (4).
struct HandMade {
  std::vector<Terms> pages = {{{10, 3}, {11, 1}},
                              {{20, 3}, {21, 1}},
                              {{30, 5}, {31, 2}},
                              {{10, 1}, {12, 4}},
                              {{40, 2}, {41, 2}}};
  HmmTraining training;

  HandMade() {
    training.pages.assign(pages.begin(), pages.end());
    training.links = {{0, 1}, {1, 2}, {1, 3}, {3, 0}};
    training.is_target = {false, false, true, false, false};
  }
};

TEST(HmmModel, states_are_links_to_the_nearest_target_along_links) {
  const HandMade made;
  const auto hops = hops_to_targets(made.training);
  EXPECT_EQ(hops, (std::vector<std::optional<uint32_t>>{2, 1, 0, 3, std::nullopt}));
  const auto model = HmmModel::train(made.training, {.states = 4});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(std::ranges::equal(model->states(), std::vector<uint32_t>{2, 1, 0, 3, 3}));
  EXPECT_EQ(model->unreachable(), 1u);
  const auto three = HmmModel::train(made.training, {.states = 3});
  EXPECT_TRUE(std::ranges::equal(three->states(), std::vector<uint32_t>{2, 1, 0, 2, 2}));
}

TEST(HmmModel, the_tables_of_a_hand_made_graph_are_its_counts) {
  const HandMade made;
  const auto model = HmmModel::train(made.training, {.states = 4, .smoothing = 0});
  ASSERT_TRUE(model) << model.error().message;
  const CountMatrix& a = model->chain().parts().transitions;
  EXPECT_EQ(a.at(1, 0), 0.5);  // of the two links of T1 one leads to a target, one to T3
  EXPECT_EQ(a.at(1, 3), 0.5);
  EXPECT_EQ(a.at(2, 1), 1);
  EXPECT_EQ(a.at(3, 2), 1);
  EXPECT_EQ(a.at(0, 0), 0.25);  // the target has no links: anything may come
  const CountMatrix& b = model->chain().parts().emissions;
  EXPECT_EQ(b.at(0, 0), 1);  // cluster 0 holds the targets, and nothing else
  for (uint32_t state = 1; state < 4; ++state) EXPECT_EQ(b.at(state, 0), 0);
  const std::vector<uint32_t>& clusters = model->pages().parts().labels;
  EXPECT_EQ(b.at(1, clusters[1]), 1);
  EXPECT_NEAR(b.at(3, clusters[3]), clusters[3] == clusters[4] ? 1 : 0.5, 1e-15);
}

TEST(HmmModel, the_words_of_links_are_counted_by_the_state_that_they_lead_to) {
  HandMade made;
  const Terms none = {{99, 1}};  // a word of no page
  made.training.link_words = {made.pages[1], made.pages[2], none, {}};
  const auto model = HmmModel::train(made.training, {.states = 4, .smoothing = 0});
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_TRUE(model->knows_link_words());
  const CountMatrix& links = model->parts().link_emissions;
  const std::vector<uint32_t>& clusters = model->pages().parts().labels;
  const uint32_t unknown = model->clusters();
  EXPECT_EQ(links.at(1, clusters[1]), 1);  // 0 -> 1, with the words of page 1
  EXPECT_EQ(links.at(0, 0), 1);            // 1 -> 2, with the words of the target
  EXPECT_EQ(links.at(3, unknown), 1);      // 1 -> 3
  EXPECT_EQ(links.at(2, unknown), 1);      // 3 -> 0
  EXPECT_EQ(model->link_symbol(made.pages[2]), 0u);
  EXPECT_EQ(model->link_symbol(none), unknown);
  EXPECT_EQ(model->link_likelihood(0), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(model->link_likelihood(unknown), (std::vector<double>{0, 0, 1, 1}));
  EXPECT_FALSE(HmmModel::train(HandMade().training)->knows_link_words());
  HmmModel::Parts parts = model->parts();
  parts.link_emissions.at(0, 0) = 0.5;
  EXPECT_FALSE(HmmModel::from_parts(parts));
}

TEST(HmmModel, a_training_page_is_nearest_to_itself) {
  const HandMade made;
  const auto model = HmmModel::train(made.training);
  const auto target = model->space().direction(made.pages[2]);
  EXPECT_NEAR(model->nearest_target(target).cosine, 1, 1e-9);
  EXPECT_EQ(model->nearest_target(target).page, 2u);
  EXPECT_EQ(model->cluster(target), 0u);
  EXPECT_LT(model->nearest_target(model->space().direction(made.pages[4])).cosine, 0.1);
}

TEST(HmmModel, what_cannot_be_learned_from_is_refused_in_a_sentence) {
  HandMade made;
  const auto says = [&](const HmmOptions& options) {
    const auto model = HmmModel::train(made.training, options);
    return model ? "" : model.error().message;
  };
  EXPECT_NE(says({.states = 1}).find("states"), std::string::npos);
  EXPECT_NE(says({.states = 21}).find("states"), std::string::npos);
  EXPECT_NE(says({.neighbours = 0}).find("neighbour"), std::string::npos);
  made.training.is_target.assign(5, false);
  EXPECT_NE(says({}).find("no page is marked"), std::string::npos);
}

TEST(HmmModel, few_identical_and_empty_pages_give_a_model) {
  const Terms same = {{1, 2}, {2, 1}}, none;
  for (const std::vector<Terms>& pages :
       {std::vector<Terms>{same}, {same, same, same, same}, {same, none, same}}) {
    HmmTraining training;
    training.pages.assign(pages.begin(), pages.end());
    training.is_target.assign(pages.size(), false);
    training.is_target[0] = true;
    const auto model = HmmModel::train(training);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_LT(model->cluster(model->space().direction(none)), model->clusters());
    EXPECT_EQ(model->chain().predict(model->chain().start(0)).size(), 4u);
  }
}

HmmFile made_file(uint64_t seed = 1) {
  std::vector<Terms> pages;
  for (const Example& e : made_examples(3, 40, 200, 40, 4)) {
    Terms& page = pages.emplace_back();
    for (const auto& entry : e.vector.entries()) {
      page.push_back({entry.index, static_cast<uint32_t>(entry.value)});
    }
  }
  HmmTraining training;
  training.pages.assign(pages.begin(), pages.end());
  for (uint32_t i = 0; i < 40; ++i) {
    training.links.emplace_back(i, (i * 7 + 1) % 40);
    training.is_target.push_back(i % 10 == 0);
  }
  HmmFile file{.model = *HmmModel::train(training, {.seed = seed})};
  file.topics = {"made \"up\""};
  file.sessions = 2;
  file.links = 40;
  file.words.assign(file.model.space().parts().terms.size(), "wörd");
  file.addresses.assign(40, "http://a/");
  file.clusters.resize(file.model.clusters(), {{{"word", 0.25}}, {}});
  return file;
}

TEST(HmmFile, comes_back_to_the_last_bit_and_repeats) {
  const HmmFile file = made_file();
  const std::string text = hmm_file_text(file);
  EXPECT_EQ(text, hmm_file_text(made_file()));
  const auto read = read_hmm_file(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->model.parts() == file.model.parts());
  EXPECT_EQ(read->topics, file.topics);
  EXPECT_EQ(read->words, file.words);
  EXPECT_EQ(hmm_file_text(*read), text);
}

TEST(HmmFile, cut_foreign_and_broken_files_are_refused_in_a_sentence) {
  const std::string text = hmm_file_text(made_file());
  for (size_t size = 0; size < text.size() - 2; size += text.size() / 60) {
    const auto read = read_hmm_file(std::string_view(text).substr(0, size));
    ASSERT_FALSE(read) << size;
  }
  EXPECT_NE(read_hmm_file("{\"dowser_model\": 1, \"kind\": \"hmm\", \"version\": 9}")
                .error()
                .message.find("version 9"),
            std::string::npos);
  EXPECT_NE(read_hmm_file("{\"dowser_model\": 1, \"kind\": \"bayes\", \"version\": 1}")
                .error()
                .message.find("dowser learn hmm"),
            std::string::npos);
  Random random(1);
  for (int i = 0; i < 300; ++i) {  // whatever the bytes, reading ends
    std::string broken = text;
    for (int n = 0; n < 3; ++n)
      broken[random.below(broken.size())] = static_cast<char>('0' + random.below(75));
    static_cast<void>(read_hmm_file(broken));
  }
}

}  // namespace
}  // namespace dowser
