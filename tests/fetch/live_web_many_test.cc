#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>

#include "tests/fetch/live_web_fixture.h"

// Many requests at once and one after the other: connections, threads and their end.

namespace dowser {
namespace {

using LiveWebManyTest = LiveWebTest;

rlimit files_allowed() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  return files;
}

TEST_F(LiveWebManyTest, a_connection_serves_many_requests) {
  LiveWebOptions options = patient();
  LiveWebSync web(options);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(web.get(url("/ok")).body, "hello");
  EXPECT_EQ(server_.connections(), 1);
  EXPECT_EQ(server_.requests(), 20);
}

// libcurl 7.83.0 to 8.0.1 reallocates freed memory here where an easy handle is used again.
TEST_F(LiveWebManyTest, a_folded_first_field_after_another_answer_does_no_harm) {
  LiveWebSync web(patient());
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(web.get(url("/ok")).body, "hello");
    const Response folded = web.get(url("/folded-first"));
    EXPECT_TRUE(folded.failure == Failure::kBadHttp || folded.body == "hello")
        << name_of(folded.failure) << " " << folded.detail;
  }
}

TEST_F(LiveWebManyTest, five_hundred_at_a_time_all_come_back) {
  if (files_allowed().rlim_max < 4096) GTEST_SKIP() << "this machine allows too few open files";
  // Nobody is answered before all have asked.
  std::mutex mutex;
  std::condition_variable all_there;
  int there = 0;
  HostileServer server({{"/", [&](HostileConnection& c, const std::string&) {
                           std::unique_lock lock(mutex);
                           if (++there == 500) all_there.notify_all();
                           all_there.wait_for(lock, 15s, [&] { return there == 500; });
                           lock.unlock();
                           return c.send(html("hello"));
                         }}});
  LiveWebOptions options = patient();
  std::vector<Url> urls;
  for (int i = 0; i < 500; ++i) {
    options.resolve_to.emplace_back(fmt::format("h{}.test", i), server.address());
    urls.push_back(url_of(fmt::format("http://h{}.test/", i)));
  }
  for (const Response& response : fetch_all(options, urls)) {
    ASSERT_EQ(response.body, "hello") << name_of(response.failure) << " " << response.detail;
  }
  EXPECT_EQ(server.connections(), 500);
}

TEST_F(LiveWebManyTest, the_limit_of_open_files_is_raised_as_far_as_the_system_lets_us) {
  const rlimit before = files_allowed();
  const rlimit low{300, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &low);
  const LiveWebSync web(patient());
  const rlimit after = files_allowed();
  EXPECT_EQ(after.rlim_max, before.rlim_max);
  EXPECT_EQ(after.rlim_cur, std::min<rlim_t>(before.rlim_max, 256 + 2 * 64 * 256));
  const rlimit high{std::max(before.rlim_cur, after.rlim_cur), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &high);
  const LiveWebSync another(patient());
  EXPECT_EQ(files_allowed().rlim_cur, high.rlim_cur) << "never lowered";
}

// Requests are answered in rounds of kRoom, each once all of them are there and no more, over no
// more connections than that: those of the rounds before have been closed to make place.
class Rounds {
 public:
  static constexpr int kRoom = 22;

  void take_part(HostileServer& server) {
    std::unique_lock lock(mutex_);
    const int round = there_++ / kRoom;
    if (there_ % kRoom == 0) {
      lock.unlock();
      std::this_thread::sleep_for(100ms);  // for one too many to come
      for (int i = 0; i < 3000 && server.open_connections() > kRoom; ++i) {
        std::this_thread::sleep_for(20ms);  // for closings to be noticed
      }
      lock.lock();
      if (there_ > (round + 1) * kRoom || server.open_connections() > kRoom) ++mistakes_;
      done_ = round + 1;
      next_.notify_all();
    }
    if (!next_.wait_for(lock, kHangs, [&] { return done_ > round; })) ++mistakes_;
  }
  int mistakes() const { return mistakes_; }

 private:
  std::mutex mutex_;
  std::condition_variable next_;
  int there_ = 0, done_ = 0;
  std::atomic<int> mistakes_ = 0;
};

// 300 files at most, of which 256 are for other things and each transfer may need two.
int mistakes_with_few_files() {
  const rlimit few{300, 300};
  setrlimit(RLIMIT_NOFILE, &few);
  Rounds rounds;
  HostileServer* self = nullptr;
  HostileServer server({{"/", [&](HostileConnection& c, const std::string&) {
                           rounds.take_part(*self);
                           return c.send(html("hello"));
                         }}});
  self = &server;
  LiveWebOptions options = patient();
  options.threads = 1;
  std::vector<Url> urls;
  for (int i = 0; i < 3 * Rounds::kRoom; ++i) {
    options.resolve_to.emplace_back(fmt::format("h{}.test", i), server.address());
    urls.push_back(url_of(fmt::format("http://h{}.test/", i)));
  }
  int failed = 0;
  for (const Response& response : fetch_all(options, urls)) failed += response.body != "hello";
  return failed + rounds.mistakes();
}

TEST_F(LiveWebManyTest, where_few_files_may_be_open_jobs_wait_for_each_other) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // the hard limit cannot be raised again
  EXPECT_EXIT(_exit(mistakes_with_few_files()), testing::ExitedWithCode(0), "");
}

TEST_F(LiveWebManyTest, ending_does_not_wait_for_what_is_in_flight) {
  LiveWebOptions options = patient();
  TestNameServer names({});
  options.dns_servers = names.address();
  auto web = std::make_unique<LiveWeb>(
      options, [](uint64_t, Response, ByteLease) { ADD_FAILURE() << "given up, not done"; });
  for (uint64_t i = 0; i < 50; ++i) web->start(i, url("/silent"));
  web->start(50, url_of("http://silent.test/"));
  while (server_.requests() < 50 || names.questions() == 0) std::this_thread::sleep_for(1ms);
  web.reset();  // otherwise it takes the hour that they are given
}

TEST_F(LiveWebManyTest, the_next_job_can_be_started_when_one_is_done) {
  std::mutex mutex;
  std::condition_variable all_done;
  int left = 100;
  LiveWeb* self = nullptr;
  LiveWeb web(patient(), [&](uint64_t job, Response response, ByteLease) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(response.ok());
    if (--left == 0) {
      all_done.notify_one();
    } else {
      self->start(job + 1, url("/ok"));
    }
  });
  std::unique_lock lock(mutex);
  self = &web;
  web.start(1, url("/ok"));
  EXPECT_TRUE(all_done.wait_for(lock, kHangs, [&] { return left == 0; }));
}

// One thread, which is kept busy with the first page until the second lies ready and its time is
// over. On a busy machine that time may be over before the thread is kept busy: then it gets more.
TEST_F(LiveWebManyTest, no_time_runs_out_while_the_thread_is_busy_with_another_page) {
  std::string failure;
  for (auto limit = 200ms; limit < 60s && failure != "none"; limit *= 2) {
    std::promise<void> sent;
    HostileServer server({{"/first", says(html("hello"))},
                          {"/second", [&](HostileConnection& c, const std::string&) {
                             c.send(kLong + std::string(50, 'x'));
                             std::this_thread::sleep_for(limit / 2);
                             const bool stays = c.send(std::string(50, 'x'));
                             sent.set_value();
                             return stays;
                           }}});
    LiveWebOptions options = patient();
    options.threads = 1;
    options.limits.first_byte = options.limits.stall = limit;
    std::promise<Response> second;
    LiveWeb web(options, [&](uint64_t job, Response response, ByteLease) {
      if (job == 1) {
        sent.get_future().wait();
        std::this_thread::sleep_for(2 * limit);
      }
      if (job == 2) second.set_value(std::move(response));
    });
    web.start(1, url_of("http://" + server.address() + "/first"));
    web.start(2, url_of("http://" + server.address() + "/second"));
    const Response response = second.get_future().get();
    failure = name_of(response.failure);
    EXPECT_TRUE(failure != "none" || response.body.size() == 100) << response.body.size();
  }
  EXPECT_EQ(failure, "none");
}

}  // namespace
}  // namespace dowser
