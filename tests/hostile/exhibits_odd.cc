#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "base/compress.h"
#include "tests/hostile/exhibits.h"

// Hosts whose messages are odd in ways that servers, proxies and attackers were seen to be.

namespace dowser {
namespace {

using namespace std::string_literals;

const std::string kPage = "<!DOCTYPE html><title>Odd</title><p>An odd message.</p>";
const std::string kType = "Content-Type: text/html\r\n";
const std::string kOk = "HTTP/1.1 200 OK\r\n";

std::string length(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n", body.size());
}

// These bytes for every request.
Handler bytes(std::string answer) {
  return [=](Exchange& e) { e.send(answer); };
}

// A page with these lines before the usual fields of its head.
Handler field(const std::string& lines) {
  return bytes(kOk + lines + kType + length(kPage) + "\r\n" + kPage);
}

// A page with this status line.
Handler status_line(const std::string& line) {
  return bytes(line + "\r\n" + kType + length(kPage) + "\r\n" + kPage);
}

// A page with these fields behind the type, and this body.
Handler body(const std::string& lines, const std::string& text) {
  return bytes(kOk + kType + lines + "\r\n" + text);
}

// "/" redirects with this Location; every other path is a page.
Handler location(std::string lines) {
  return [=](Exchange& e) {
    if (e.request().target != "/") return e.page("Arrived", {});
    e.send("HTTP/1.1 302 Found\r\n" + lines + "Content-Length: 0\r\n\r\n");
  };
}

// 429 with this Retry-After once, then a page.
Handler once_busy(std::string retry_after) {
  auto asked = std::make_shared<std::atomic<int>>(0);
  return [=](Exchange& e) {
    if ((*asked)++ > 0) return e.page("Well again", {});
    e.answer(429, {{"Retry-After", retry_after}}, "Not so fast.");
  };
}

Exhibit odd(std::string host, std::string what, std::string expected, Handler handle,
            std::vector<std::string> outcomes = {}) {
  Exhibit exhibit{std::move(host), std::move(what), std::move(expected), std::move(handle)};
  exhibit.outcomes = std::move(outcomes);
  return exhibit;
}

std::vector<Exhibit> field_exhibits() {
  const std::string either = "failure, or the page";
  std::string tabs = "X-Folded: a\r\n", cookies, many;
  for (int i = 0; i < 500; ++i) tabs += "\t\tand so on\r\n";
  for (int i = 0; i < 300; ++i)
    cookies += fmt::format("Set-Cookie: c{}={}; Path=/\r\n", i, i * 7919);
  for (int i = 0; i < 4000; ++i) many += fmt::format("X-{}: {}\r\n", i, i);
  return {
      odd("fold-first.test", "the first header field is folded", either, field(" Folded: yes\r\n"),
          {"bad-http", "200"}),
      odd("fold-bare.test", "a folded line without a colon behind the status line", either,
          field(" and so on\r\n"), {"bad-http", "200"}),
      odd("fold-later.test", "a field that is folded with a space and a tab", "the page",
          field("X-Folded: a\r\n b\r\n\tc\r\n"), {"200"}),
      odd("fold-often.test", "a field that is folded 500 times", "the page", field(tabs), {"200"}),
      odd("fold-blank.test", "a line of spaces between two fields", either,
          field("X-One: 1\r\n   \r\n"), {"bad-http", "200"}),
      odd("nul-field.test", "a NUL byte in a field", either, field("X-Nul: a\0b\r\n"s),
          {"bad-http", "200"}),
      odd("nul-status.test", "a NUL byte in the status line", either,
          status_line("HTTP/1.1 200 O\0K"s), {"bad-http", "200"}),
      odd("bare-cr.test", "lines that end with CR only", "failure, or a page without fields",
          bytes("HTTP/1.1 200 OK\rContent-Type: text/html\r\r" + kPage)),
      odd("bare-lf.test", "lines that end with LF only", "the page",
          bytes("HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 55\n\n" + kPage),
          {"200"}),
      odd("no-name.test", "a field without a name", either, field(": nothing\r\n"),
          {"bad-http", "200"}),
      odd("spaced-name.test", "a space before the colon of a field", either,
          field("X-Spaced : yes\r\n"), {"bad-http", "200"}),
      odd("many-fields.test", "4,000 header fields", either, field(many),
          {"header-too-large", "bad-http", "200"}),
      odd("cookie-flood.test", "300 cookies", "the page; no Cookie is sent back", field(cookies),
          {"200"}),
      odd("refresh-loop.test", "Refresh: 0 to itself, in the head and in the page",
          "the page, once",
          [](Exchange& e) {
            e.answer(200, {{"Content-Type", Exchange::kHtml}, {"Refresh", "0; url=/"}},
                     "<meta http-equiv=refresh content='0; url=/'><p>Again and again.");
          },
          {"200"}),
  };
}

std::vector<Exhibit> status_exhibits() {
  const std::string either = "failure, or the page";
  return {
      odd("status-zero.test", "the status is 000", "failure", status_line("HTTP/1.1 000 Zero"),
          {"bad-http", "reset"}),
      odd("status-999.test", "the status is 999", "status 999", status_line("HTTP/1.1 999 No"),
          {"999", "bad-http"}),
      odd("status-long.test", "the status has four digits", either, status_line("HTTP/1.1 2000 OK"),
          {"bad-http", "200"}),
      odd("status-bare.test", "a status line without a reason", "the page",
          status_line("HTTP/1.1 200"), {"200"}),
      odd("version-odd.test", "HTTP/9.9", "failure", status_line("HTTP/9.9 200 OK"), {"bad-http"}),
      odd("version-lower.test", "http/1.1 in small letters", either, status_line("http/1.1 200 ok"),
          {"bad-http", "200"}),
      odd("icy.test", "ICY 200 OK, as radio stations say", either, status_line("ICY 200 OK"),
          {"bad-http", "200"}),
      odd("interim-body.test", "100 Continue with a length and a body", either,
          bytes("HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello" + kOk + kType +
                length(kPage) + "\r\n" + kPage),
          {"bad-http", "reset", "200"}),
      odd("interim-only.test", "103 Early Hints, then closes", "failure: reset",
          bytes("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
      odd("switching.test", "101 Switching Protocols, unasked", "failure",
          bytes(
              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\1\2"),
          {"reset", "bad-http", "101", "other"}),
      odd("no-content.test", "204 with a body behind it", "status 204; the rest is no answer",
          bytes("HTTP/1.1 204 No Content\r\n\r\n" + kOk + length(kPage) + "\r\n" + kPage), {"204"}),
      odd("not-modified.test", "304 with a body, unasked", "status 304",
          bytes("HTTP/1.1 304 Not Modified\r\n" + length(kPage) + "\r\n" + kPage), {"304"}),
      odd("partial.test", "206 of a range that nobody asked for", "status 206",
          bytes("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10000\r\n" + kType +
                length(kPage) + "\r\n" + kPage),
          {"206"}),
      odd("head-only.test", "a status line, an empty line, and the end", "an empty page",
          bytes("HTTP/1.1 200 OK\r\n\r\n"), {"200"}),
  };
}

std::vector<Exhibit> framing_exhibits() {
  const std::string either = "failure, or the page";
  const std::string chunks = fmt::format("{:x}\r\n{}\r\n", kPage.size(), kPage);
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  std::string trailers;
  for (int i = 0; i < 20'000; ++i) trailers += "X-Trailer: and so on, and so on\r\n";
  return {
      odd("length-and-chunks.test", "both chunked and a Content-Length", either,
          body("Content-Length: 5\r\n" + chunked, chunks + "0\r\n\r\n"), {"200", "bad-http"}),
      odd("length-hex.test", "Content-Length: 0x37", either,
          body("Content-Length: 0x37\r\n", kPage), {"200", "bad-http"}),
      odd("length-plus.test", "Content-Length: +55", either, body("Content-Length: +55\r\n", kPage),
          {"200", "bad-http"}),
      odd("length-list.test", "Content-Length: 55, 55", either,
          body("Content-Length: 55, 55\r\n", kPage), {"200", "bad-http"}),
      odd("length-overflow.test", "Content-Length is 2^64 + 55", either,
          body("Content-Length: 18446744073709551671\r\n", kPage), {"200", "bad-http", "other"}),
      odd("chunk-extension.test", "a chunk with 10 kB of extensions", either,
          body(chunked, fmt::format("{:x};x={}\r\n{}\r\n0\r\n\r\n", kPage.size(),
                                    std::string(10'000, 'y'), kPage)),
          {"200", "bad-http"}),
      odd("chunk-negative.test", "a chunk of -5 bytes", either,
          body(chunked, "-5\r\nhello\r\n0\r\n"), {"bad-http"}),
      odd("chunk-zeros.test", "a chunk size with 100 leading zeros", either,
          body(chunked, std::string(100, '0') + chunks + "0\r\n\r\n"), {"200", "bad-http"}),
      odd("transfer-unknown.test", "Transfer-Encoding: rot13, chunked", either,
          body("Transfer-Encoding: rot13, chunked\r\n", chunks + "0\r\n\r\n"), {"200", "bad-http"}),
      odd("transfer-gzip.test", "Transfer-Encoding: gzip, which nobody asked for", either,
          body("Transfer-Encoding: gzip\r\n", gzip(kPage)), {"200", "bad-http"}),
      odd("trailers.test", "a trailer that claims a length and a Location", "the page",
          body(chunked, chunks + "0\r\nContent-Length: 3\r\nLocation: /x\r\n\r\n"), {"200"}),
      odd("trailer-flood.test", "600 kB of trailers", "the page, or failure: head too large",
          body(chunked, chunks + "0\r\n" + trailers + "\r\n"), {"200", "header-too-large"}),
      odd("keep-alive-lie.test", "says keep-alive and closes", "the page",
          field("Connection: keep-alive\r\nKeep-Alive: timeout=1000, max=1000\r\n"), {"200"}),
      odd("close-lie.test", "says close and keeps the connection open", "the page",
          [](Exchange& e) {
            e.send(kOk + kType + "Connection: close\r\n" + length(kPage) + "\r\n" + kPage);
            e.pause(Duration(500'000));
          },
          {"200"}),
      odd("http10-stays.test", "HTTP/1.0 with keep-alive", "the page",
          bytes("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + kType + length(kPage) + "\r\n" +
                kPage),
          {"200"}),
      odd("http10.test", "HTTP/1.0 without a length", "the page",
          bytes("HTTP/1.0 200 OK\r\n" + kType + "\r\n" + kPage), {"200"}),
  };
}

std::vector<Exhibit> coding_exhibits() {
  std::string many = "Content-Encoding: gzip";
  for (int i = 0; i < 100; ++i) many += ", gzip";
  const std::string twice = gzip(gzip(kPage));
  return {
      odd("encoding-list.test", "Content-Encoding: gzip, identity, gzip", "the page",
          body("Content-Encoding: gzip, identity, gzip\r\n" + length(twice), twice), {"200"}),
      odd("encoding-many.test", "101 content encodings", "kept as it came, or failure",
          body(many + "\r\n" + length(kPage), kPage), {"200"}),
      odd("encoding-empty.test", "an empty Content-Encoding", "the page",
          body("Content-Encoding: \r\n" + length(kPage), kPage), {"200"}),
      odd("encoding-comma.test", "Content-Encoding of commas", "the page",
          body("Content-Encoding: ,,,\r\n" + length(kPage), kPage), {"200"}),
  };
}

std::vector<Exhibit> location_exhibits() {
  Exhibit latin1 = odd("location-latin1.test", "leads to /caf\xC3\xA9, written in Latin-1",
                       "the page at /caf%E9", location("Location: /caf\xE9\r\n"), {"200"});
  latin1.good = {"/caf%E9"};
  return {
      latin1,
      odd("location-twice.test", "two Locations that differ", "the first of the two, or failure",
          location("Location: /one\r\nLocation: /two\r\n"), {"200", "bad-redirect", "bad-http"}),
      odd("location-long.test", "a Location of 50 kB", "the page, or failure",
          location("Location: /" + std::string(50'000, 'x') + "\r\n"),
          {"200", "302", "bad-redirect", "header-too-large"}),
      odd("location-empty.test", "an empty Location", "failure: it leads to itself",
          location("Location: \r\n"), {"302", "bad-redirect", "too-many-redirects"}),
      odd("location-spaces.test", "a Location with spaces around and inside", "the page",
          location("Location:   /in side  \r\n"), {"200"}),
      odd("location-port.test", "leads to port 65536 of its host", "failure: bad redirect",
          location("Location: http://location-port.test:65536/\r\n"), {"bad-redirect"}),
  };
}

std::vector<Exhibit> waiting_exhibits() {
  const auto busy = [](std::string host, std::string what, std::string value) {
    return odd(std::move(host), std::move(what), "fetched, after the usual rest",
               once_busy(std::move(value)));
  };
  const auto away = [](std::string host, std::string what, std::string value) {
    return odd(std::move(host), std::move(what), "left alone for a day; the others are fetched",
               once_busy(std::move(value)));
  };
  return {
      busy("retry-negative.test", "429 with Retry-After: -1, once", "-1"),
      busy("retry-garbage.test", "429 with a Retry-After of words, once", "when the kettle boils"),
      busy("retry-past.test", "429 with a Retry-After of 1994, once",
           "Sun, 06 Nov 1994 08:49:37 GMT"),
      busy("retry-fraction.test", "429 with Retry-After: 0.5, once", "0.5"),
      away("retry-immense.test", "429 with a Retry-After of 25 digits, once",
           "9999999999999999999999999"),
      away("retry-9999.test", "429 with a Retry-After in the year 9999, once",
           "Fri, 31 Dec 9999 23:59:59 GMT"),
  };
}

Exhibit odd_tls(std::string host, std::string what, std::string expected, TlsKind kind,
                std::vector<std::string> outcomes) {
  Exhibit exhibit =
      odd(std::move(host), std::move(what), std::move(expected), ordinary_site({}), outcomes);
  exhibit.tls = kind;
  exhibit.is_https = true;
  return exhibit;
}

}  // namespace

std::vector<Exhibit> odd_exhibits() {
  std::vector<Exhibit> all;
  for (const auto make : {field_exhibits, status_exhibits, framing_exhibits, coding_exhibits,
                          location_exhibits, waiting_exhibits}) {
    for (Exhibit& exhibit : make()) all.push_back(std::move(exhibit));
  }
  all.push_back(odd_tls("garbage-tls.test", "answers the client's TLS hello with random bytes",
                        "TLS failure", TlsKind::kGarbage, {"tls"}));
  all.push_back(odd_tls("alert-tls.test", "answers the client's TLS hello with a fatal alert",
                        "TLS failure", TlsKind::kAlert, {"tls"}));
  Exhibit first = odd("speaks-first.test", "answers before it was asked, then closes",
                      "failure, or the page", [](Exchange&) {}, {"200", "reset", "bad-http"});
  first.speaks_first = kOk + kType + length(kPage) + "\r\n" + kPage;
  all.push_back(std::move(first));
  return all;
}

}  // namespace dowser
