#include "mine/log_format.h"

#include <gtest/gtest.h>

#include "mine/log_time.h"

namespace dowser {
namespace {

constexpr std::string_view kLine =
    "83.149.9.216 - frank [17/May/2015:10:05:03 +0200] \"GET /a?b=c HTTP/1.1\" 200 203023 "
    "\"http://example.org/\" \"Mozilla/5.0 (X11)\"";

LogFormat format(std::string_view text) {
  Result<LogFormat> parsed = LogFormat::parse(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return *parsed;
}

TEST(LogFormat, a_combined_line_gives_every_field) {
  LogFormat combined = format("combined");
  LogEntry entry;
  ASSERT_EQ(combined.read(kLine, entry), LineState::kWhole);
  EXPECT_EQ(entry.host, "83.149.9.216");
  EXPECT_EQ(entry.user, "frank");
  EXPECT_EQ(entry.time, 1431849903);  // 08:05:03 UTC
  EXPECT_EQ(entry.zone, 7200);
  EXPECT_EQ(entry.method, "GET");
  EXPECT_EQ(entry.target, "/a?b=c");
  EXPECT_EQ(entry.protocol, "HTTP/1.1");
  EXPECT_EQ(entry.status, 200);
  EXPECT_EQ(entry.bytes, 203023);
  EXPECT_EQ(entry.referrer, "http://example.org/");
  EXPECT_EQ(entry.agent, "Mozilla/5.0 (X11)");
}

TEST(LogFormat, a_line_cut_behind_its_byte_count_is_used) {
  LogFormat combined = format("combined");
  const std::string line(kLine);
  const size_t bytes_end = line.find("203023") + 6;
  for (size_t end = bytes_end; end < line.size(); ++end) {
    LogEntry entry;
    const std::string cut = line.substr(0, end);  // which the entry points into
    EXPECT_EQ(combined.read(cut, entry), LineState::kCut) << end;
    EXPECT_EQ(entry.bytes, 203023);
    EXPECT_EQ(entry.status, 200);
    EXPECT_EQ(entry.target, "/a?b=c");
  }
  for (size_t end = 0; end < line.find("203023"); ++end) {
    LogEntry entry;
    EXPECT_EQ(combined.read(line.substr(0, end), entry), LineState::kBroken) << end;
  }
}

TEST(LogFormat, requests_that_are_no_http_are_kept_as_they_are) {
  const std::string before = "h - - [17/May/2015:10:05:03 +0000] \"";
  struct Row {
    std::string request, method, target, protocol;
  };
  LogFormat common = format("common");
  for (const Row& row :
       std::vector<Row>{{"GET / HTTP/1.0", "GET", "/", "HTTP/1.0"},
                        {"GET /old", "GET", "/old", ""},
                        {"GET /a b c HTTP/1.1", "GET", "/a b c", "HTTP/1.1"},
                        {"GET /say\\\"hello\\\" HTTP/1.1", "GET", "/say\\\"hello\\\"", "HTTP/1.1"},
                        {"-", "", "-", ""},
                        {"", "", "", ""},
                        {"\\x16\\x03\\x01", "", "\\x16\\x03\\x01", ""},
                        {"get / HTTP/1.0", "", "get / HTTP/1.0", ""}}) {
    LogEntry entry;
    const std::string line = before + row.request + "\" 400 -";
    ASSERT_EQ(common.read(line, entry), LineState::kWhole) << row.request;
    EXPECT_EQ(entry.method, row.method);
    EXPECT_EQ(entry.target, row.target);
    EXPECT_EQ(entry.protocol, row.protocol);
    EXPECT_EQ(entry.bytes, 0);
  }
}

TEST(LogFormat, what_is_no_moment_status_or_size_breaks_a_line) {
  LogFormat common = format("common");
  for (const char* line :
       {"h - - [31/Feb/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5",
        "h - - [17/Mai/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5",
        "h - - [17/May/2015:25:05:03 +0000] \"GET / HTTP/1.1\" 200 5",
        "h - - [17/May/2015:10:05:03 0000] \"GET / HTTP/1.1\" 200 5",
        "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 2000 5",
        "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" -1 5",
        "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 -5",
        "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 99999999999999999999",
        "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5 more", "", "one two three"}) {
    LogEntry entry;
    EXPECT_EQ(common.read(line, entry), LineState::kBroken) << line;
  }
}

TEST(LogFormat, zeros_in_front_of_a_line_are_passed_over) {
  LogFormat combined = format("combined");
  LogEntry entry;
  const std::string line = std::string(3000, '\0') + std::string(kLine);
  EXPECT_EQ(combined.read(line, entry), LineState::kCut);
  EXPECT_EQ(entry.host, "83.149.9.216");
  EXPECT_EQ(combined.read(std::string(3000, '\0'), entry), LineState::kBroken);
}

TEST(LogFormat, is_found_out_from_the_first_lines) {
  const std::string common = "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n";
  const std::string combined = std::string(kLine) + "\n";
  EXPECT_EQ(LogFormat::detect(common + common)->name(), "common");
  EXPECT_EQ(LogFormat::detect(combined + common + combined)->name(), "combined");
  EXPECT_EQ(LogFormat::detect("www.example.org:80 " + combined)->name(), "vhost");
  EXPECT_EQ(LogFormat::detect("#Version: 1.0\r\n#Fields: date time c-ip cs-method cs-uri-stem "
                              "sc-status\r\n2015-05-17 10:05:03 1.2.3.4 GET / 200\r\n")
                ->name(),
            "w3c");
  EXPECT_FALSE(LogFormat::detect("nothing of the kind\n"));
  EXPECT_FALSE(LogFormat::detect(""));
}

TEST(LogFormat, format_strings_of_apache_and_nginx_are_understood) {
  struct Row {
    std::string format, line;
  };
  for (const Row& row : std::vector<Row>{
           {"%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"",
            "s.org:80 1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 7 \"r\" "
            "\"a\""},
           {"$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent "
            "\"$http_referer\" \"$http_user_agent\" $host",
            "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /x HTTP/1.1\" 200 7 \"r\" \"a\" "
            "s.org"},
           {"$time_iso8601|$remote_addr|$request_method|$request_uri|$status|$bytes_sent|"
            "$http_referer|$http_user_agent|$host",
            "2015-05-17T12:05:03+02:00|1.2.3.4|GET|/x|200|7|r|a|s.org"},
           {"%{sec}t %a %m %U%q %s %B \"%{Referer}i\" \"%{User-Agent}i\" %V",
            "1431857103 1.2.3.4 GET /x 200 7 \"r\" \"a\" s.org"}}) {
    LogFormat parsed = format(row.format);
    LogEntry entry;
    ASSERT_EQ(parsed.read(row.line, entry), LineState::kWhole) << row.format;
    EXPECT_EQ(entry.time, 1431857103);
    EXPECT_EQ(entry.host, "1.2.3.4");
    EXPECT_EQ(entry.method, "GET");
    EXPECT_EQ(entry.target, "/x");
    EXPECT_EQ(entry.status, 200);
    EXPECT_EQ(entry.bytes, 7);
    EXPECT_EQ(entry.referrer, "r");
    EXPECT_EQ(entry.agent, "a");
    EXPECT_EQ(entry.site, "s.org");
  }
}

TEST(LogFormat, behind_a_proxy_the_forwarded_address_is_who_asked) {
  LogFormat parsed = format("%h %t \"%r\" %s %b \"%{X-Forwarded-For}i\" %{id}C");
  LogEntry entry;
  ASSERT_EQ(parsed.read("10.0.0.1 [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5 \"7.7.7.7, "
                        "10.0.0.9\" k42",
                        entry),
            LineState::kWhole);
  EXPECT_EQ(entry.host, "7.7.7.7");
  EXPECT_EQ(entry.cookie, "k42");
}

TEST(LogFormat, w3c_fields_may_change_within_a_log) {
  LogFormat w3c = format("w3c");
  LogEntry entry;
  EXPECT_EQ(w3c.read("2015-05-17 10:05:03 1.2.3.4 GET / - 200", entry), LineState::kBroken);
  EXPECT_EQ(w3c.read("#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status", entry),
            LineState::kComment);
  ASSERT_EQ(w3c.read("2015-05-17 10:05:03 1.2.3.4 GET /a q=1 200", entry), LineState::kWhole);
  EXPECT_EQ(entry.time, 1431857103);
  EXPECT_EQ(entry.target, "/a");
  EXPECT_EQ(entry.query, "q=1");
  EXPECT_EQ(w3c.read("#Fields: date time sc-status c-ip cs-uri-stem", entry), LineState::kComment);
  ASSERT_EQ(w3c.read("2015-05-17 10:05:03 404 1.2.3.4 /b", entry), LineState::kWhole);
  EXPECT_EQ(entry.status, 404);
}

TEST(LogFormat, what_is_wrong_with_a_format_is_said) {
  for (const char* text : {"fancy", "%h %t", "%h%l %t \"%r\" %s", "%h %{%Y}t \"%r\" %s",
                           "%h %t \"%r\" %s %{Referer"}) {
    EXPECT_FALSE(LogFormat::parse(text).ok()) << text;
  }
}

TEST(LogTime, knows_the_calendar_and_zones) {
  EXPECT_EQ(parse_log_time("01/Jan/1970:00:00:00 +0000"), (LogTime{0, 0}));
  EXPECT_EQ(parse_log_time("29/Feb/2000:12:00:00 -0530"), (LogTime{951845400, -19800}));
  EXPECT_FALSE(parse_log_time("29/Feb/1900:12:00:00 +0000"));
  EXPECT_FALSE(parse_log_time("29/Feb/2000"));
  EXPECT_EQ(parse_iso_time("2000-02-29T12:00:00Z"), (LogTime{951825600, 0}));
  EXPECT_FALSE(parse_iso_time("2000-02-30T12:00:00Z"));
}

}  // namespace
}  // namespace dowser
