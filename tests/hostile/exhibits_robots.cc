#include <fmt/format.h>

#include "base/compress.h"
#include "tests/hostile/exhibits.h"

// Hosts that behave but for their robots.txt.

namespace dowser {
namespace {

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
  return all;
}

}  // namespace dowser
