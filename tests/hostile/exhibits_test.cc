#include "tests/hostile/exhibits.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <thread>

#include "base/compress.h"
#include "tests/hostile/raw_client.h"

// Each exhibit does what its name says, seen byte by byte.

namespace dowser {
namespace {

using std::chrono::milliseconds;

class Exhibits : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    HostileOptions options;
    options.patience = milliseconds(300);
    options.drip = milliseconds(10);
    options.retry_after = 1;
    web_ = std::move(*HostileWeb::start(options));
  }
  static void TearDownTestSuite() { web_.reset(); }

  static Received ask(std::string_view host, std::string_view target = "/") {
    return get(*web_, host, target);
  }

  inline static std::unique_ptr<HostileWeb> web_;
};

size_t count(std::string_view text, std::string_view word) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(word, at)) != text.npos; at += word.size()) ++n;
  return n;
}

TEST_F(Exhibits, a_dropped_connection_carries_no_byte) {
  const Received got = ask("drop.test");
  EXPECT_EQ(got.bytes, "");
  EXPECT_TRUE(got.was_closed);
}

TEST_F(Exhibits, resets_are_resets) {
  EXPECT_TRUE(ask("reset.test").was_reset);
  const Received middle = ask("reset-middle.test");
  EXPECT_TRUE(middle.was_reset);
  EXPECT_GT(middle.body().size(), 10u);
}

TEST_F(Exhibits, stalls_last_as_long_as_the_patience) {
  for (const auto& [host, begins] : {std::pair("stall.test", ""),
                                     {"stall-head.test", "HTTP/1.1 200 OK\r\nContent-Ty"},
                                     {"stall-middle.test", "HTTP/1.1 200 OK\r\nContent-Type"}}) {
    const Received got = ask(host);
    EXPECT_GE(got.took, milliseconds(290)) << host;
    EXPECT_TRUE(got.bytes.starts_with(begins)) << host;
    EXPECT_EQ(got.bytes.empty(), std::string_view(begins).empty()) << host;
  }
}

TEST_F(Exhibits, drips_are_slow) {
  for (const char* host : {"drip.test", "drip-head.test"}) {
    const Received got = ask(host);
    EXPECT_GE(got.took, milliseconds(290)) << host;
    EXPECT_LT(got.bytes.size(), 200u) << host;
    EXPECT_GT(got.bytes.size(), 20u) << host;
  }
  EXPECT_EQ(ask("drip-head.test").bytes.find("\r\n\r\n"), std::string::npos);
}

TEST_F(Exhibits, lengths_are_wrong) {
  const Received large = ask("length-large.test"), small = ask("length-small.test");
  EXPECT_EQ(large.field("Content-Length"), "100000");
  EXPECT_LT(large.body().size(), 1000u);
  EXPECT_GT(small.body().size(), static_cast<size_t>(std::stoi(small.field("Content-Length"))));
  EXPECT_EQ(count(ask("length-twice.test").head(), "Content-Length"), 2u);
  EXPECT_EQ(ask("length-negative.test").field("Content-Length"), "-1");
  EXPECT_EQ(ask("length-immense.test").field("Content-Length").size(), 19u);
}

TEST_F(Exhibits, chunks_are_broken) {
  for (const auto& [host, end] : {std::pair("chunk-broken.test", "\r\nzz\r\nlost\r\n0\r\n\r\n"),
                                  {"chunk-cut.test", "\r\nffff\r\nonly this"},
                                  {"chunk-immense.test", "\r\nffffffffffffffff\r\nonly this"}}) {
    const Received got = ask(host);
    EXPECT_EQ(got.field("Transfer-Encoding"), "chunked") << host;
    EXPECT_TRUE(got.bytes.ends_with(end)) << host;
  }
}

TEST_F(Exhibits, the_endless_goes_on) {
  const Received body = get(*web_, "endless-body.test", "/", "", 5'000'000);
  EXPECT_EQ(body.bytes.size(), 5'000'000u);
  const Received head = get(*web_, "endless-head.test", "/", "", 2'000'000);
  EXPECT_EQ(head.bytes.size(), 2'000'000u);
  EXPECT_EQ(head.bytes.find("\r\n\r\n"), std::string::npos);
  EXPECT_GT(ask("huge-field.test").head().size(), 10'000'000u);
  EXPECT_EQ(count(ask("interim-storm.test").bytes, "HTTP/1.1 100 Continue"), 5000u);
}

TEST_F(Exhibits, heads_are_broken) {
  EXPECT_NE(ask("no-colon.test").head().find("\r\nThis line means nothing"), std::string::npos);
  EXPECT_TRUE(ask("no-status.test").bytes.starts_with("Content-Type"));
  EXPECT_TRUE(ask("odd-status.test").bytes.starts_with("HTTP/1.1 fine"));
  EXPECT_TRUE(ask("http09.test").bytes.starts_with("<!DOCTYPE"));
  EXPECT_TRUE(ask("binary.test").bytes.starts_with('\x7f'));
}

TEST_F(Exhibits, the_bomb_is_small_and_unpacks_to_a_gigabyte) {
  const Received got = ask("gzip-bomb.test");
  EXPECT_LT(got.body().size(), 2'000'000u);
  z_stream z{};
  ASSERT_EQ(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(got.body().data()));
  z.avail_in = static_cast<uInt>(got.body().size());
  std::string page(1 << 20, '\0');
  int result = Z_OK;
  while (result == Z_OK) {
    z.next_out = reinterpret_cast<Bytef*>(page.data());
    z.avail_out = static_cast<uInt>(page.size());
    result = inflate(&z, Z_NO_FLUSH);
  }
  EXPECT_EQ(result, Z_STREAM_END);  // its checksum is right
  EXPECT_EQ(z.total_out, uLong{1} << 30);
  inflateEnd(&z);
}

TEST_F(Exhibits, encodings_are_broken) {
  const Received twice = ask("gzip-bomb-twice.test");
  EXPECT_LT(twice.body().size(), 20'000u);
  const auto unpacked = decode_content("gzip, gzip", twice.body(), 10'000'000);
  ASSERT_TRUE(unpacked);
  EXPECT_TRUE(unpacked->truncated);
  const auto cut = decode_content("gzip", ask("gzip-cut.test").body(), 1'000'000);
  ASSERT_TRUE(cut);
  EXPECT_TRUE(cut->truncated);
  EXPECT_FALSE(cut->bytes.empty());
  const auto broken = decode_content("gzip", ask("gzip-broken.test").body(), 1'000'000);
  EXPECT_TRUE(!broken || broken->truncated);
  EXPECT_TRUE(ask("gzip-lie.test").body().starts_with("<!DOCTYPE"));
  EXPECT_EQ(ask("encoding-unknown.test").field("Content-Encoding"), "rot13");
}

TEST_F(Exhibits, redirects_lead_where_they_should_not) {
  const std::string port = std::to_string(web_->port());
  struct Row {
    std::string host, target, location;
  };
  for (const Row& row : std::vector<Row>{
           {"redirect-loop.test", "/", "/a"},
           {"redirect-loop.test", "/a", "/b"},
           {"redirect-loop.test", "/b", "/a"},
           {"redirect-self.test", "/x", "/x"},
           {"redirect-file.test", "/", "file:///etc/passwd"},
           {"redirect-script.test", "/", "javascript:alert(1)"},
           {"redirect-data.test", "/", "data:text/html,<p>hello"},
           {"redirect-private.test", "/dotted", "http://127.0.0.1:" + port + "/secret"},
           {"redirect-private.test", "/decimal", "http://2130706433:" + port + "/secret"},
           {"redirect-private.test", "/inner", "http://inner.example:" + port + "/secret"},
           {"redirect-password.test", "/",
            "http://user:password@redirect-password.test:" + port + "/in"},
           {"redirect-nowhere.test", "/", ""},
           {"redirect-inject.test", "/", "/in%0d%0aX-Injected:%20yes"},
           {"redirect-disallowed.test", "/",
            "http://robots-parts.test:" + port + "/private/redirected"}}) {
    const Received got = ask(row.host, row.target);
    EXPECT_EQ(got.status(), "HTTP/1.1 302") << row.host;
    EXPECT_EQ(got.field("Location"), row.location) << row.host;
  }
}

TEST_F(Exhibits, chains_are_as_long_as_they_say) {
  for (const auto& [host, length] :
       {std::pair("redirect-chain.test", 50), {"redirect-short.test", 3}}) {
    std::string target = "/";
    int hops = 0;
    for (; hops < 100; ++hops) {
      const Received got = ask(host, target);
      if (got.status() == "HTTP/1.1 200") break;
      target = got.field("Location");
    }
    EXPECT_EQ(hops, length);
  }
}

TEST_F(Exhibits, the_calendar_has_no_end) {
  std::string target = "/2026/11/15";
  for (int i = 0; i < 60; ++i) target = hrefs_of(ask("calendar.test", target).body()).at(1);
  EXPECT_EQ(target, "/2027/1/14");
  EXPECT_EQ(hrefs_of(ask("calendar.test", "/99999/99/99").body()).size(), 3u);
  EXPECT_EQ(hrefs_of(ask("calendar.test", "/x").body()).at(0), "/2026/11/14");
}

TEST_F(Exhibits, traps_make_new_addresses_of_old_pages) {
  for (const char* host : {"session.test", "session-path.test"}) {
    EXPECT_NE(hrefs_of(ask(host).body()), hrefs_of(ask(host).body())) << host;
  }
  EXPECT_NE(ask("session.test").body().find("?PHPSESSID="), std::string::npos);
  EXPECT_EQ(hrefs_of(ask("growing.test", "/news/news/").body()).at(0), "news/");
  EXPECT_EQ(hrefs_of(ask("facets.test", "/list?size=1").body()).at(0), "/list?size=1&colour=1");
}

TEST_F(Exhibits, soft_404s_are_not_404) {
  EXPECT_EQ(ask("soft404.test", "/x").bytes, ask("soft404.test", "/some/y").bytes);
  EXPECT_EQ(ask("soft404.test", "/x").status(), "HTTP/1.1 200");
  EXPECT_NE(ask("soft404.test", "/one").body(), ask("soft404.test", "/x").body());
  EXPECT_EQ(ask("soft404-home.test", "/x").field("Location"), "/");
  EXPECT_EQ(ask("soft404-home.test", "/two").status(), "HTTP/1.1 200");
}

TEST_F(Exhibits, mirrors_agree) {
  for (const char* target : {"/", "/article/1", "/article/9"}) {
    const Received a = ask("mirror-a.test", target), b = ask("mirror-b.test", target);
    EXPECT_EQ(a.body(), b.body());
    const Received near = ask("mirror-near.test", target);
    EXPECT_TRUE(near.body().starts_with(a.body()));
    EXPECT_GT(near.body().size(), a.body().size());
  }
  EXPECT_NE(ask("mirror-a.test", "/article/1").body(), ask("mirror-a.test", "/article/2").body());
}

TEST_F(Exhibits, a_storm_lets_only_the_patient_pass) {
  HostileOptions options;
  options.retry_after = 3600;
  const auto long_storm = std::move(*HostileWeb::start(options));
  for (const char* host : {"retry-seconds.test", "retry-date.test"}) {
    for (int i = 0; i < 3; ++i) {
      const Received early = get(*long_storm, host, "/");
      EXPECT_EQ(early.status(), "HTTP/1.1 429");
      EXPECT_EQ(early.field("Retry-After").ends_with(" GMT"),
                host == std::string("retry-date.test"));
    }
    // Each refusal lets the wait begin again, and a busy machine may take long to say the first.
    int refused = 0;
    for (auto wait = milliseconds(1); ask(host).status() == "HTTP/1.1 429"; wait *= 2, ++refused) {
      std::this_thread::sleep_for(wait);
    }
    EXPECT_GE(refused, 2);
    EXPECT_EQ(ask(host).status(), "HTTP/1.1 200");
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(ask("retry-always.test").field("Retry-After"), "1");
}

TEST_F(Exhibits, busy_hosts_stay_busy_or_recover) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ask("busy.test").status(), "HTTP/1.1 503");
    EXPECT_EQ(ask("recovers.test").status(), i < 2 ? "HTTP/1.1 503" : "HTTP/1.1 200");
  }
  EXPECT_EQ(ask("busy.test").field("Retry-After"), "");
}

TEST_F(Exhibits, robots_txt_is_of_every_kind) {
  struct Row {
    std::string host, status, holds;
  };
  for (const Row& row :
       std::vector<Row>{{"robots-all.test", "200", "Disallow:\n"},
                        {"robots-none.test", "200", "Disallow: /\n"},
                        {"robots-parts.test", "200", "Disallow: /*.cgi$\n"},
                        {"robots-404.test", "404", ""},
                        {"robots-403.test", "403", ""},
                        {"robots-500.test", "500", ""},
                        {"robots-html.test", "200", "<!DOCTYPE html>"},
                        {"robots-delay.test", "200", "Crawl-delay: 5\n"},
                        {"robots-moved.test", "301", "Location: /rules.txt"},
                        {"robots-elsewhere.test", "301", "Location: http://robots-source.test:"},
                        {"robots-loop.test", "302", "Location: /robots.txt"},
                        {"robots-bom.test", "200", "\r\n\r\n\xEF\xBB\xBFUser-agent"},
                        {"robots-gzip.test", "200", "\r\n\r\n\x1f\x8b"},
                        {"robots-agent.test", "200", "User-agent: dowser\n"}}) {
    const Received got = ask(row.host, "/robots.txt");
    EXPECT_EQ(got.status(), "HTTP/1.1 " + row.status) << row.host;
    EXPECT_NE(got.bytes.find(row.holds), std::string::npos) << row.host;
  }
  EXPECT_EQ(ask("robots-stall.test", "/robots.txt").bytes, "");
  EXPECT_TRUE(ask("robots-reset.test", "/robots.txt").was_reset);
  EXPECT_GT(ask("robots-long.test", "/robots.txt").body().size(), 1'000'000u);
  EXPECT_EQ(get(*web_, "robots-endless.test", "/robots.txt", "", 3'000'000).bytes.size(),
            3'000'000u);
  EXPECT_NE(ask("robots-moved.test", "/rules.txt").body().find("/private/"), std::string::npos);
}

TEST_F(Exhibits, labels_lie) {
  for (const auto& [target, type] : {std::pair("/html-as-plain", "text/plain"),
                                     {"/html-as-bytes", "application/octet-stream"},
                                     {"/html-as-image", "image/png"},
                                     {"/html-unlabelled", ""}}) {
    const Received got = ask("types.test", target);
    EXPECT_EQ(got.field("Content-Type"), type);
    EXPECT_TRUE(got.body().starts_with("<!DOCTYPE html>"));
  }
  EXPECT_TRUE(ask("types.test", "/image-as-html").body().starts_with("\x89PNG"));
  EXPECT_EQ(ask("charsets.test", "/unknown").field("Content-Type"), "text/html; charset=klingon");
  EXPECT_NE(ask("charsets.test", "/latin1-as-utf8").body().find("f\xFChrt"), std::string::npos);
  EXPECT_TRUE(ask("charsets.test", "/utf16-unlabelled").body().starts_with("\xFF\xFE"));
}

TEST_F(Exhibits, pages_are_large_deep_and_odd) {
  EXPECT_EQ(hrefs_of(ask("many-links.test").body()).size(), 100'000u);
  EXPECT_EQ(count(ask("deep.test").body(), "<div><b>"), 100'000u);
  EXPECT_EQ(ask("empty.test").body(), "");
  const Received odd = ask("odd-links.test");
  for (const char* part : {"href=\" /with space \"", "href=\"/new\nline\"", "%0d%0aX-Injected",
                           "&#13;&#10;", "javascript:", "data:", "mailto:", "user:password@"}) {
    EXPECT_NE(odd.body().find(part), std::string::npos) << part;
  }
  EXPECT_EQ(ask("odd-links.test", "/with%20space").status(), "HTTP/1.1 200");
  EXPECT_EQ(ask("odd-links.test", "/other").status(), "HTTP/1.1 404");
}

TEST_F(Exhibits, absent_hosts_are_absent) {
  EXPECT_FALSE(RawClient(host_named(*web_, "refused.test")).is_connected());
  EXPECT_THROW(host_named(*web_, "unknown.invalid"), std::runtime_error);
}

}  // namespace
}  // namespace dowser
