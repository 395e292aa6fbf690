#include "fetch/robots_answer.h"

#include <algorithm>
#include <optional>

#include "base/compress.h"
#include "fetch/robots.h"

namespace dowser {
namespace {

// A robots.txt that was truncated or damaged in transit may be complete the next time.
constexpr RetryRule kAskOnceMore{2, std::chrono::seconds(10), false, true};

// No control characters: what is still packed has some.
bool is_text(std::string_view bytes) {
  return std::ranges::none_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f;
  });
}

// The text of a robots.txt, or nothing if a part of it is missing.
std::optional<std::string> whole_text(const Response& response) {
  const auto encoding = response.headers.get("Content-Encoding");
  const Result<Decoded> body =
      decode_content(encoding.value_or("identity"), response.body, Robots::kLimit);
  // Some servers name a character set as the encoding, or one that they did not apply.
  std::string text = body ? body->bytes : response.body;
  if (encoding && !is_text(text)) return std::nullopt;
  const bool is_cut = response.cut_by != Failure::kNone || (body && body->truncated);
  if (is_cut && text.size() < Robots::kLimit) return std::nullopt;
  return text;
}

}  // namespace

RobotsAnswer robots_answer(const Response& response) {
  using Kind = RobotsAnswer::Kind;
  if (response.failure == Failure::kNotInArchive) return {};
  if (response.failure != Failure::kNone) {
    return {Kind::kUnreachable, "", response.failure, retry_rule(response)};
  }
  if (response.status >= 500 || response.status == 429) {
    return {Kind::kUnreachable, "", Failure::kRobotsFailed, retry_rule(response)};
  }
  if (!response.ok()) return {};
  if (std::optional<std::string> text = whole_text(response)) {
    return {Kind::kRules, std::move(*text), Failure::kNone, {}};
  }
  return {Kind::kUnreachable, "", Failure::kRobotsFailed, kAskOnceMore};
}

}  // namespace dowser
