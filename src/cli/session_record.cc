#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/print_json.h"
#include "cli/session.h"
#include "serve/recording_service.h"

namespace dowser {

int session_record_command(CommandLine line) {
  Arguments arguments("session record",
                      "Records what a person browses, through the browser extension.",
                      "dowser session record --topic \"ice hockey\" --to hockey.sessions");
  RecordingService::Options options;
  std::string to;
  bool json = false;
  arguments.option("to", "FILE", "the session file to write", &to);
  arguments.option("topic", "WORDS", "the topic that the person is looking for", &options.topic);
  arguments.option("name", "NAME", "name of the session (default: the name of the file)",
                   &options.name);
  arguments.option("listen", "ADDRESS:PORT",
                   "loopback address that the extension connects to (default 127.0.0.1:8790)",
                   &options.listen);
  arguments.option("token", "TOKEN",
                   "the token that the extension must send (default: a random one)",
                   &options.token);
  arguments.flag("json", "print one JSON object when ready", &json);
  arguments.note(
      "Load the folder extension/ into the browser, enter the address and the token, and "
      "press\nStart. Useful marks a page, Submit writes the file; Ctrl-C writes it too, and ends "
      "the recording.\nUntil then everything is in FILE.recording, and the same command continues "
      "that recording.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (to.empty()) {
    return fail("session record", Error{"name the file for the session with --to FILE"}, kUsage);
  }
  options.file = to;
  if (options.name.empty()) options.name = options.file.stem().string();
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  const auto service = RecordingService::start(std::move(options));
  if (!service) return fail("session record", service.error());
  const std::string address = "http://" + (*service)->address().to_string();
  if (json) {
    print_json(nlohmann::ordered_json{{"listening", address}, {"token", (*service)->token()}});
  } else {
    fmt::print("recording at {} with the token {}; stop with Ctrl-C\n", address,
               (*service)->token());
  }
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  if ((*service)->pages() == 0) {
    fmt::print(stderr, "no page was visited, so no session was written\n");
    return kDone;
  }
  if (Status s = (*service)->submit(); !s) return fail("session record", s.error());
  fmt::print("{} pages: {}\n", (*service)->pages(), to);
  return kDone;
}

}  // namespace dowser
