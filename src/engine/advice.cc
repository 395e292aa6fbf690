#include "engine/advice.h"

#include <fmt/format.h>

#include <cmath>

namespace dowser {
namespace {

std::string pages(double number) {
  const double rounded = std::round(number);
  return fmt::format("{:.0f} relevant page{}", rounded, rounded == 1 ? "" : "s");
}

}  // namespace

std::string advice_text(const Advice& advice) {
  if (advice.sites > 1) return "cannot tell how many are left";
  if (!advice.can_tell()) return "cannot tell yet how many are left";
  return fmt::format("about {:.0f} left ({:.0f} to {:.0f})", advice.remaining, advice.low,
                     advice.high);
}

std::string recommendation(const Advice& advice) {
  constexpr double kMany = 50, kFew = 10;
  constexpr double kMost = 0.75;
  if (advice.sites > 1) {
    return fmt::format(
        "{} found. How many are left cannot be estimated, because links wait on {:.0f} sites: what "
        "is behind them cannot be seen from here.",
        pages(advice.found), advice.sites);
  }
  if (!advice.can_tell()) {
    return fmt::format(
        "{} found. It is too early to estimate how many are left: continue the crawl, then look "
        "again.",
        pages(advice.found));
  }
  std::string text = fmt::format(
      "{} found, and about {:.0f} can still be reached ({:.0f} to {:.0f}), so about {:.0f} % have "
      "been found; the next thousand fetches should find {:.0f} ({:.0f} to {:.0f}). ",
      pages(advice.found), advice.remaining, advice.low, advice.high, 100 * advice.recall(),
      advice.next_thousand, advice.next_low, advice.next_high);
  if (advice.next_high <= kFew) {
    text += "It is time to stop.";
  } else if (advice.next_low >= kMany) {
    text += "It is worth continuing.";
  } else if (advice.next_thousand >= kMany) {
    text += "It is probably worth continuing.";
  } else if (advice.recall() < kMost) {
    text += "Continue if the remaining pages matter.";
  } else {
    text += "Most pages have been found; continue if the last ones matter.";
  }
  return text;
}

std::string reason_to_stop(const StopRule& rule, const Advice& advice, size_t fetched) {
  if (fetched < StopRule::kLeastFetches) return "";
  if (rule.recall > 0 && advice.sites <= 1 && advice.least_recall() >= rule.recall) {
    return fmt::format(
        "about {:.0f} % of the reachable relevant pages have been found, and at least {:.0f} %",
        100 * advice.recall(), std::floor(100 * advice.least_recall()));
  }
  if (rule.harvest > 0 && advice.next_high <= 1000 * rule.harvest) {
    return fmt::format("the next thousand fetches would find about {}, and at most {:.0f}",
                       pages(advice.next_thousand), advice.next_high);
  }
  return "";
}

}  // namespace dowser
