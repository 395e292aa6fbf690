#include "fetch/retry.h"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace dowser {
namespace {

using std::chrono::seconds;

constexpr bool kSlowsHost = true, kKeepsPace = false, kGivesUpHost = true;

struct FailureRow {
  Failure failure;
  RetryRule rule;
};

// A failure that may pass is retried; one that will stay is not. If the host failed, and not only
// the page, the host is abandoned. A kind of failure without a row is final.
constexpr FailureRow kFailureRules[] = {
    // A name that does not exist has no pages.
    {Failure::kDns, {1, seconds(0), kKeepsPace, kGivesUpHost}},
    // Name servers may recover; while they do not answer, no page can be reached.
    {Failure::kTimeoutDns, {3, seconds(30), kKeepsPace, kGivesUpHost}},
    // The name leads to a private address, for every page of the host.
    {Failure::kForbiddenAddress, {1, seconds(0), kKeepsPace, kGivesUpHost}},
    // A server that restarts refuses connections for a moment; one that is gone refuses all.
    {Failure::kConnect, {3, seconds(30), kKeepsPace, kGivesUpHost}},
    {Failure::kTimeoutConnect, {2, seconds(60), kKeepsPace, kGivesUpHost}},
    // It was reached, though perhaps not by TLS: http may well work where https does not. One slow,
    // endless or crashing page says nothing about the others.
    {Failure::kTimeoutFirstByte, {2, seconds(60)}},
    {Failure::kTimeoutStall, {2, seconds(60)}},
    {Failure::kTimeoutTotal, {1, seconds(0)}},
    {Failure::kReset, {2, seconds(10)}},
    // Our own fault: no memory or no file descriptors. It passes.
    {Failure::kOther, {3, seconds(30)}},
};

struct StatusRow {
  int status;
  RetryRule rule;
};
constexpr StatusRow kStatusRules[] = {
    // Abandon the host after five 429s, with longer and longer waits between them.
    {429, {5, seconds(10), kSlowsHost, kGivesUpHost}},
    // Perhaps one broken part of a server whose other pages work; the waits limit the load.
    {503, {4, seconds(10), kSlowsHost}},
    {500, {2, seconds(30)}},
    {502, {3, seconds(30)}},
    {504, {2, seconds(30)}},
};

// A host that wants a longer wait has to say so again.
constexpr Duration kLongestRest = std::chrono::hours(24);

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
  const bool is_number = end == value->data() + value->size() && !value->empty();
  if (is_number && error == std::errc::result_out_of_range) {
    return value->starts_with('-') ? Duration(0) : kLongestRest;
  }
  if (is_number && error == std::errc()) {
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
