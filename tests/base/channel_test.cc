#include "base/channel.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace dowser {
namespace {

TEST(Channel, what_many_threads_push_comes_out_once_and_in_each_ones_order) {
  constexpr int kThreads = 4, kEach = 1000;
  Channel<std::pair<int, int>> channel;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) channel.push({t, i});
    });
  }
  std::vector<int> next(kThreads, 0);
  for (int i = 0; i < kThreads * kEach; ++i) {
    const auto value = channel.pop(std::chrono::seconds(10));
    ASSERT_TRUE(value.has_value());
    EXPECT_EQ(value->second, next[static_cast<size_t>(value->first)]++);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(channel.pop(std::chrono::microseconds(1)), std::nullopt);
}

}  // namespace
}  // namespace dowser
