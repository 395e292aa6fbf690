// The idea is that of Bar-Yossef et al. (2004): request a page that cannot exist, and compare. They
// compare two texts by one similarity. That is not enough: on a host with a large template, two
// pages of ten lines each share 95 % of their words. What counts is how much text a page has that
// the error page does not have: a real page has at least one sentence more.
//
// So the text of the error page is kept, and a page is the same when
//
//   - it has at most 16 shingles that the error page has not, and lacks at most 16, or a quarter of
//     them for short error pages (a date, a counter or a request number changes four shingles);
//     and
//   - its title is the same.
//
// Error pages repeat the address ("/x/y.html was not found"), also in the title, so the words of
// both requested addresses are first removed from both texts.
//
// Where the probe was redirected, a later page is missing if it was redirected to the same place;
// if that place is a program with parameters, its text must be the same as well. A home page is
// never a soft 404, although many hosts redirect missing pages there.
//
// Not recognised: programs that answer every number with a page of the usual form
// (item.php?id=99999999), and error pages with other words each time.
//
// Cost: one table look-up for a page of a host that sends 404; for other hosts two passes over the
// words of the page and over those of the error page.

#include "guard/soft_404.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "model/percent_encode.h"
#include "model/url_canonical.h"
#include "text/shingles.h"
#include "text/tokens.h"

namespace dowser {
namespace {

using Words = absl::flat_hash_set<uint64_t>;  // by their hash

constexpr size_t kMaxText = 64 << 10;  // a longer page is not an error page
constexpr size_t kMaxDifferent = 16;

TokenOptions with_digits() {
  TokenOptions options;
  options.digits = true;
  return options;
}

std::string key_of(const Url& url) {
  CanonicalRules rules;
  rules.one_scheme = true;
  return seen_key(url, rules);
}

std::string place_of(const Url& url) {
  std::string key = key_of(url);
  key.resize(std::min(key.find('?'), key.size()));
  return key;
}

bool is_home(const Url& url) { return url.query().empty() && url.path() == "/"; }

// The words of `text` but for those of the address.
std::string without_echo(std::string_view text, const Words& echo) {
  std::string out;
  for_each_token(text, with_digits(), [&](std::string_view token) {
    if (echo.contains(hash64(token))) return;
    out += token;
    out += ' ';
  });
  return out;
}

// ".html" of "/a/b.html".
std::string_view extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name.size() - dot > 6) return "";
  const bool plain = std::all_of(name.begin() + dot + 1, name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
  });
  return plain ? name.substr(dot) : "";
}

void add_words(const Url& url, Words& words) {
  for_each_token(percent_decode(url.request_target()), with_digits(),
                 [&](std::string_view token) { words.insert(hash64(token)); });
}

// How many of the sorted set `a` are not in `b`.
size_t missing_in(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> missing;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(missing));
  return missing.size();
}

}  // namespace

Url probe_address(const Url& page, Random& random) {
  std::string name = "no-such-page-";
  for (int i = 0; i < 16; ++i) name += static_cast<char>('a' + random.below(26));
  name += extension(page.path());
  const Result<Url> probe = Url::parse(name, &page);
  return probe ? *probe : Url();
}

Soft404::Answer Soft404::answer_of(const Url& asked, const Response& response, const Page& page) {
  Answer answer{asked, "", !response.url.query().empty(), page.title, page.text};
  if (key_of(asked) != key_of(response.url)) answer.place = place_of(response.url);
  return answer;
}

void Soft404::learn_probe(const Url& asked, const Response& response, const Page& page) {
  auto& host = hosts_[hash64(asked.host())];
  host.reset();
  if (!response.ok() || page.text.size() > kMaxText) return;
  Answer answer = answer_of(asked, response, page);
  const bool says_something = !answer.text.empty() || !answer.title.empty();
  if (answer.place.empty() && !says_something) return;
  host = std::make_unique<const Answer>(std::move(answer));
}

bool Soft404::same_text(const Answer& missing, const Answer& page) {
  Words echo;
  add_words(missing.asked, echo);
  add_words(page.asked, echo);
  if (without_echo(missing.title, echo) != without_echo(page.title, echo)) return false;
  const std::vector<uint64_t> a = shingle_set(without_echo(missing.text, echo));
  const std::vector<uint64_t> b = shingle_set(without_echo(page.text, echo));
  const size_t allowed = std::min(kMaxDifferent, a.size() / 4);
  return missing_in(a, b) <= allowed && missing_in(b, a) <= allowed;
}

bool Soft404::is_soft_404(const Url& asked, const Response& response, const Page& page) const {
  const auto host = hosts_.find(hash64(asked.host()));
  if (host == hosts_.end() || !host->second || !response.ok() || is_home(asked)) return false;
  const Answer& missing = *host->second;
  if (page.text.size() > 2 * kMaxText) return false;
  const Answer answer = answer_of(asked, response, page);
  if (answer.place != missing.place) return false;
  const bool place_tells =
      !missing.place.empty() && !missing.place_has_query && !answer.place_has_query;
  return place_tells || same_text(missing, answer);
}

}  // namespace dowser
