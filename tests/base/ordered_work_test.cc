#include "base/ordered_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace dowser {
namespace {

TEST(OrderedWork, values_come_in_order_whoever_is_faster) {
  OrderedWork<std::unique_ptr<size_t>> work(1000, [](size_t n) {
    if (n % 7 == 0) std::this_thread::yield();
    return std::make_unique<size_t>(n);
  });
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(*work.next(), i);
}

TEST(OrderedWork, who_leaves_early_waits_for_nothing_more) {
  std::atomic<size_t> made = 0;
  {
    OrderedWork<int> work(1'000'000, [&](size_t) { return static_cast<int>(++made); });
    work.next();
  }
  EXPECT_LT(made, 1'000'000u);
}

TEST(OrderedWork, no_work_ends_at_once) {
  OrderedWork<int> work(0, [](size_t) { return 1; });
}

}  // namespace
}  // namespace dowser
