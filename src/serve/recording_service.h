#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "mine/session_recorder.h"
#include "serve/http_server.h"
#include "serve/router.h"

namespace dowser {

// What the browser extension talks to while a session is recorded. Loopback only, and only to those
// who show the token.
//
//   POST /event          an event of mine/session_recorder.h; on disk when it is answered
//   GET  /status         {"name": …, "topic": …, "pages": 12, "useful": 3}
//   GET  /page?url=URL   {"visited": true, "useful": false}, for the bar of the page
//   POST /submit         writes the session file; recording continues
class RecordingService {
 public:
  struct Options {
    std::string listen = "127.0.0.1:8790";
    std::string token;           // empty: a random one is made
    std::filesystem::path file;  // the session file; the journal is FILE.recording next to it
    std::string name, topic;
    size_t most_body = 16 << 20;  // bytes of an event: the HTML of a page and what goes with it
  };
  static Result<std::unique_ptr<RecordingService>> start(Options options);

  const ListenAddress& address() const { return server_->address(); }
  const std::string& token() const { return options_.token; }

  // Writes the session file as the recording is now. An error if nothing was visited yet.
  Status submit();
  size_t pages() const;

 private:
  explicit RecordingService(Options options, SessionRecorder recorder)
      : options_(std::move(options)), recorder_(std::move(recorder)) {}
  void add_routes();
  Response answer(const HttpRequest& request) const;
  Response page_state(std::string_view query) const;

  Options options_;
  Router router_;
  mutable std::mutex mutex_;
  SessionRecorder recorder_;
  std::unique_ptr<HttpServer> server_;  // last: its thread uses the members above
};

}  // namespace dowser
