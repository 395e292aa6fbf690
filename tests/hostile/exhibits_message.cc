#include <fmt/format.h>

#include "tests/hostile/exhibits.h"

// Hosts that do not speak HTTP as it is written.

namespace dowser {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPage = "<!DOCTYPE html><title>Odd</title><p>An odd message.</p>";

// An answer with this line in its head and this body.
Handler raw(std::string field, std::string body) {
  return [=](Exchange& e) {
    e.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + field + "\r\n\r\n" + body);
  };
}

Handler chunked(std::string body) { return raw("Transfer-Encoding: chunked", std::move(body)); }

void storm_of_interim_answers(Exchange& e) {
  for (int i = 0; i < 10'000; ++i) {
    const bool sent = e.send(i % 2 == 0 ? "HTTP/1.1 100 Continue\r\n\r\n"
                                        : "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    if (!sent) return;
  }
  e.page("After the storm", {});
}

std::vector<Exhibit> length_exhibits() {
  const std::string page(kPage);
  return {
      {"length-large.test", "Content-Length is larger than the body, then closes",
       "a page cut short", raw("Content-Length: 100000", page)},
      {"length-small.test", "Content-Length is smaller than the body",
       "the page up to the length; the rest is never taken for an answer",
       raw(fmt::format("Content-Length: {}", page.size()),
           page + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")},
      {"length-twice.test", "two Content-Lengths that differ", "failure, or the page",
       raw(fmt::format("Content-Length: 7\r\nContent-Length: {}", page.size()), page)},
      {"length-negative.test", "Content-Length is -1", "failure, or the page",
       raw("Content-Length: -1", page)},
      {"length-immense.test", "Content-Length is 2^62, then closes",
       "failure or a page cut short; no memory is set aside",
       raw("Content-Length: 4611686018427387904", page)},
      {"chunk-broken.test", "the size of a chunk is no number", "failure or a page cut short",
       chunked("12\r\n<title>Odd</title>\r\nzz\r\nlost\r\n0\r\n\r\n")},
      {"chunk-cut.test", "closes in the middle of a chunk", "failure or a page cut short",
       chunked("12\r\n<title>Odd</title>\r\nffff\r\nonly this")},
      {"chunk-immense.test", "a chunk of 2^64 - 1 bytes", "failure or a page cut short",
       chunked("12\r\n<title>Odd</title>\r\nffffffffffffffff\r\nonly this")},
  };
}

}  // namespace

std::vector<Exhibit> message_exhibits() {
  std::vector<Exhibit> all = length_exhibits();
  const std::vector<Exhibit> heads = {
      {"endless-body.test", "a body without end", "a page cut short by the size limit",
       [](Exchange& e) {
         e.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Endless</title>");
         e.send_endlessly("<p>and so on, and so on, and so on</p>\n");
       }},
      {"endless-head.test", "header fields without end", "failure: head too large",
       [](Exchange& e) {
         e.send("HTTP/1.1 200 OK\r\n");
         e.send_endlessly("X-More: and so on, and so on\r\n");
       }},
      {"huge-field.test", "one header field of 10 MB", "failure: head too large",
       [](Exchange& e) {
         e.send("HTTP/1.1 200 OK\r\nX-Huge: ");
         e.send(std::string(10'000'000, 'x'));
         e.send(fmt::format("\r\nContent-Length: {}\r\n\r\n{}", kPage.size(), kPage));
       }},
      {"no-colon.test", "a header line without a colon", "failure, or the page",
       raw("This line means nothing", std::string(kPage))},
      {"no-status.test", "header fields without a status line", "failure: no HTTP",
       [](Exchange& e) { e.send(fmt::format("Content-Type: text/html\r\n\r\n{}", kPage)); }},
      {"odd-status.test", "the status is no number", "failure: no HTTP",
       [](Exchange& e) { e.send(fmt::format("HTTP/1.1 fine OK\r\n\r\n{}", kPage)); }},
      {"http09.test", "an answer of HTTP/0.9: only a body", "failure: no HTTP",
       [](Exchange& e) { e.send(kPage); }},
      {"interim-storm.test", "10,000 answers 100 and 103 before the real one",
       "failure: head too large, or the page", storm_of_interim_answers},
      {"binary.test", "answers with random bytes", "failure: no HTTP",
       [](Exchange& e) { e.send("\x7f\0\x01\xff\r\n\0\0\xfe\xfd\r\n\r\n"sv); }},
  };
  all.insert(all.end(), heads.begin(), heads.end());
  return all;
}

}  // namespace dowser
