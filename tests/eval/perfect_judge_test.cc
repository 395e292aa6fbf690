#include "eval/perfect_judge.h"

#include "eval/match.h"
#include "tests/eval/made_web.h"

namespace dowser {
namespace {

TEST(PerfectJudge, knows_the_pages_of_the_topic_and_no_others) {
  const HeldWeb web = bird_web();
  Topic topic;
  topic.words = "stone";
  std::vector<const Page*> birds;
  for (const Node bird : pages_about(web, "bird")) birds.push_back(&web.page(bird));
  const auto judge = make_perfect_judge(topic, birds);
  ASSERT_TRUE(judge.ok());
  for (const Node bird : pages_about(web, "bird")) {
    EXPECT_EQ((*judge)->relevance(terms_of(web.page(bird))).value, 1);
  }
  for (const Node stone : pages_about(web, "stone")) {
    EXPECT_FALSE((*judge)->judge(web.page(stone)).relevant);
  }
}

TEST(PerfectJudge, is_for_comparisons_only) {
  Topic topic;
  topic.words = "bird";
  EXPECT_FALSE(make_judge("perfect", {topic}).ok());
  EXPECT_TRUE(parse_contestant("learned with perfect").ok());
}

}  // namespace
}  // namespace dowser
