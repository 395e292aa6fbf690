#include <fmt/format.h>

#include "base/compress.h"
#include "tests/hostile/exhibits.h"

// Hosts that behave but for their robots.txt.

namespace dowser {
namespace {

using namespace std::string_literals;

constexpr std::string_view kNoRules = "# All are welcome.\nUser-agent: *\nDisallow:\n";
constexpr std::string_view kNoPrivate = "User-agent: *\nDisallow: /private/\n";

Handler text(std::string rules, int status = 200) {
  return [=](Exchange& e) { e.answer(status, {{"Content-Type", "text/plain"}}, rules); };
}

Exhibit site(std::string host, std::string what, std::string expected, Handler robots,
             std::vector<std::string> good, std::vector<std::string> forbidden) {
  std::vector<std::string> paths = good;
  paths.insert(paths.end(), forbidden.begin(), forbidden.end());
  std::erase(paths, "/");
  Exhibit exhibit{host, what, expected, ordinary_site(paths)};
  exhibit.good = std::move(good);
  exhibit.forbidden = std::move(forbidden);
  exhibit.robots = std::move(robots);
  return exhibit;
}

// The rules first, then comments for ever.
void endless_rules(Exchange& e) {
  e.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
  e.send(kNoPrivate);
  e.send_endlessly("# and so on, and so on, and so on\n");
}

// More than the 500 KiB that a crawler has to read (RFC 9309, 2.5).
std::string long_rules() {
  std::string rules(kNoPrivate);
  for (int i = 0; rules.size() < 1'000'000; ++i) {
    rules += fmt::format("Disallow: /nowhere/{}/\n", i);
  }
  return rules;
}

void elsewhere(Exchange& e) { e.redirect(e.url("robots-source.test", "/robots.txt"), 301); }

void moved(Exchange& e) { e.redirect("/rules.txt", 301); }

void crawl_delay(Exchange& e) {
  text(fmt::format("User-agent: *\nCrawl-delay: {}\n", e.options().crawl_delay))(e);
}

// The rules are 100 bytes shorter than they say.
void cut_rules(Exchange& e) {
  e.send(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}",
                     kNoRules.size() + 100, kNoRules));
}

void cut_chunk(Exchange& e) {
  e.send(fmt::format("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\nff\r\n# c",
                     kNoRules.size(), kNoRules));
}

Handler encoded(std::string encoding, std::string body) {
  return [=](Exchange& e) {
    e.answer(200, {{"Content-Type", "text/plain"}, {"Content-Encoding", encoding}}, body);
  };
}

std::string half_packed() {
  std::string packed = gzip(std::string(kNoRules) + long_rules());
  packed.resize(packed.size() / 50);
  return packed;
}

Handler typed(std::string type) {
  return [=](Exchange& e) { e.answer(200, {{"Content-Type", type}}, kNoPrivate); };
}

// /robots.txt leads to /r1, that to /r2 and so on; the rules are at /r`length`.
Exhibit chain(std::string host, std::string what, std::string expected, int length,
              std::vector<std::string> good, std::vector<std::string> forbidden) {
  Exhibit exhibit = site(
      std::move(host), std::move(what), std::move(expected),
      [](Exchange& e) { e.redirect("/r1", 301); }, std::move(good), std::move(forbidden));
  exhibit.handle = [inner = exhibit.handle, length](Exchange& e) {
    for (int i = 1; i <= length; ++i) {
      if (e.request().target != fmt::format("/r{}", i)) continue;
      return i < length ? e.redirect(fmt::format("/r{}", i + 1), 307)
                        : text(std::string(kNoPrivate))(e);
    }
    inner(e);
  };
  return exhibit;
}

// As Windows writes it.
std::string utf16(std::string_view text) {
  std::string out = "\xFF\xFE";
  for (const char c : text) out += {c, '\0'};
  return out;
}

// What a robots.txt that did not come whole says so far: nothing is forbidden.
std::vector<Exhibit> damaged_exhibits() {
  const std::string nothing = "nothing but robots.txt is asked for (RFC 9309, 2.3.1.4)";
  const std::vector<std::string> all = {"/"};
  return {
      site("robots-cut.test", "robots.txt ends before its Content-Length", nothing, cut_rules, {},
           all),
      site("robots-chunk-cut.test", "robots.txt ends in the middle of a chunk", nothing, cut_chunk,
           {}, all),
      site("robots-gzip-cut.test", "robots.txt is gzip that ends in the middle", nothing,
           encoded("gzip", half_packed()), {}, all),
      site("robots-br-broken.test", "robots.txt is brotli with wrong bytes", nothing,
           encoded("br", "\x1b\x21\x04\x01\xff\xff\xff broken"), {}, all),
      site("robots-encoding.test", "robots.txt has an unknown Content-Encoding", nothing,
           encoded("rot13", gzip(kNoRules)), {}, all),
      site("robots-429.test", "robots.txt is 429, always", nothing, text("Not so fast.", 429), {},
           all),
  };
}

std::vector<Exhibit> disguised_exhibits() {
  const std::string rules_hold = "its rules are obeyed";
  const std::vector<std::string> open = {"/", "/open"}, closed = {"/private/closed"};
  return {
      site("robots-bytes.test", "robots.txt is application/octet-stream", rules_hold,
           typed("application/octet-stream"), open, closed),
      site("robots-image.test", "robots.txt is image/png", rules_hold, typed("image/png"), open,
           closed),
      site("robots-zip.test", "robots.txt is application/zip", rules_hold, typed("application/zip"),
           open, closed),
      site("robots-nul.test", "robots.txt has NUL bytes between its lines", rules_hold,
           text("User-agent: *\n\0\0\0\nDisallow: /private/\n"s), open, closed),
      site("robots-long-line.test", "robots.txt has a line of 100 kB before its rule", rules_hold,
           text("User-agent: *\n# " + std::string(100'000, 'x') + "\nDisallow: /private/\n"), open,
           closed),
      site("robots-cr.test", "robots.txt has lines that end with CR only", rules_hold,
           text("User-agent: *\rDisallow: /private/\r"), open, closed),
      chain("robots-chain.test", "robots.txt is reached by five redirects", rules_hold, 5, open,
            closed),
      chain("robots-chain-long.test", "robots.txt is reached by nine redirects",
            "everything may be fetched (RFC 9309, 2.3.1.2), or its rules are obeyed", 9, open, {}),
  };
}

std::vector<Exhibit> denying_exhibits() {
  const std::string nothing = "nothing but robots.txt is asked for (RFC 9309, 2.3.1.4)";
  const std::vector<std::string> all = {"/"};
  return {
      site("robots-none.test", "robots.txt forbids everything", "nothing but robots.txt is asked",
           text("User-agent: *\nDisallow: /\n"), {}, all),
      site("robots-500.test", "robots.txt is 500", nothing, text("broken", 500), {}, all),
      site(
          "robots-stall.test", "robots.txt never comes", nothing, [](Exchange& e) { e.stall(); },
          {}, all),
      site(
          "robots-reset.test", "robots.txt resets the connection", nothing,
          [](Exchange& e) { e.reset(); }, {}, all),
  };
}

std::vector<Exhibit> partial_exhibits() {
  const std::string rules_hold = "its rules are obeyed";
  const std::vector<std::string> open = {"/", "/open"}, closed = {"/private/closed"};
  Exhibit redirected =
      site("robots-moved.test", "robots.txt leads to /rules.txt", rules_hold, moved, open, closed);
  redirected.handle = [inner = redirected.handle](Exchange& e) {
    e.request().target == "/rules.txt" ? text(std::string(kNoPrivate))(e) : inner(e);
  };
  return {
      site("robots-parts.test", "robots.txt forbids parts, with wildcards and exceptions",
           rules_hold,
           text("User-agent: *\nDisallow: /private/\nAllow: /private/but-open\n"
                "Disallow: /*.cgi$\nDisallow: /search?\n"),
           {"/", "/open", "/private/but-open", "/run.cgi.html"},
           {"/private/closed", "/private/redirected", "/run.cgi", "/search?q=1"}),
      site("robots-agent.test", "robots.txt has a group for Dowser and one for the others",
           "the rules of its own group are obeyed, those for others are not",
           text("User-agent: *\nDisallow: /others/\n\nUser-agent: dowser\nDisallow: /dowser/\n"),
           {"/", "/others/page"}, {"/dowser/page"}),
      site("robots-long.test", "robots.txt of 1 MB, the rule that matters is the first", rules_hold,
           text(long_rules()), open, closed),
      site("robots-endless.test", "robots.txt without end, the rule that matters is the first",
           rules_hold, endless_rules, open, closed),
      site("robots-bom.test", "robots.txt begins with a byte order mark and has CR LF", rules_hold,
           text("\xEF\xBB\xBFUser-agent: *\r\nDisallow: /private/\r\n"), open, closed),
      site(
          "robots-gzip.test", "robots.txt comes as gzip", rules_hold,
          [](Exchange& e) {
            e.answer(200, {{"Content-Type", "text/plain"}, {"Content-Encoding", "gzip"}},
                     gzip(kNoPrivate));
          },
          open, closed),
      redirected,
      site("robots-elsewhere.test", "robots.txt leads to that of robots-source.test", rules_hold,
           elsewhere, open, closed),
      site("robots-source.test", "lends its robots.txt to robots-elsewhere.test", rules_hold,
           text(std::string(kNoPrivate)), open, closed),
  };
}

}  // namespace

std::vector<Exhibit> robots_exhibits() {
  const std::vector<std::string> pages = {"/", "/open"};
  const std::string free = "everything may be fetched (RFC 9309, 2.3.1.3)";
  std::vector<Exhibit> all = {
      site("robots-all.test", "robots.txt allows everything", "fetched",
           text("User-agent: *\nDisallow:\n"), pages, {}),
      site("robots-404.test", "robots.txt is 404", free, nullptr, pages, {}),
      site("robots-403.test", "robots.txt is 403", free, text("no", 403), pages, {}),
      site("robots-401.test", "robots.txt is 401", free, text("no", 401), pages, {}),
      site("robots-utf16.test", "robots.txt is in UTF-16",
           "fetched: it has no rules that can be read",
           text(utf16("User-agent: *\r\nDisallow: /private/\r\n")), pages, {}),
      site("robots-file.test", "robots.txt leads to file:///etc/passwd", free,
           [](Exchange& e) { e.redirect("file:///etc/passwd"); }, pages, {}),
      site("robots-html.test", "robots.txt is an HTML page, status 200", "fetched: it has no rules",
           [](Exchange& e) { e.page("Not found", {}); }, pages, {}),
      site("robots-delay.test", "robots.txt has a Crawl-delay",
           "fetched, with that time between two requests", crawl_delay,
           {"/", "/one", "/two", "/three"}, {}),
      site("robots-loop.test", "robots.txt leads to itself",
           "everything may be fetched (RFC 9309, 2.3.1.2), or nothing",
           [](Exchange& e) { e.redirect("/robots.txt"); }, {}, {}),
  };
  for (Exhibit& exhibit : denying_exhibits()) all.push_back(std::move(exhibit));
  for (Exhibit& exhibit : partial_exhibits()) all.push_back(std::move(exhibit));
  for (Exhibit& exhibit : damaged_exhibits()) all.push_back(std::move(exhibit));
  for (Exhibit& exhibit : disguised_exhibits()) all.push_back(std::move(exhibit));
  return all;
}

}  // namespace dowser
