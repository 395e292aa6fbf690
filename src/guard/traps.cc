// A calendar has a link "next month"; a shop can be filtered by colour, size and price in any
// order; a page links to "a/b" where it means "/a/b", and the server takes /a/b/a/b/a/b for the
// same page; a server puts a session into each address it writes. Each makes addresses without end.
//
// Two lines of defence. The first looks at one address:
// clang-format off
//   deep-path           more than 20 directories. Of the 60,000 addresses of the three webs we
//                       measure with none has more than 8.
//   repeated-segments   the same part of a path three times in a row (/a/b/a/b/a/b), as in
//                       Heritrix; five times where the part is only a letter or a number long
//                       (/1/1/1 is how large sites spread files); or the same directory name more
//                       than four times anywhere (/news/x/news/y/news/…).
//   many-parameters     more than 24 in a query, or more than 8 of one name: filters that pile up.
// clang-format on
// The second looks at what addresses *brought*. Traps differ in every way but one: their addresses
// are made by counting something up, so with digits, sessions and the values of the query taken out
// they are all the same. That is the shape, see url_shape(). Each shape of a host has an account
// that pays for its pages:
//
//   - 200 pages that bring nothing (errors, copies) empty it. Chen (2008) abandons a whole *site*
//     of which less than 5 % was relevant after 200 pages; a shape is a smaller loss.
//   - A page of new text that is not on the topic costs a tenth of that: an endless calendar whose
//     months all differ is cut after 2,000 pages, while 2,000 pages without a single relevant one
//     are no loss to a focused crawl.
//   - A relevant page pays for 20 that bring nothing (the 5 % of Chen) and so for 200 that are
//     new: a wiki with all its pages at index.php?title=… lives on a harvest of one in 200.
//
// Shapes do not catch what makes up names of letters, or a shop with 2^n sets of filters. So the
// directory has accounts too (with a query: the program, whatever its parameters), and so has the
// host. Directories are shapes as well: /2004/11/ and /2004/12/ are one. They hold honest pages of
// many kinds, and honest pages repeat each other: hundreds of those in one directory of the manual
// of statsmodels are near duplicates. So there a new page pays for one that brought nothing, and
// only where most of them bring nothing are 500 (2,000 for a host) too many. Against text that
// is made up and always new there is a second account each, for 25,000 pages of a directory, 5,000
// of a program and 100,000 of a host, less what relevant pages pay for. An address without anything
// to count has no shape that others could have, and no account for it.
//
// What is spent is kept in a count-min sketch: two rows of counters, an account is one in each, and
// the smaller is believed. Memory is fixed; an honest account is refused by mistake only where it
// shares both counters with empty ones: with 1,000 empty of a million, once in a million. Each
// account is kWhole, whatever it pays for, so those that share a counter do each other little harm.
// A page costs one pass over its address and ten counters: 1 to 2 microseconds for each call.
//
// Measured: with copies worth nothing, all else new and nothing relevant, not one of the 60,223
// addresses of schools, webkb and the mini web is refused. The traps of the test, which make up one
// kind of address each, are cut after 1 to 2,000 pages; those whose text is always new after the
// numbers above.

#include "guard/traps.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr int32_t kWhole = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Long, of letters and digits in a mixture that no word has: a session, a hash, a key.
bool looks_random(std::string_view piece) {
  if (piece.size() < 16) return false;
  int digits = 0, letters = 0, changes = 0;
  for (size_t i = 0; i < piece.size(); ++i) {
    const char c = piece[i];
    if (!is_digit(c) && !is_letter(c)) return false;
    (is_digit(c) ? digits : letters) += 1;
    changes += i > 0 && is_digit(c) != is_digit(piece[i - 1]);
  }
  return digits >= 4 && letters >= 1 && changes >= 4;
}

// Appends a part of a path with numbers and sessions replaced; whether there were any.
bool append_shape(std::string& out, std::string_view path) {
  bool varies = false;
  for (size_t i = 0; i < path.size();) {
    if (!is_digit(path[i]) && !is_letter(path[i])) {
      const size_t n = path[i] == '%' ? 3 : 1;  // the digits of %D0 count nothing
      out += path.substr(i, n);
      i += n;
      continue;
    }
    size_t end = i;
    while (end < path.size() && (is_digit(path[end]) || is_letter(path[end]))) ++end;
    const std::string_view piece = path.substr(i, end - i);
    i = end;
    if (looks_random(piece)) {
      out += '~';
      varies = true;
      continue;
    }
    for (size_t j = 0; j < piece.size(); ++j) {
      if (!is_digit(piece[j])) {
        out += piece[j];
      } else if (j == 0 || !is_digit(piece[j - 1])) {
        out += '0';
        varies = true;
      }
    }
  }
  return varies;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string_view> sorted_parameter_names(std::string_view query) {
  std::vector<std::string_view> names = split(query, '&');
  for (std::string_view& name : names) name = name.substr(0, name.find('='));
  std::sort(names.begin(), names.end());
  return names;
}

// Whether `period` segments are repeated often enough in a row, ending anywhere.
bool repeats(const std::vector<std::string_view>& segments, size_t period) {
  size_t run = 0;     // segments that equal the one a period before
  size_t length = 0;  // characters of them
  for (size_t i = period; i < segments.size(); ++i) {
    if (segments[i] != segments[i - period]) {
      run = length = 0;
      continue;
    }
    ++run;
    length += segments[i].size();
    const bool is_short = length < 3 * run;  // numbers and single letters
    if (run >= period * (is_short ? 4 : 2)) return true;
  }
  return false;
}

bool has_repeated_segments(std::string_view path, uint32_t max_same) {
  std::vector<std::string_view> segments = split(path, '/');
  if (segments.size() < 3) return false;
  for (size_t period = 1; 3 * period <= segments.size(); ++period) {
    if (repeats(segments, period)) return true;
  }
  std::sort(segments.begin(), segments.end());
  for (size_t i = max_same; i < segments.size(); ++i) {
    if (segments[i].size() > 2 && segments[i] == segments[i - max_same]) return true;
  }
  return false;
}

}  // namespace

UrlShape url_shape(const Url& url) {
  UrlShape shape;
  const std::string_view path = url.path();
  const size_t file = path.rfind('/') + 1;
  shape.varies = append_shape(shape.text, path.substr(0, file));
  shape.directory = shape.text.size();
  shape.varies |= append_shape(shape.text, path.substr(file));
  if (url.query().empty()) return shape;
  shape.varies = true;
  shape.directory = shape.text.size();
  char separator = '?';
  for (const std::string_view name : sorted_parameter_names(url.query())) {
    shape.text += separator;
    append_shape(shape.text, name);  // "?20041115" is a name without a value
    separator = '&';
  }
  return shape;
}

TrapGuard::TrapGuard(TrapLimits limits) : limits_(limits) {
  assert(std::has_single_bit(limits_.counters));
  // Rounded up, so that no account pays for a page too many.
  const auto share = [](uint32_t pages) { return (int64_t{kWhole} + pages - 1) / pages; };
  const int64_t credit = limits_.credit;
  const int64_t shape = share(limits_.shape_nothing);
  accounts_[0] = {"shape", shape, share(limits_.shape_new), -credit * shape};
  const auto nothing = [&](std::string_view name, uint32_t pages) {
    return Account{name, share(pages), -share(pages), -credit * share(pages)};
  };
  const auto all = [&](std::string_view name, uint32_t pages) {
    return Account{name, share(pages), share(pages), -10 * credit * share(pages)};
  };
  accounts_[1] = nothing("directory", limits_.directory_nothing);
  accounts_[2] = nothing("host", limits_.host_nothing);
  accounts_[3] = all("directory-pages", limits_.directory_pages);
  program_ = all("program-pages", limits_.program_pages);
  accounts_[4] = all("host-pages", limits_.host_pages);
  for (auto& row : rows_) row.resize(limits_.counters);
}

Verdict TrapGuard::check_form(const Url& url) const {
  const std::string_view path = url.path();
  if (std::count(path.begin(), path.end(), '/') > int64_t{limits_.max_path_levels} + 1) {
    return Verdict::refused("deep-path");
  }
  if (has_repeated_segments(path, limits_.max_same_segment)) {
    return Verdict::refused("repeated-segments");
  }
  if (url.query().find('&') == std::string_view::npos) return {};
  const std::vector<std::string_view> names = sorted_parameter_names(url.query());
  bool many = names.size() > limits_.max_parameters;
  for (size_t i = limits_.max_same_parameter; i < names.size(); ++i) {
    many |= names[i] == names[i - limits_.max_same_parameter];
  }
  return many ? Verdict::refused("many-parameters") : Verdict{};
}

TrapGuard::Keys TrapGuard::keys_of(const Url& url) {
  const UrlShape shape = url_shape(url);
  const std::string_view directory = std::string_view(shape.text).substr(0, shape.directory);
  const uint64_t host = hash64(url.host());
  return {shape.varies ? hash64(shape.text, host) : 0, hash64(directory, host + 1), host,
          hash64(directory, host + 2), hash64(url.host(), 1)};
}

// A half of the key for each row.
size_t TrapGuard::slot(int row, uint64_t key) const {
  return (row == 0 ? key : key >> 32) & (limits_.counters - 1);
}

const TrapGuard::Account& TrapGuard::account(size_t i, const Url& url) const {
  return i == 3 && url.has_query() ? program_ : accounts_[i];
}

Verdict TrapGuard::may_follow(const Url& url) const {
  if (const Verdict verdict = check_form(url); !verdict) return verdict;
  const Keys keys = keys_of(url);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    const int32_t spent = std::min(rows_[0][slot(0, keys[i])], rows_[1][slot(1, keys[i])]);
    if (spent >= kWhole) return Verdict::refused(account(i, url).name);
  }
  return {};
}

void TrapGuard::learn(const Url& url, Worth worth) {
  const Keys keys = keys_of(url);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    const Account& payer = account(i, url);
    const int64_t cost = worth == Worth::kNothing ? payer.nothing
                         : worth == Worth::kNew   ? payer.fresh
                                                  : payer.relevant;
    for (int row = 0; row < 2; ++row) {
      int32_t& spent = rows_[row][slot(row, keys[i])];
      // The purse of a good place is bounded too: it may turn into a trap one day.
      spent = static_cast<int32_t>(std::clamp<int64_t>(spent + cost, -kWhole, kWhole));
    }
  }
}

}  // namespace dowser
