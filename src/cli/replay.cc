#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/option_values.h"
#include "cli/print_json.h"
#include "serve/http_server.h"
#include "serve/replay.h"

namespace dowser {
namespace {

// The threads of the server inherit this, so that the signals wait for sigwait() here.
sigset_t block_ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

void print_ready(const std::string& address, const ArchiveSet& archives, bool json) {
  const size_t pages = archives.urls().size();
  if (json) {
    print_json(nlohmann::ordered_json{{"listening", address}, {"pages", pages}});
  } else {
    fmt::print("{} serves {} addresses; stop it with Ctrl-C\n", address, pages);
  }
  std::fflush(stdout);
}

}  // namespace

int replay_command(CommandLine line) {
  Arguments arguments("replay", "Serves archives as a web: as an HTTP proxy, and by host name.",
                      "dowser replay birds/archive/*.warc.gz --listen 127.0.0.1:8780");
  std::vector<std::string> files;
  std::string listen = "127.0.0.1:8780";
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool everybody = false, json = false;
  arguments.words("FILE",
                  "archives; if they have several captures of an address, the newest is served",
                  &files);
  arguments.option("listen", "ADDRESS:PORT",
                   "where to listen (default 127.0.0.1:8780; port 0: any free port)", &listen);
  arguments.option("threads", "N", "number of threads (default: one per core)",
                   whole_number(&threads, "threads", 1, 256));
  arguments.flag("public",
                 "allow other machines: required to listen on an address that is not loopback",
                 &everybody);
  arguments.flag("json", "print one JSON object when ready", &json);
  arguments.note(
      "Try it:  curl --proxy http://127.0.0.1:8780 "
      "http://schools-wikipedia.org/wp/b/Bird.htm\nPages that were archived as https are served at "
      "the http:// form of their address.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<ListenAddress> address = ListenAddress::parse(listen);
  if (!address) return fail("replay", address.error(), kUsage);
  if (!address->is_loopback() && !everybody) {
    return fail("replay",
                Error{fmt::format(
                    "{} can be reached by other machines: add --public if you want that", listen)},
                kUsage);
  }

  Result<ArchiveSet> archives =
      ArchiveSet::open(std::vector<std::filesystem::path>(files.begin(), files.end()));
  if (!archives) return fail("replay", archives.error());
  for (const ArchiveSet::FileError& e : archives->errors()) {
    fmt::print(stderr, "dowser replay: {}, offset {}: {}\n", e.file, e.error.offset,
               e.error.message);
  }
  const Replay replay(std::move(*archives));
  const sigset_t ends = block_ends();
  HttpServerOptions options;
  options.threads = static_cast<int>(threads);
  const auto server = HttpServer::start(
      *address, [&](const HttpRequest& request) { return replay.answer(request); }, options);
  if (!server) return fail("replay", server.error());
  print_ready("http://" + (*server)->address().to_string(), replay.archives(), json);
  int signal = 0;
  sigwait(&ends, &signal);
  return kDone;
}

}  // namespace dowser
