#include <gtest/gtest.h>

#include "frontier/frontier.h"
#include "strategy/strategy.h"
#include "tests/made_browsing.h"
#include "tests/strategy/written_visit.h"

// The model: pages about a treasure are targets, catalogues link to them, weather only to weather.

namespace dowser {
namespace {

const HmmFile& browsing() {
  static const HmmFile file =
      made_browsing({{"treasure gold", "treasure silver", "catalogue list", "catalogue index",
                      "weather rain", "weather sun", "weather snow"},
                     {{2, 0}, {2, 1}, {3, 0}, {3, 1}, {4, 5}, {5, 4}, {6, 4}, {4, 2}},
                     2});
  return file;
}

std::unique_ptr<Strategy> make(const std::string& text) {
  static const Topic topic;
  StrategyContext context{topic};
  context.hmm = &browsing();
  auto made = make_hmm(*Spec::parse(text), context);
  EXPECT_TRUE(made.ok()) << made.error().message;
  return std::move(*made);
}

Visit visit(uint32_t id, std::optional<uint32_t> parent, const std::string& name,
            const std::string& written) {
  return written_visit(id, parent, 0, written_page("http://w.test/" + name, written));
}

Score learned_score(Strategy& strategy, const Visit& v, size_t link = 0) {
  strategy.learn(v);
  return *strategy.score(v, v.page.links[link]);
}

std::vector<ScorePart> explained(Strategy& strategy, const Visit& v, const Link& link) {
  return dynamic_cast<ExplainsScores&>(strategy).explain(v, link);
}
SavesState& state_of(Strategy& strategy) { return dynamic_cast<SavesState&>(strategy); }

double part(const std::vector<ScorePart>& parts, std::string_view name) {
  for (const ScorePart& p : parts) {
    if (p.name == name) return p.value;
  }
  ADD_FAILURE() << "no part called " << name;
  return 0;
}

TEST(Hmm, all_links_of_a_page_share_its_prediction_and_catalogues_go_before_weather) {
  auto hmm = make("hmm(as=printed)");
  const Visit good = visit(0, {}, "1", "catalogue [go|http://w.test/a] [on|http://w.test/b]");
  const Visit bad = visit(1, {}, "2", "weather [go|http://w.test/c]");
  const Score first = learned_score(*hmm, good, 0);
  EXPECT_EQ(*hmm->score(good, good.page.links[1]), first);
  EXPECT_GT(first, learned_score(*hmm, bad));
}

TEST(Hmm, explains_a_link_by_cluster_alpha_and_prediction) {
  auto hmm = make("hmm(as=printed)");
  const Visit good = visit(0, {}, "1", "catalogue [go|http://w.test/a]");
  learned_score(*hmm, good);
  const auto parts = explained(*hmm, good, good.page.links[0]);
  const HiddenMarkov& chain = browsing().model.chain();
  const auto cluster = static_cast<uint32_t>(part(parts, "cluster"));
  const std::vector<double> alpha = chain.start(cluster);
  EXPECT_DOUBLE_EQ(part(parts, "alpha T1"), alpha[1]);
  EXPECT_DOUBLE_EQ(part(parts, "predicted T0"), chain.predict(alpha)[0]);
}

TEST(Hmm, with_words_the_links_of_a_page_differ_by_what_is_known_of_them) {
  auto hmm = make("hmm(as=printed, words=on)");
  const Visit v = visit(0, {}, "1",
                        "catalogue [treasure|http://w.test/a] [weather|http://w.test/b] "
                        "[unheard of|http://w.test/c]");
  const Score treasure = learned_score(*hmm, v, 0);
  EXPECT_GT(treasure, *hmm->score(v, v.page.links[1]));
  EXPECT_GT(treasure, *hmm->score(v, v.page.links[2]));
}

TEST(Hmm, with_all_parents_a_page_has_the_mean_of_what_they_predict) {
  auto mean = make("hmm(as=printed, parents=mean)"), plain = make("hmm(as=printed)");
  Frontier frontier{FrontierOptions{}};
  FrontierView view(frontier);
  const Visit good = visit(0, {}, "1", "catalogue [go|http://w.test/a] [go|http://w.test/only]");
  const Visit bad = visit(1, {}, "2", "weather [go|http://w.test/a] [go|http://w.test/a]");
  for (Strategy* strategy : {mean.get(), plain.get()}) strategy->learn(good);
  const Score high = *plain->score(good, good.page.links[0]);
  for (const Link& link : good.page.links) {
    frontier.offer(link.url, *mean->score(good, link), {});
  }
  mean->revise(view);
  plain->learn(bad), mean->learn(bad);
  const Score low = *plain->score(bad, bad.page.links[0]);
  Score between;
  for (const Link& link : bad.page.links) {  // the second link counts for nothing
    between = *mean->score(bad, link);
    frontier.offer(link.url, between, {});
  }
  mean->revise(view);
  EXPECT_LT(between, high);
  EXPECT_GT(between, low);
  // The frontier has the mean, not the best offer: the page that only the catalogue links to goes
  // first, although the other was offered before it.
  EXPECT_EQ(view.take()->url.href(), "http://w.test/only");
  const Candidate a = *view.take();
  EXPECT_EQ(a.score, between);
  // What was expected of it when it comes back is that mean.
  Visit back = visit(2, 0, "a", "weather [go|http://w.test/z]");
  mean->learn(back), plain->learn(back);
  EXPECT_LT(*mean->score(back, back.page.links[0]), *plain->score(back, back.page.links[0]));
}

TEST(Hmm, with_new_targets_a_page_like_one_votes_for_those_that_are_like_itself) {
  auto hmm = make("hmm(as=printed, targets=0.6)"), plain = make("hmm(as=printed)");
  const Visit found = visit(0, {}, "1", "treasure gold list [go|http://w.test/a]");
  const Visit like = visit(1, {}, "2", "list list gold [go|http://w.test/b]");
  for (Strategy* strategy : {hmm.get(), plain.get()}) strategy->learn(found);
  hmm->learn(like), plain->learn(like);
  hmm->score(like, like.page.links[0]), plain->score(like, like.page.links[0]);
  EXPECT_GE(part(explained(*hmm, like, like.page.links[0]), "alpha T0"),
            part(explained(*plain, like, like.page.links[0]), "alpha T0"));
}

TEST(Hmm, shares_of_votes_are_a_finer_observation_than_the_winner) {
  auto shares = make("hmm(as=printed, votes=shares)"), winner = make("hmm(as=printed)");
  const Visit pure = visit(0, {}, "1", "catalogue [go|http://w.test/a]");
  const Visit mixed = visit(1, {}, "2", "catalogue weather catalogue [go|http://w.test/b]");
  EXPECT_EQ(learned_score(*winner, pure), learned_score(*winner, mixed));
  EXPECT_GT(learned_score(*shares, pure), learned_score(*shares, mixed));
}

TEST(Hmm, what_was_saved_goes_on_alike_with_every_option) {
  for (const char* text : {"hmm", "hmm(as=printed)", "hmm(parents=winning, words=off)",
                           "hmm(targets=0.3)", "hmm(as=printed, parents=mean)",
                           "hmm(as=printed, parents=mean, targets=0.3, votes=shares, words=on)"}) {
    auto one = make(text), other = make(text);
    const Visit first = visit(0, {}, "1", "treasure gold [x|http://w.test/2] [y|http://w.test/3]");
    one->learn(first);
    for (const Link& link : first.page.links) one->score(first, link);
    ByteWriter out;
    state_of(*one).save(out);
    const std::string bytes(out.bytes());
    ByteReader in(bytes);
    ASSERT_TRUE(state_of(*other).load(in)) << text;
    const Visit next = visit(1, 0, "2", "catalogue treasure [y|http://w.test/3]");
    EXPECT_EQ(learned_score(*one, next), learned_score(*other, next)) << text;
    for (size_t size = 0; size < bytes.size(); size += 7) {  // cut short: refused, and it ends
      ByteReader cut(std::string_view(bytes).substr(0, size));
      EXPECT_FALSE(state_of(*make(text)).load(cut)) << text << " " << size;
    }
    EXPECT_EQ(make(one->spec().text())->spec(), one->spec());
  }
}

TEST(Hmm, the_options_that_find_more_are_the_default_and_the_printed_form_has_a_name) {
  EXPECT_EQ(make("hmm")->spec().text(), "hmm");
  EXPECT_EQ(make("hmm(parents=mean, votes=shares, words=on)")->spec().text(), "hmm");
  EXPECT_EQ(make("hmm(parents=winning, votes=winner, words=off)")->spec().text(),
            "hmm(parents=winning, votes=winner, words=off)");
  EXPECT_EQ(make("hmm(as=printed, words=off)")->spec().text(), "hmm(as=printed)");
  EXPECT_EQ(make("hmm(as=printed, words=on)")->spec().text(), "hmm(as=printed, words=on)");
  // Two links of one page have one score as printed, and two by default.
  const Visit v =
      visit(0, {}, "1", "catalogue [treasure|http://w.test/a] [weather|http://w.test/b]");
  for (const auto& [text, is_one] : {std::pair("hmm(as=printed)", true), {"hmm", false}}) {
    auto hmm = make(text);
    hmm->learn(v);
    const Score first = *hmm->score(v, v.page.links[0]);
    EXPECT_EQ(first == *hmm->score(v, v.page.links[1]), is_one) << text;
  }
}

TEST(Hmm, wrong_options_and_a_missing_model_are_told_in_a_sentence) {
  const Topic topic;
  StrategyContext context{topic};
  const auto says = [&](const char* text) {
    const auto made = make_hmm(*Spec::parse(text), context);
    return made ? "" : made.error().message;
  };
  EXPECT_NE(says("hmm").find("--model"), std::string::npos);
  context.hmm = &browsing();
  EXPECT_EQ(says("hmm"), "");
  EXPECT_NE(says("hmm(targets=2)").find("cosine from 0 to 1"), std::string::npos);
  EXPECT_NE(says("hmm(parents=both)").find("mean"), std::string::npos);
  EXPECT_NE(says("hmm(word=on)").find("words"), std::string::npos);
  HmmModel::Parts parts = browsing().model.parts();
  parts.link_emissions = {};
  const HmmFile without{.model = *HmmModel::from_parts(std::move(parts))};
  context.hmm = &without;
  EXPECT_EQ(says("hmm"), "");  // does without
  EXPECT_NE(says("hmm(words=on)").find("train it again"), std::string::npos);
}

}  // namespace
}  // namespace dowser
