#include "mine/log_order.h"

#include <algorithm>
#include <iterator>
#include <tuple>

// Servers write a line when a request ends, so the lines of one log are out of order by some
// seconds, and logs are read one piece at a time, so those of several are by more. A line waits
// until nothing earlier can come.
//
// The times of a log are whole seconds, and within one second the order of a file says little: two
// servers behind one name do not tell each other. So the lines of one second are ordered by what
// they say: by visitor (host, user, cookie, agent), and those of one visitor by who refers to whom,
// since a page comes before the frames in it and the pages that were reached from it; else by text.
//
// Example: three lines of one visitor and second, for /b with the referrer /a, for /a with the
// referrer /index, and for /index. The order is /index, /a, /b, whichever file has which line.
//
// Cost: a copy of each line, and a sort of each second. Memory: the lines of the window by which
// lines may be out of order, and what has been read ahead of the other logs.

namespace dowser {
namespace {

constexpr size_t kMostSpare = 10'000;
// A visitor with more requests in one second is a program, whose lines are ordered by text alone.
constexpr size_t kMostReferring = 64;

auto visitor(const LogEntry& e) { return std::tie(e.host, e.user, e.cookie, e.agent); }

bool is_before(const std::unique_ptr<OrderedLine>& a, const std::unique_ptr<OrderedLine>& b) {
  const auto x = visitor(a->entry), y = visitor(b->entry);
  return x != y ? x < y : a->text < b->text;
}

// "/a?b" of "http://example.org/a?b".
std::string_view path_of(std::string_view address) {
  const size_t slashes = address.find("//");
  const size_t path = address.find('/', slashes == address.npos ? 0 : slashes + 2);
  return path == address.npos ? std::string_view() : address.substr(path);
}

bool refers_to(const LogEntry& entry, const LogEntry& page) {
  return !entry.referrer.empty() && entry.target != page.target &&
         path_of(entry.referrer) == page.target;
}

// Moves lines of one visitor behind those that they refer to. Lines that refer to each other in a
// circle keep their order.
void put_behind_referrers(OrderedLines::iterator begin, OrderedLines::iterator end) {
  for (; begin != end; ++begin) {
    const auto next = std::find_if(begin, end, [&](const auto& line) {
      return std::none_of(begin, end,
                          [&](const auto& other) { return refers_to(line->entry, other->entry); });
    });
    if (next != end) std::rotate(begin, next, std::next(next));
  }
}

void sort_second(OrderedLines& lines) {
  std::sort(lines.begin(), lines.end(), is_before);
  for (auto begin = lines.begin(); begin != lines.end();) {
    const auto end = std::find_if(begin, lines.end(), [&](const auto& line) {
      return visitor(line->entry) != visitor((*begin)->entry);
    });
    if (static_cast<size_t>(end - begin) <= kMostReferring) put_behind_referrers(begin, end);
    begin = end;
  }
}

void move_view(std::string_view& view, std::string_view from, const std::string& to) {
  if (view.empty()) return;
  view = std::string_view(to).substr(static_cast<size_t>(view.data() - from.data()), view.size());
}

}  // namespace

void LogOrder::add(std::string_view line, const LogEntry& entry) {
  std::unique_ptr<OrderedLine> kept;
  if (spare_.empty()) {
    kept = std::make_unique<OrderedLine>();
  } else {
    kept = std::move(spare_.back());
    spare_.pop_back();
  }
  kept->text = line;
  kept->entry = entry;
  LogEntry& e = kept->entry;
  for (std::string_view* view : {&e.host, &e.user, &e.method, &e.target, &e.query, &e.protocol,
                                 &e.referrer, &e.agent, &e.cookie, &e.site}) {
    move_view(*view, line, kept->text);
  }
  bytes_ += sizeof(OrderedLine) + line.size();
  waiting_[entry.time].push_back(std::move(kept));
}

void LogOrder::take_first(OrderedLines& lines) {
  OrderedLines& second = waiting_.begin()->second;
  sort_second(second);
  for (const auto& line : second) bytes_ -= sizeof(OrderedLine) + line->text.size();
  std::move(second.begin(), second.end(), std::back_inserter(lines));
  waiting_.erase(waiting_.begin());
}

OrderedLines LogOrder::take_before(int64_t time) {
  OrderedLines lines;
  while (!waiting_.empty() && waiting_.begin()->first < time) take_first(lines);
  return lines;
}

OrderedLines LogOrder::take_all() {
  OrderedLines lines;
  while (!waiting_.empty()) take_first(lines);
  return lines;
}

void LogOrder::reuse(OrderedLines&& lines) {
  for (auto& line : lines) {
    if (spare_.size() == kMostSpare) break;
    spare_.push_back(std::move(line));
  }
  lines.clear();
}

}  // namespace dowser
