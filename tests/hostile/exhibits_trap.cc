#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>

#include "base/hash.h"
#include "tests/hostile/exhibits.h"

// Hosts with more addresses than pages: traps, soft 404s, mirrors.

namespace dowser {
namespace {

std::string day(std::chrono::sys_days d) {
  const std::chrono::year_month_day date(d);
  return fmt::format("/{}/{}/{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

// Every day of every year has a page.
void calendar(Exchange& e) {
  const std::string& target = e.request().target;
  int part[3] = {2026, 11, 15};
  const char *at = target.data(), *const end = at + target.size();
  for (int& number : part) {
    if (at < end) at = std::from_chars(at + 1, end, number).ptr;
  }
  const std::chrono::sys_days today = std::chrono::year(std::clamp(part[0], 1, 9000)) /
                                      std::clamp(part[1], 1, 12) / std::clamp(part[2], 1, 31);
  const std::vector<std::string> near = {day(today - std::chrono::days(1)),
                                         day(today + std::chrono::days(1)),
                                         day(today + std::chrono::days(365))};
  e.page("Events of " + day(today), near);
}

// A number in 32 hexadecimal digits that was never given before.
class Sessions {
 public:
  std::string next() const {
    const uint64_t n = (*count_)++;
    return fmt::format("{:016x}{:016x}", hash64("session", n), hash64("id", n));
  }

 private:
  std::shared_ptr<std::atomic<uint64_t>> count_ = std::make_shared<std::atomic<uint64_t>>(0);
};

// Five pages under any number of addresses: the same text for each, whatever the session.
void session_page(Exchange& e, std::string_view item, const std::vector<std::string>& links) {
  e.html(html_page(fmt::format("Item {}", item), hash64(item), links));
}

void session_in_query(const Sessions& sessions, Exchange& e) {
  std::vector<std::string> links;
  for (int i = 1; i <= 5; ++i) {
    links.push_back(fmt::format("/item/{}?PHPSESSID={}", i, sessions.next()));
  }
  session_page(e, e.request().path(), links);
}

void session_in_path(const Sessions& sessions, Exchange& e) {
  const std::string& target = e.request().target;
  std::vector<std::string> links;
  for (int i = 1; i <= 5; ++i) links.push_back(fmt::format("/{}/item/{}", sessions.next(), i));
  session_page(e, std::string_view(target).substr(target.rfind('/')), links);
}

// Relative links that lead one level down, for ever.
void growing_path(Exchange& e) {
  const std::vector<std::string> links = {"news/", "archive/", "news/archive/"};
  e.page("A site map", links);
}

void facets(Exchange& e) {
  const std::string query =
      e.request().target.find('?') == std::string::npos ? "/list?" : e.request().target + "&";
  std::vector<std::string> links;
  for (const char* facet : {"colour", "size", "brand", "price", "shop", "sort"}) {
    for (int value = 1; value <= 5; ++value) {
      links.push_back(fmt::format("{}{}={}", query, facet, value));
    }
  }
  e.page("A list of things", links);
}

const std::vector<std::string> kSoftPaths = {"/one", "/two", "/three", "/gone-1", "/gone-2"};

// Three pages are there; for all else `otherwise` says politely that they are not.
Handler soft_404(Handler otherwise) {
  return [=](Exchange& e) {
    const std::string& target = e.request().target;
    const bool exists = target == "/" || target == "/one" || target == "/two" || target == "/three";
    exists ? ordinary_site(kSoftPaths)(e) : otherwise(e);
  };
}

// Ten pages whose text does not depend on the host; `differing`: but for a few words.
Handler mirror(bool differing) {
  return [=](Exchange& e) {
    std::vector<std::string> links;
    for (int i = 1; i <= 9; ++i) links.push_back(fmt::format("/article/{}", i));
    const std::string& target = e.request().target;
    if (target != "/" && std::ranges::find(links, target) == links.end()) return e.not_found();
    std::string page = html_page("An article, often copied", hash64("mirror" + target), links);
    if (differing) page += "<p>Served by the third mirror.</p>\n";
    e.html(page);
  };
}

}  // namespace

std::vector<Exhibit> trap_exhibits() {
  const std::string trap = "some pages, then the trap is seen; the number of requests is bounded";
  const std::string duplicates = "fetched; marked as duplicates of the other mirror";
  const std::vector<std::string> soft = {"/", "/one", "/two", "/three"};
  return {
      {"calendar.test", "a page for every day of every year", trap, calendar, "/2026/11/15"},
      {"session.test", "a new session id in every link (PHPSESSID=…)",
       "six pages: session ids do not make a new address",
       [s = Sessions()](Exchange& e) { session_in_query(s, e); }},
      {"session-path.test", "a new session id in every path", trap,
       [s = Sessions()](Exchange& e) { session_in_path(s, e); }},
      {"growing.test", "relative links that grow: /news/news/archive/news/…", trap, growing_path},
      {"facets.test", "six filters of a list with five values each, in any order", trap, facets},
      {"soft404.test", "what is not there is answered 200 with the same text",
       "three pages and the home page; the rest is seen to be soft 404", soft_404([](Exchange& e) {
         e.html("<title>Oops</title><p>Sorry, the page that you look for is not here.</p>");
       }),
       "/", soft},
      {"soft404-home.test", "what is not there leads to the home page",
       "three pages and the home page; the rest is seen to be soft 404",
       soft_404([](Exchange& e) { e.redirect("/"); }), "/", soft},
      {"mirror-a.test", "ten pages", "fetched", mirror(false)},
      {"mirror-b.test", "the same ten pages", duplicates, mirror(false)},
      {"mirror-near.test", "the same ten pages but for a line", duplicates, mirror(true)},
  };
}

}  // namespace dowser
