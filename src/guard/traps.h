#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "guard/verdict.h"
#include "model/url.h"

// URL traps: parts of a site that generate new addresses without end, on purpose or (far more
// often) by accident. The essay is in traps.cc.

namespace dowser {

// What a fetched page was worth.
enum class Worth : uint8_t {
  kNothing,   // no page, a soft 404, or (nearly) a copy of an earlier page
  kNew,       // new text, not on the topic
  kRelevant,  // new text, on the topic
};

struct TrapLimits {
  // Pages of one shape: that brought nothing, or at most new text.
  uint32_t shape_nothing = 200;
  uint32_t shape_new = 2'000;
  // Pages of a directory and of a host: that brought nothing, less those that were new; and all.
  uint32_t directory_nothing = 500;
  uint32_t directory_pages = 25'000;
  uint32_t program_pages = 5'000;  // instead, where an address has a query
  uint32_t host_nothing = 2'000;
  uint32_t host_pages = 100'000;
  // How many pages of the first kinds one relevant page pays for; ten times as many of the others.
  uint32_t credit = 20;

  uint32_t max_path_levels = 20;
  uint32_t max_parameters = 24;     // of a query
  uint32_t max_same_parameter = 8;  // of one name
  uint32_t max_same_segment = 4;    // the same directory name in one path

  size_t counters = 1 << 20;  // in each of two rows, a power of two: 8 bytes for both
};

// One thread at a time. Memory: 8 MB with the limits as they are, whatever the size of the crawl.
// The same calls in the same order give the same verdicts, on every machine; on a resumed crawl
// learn() is called again for the visits in the catalogue.
class TrapGuard {
 public:
  explicit TrapGuard(TrapLimits limits = {});

  // Called before a link is offered to the frontier, and again before it is fetched: by then more
  // may be known about its site. Reasons: deep-path, repeated-segments, many-parameters, shape,
  // directory, host, directory-pages, program-pages, host-pages. `url` is http and canonical().
  Verdict may_follow(const Url& url) const;

  // Called once for every page that was fetched.
  void learn(const Url& url, Worth worth);

 private:
  // What pages cost, in parts of kWhole; what is below 0 is earned.
  struct Account {
    std::string_view name;
    int64_t nothing, fresh, relevant;
  };
  using Keys = std::array<uint64_t, 5>;  // of the accounts of one address, in their order; 0 = none

  Verdict check_form(const Url& url) const;
  static Keys keys_of(const Url& url);
  size_t slot(int row, uint64_t key) const;

  TrapLimits limits_;
  const Account& account(size_t i, const Url& url) const;

  std::array<Account, 5> accounts_;
  Account program_;                           // in the place of directory-pages
  std::array<std::vector<int32_t>, 2> rows_;  // what was spent
};

// What remains of an address without what a machine counts up: digits become "0", a session or hash
// "~", and of a query only the names, sorted. "/cal/2004/11?day=3&view=x" -> "/cal/0/0?day&view".
// `varies`: whether anything was replaced, so that other addresses can have the same shape.
struct UrlShape {
  std::string text;      // of path and query
  size_t directory = 0;  // how much of it is the directory, or with a query the whole path
  bool varies = false;
};
UrlShape url_shape(const Url& url);

}  // namespace dowser
