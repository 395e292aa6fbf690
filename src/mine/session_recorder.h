#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/session.h"

// Turns the events that a browser reports while a person browses into a session. The events and how
// they are stored are described in the .cc file.

namespace dowser {

class SessionRecorder {
 public:
  // Begins a recording, or continues the one that an earlier process left in `journal`. An error if
  // another recorder has it open.
  static Result<SessionRecorder> open(const std::filesystem::path& journal, std::string name,
                                      std::string topic, Time now);
  SessionRecorder(SessionRecorder&&) noexcept;
  SessionRecorder& operator=(SessionRecorder&&) noexcept;
  ~SessionRecorder();

  // One event, as JSON. It is on disk when this returns. An error says what is wrong with the
  // event; the recording stays as it was.
  Status add(std::string_view event);

  // The session so far, with the links between its pages.
  Session session() const;
  size_t events() const { return events_; }
  std::span<const SessionPage> pages() const { return session_.pages; }
  const std::string& name() const { return session_.name; }
  const std::string& topic() const { return session_.topic; }

 private:
  // An event that fits the session so far.
  struct Event {
    enum class Kind { kBegin, kVisit, kMark, kDrop };
    Kind kind = Kind::kBegin;
    Time at{};
    std::string name, topic;             // of the beginning
    Url url;                             // of all others
    StepKind step = StepKind::kUnknown;  // of a visit
    std::string html;                    // of a visit
    bool useful = false;                 // of a mark
  };

  SessionRecorder();
  Status open_journal(const std::filesystem::path& journal);
  Result<Event> read_event(std::string_view line) const;
  Status append(std::string_view line);
  void apply(const Event& event);
  void drop(uint32_t page);
  uint32_t page_at(const Url& url);  // adds it if it is new

  int file_ = -1;  // the journal
  size_t events_ = 0;
  Session session_;
  std::map<uint64_t, uint32_t> numbers_;  // of pages, by the fingerprint of the address
};

}  // namespace dowser
