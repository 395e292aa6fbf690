#include <fmt/format.h>

#include <charconv>
#include <map>

#include "tests/hostile/exhibits.h"

// Hosts that send the visitor round in circles or to where it must not go.

namespace dowser {
namespace {

// /0 leads to /1 and so on to a page at /`length`; "/" begins it.
Handler chain(int length) {
  return [length](Exchange& e) {
    int at = 0;
    const std::string& target = e.request().target;
    std::from_chars(target.data() + 1, target.data() + target.size(), at);
    at < length ? e.redirect(fmt::format("/{}", at + 1)) : e.page("The end of the chain", {});
  };
}

Handler to(std::string where) {
  return [=](Exchange& e) { e.redirect(where); };
}

// The home page links to one path for each spelling of an address that is private.
void to_private(Exchange& e) {
  const std::map<std::string, std::string> targets = {
      {"/dotted", fmt::format("http://127.0.0.1:{}/secret", e.port())},
      {"/decimal", fmt::format("http://2130706433:{}/secret", e.port())},
      {"/octal", fmt::format("http://0177.0.0.1:{}/secret", e.port())},
      {"/short", fmt::format("http://127.1:{}/secret", e.port())},
      {"/zero", fmt::format("http://0.0.0.0:{}/secret", e.port())},
      {"/name", fmt::format("http://localhost:{}/secret", e.port())},
      {"/mapped", fmt::format("http://[::ffff:127.0.0.1]:{}/secret", e.port())},
      {"/inner", e.url("inner.example", "/secret")},
  };
  const auto found = targets.find(e.request().target);
  if (found != targets.end()) return e.redirect(found->second);
  std::vector<std::string> paths;
  for (const auto& [path, target] : targets) paths.push_back(path);
  e.page("Ways into the house", paths);
}

}  // namespace

std::vector<Exhibit> redirect_exhibits() {
  std::vector<Exhibit> all = {
      {"redirect-loop.test", "/ leads to /a, /a to /b, /b to /a", "failure: too many redirects",
       [](Exchange& e) { e.redirect(e.request().target == "/a" ? "/b" : "/a"); }},
      {"redirect-self.test", "leads to itself", "failure: too many redirects",
       [](Exchange& e) { e.redirect(e.request().target); }},
      {"redirect-chain.test", "50 redirects before a page",
       "failure: too many redirects; the page is not reached", chain(50)},
      {"redirect-short.test", "3 redirects before a page", "the page at /3", chain(3), "/", {"/3"}},
      {"redirect-file.test", "leads to file:///etc/passwd", "failure: bad redirect",
       to("file:///etc/passwd")},
      {"redirect-script.test", "leads to javascript:alert(1)", "failure: bad redirect",
       to("javascript:alert(1)")},
      {"redirect-data.test", "leads to data:text/html,hello", "failure: bad redirect",
       to("data:text/html,<p>hello")},
      {"redirect-private.test",
       "links to redirects to private addresses in eight spellings (127.0.0.1, 2130706433, …)",
       "the home page; none of the targets is asked",
       to_private,
       "/",
       {"/"}},
      {"redirect-password.test", "leads to an address with user name and password",
       "refused, or followed without Authorization",
       [](Exchange& e) {
         if (e.request().target == "/in") return e.page("Inside", {});
         std::string target = e.url(e.request().host, "/in");
         e.redirect(target.insert(7, "user:password@"));
       }},
      {"redirect-nowhere.test", "302 without a Location", "failure: bad redirect",
       [](Exchange& e) { e.answer(302, {}, "Go, but where?"); }},
      {"redirect-inject.test", "leads to /in%0d%0aX-Injected:%20yes",
       "followed as it is written; no header field X-Injected",
       [](Exchange& e) {
         if (e.request().target != "/") return e.page("Not injected", {});
         e.redirect("/in%0d%0aX-Injected:%20yes");
       }},
      {"redirect-disallowed.test", "leads to a page that the robots.txt of another host forbids",
       "refused by robots.txt: the other host is not asked for it",
       [](Exchange& e) { e.redirect(e.url("robots-parts.test", "/private/redirected")); }},
  };
  Exhibit inner{"inner.example", "a private address behind a host name",
                "no request at all, unless the host was allowed by name", ordinary_site({})};
  inner.untouchable = true;
  all.push_back(inner);
  return all;
}

}  // namespace dowser
