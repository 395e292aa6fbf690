#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/compress.h"
#include "fetch/live_web.h"
#include "tests/fetch/hostile_server.h"

// A server with one path a misbehaviour, and a live web to meet it.

namespace dowser {

using namespace std::chrono_literals;

inline std::string html(std::string_view body, std::string_view fields = "") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{}Content-Length: {}\r\n\r\n{}",
                     fields, body.size(), body);
}

// An answer of these bytes, then the end (or the next request).
inline HostileServer::Behaviour says(std::string bytes, bool stays = false) {
  return [=](HostileConnection& c, const std::string&) {
    c.send(bytes);
    return stays;
  };
}

// These bytes, and then those again and again.
inline HostileServer::Behaviour repeats(std::string first, std::string bytes,
                                        std::chrono::milliseconds pause = {}) {
  return [=](HostileConnection& c, const std::string&) {
    if (c.send(first)) c.send_for_ever(bytes, pause);
    return false;
  };
}

// These bytes, and then silence.
inline HostileServer::Behaviour stalls(std::string bytes) {
  return [=](HostileConnection& c, const std::string&) {
    c.send(bytes);
    c.do_nothing();
    return false;
  };
}

inline HostileServer::Behaviour resets(std::string bytes) {
  return [=](HostileConnection& c, const std::string&) {
    c.send(bytes);
    if (!bytes.empty()) std::this_thread::sleep_for(50ms);  // a reset overtakes what was sent
    c.reset();
    return false;
  };
}

inline const std::string kChunked =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
inline const std::string kLong =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n";
inline const std::string kImage = "HTTP/1.1 200 OK\r\nContent-Type: Image/PNG\r\n\r\n";
inline const std::string kRedirect = "HTTP/1.1 301 Moved\r\nLocation: /ok\r\nContent-Length: ";

inline std::map<std::string, HostileServer::Behaviour> misbehaviours() {
  return {
      {"/ok", says(html("hello"), true)},
      {"/gzip", says(html(gzip("hello"), "Content-Encoding: gzip\r\n"), true)},
      {"/chunks", says(kChunked + "3\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: x\r\n\r\n", true)},
      {"/interim", says("HTTP/1.1 100 Continue\r\nA: b\r\n\r\n" + html("hello"), true)},
      {"/old", says("HTTP/1.0 200 Fine Then\nA:  b \nA: c\n\nhello")},
      {"/no-content", says("HTTP/1.1 204 No Content\r\n\r\n", true)},
      {"/not-modified", says("HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", true)},
      {"/empty", says(html(""), true)},
      {"/missing", says("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone", true)},
      {"/redirect", says(kRedirect + "0\r\n\r\n", true)},
      {"/short-redirect", says(kRedirect + "9\r\n\r\n")},
      {"/stalled-redirect", stalls(kRedirect + "9\r\n\r\n")},
      {"/silent", stalls("")},
      {"/stall", stalls(kLong + "hello")},
      {"/stall-in-head", stalls("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")},
      {"/drip", repeats(kLong, "x", 20ms)},
      {"/slow-head", repeats("HTTP/1.1 200 OK\r\n", "A: b\r\n", 20ms)},
      {"/close", says("")},
      {"/reset", resets("")},
      {"/reset-later", resets(kLong + "hello")},
      {"/short", says(kLong + "hello")},
      {"/short-empty", says(kLong)},
      {"/short-chunks", says(kChunked + "5\r\nhello\r\n")},
      {"/broken-chunks", says(kChunked + "5\r\nhello\r\nzz\r\n")},
      {"/no-chunks", says(kChunked + "<html>")},
      {"/endless", repeats("HTTP/1.1 200 OK\r\n\r\n", std::string(8192, 'x'))},
      {"/endless-head", repeats("HTTP/1.1 200 OK\r\n", "A: " + std::string(1000, 'b') + "\r\n")},
      {"/endless-line", repeats("HTTP/1.1 200 OK\r\nA: ", std::string(8192, 'b'))},
      {"/endless-interim", repeats("", "HTTP/1.1 100 Continue\r\n\r\n")},
      {"/endless-trailer", repeats(kChunked + "5\r\nhello\r\n0\r\n", "A: b\r\n")},
      {"/no-status", says("hello, I am no web server\r\n")},
      {"/image", repeats(kImage, std::string(8192, 'x'))},
      {"/folded-first", says("HTTP/1.1 200 OK\r\n Folded: yes\r\nContent-Type: text/html\r\n"
                             "Content-Length: 5\r\n\r\nhello",
                             true)},
      {"/echo",
       [](HostileConnection& c, const std::string& request) { return c.send(html(request)); }},
  };
}

// A test that hangs is ended after this long; nothing else depends on it.
constexpr auto kHangs = 5min;

// No time limit passes, however busy the machine is.
inline LiveWebOptions patient() {
  LiveWebOptions options;
  options.limits.connect = options.limits.first_byte = options.limits.stall = 1h;
  options.limits.total = 1h;
  options.user_agent = "Dowser/test (+mailto:x@example.org)";
  options.allowed_hosts = {"127.0.0.1"};
  options.threads = 2;
  options.limits.body_bytes = 100'000;
  return options;
}

// Only this limit can pass.
inline LiveWebOptions impatient(Duration FetchLimits::*limit) {
  LiveWebOptions options = patient();
  options.limits.*limit = 300ms;
  return options;
}

inline Url url_of(std::string_view text) { return *Url::parse(text); }

// Fetches all of them at once.
inline std::vector<Response> fetch_all(LiveWebOptions options, const std::vector<Url>& urls,
                                       const Validators& validators = {}) {
  std::mutex mutex;
  std::condition_variable all_done;
  std::vector<Response> responses(urls.size());
  std::vector<int> calls(urls.size());
  size_t done = 0;
  LiveWeb web(std::move(options), [&](uint64_t job, Response response, ByteLease) {
    const std::lock_guard lock(mutex);
    responses[job] = std::move(response);
    ++calls[job];
    if (++done == urls.size()) all_done.notify_one();
  });
  for (size_t i = 0; i < urls.size(); ++i) web.start(i, urls[i], validators);
  std::unique_lock lock(mutex);
  EXPECT_TRUE(all_done.wait_for(lock, kHangs, [&] { return done == urls.size(); })) << done;
  for (const int count : calls) EXPECT_EQ(count, 1);
  return responses;
}

class LiveWebTest : public testing::Test {
 protected:
  Url url(std::string_view path) const {
    return url_of(fmt::format("http://{}{}", server_.address(), path));
  }
  Response get(std::string_view path, const LiveWebOptions& options = patient(),
               const Validators& validators = {}) const {
    return fetch_all(options, {url(path)}, validators)[0];
  }

  HostileServer server_{misbehaviours()};
};

}  // namespace dowser
