#include "fetch/retry.h"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace dowser {
namespace {

using std::chrono::seconds;

struct FailureRow {
  Failure failure;
  RetryRule rule;
};

// What may be better next time is tried again; what will be the same is not. A name that does not
// exist, a bad certificate and broken HTTP stay what they are; a server that is slow or restarts
// may recover.
constexpr FailureRow kFailureRules[] = {
    {Failure::kTimeoutDns, {3, seconds(30)}},     {Failure::kConnect, {3, seconds(30)}},
    {Failure::kTimeoutConnect, {2, seconds(60)}}, {Failure::kTimeoutFirstByte, {2, seconds(60)}},
    {Failure::kTimeoutStall, {2, seconds(60)}},   {Failure::kTimeoutTotal, {1, seconds(0)}},
    {Failure::kReset, {2, seconds(10)}},
};

struct StatusRow {
  int status;
  RetryRule rule;
};
constexpr StatusRow kStatusRules[] = {
    {429, {5, seconds(10), true}}, {503, {4, seconds(10), true}}, {500, {2, seconds(30)}},
    {502, {3, seconds(30)}},       {504, {2, seconds(30)}},
};

constexpr Duration kLongestRest = std::chrono::hours(1);

}  // namespace

RetryRule retry_rule(const Response& response) {
  for (const FailureRow& row : kFailureRules) {
    if (row.failure == response.failure) return row.rule;
  }
  if (response.failure != Failure::kNone) return {};
  for (const StatusRow& row : kStatusRules) {
    if (row.status == response.status) return row.rule;
  }
  return {};
}

std::optional<Duration> retry_after(const Response& response, Time now) {
  const auto value = response.headers.get("Retry-After");
  if (!value) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error == std::errc() && end == value->data() + value->size()) {
    return std::clamp<Duration>(seconds(std::clamp<int64_t>(number, 0, 1'000'000)), Duration(0),
                                kLongestRest);
  }
  std::tm parts{};
  const std::string text(*value);
  if (!strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts)) return std::nullopt;
  const Time at{timegm(&parts) * int64_t{1'000'000}};
  return std::clamp<Duration>(at - now, Duration(0), kLongestRest);
}

}  // namespace dowser
