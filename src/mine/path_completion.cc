#include "mine/path_completion.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

// Path completion (Cooley, Mobasher and Srivastava 1999; Küçük 2009, 2.1.10). A page that the
// browser has in its cache is shown without a request, so a log lacks it: above all when the
// visitor presses "back". The referrer of the next request says where the visitor was then.
//
// Example: the log has A, then B from A, C from B, D from A. The visitor was on C and clicked a
// link of A: so there were two presses of "back" in between, C to B and B to A. The completed path
// is A B C B A D.
//
// A session is walked with the browser's own history, a stack: a click pushes a page, "back" pops
// one. If the referrer of a request is not the page on top, then
//   1. if it is on the stack, "back" leads to it: the pages on the way are inserted;
//   2. if it was seen in this session but is no longer on the stack, the shortest path goes back
//      some steps and then follows links between pages that were seen (known from the site, or
//      because somebody followed them in this session), all of them cached;
//   3. if it was not seen in this session, it was cached before: it alone is inserted.
// A request without a referrer is explained only where the links of the site are known: the nearest
// page of the history that links to it is where the visitor went back to. What cannot be explained
// is a jump: a typed address, a bookmark, another window.
//
// A "back" after the last request of a session leaves no trace and is not restored.
// tests/mine/path_completion_test.cc restores 13,000 sessions of people (Wikispeedia) from what a
// log would contain.

namespace dowser {
namespace {

class Completion {
 public:
  Completion(const LinkTest& links, bool knows_links) : links_(links), knows_links_(knows_links) {}

  void add(const SessionView& view) {
    if (!history_.empty()) {
      uint32_t from = view.from == CameFrom::kPage ? view.from_page : kNoPage;
      if (view.from == CameFrom::kNowhere && knows_links_) from = nearest_that_links_to(view.page);
      if (from != kNoPage && from != history_.back() && view.page != history_.back()) go_to(from);
      if (from != kNoPage) followed_.insert({from, view.page});
    }
    // A page asked for again, without going anywhere, is a reload.
    if (history_.empty() || history_.back() != view.page) history_.push_back(view.page);
    seen_.insert(view.page);
    path_.push_back(view);
  }

  std::vector<SessionView> take() { return std::move(path_); }

 private:
  // A page of the history, the nearest first; kNoPage where none links there.
  uint32_t nearest_that_links_to(uint32_t page) const {
    for (size_t i = history_.size(); i-- > 0;) {
      if (links_(history_[i], page)) return history_[i];
    }
    return kNoPage;
  }

  void go_to(uint32_t page) {
    const auto on_stack = std::find(history_.rbegin(), history_.rend(), page);
    if (on_stack != history_.rend()) {
      back(static_cast<size_t>(on_stack - history_.rbegin()));
      return;
    }
    if (!seen_.contains(page)) {
      forward(page);
      return;
    }
    const std::map<uint32_t, uint32_t> next = ways_to(page);
    size_t best_steps = 0, best = SIZE_MAX;
    for (size_t steps = 0; steps < history_.size() && steps < best; ++steps) {
      const uint32_t start = history_[history_.size() - 1 - steps];
      if (!next.contains(start)) continue;
      size_t length = steps;
      for (uint32_t at = start; at != page; at = next.at(at)) ++length;
      if (length < best) {
        best = length;
        best_steps = steps;
      }
    }
    if (best == SIZE_MAX) return;  // another window
    back(best_steps);
    while (history_.back() != page) forward(next.at(history_.back()));
  }

  // Of the pages seen from which links lead to `page`: where to go next on the shortest way.
  std::map<uint32_t, uint32_t> ways_to(uint32_t page) const {
    std::map<uint32_t, uint32_t> next = {{page, page}};
    std::deque<uint32_t> waiting = {page};
    while (!waiting.empty()) {
      const uint32_t to = waiting.front();
      waiting.pop_front();
      for (const uint32_t from : seen_) {
        if (next.contains(from)) continue;
        if (!followed_.contains({from, to}) && !(knows_links_ && links_(from, to))) continue;
        next[from] = to;
        waiting.push_back(from);
      }
    }
    return next;
  }

  void back(size_t steps) {
    for (; steps > 0; --steps) {
      history_.pop_back();
      infer(history_.back());
    }
  }

  void forward(uint32_t page) {
    history_.push_back(page);
    infer(page);
  }

  void infer(uint32_t page) {
    SessionView view;
    view.page = page;
    view.inferred = true;
    path_.push_back(view);
  }

  const LinkTest& links_;
  const bool knows_links_;
  std::vector<uint32_t> history_;
  std::set<uint32_t> seen_;
  std::set<std::pair<uint32_t, uint32_t>> followed_;
  std::vector<SessionView> path_;
};

}  // namespace

std::vector<SessionView> complete_path(const std::vector<SessionView>& views, const LinkTest& links,
                                       bool knows_links) {
  Completion completion(links, knows_links);
  for (const SessionView& view : views) completion.add(view);
  return completion.take();
}

}  // namespace dowser
