#include "fetch/retry.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

Response with(int status, std::string retry_after = "") {
  Response response;
  response.status = status;
  if (!retry_after.empty()) response.headers.add("Retry-After", std::move(retry_after));
  return response;
}

TEST(Retry, what_stays_the_same_is_not_tried_again) {
  for (const int status : {200, 301, 401, 404, 410, 501}) {
    EXPECT_EQ(retry_rule(with(status)).tries, 1) << status;
  }
  for (const Failure failure : {Failure::kDns, Failure::kTls, Failure::kRobots, Failure::kBadHttp,
                                Failure::kForbiddenAddress, Failure::kNotInArchive}) {
    Response response;
    response.failure = failure;
    EXPECT_EQ(retry_rule(response).tries, 1) << name_of(failure);
  }
}

TEST(Retry, what_may_recover_is_tried_again_after_a_while) {
  for (const Failure failure :
       {Failure::kConnect, Failure::kTimeoutFirstByte, Failure::kReset, Failure::kTimeoutDns}) {
    Response response;
    response.failure = failure;
    EXPECT_GT(retry_rule(response).tries, 1) << name_of(failure);
    EXPECT_GT(retry_rule(response).wait, Duration(0));
    EXPECT_FALSE(retry_rule(response).slows_host);
  }
}

Response with(Failure failure) {
  Response response;
  response.failure = failure;
  return response;
}

TEST(Retry, what_is_wrong_with_the_host_gives_it_up) {
  for (const Failure failure : {Failure::kDns, Failure::kTimeoutDns, Failure::kForbiddenAddress,
                                Failure::kConnect, Failure::kTimeoutConnect}) {
    EXPECT_TRUE(retry_rule(with(failure)).gives_up_host) << name_of(failure);
  }
  EXPECT_TRUE(retry_rule(with(429)).gives_up_host) << "it said five times that we are too many";
}

TEST(Retry, what_is_wrong_with_a_page_does_not) {
  for (const Failure failure :
       {Failure::kNotInArchive, Failure::kRobots, Failure::kRobotsFailed,
        Failure::kTooManyRedirects, Failure::kBadRedirect, Failure::kBadAddress,
        Failure::kTimeoutFirstByte, Failure::kTimeoutStall, Failure::kTimeoutTotal, Failure::kReset,
        Failure::kTls, Failure::kBadHttp, Failure::kHeaderTooLarge, Failure::kUnwantedType,
        Failure::kUnwantedSize, Failure::kOther}) {
    EXPECT_FALSE(retry_rule(with(failure)).gives_up_host) << name_of(failure);
  }
  for (const int status : {200, 304, 403, 404, 500, 502, 503, 504}) {
    EXPECT_FALSE(retry_rule(with(status)).gives_up_host) << status;
  }
}

TEST(Retry, too_many_requests_and_unavailable_slow_the_host) {
  EXPECT_TRUE(retry_rule(with(429)).slows_host);
  EXPECT_TRUE(retry_rule(with(503)).slows_host);
  EXPECT_FALSE(retry_rule(with(500)).slows_host);
}

TEST(Retry, retry_after_is_read_as_seconds_and_as_a_date) {
  const Time now = *parse_iso8601("2026-11-15T20:00:00Z");
  EXPECT_EQ(retry_after(with(503, "30"), now), std::chrono::seconds(30));
  EXPECT_EQ(retry_after(with(503, "Sun, 15 Nov 2026 20:01:00 GMT"), now), std::chrono::seconds(60));
  EXPECT_EQ(retry_after(with(503, "Sun, 15 Nov 2026 19:01:00 GMT"), now), Duration(0));
  EXPECT_EQ(retry_after(with(503, "7200"), now), std::chrono::hours(2));
  EXPECT_EQ(retry_after(with(503, "99999999999"), now), std::chrono::hours(24)) << "bounded";
  EXPECT_EQ(retry_after(with(503, "99999999999999999999999"), now), std::chrono::hours(24));
  EXPECT_EQ(retry_after(with(503, "Fri, 31 Dec 9999 23:59:59 GMT"), now), std::chrono::hours(24));
  EXPECT_EQ(retry_after(with(503, "-5"), now), Duration(0));
  EXPECT_EQ(retry_after(with(503, ""), now), std::nullopt);
  EXPECT_EQ(retry_after(with(503, "soon"), now), std::nullopt);
  EXPECT_EQ(retry_after(with(503), now), std::nullopt);
}

}  // namespace
}  // namespace dowser
