#include "eval/advice_check.h"

namespace dowser {
namespace {

bool within_two(double a, double b) { return a <= 2 * b && b <= 2 * a; }

}  // namespace

bool AdviceCheck::is_within_two() const {
  if (truth == 0) return advice.remaining < 0.5;
  return within_two(advice.remaining, static_cast<double>(truth));
}

bool AdviceCheck::is_within_two_of_one_more() const {
  return within_two(advice.remaining + 1, static_cast<double>(truth) + 1);
}

bool AdviceCheck::is_covered() const {
  const auto left = static_cast<double>(truth);
  return advice.low <= left && left <= advice.high;
}

std::vector<AdviceCheck> check_advice(std::span<const AdviceTaken> taken,
                                      std::span<const HeldWeb::Node> pages, const Draw& draw) {
  std::vector<AdviceCheck> checks;
  for (const AdviceTaken& one : taken) {
    std::vector<char> wanted = draw.is_target;
    size_t found = 0;
    for (const HeldWeb::Node node : pages.first(one.fetched)) {
      if (node == HeldWeb::kNone || !wanted[node]) continue;
      wanted[node] = false;
      ++found;
    }
    checks.push_back({one.fetched, one.advice, draw.reachable - found});
  }
  return checks;
}

void AdviceScore::add(const AdviceCheck& check) {
  const auto mean = [this](double before, bool now) {
    return (before * static_cast<double>(checks) + now) / static_cast<double>(checks + 1);
  };
  within_two = mean(within_two, check.is_within_two());
  within_two_of_one_more = mean(within_two_of_one_more, check.is_within_two_of_one_more());
  covered = mean(covered, check.is_covered());
  ++checks;
}

}  // namespace dowser
