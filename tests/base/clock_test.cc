#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dowser {
namespace {

using namespace std::chrono_literals;

TEST(Time, is_written_in_the_forms_of_archives) {
  struct Row {
    int64_t micros;
    const char *iso, *cdx;
  };
  for (const Row& row : {Row{0, "1970-01-01T00:00:00Z", "19700101000000"},
                         Row{1180310400'000000, "2007-05-28T00:00:00Z", "20070528000000"},
                         Row{951782399'999999, "2000-02-28T23:59:59Z", "20000228235959"},
                         Row{-1, "1969-12-31T23:59:59Z", "19691231235959"},
                         Row{-1'000'000, "1969-12-31T23:59:59Z", "19691231235959"},
                         Row{-1'000'001, "1969-12-31T23:59:58Z", "19691231235958"}}) {
    EXPECT_EQ(to_iso8601({row.micros}), row.iso);
    EXPECT_EQ(to_cdx_timestamp({row.micros}), row.cdx);
  }
}

TEST(Time, is_read_with_and_without_fraction) {
  struct Row {
    const char* text;
    int64_t micros;
  };
  for (const Row& row :
       {Row{"1970-01-01T00:00:00Z", 0}, Row{"1969-12-31T23:59:59Z", -1'000'000},
        Row{"1970-01-01T00:00:01.5Z", 1'500'000}, Row{"1970-01-01T00:00:00.000001Z", 1},
        Row{"1970-01-01T00:00:00.123456789Z", 123456},
        Row{"2000-02-29T00:00:00Z", 951782400'000000},
        Row{"2016-12-31T23:59:60Z", 1483228800'000000}}) {
    const Result<Time> time = parse_iso8601(row.text);
    ASSERT_TRUE(time.ok()) << row.text;
    EXPECT_EQ(time->micros, row.micros) << row.text;
  }
}

TEST(Time, what_is_no_date_is_refused) {
  for (const char* text :
       {"", "2007", "2007-05-28", "2007-05-28T00:00:00", "2007-05-28 00:00:00Z",
        "2007-13-28T00:00:00Z", "2007-00-28T00:00:00Z", "2007-05-32T00:00:00Z",
        "2007-02-29T00:00:00Z", "2007-05-28T24:00:00Z", "2007-05-28T00:60:00Z",
        "2007-05-28T00:00:61Z", "2007-05-28T00:00:0xZ", "2007-05-28T00:00:00.1xZ",
        "2007-05-28T00:00:00+1Z", "-007-05-28T00:00:00Z"}) {
    EXPECT_FALSE(parse_iso8601(text).ok()) << text;
  }
}

RC_GTEST_PROP(Time, its_text_reads_back_as_the_same_second, ()) {
  const int64_t second = *rc::gen::inRange<int64_t>(-62'000'000'000, 253'402'300'800);
  const int64_t fraction = *rc::gen::inRange(0, 1'000'000);
  const Result<Time> back = parse_iso8601(to_iso8601({second * 1'000'000 + fraction}));
  RC_ASSERT(back.ok());
  RC_ASSERT(back->micros == second * 1'000'000);
}

TEST(Duration, is_read_in_units_of_people) {
  struct Row {
    const char* text;
    Duration expected;
  };
  for (const Row& row : {Row{"0", 0s}, Row{"10", 10s}, Row{".5", 500ms}, Row{"90s", 90s},
                         Row{"1.5m", 90s}, Row{"2h", 2h}, Row{"250ms", 250ms}, Row{"1d", 24h},
                         Row{"0.3s", 300ms}, Row{"1e3s", 1000s}}) {
    const Result<Duration> duration = parse_duration(row.text);
    ASSERT_TRUE(duration.ok()) << row.text;
    EXPECT_EQ(*duration, row.expected) << row.text;
  }
}

TEST(Duration, what_is_no_time_is_refused) {
  for (const char* text : {"", "s", "-1s", "1 s", "1x", "1s ", "1ss", "nan", "inf", "1e300",
                           "1e9999", "999999999999d", "five"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
}

TEST(Duration, is_written_in_the_shortest_form) {
  for (const char* text :
       {"0s", "1s", "90s", "100s", "1.5s", "250ms", "2m", "2h", "1d", "36h", "10d"}) {
    EXPECT_EQ(format_duration(*parse_duration(text)), text);
  }
}

RC_GTEST_PROP(Duration, its_text_reads_back_as_the_same, ()) {
  const Duration original(*rc::gen::inRange<int64_t>(0, 400LL * 86400 * 1'000'000));
  const Result<Duration> back = parse_duration(format_duration(original));
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == original);
}

TEST(SimulatedClock, moves_only_when_told_and_never_back) {
  SimulatedClock clock({1000});
  clock.wait_until({3000});
  EXPECT_EQ(clock.now(), Time{3000});
  clock.wait_until({2000});
  EXPECT_EQ(clock.now(), Time{3000});
  clock.advance(1ms);
  EXPECT_EQ(clock.now(), Time{4000});
}

TEST(SystemClock, waits_until_the_moment_has_come) {
  SystemClock clock;
  const Time later = clock.now() + 5ms;
  clock.wait_until(later);
  EXPECT_GE(clock.now(), later);
  clock.wait_until({0});
}

TEST(ClockMark, is_continued_by_the_time_since_boot_whatever_the_wall_clock_says) {
  ClockMark mark = mark_clock(SimulatedClock(Time{5'000'000}));
  ASSERT_FALSE(mark.boot.empty());
  for (const Duration wrong : {Duration(0), Duration(3600s), Duration(-3600s)}) {
    ClockMark shifted = mark;
    shifted.wall = shifted.wall + wrong;
    shifted.since_boot -= Duration(10s);
    EXPECT_GE(continued(shifted), Time{15'000'000});
    EXPECT_LT(continued(shifted), Time{1000'000'000});
  }
}

TEST(ClockMark, after_another_boot_is_continued_by_the_wall_clock_but_never_back) {
  ClockMark mark = mark_clock(SimulatedClock(Time{5'000'000}));
  mark.boot = "another";
  mark.wall = mark.wall + Duration(-3600s);
  EXPECT_GE(continued(mark), Time{3605'000'000});
  mark.wall = mark.wall + Duration(7200s);
  EXPECT_EQ(continued(mark), Time{5'000'000});
}

}  // namespace
}  // namespace dowser
