#include "fetch/robots_answer.h"

#include <gtest/gtest.h>

#include "base/compress.h"
#include "fetch/robots.h"

namespace dowser {
namespace {

using Kind = RobotsAnswer::Kind;

constexpr std::string_view kRules = "User-agent: *\nDisallow: /private/\n";

Response answer(int status, std::string body = std::string(kRules), std::string encoding = "") {
  Response response;
  response.status = status;
  response.body = std::move(body);
  if (!encoding.empty()) response.headers.add("Content-Encoding", encoding);
  return response;
}

TEST(RobotsAnswer, a_whole_body_is_rules_whatever_its_encoding_is_called) {
  for (const Response& response : {answer(200), answer(203), answer(200, gzip(kRules), "gzip"),
                                   answer(200, std::string(kRules), "gzip"),
                                   answer(200, std::string(kRules), "UTF-8"), answer(200, "")}) {
    const RobotsAnswer robots = robots_answer(response);
    EXPECT_EQ(robots.kind, Kind::kRules);
    EXPECT_EQ(robots.text, response.body.empty() ? "" : kRules);
  }
}

TEST(RobotsAnswer, a_body_that_was_cut_or_cannot_be_decoded_is_unreachable_and_asked_for_again) {
  std::string half = gzip(kRules);
  half.resize(half.size() / 2);
  Response cut = answer(200);
  cut.truncated = true;
  cut.cut_by = Failure::kReset;
  for (const Response& response :
       {cut, answer(200, half, "gzip"), answer(200, gzip(kRules).substr(2), "gzip"),
        answer(200, "\x1b\x04\xff broken", "br"), answer(200, gzip(kRules), "rot13")}) {
    const RobotsAnswer robots = robots_answer(response);
    EXPECT_EQ(robots.kind, Kind::kUnreachable);
    EXPECT_EQ(robots.failure, Failure::kRobotsFailed);
    EXPECT_EQ(robots.retry.tries, 2);
  }
}

TEST(RobotsAnswer, a_body_longer_than_the_limit_counts_as_far_as_it_was_read) {
  std::string rules(kRules);
  rules.resize(Robots::kLimit + 10, '#');
  Response cut = answer(200, rules);
  cut.truncated = true;  // by our own limit
  EXPECT_EQ(robots_answer(cut).kind, Kind::kRules);
  cut.cut_by = Failure::kReset;
  EXPECT_EQ(robots_answer(cut).kind, Kind::kRules) << "it broke behind the limit";
  EXPECT_EQ(robots_answer(answer(200, gzip(rules), "gzip")).kind, Kind::kRules);
}

TEST(RobotsAnswer, without_an_answer_and_after_429_and_5xx_nothing_is_allowed) {
  for (int i = 1; i < kFailures; ++i) {
    Response failed;
    failed.failure = static_cast<Failure>(i);
    if (failed.failure == Failure::kNotInArchive) continue;
    EXPECT_EQ(robots_answer(failed).kind, Kind::kUnreachable) << name_of(failed.failure);
    EXPECT_EQ(robots_answer(failed).failure, failed.failure);
    EXPECT_EQ(robots_answer(failed).retry.tries, retry_rule(failed).tries);
  }
  for (const int status : {429, 500, 503, 599}) {
    EXPECT_EQ(robots_answer(answer(status)).kind, Kind::kUnreachable) << status;
    EXPECT_EQ(robots_answer(answer(status)).failure, Failure::kRobotsFailed) << status;
  }
  EXPECT_EQ(robots_answer(answer(429)).retry.tries, 5);
  EXPECT_TRUE(robots_answer(answer(503)).retry.slows_host);
}

TEST(RobotsAnswer, other_statuses_and_an_archive_without_it_mean_no_rules) {
  for (const int status : {301, 400, 401, 403, 404, 410, 451}) {
    EXPECT_EQ(robots_answer(answer(status)).kind, Kind::kNoRules) << status;
  }
  Response missing;
  missing.failure = Failure::kNotInArchive;
  EXPECT_EQ(robots_answer(missing).kind, Kind::kNoRules);
}

}  // namespace
}  // namespace dowser
