#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/response.h"
#include "model/url.h"

// A browsing session: which pages a person visited, in which order, and which of them were useful.
// Recorded by `dowser session record`, imported by `dowser session import`, and learned from by
// `dowser learn hmm`.

namespace dowser {

// A page that was visited.
struct SessionPage {
  Url url;  // after redirects
  // The answer, with the HTML; null if it was not kept (a server log has only addresses). Shared,
  // because thousands of sessions of one file may have visited the same page.
  std::shared_ptr<const Response> response;
  bool useful = false;  // marked by the person: a target
  bool visited = true;  // false: a goal that was never reached, added when the session was imported
};

// How a step was taken.
enum class StepKind : uint8_t {
  kStart,    // the first page, a typed address or a bookmark
  kLink,     // a link was followed
  kBack,     // back or forward in the history: the page had been visited before
  kTab,      // another tab came to the front
  kUnknown,  // a log does not say
};
std::string_view name_of(StepKind kind);
std::optional<StepKind> step_kind_named(std::string_view name);

// A visit to a page.
struct SessionStep {
  uint32_t page = 0;  // index into Session::pages
  StepKind kind = StepKind::kUnknown;
  Time at;  // 0: not known

  friend bool operator==(const SessionStep&, const SessionStep&) = default;
};

// A link that exists between two pages of the session, whether it was followed or not.
struct SessionLink {
  uint32_t from = 0, to = 0;  // indexes into Session::pages

  friend auto operator<=>(const SessionLink&, const SessionLink&) = default;
};

struct Session {
  std::string name;                // unique within its file
  std::string topic;               // what the person was looking for, "" where nobody said
  Time started;                    // 0: not known
  std::vector<SessionPage> pages;  // each address once, in the order of the first visit
  std::vector<SessionStep> steps;  // in the order of time
  std::vector<SessionLink> links;  // in order, each once; none from a page to itself

  size_t targets() const {
    size_t n = 0;
    for (const SessionPage& page : pages) n += page.useful;
    return n;
  }
};

}  // namespace dowser
