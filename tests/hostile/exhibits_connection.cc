#include "tests/hostile/exhibits.h"

// Hosts whose connections break, wait or are encrypted badly.

namespace dowser {
namespace {

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n";
constexpr std::string_view kHalf = "<title>Half a page</title><p>It stops in the mid";

void drip(Exchange& e, std::string_view bytes) {
  for (const char c : bytes) {
    if (!e.send({&c, 1}) || !e.pause(e.options().drip)) return;
  }
}

// For the whole patience of the server, whatever the length of a drip.
void drip_for_ever(Exchange& e) {
  const auto until = std::chrono::steady_clock::now() + e.options().patience;
  while (std::chrono::steady_clock::now() < until) {
    if (!e.send("x") || !e.pause(e.options().drip)) return;
  }
}

Exhibit tls_exhibit(std::string host, std::string what, std::string expected, TlsKind kind) {
  Exhibit exhibit{host, what, expected, ordinary_site({})};
  exhibit.tls = kind;
  exhibit.is_https = true;
  return exhibit;
}

std::vector<Exhibit> tls_exhibits() {
  return {
      tls_exhibit("good-tls.test", "TLS with the certificate of `--certificate`",
                  "fetched where that certificate is trusted, else a TLS failure",
                  TlsKind::kTrusted),
      tls_exhibit("bad-tls.test", "TLS with a certificate that nobody signed",
                  "TLS failure, no request", TlsKind::kSelfSigned),
      tls_exhibit("stall-tls.test", "never answers the client's TLS hello",
                  "time-out of the connection", TlsKind::kStalls),
      tls_exhibit("drop-tls.test", "closes after the client's TLS hello", "TLS failure",
                  TlsKind::kDrops),
      tls_exhibit("no-tls.test", "an https link to a port that speaks plain HTTP", "TLS failure",
                  TlsKind::kNone),
  };
}

std::vector<Exhibit> absent_exhibits() {
  const auto absent = [](std::string host, std::string what, std::string expected, Place place) {
    Exhibit exhibit{host, what, expected, ordinary_site({})};
    exhibit.place = place;
    return exhibit;
  };
  return {
      absent("refused.test", "nobody listens on its port", "failure: refused",
             Place::kNobodyListens),
      absent("unknown.invalid", "a host name that does not exist", "failure: no address",
             Place::kNoSuchName),
      absent("fail-dns.test", "a host name that the name server cannot answer for",
             "failure: no address", Place::kNameFails),
      absent("stall-dns.test", "a host name that the name server says nothing of",
             "failure: no address, after a time-out", Place::kNameStalls),
  };
}

}  // namespace

std::vector<Exhibit> connection_exhibits() {
  std::vector<Exhibit> all = {
      {"drop.test", "closes without a byte", "failure: empty answer; tried again some times",
       [](Exchange&) {}},
      {"reset.test", "resets the connection (RST)", "failure: reset; tried again some times",
       [](Exchange& e) { e.reset(); }},
      {"reset-middle.test", "resets the connection in the middle of the body",
       "failure or a page cut short",
       [](Exchange& e) {
         e.send(kHead);
         e.send(kHalf);
         e.pause(Duration(50'000));  // what is unread when the reset arrives is lost
         e.reset();
       }},
      {"stall.test", "takes the request and says nothing", "failure: first-byte time-out",
       [](Exchange& e) { e.stall(); }},
      {"stall-head.test", "stops in the middle of the head", "failure: time-out",
       [](Exchange& e) {
         e.send("HTTP/1.1 200 OK\r\nContent-Ty");
         e.stall();
       }},
      {"stall-middle.test", "stops in the middle of the body", "failure or a page cut short",
       [](Exchange& e) {
         e.send(kHead);
         e.send(kHalf);
         e.stall();
       }},
      {"drip-head.test", "sends its head one byte at a time", "failure: time-out, within bounds",
       [](Exchange& e) {
         drip(e, "HTTP/1.1 200 OK\r\n");
         e.send("X-Slow: ");
         drip_for_ever(e);
       }},
      {"drip.test", "sends its body one byte at a time, without end",
       "failure or a page cut short by the total time limit",
       [](Exchange& e) {
         e.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>");
         drip_for_ever(e);
       }},
  };
  for (Exhibit& exhibit : tls_exhibits()) all.push_back(std::move(exhibit));
  for (Exhibit& exhibit : absent_exhibits()) all.push_back(std::move(exhibit));
  return all;
}

}  // namespace dowser
