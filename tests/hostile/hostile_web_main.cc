#include <fmt/format.h>
#include <signal.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "base/file.h"
#include "base/new_file.h"
#include "tests/hostile/hostile_web.h"

// The hostile web as a program; see README.md beside this file.

namespace dowser {
namespace {

constexpr std::string_view kHelp =
    R"(usage: hostile_web [OPTIONS]

A web of loopback hosts, good and bad, to test crawlers with, and a name server (UDP, the same
port) that knows them. Prints where it starts and serves until its time is over or it gets SIGINT
or SIGTERM.

  --port N           listen on this port (default: any free one)
  --seconds N        end by itself after N seconds (default 600)
  --pages N          good pages (default 200)
  --good-hosts N     hosts of the good pages (default 20)
  --seed N           of the good pages (default 1)
  --addresses N      loopback addresses that the hosts share (default: each has its own)
  --shared-hosts N   of the good hosts, the last ones, share one address (default 0)
  --varied           links name good hosts with other ports and with a dot, too, and their robots.txt
                     differ: Crawl-delay, Disallow, redirects to another host's
  --latency TIME     before a good page is answered, "20ms" (default 0)
  --patience TIME    how long stalled and endless answers go on (default 120s)
  --drip TIME        between two bytes of a slow answer (default 200ms)
  --retry-after N    seconds that a 429 asks for (default 5)
  --crawl-delay N    seconds that robots-delay.test asks for (default 5)
  --max-requests N   then refuse every connection (default 1000000)
  --no-exhibits      the good pages only
  --only A,B,…       these exhibits only
  --no-port          links without the port, for crawlers that are told where port 80 is
  --hosts            print a line NAME ADDRESS:PORT for each host that may be asked
  --pages-to-fetch   print a line host/path for each page that a crawl has to fetch
  --certificate FILE write the certificate of good-tls.test there, as PEM
  --log FILE         write the requests there at the end, and at SIGUSR1, as TSV
  --list             print the exhibits as a table and end
  --check FILE       print what the log FILE says of a visitor's manners and end; the options that
                     choose pages and exhibits must be those of the run
  --help             print this and end

example: hostile_web --port 8900 --seconds 60 --hosts --log requests.tsv
)";

struct Settings {
  HostileOptions web;
  int seconds = 600;
  bool print_hosts = false, print_pages = false, print_list = false, print_help = false;
  std::string certificate, log, check;
};

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_time(std::string_view text, Duration& value) {
  const Result<Duration> time = parse_duration(text);
  if (time) value = *time;
  return time.ok();
}

bool read_names(std::string_view text, std::vector<std::string>& names) {
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    names.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

Result<Settings> parse(int count, char** words) {
  Settings s;
  const std::map<std::string_view, bool*> flags = {{"--hosts", &s.print_hosts},
                                                   {"--pages-to-fetch", &s.print_pages},
                                                   {"--varied", &s.web.varied},
                                                   {"--list", &s.print_list},
                                                   {"--help", &s.print_help}};
  using Read = std::function<bool(std::string_view)>;
  const auto number = [](auto& value) -> Read {
    return [&](std::string_view text) { return read_number(text, value); };
  };
  const auto time = [](Duration& value) -> Read {
    return [&](std::string_view text) { return read_time(text, value); };
  };
  const auto text = [](std::string& value) -> Read {
    return [&](std::string_view text) { return value = text, true; };
  };
  const std::map<std::string_view, Read> options = {
      {"--port", number(s.web.port)},
      {"--seconds", number(s.seconds)},
      {"--pages", number(s.web.good_pages)},
      {"--good-hosts", number(s.web.good_hosts)},
      {"--seed", number(s.web.seed)},
      {"--addresses", number(s.web.addresses)},
      {"--shared-hosts", number(s.web.shared_hosts)},
      {"--latency", time(s.web.latency)},
      {"--patience", time(s.web.patience)},
      {"--drip", time(s.web.drip)},
      {"--retry-after", number(s.web.retry_after)},
      {"--crawl-delay", number(s.web.crawl_delay)},
      {"--max-requests", number(s.web.max_requests)},
      {"--only", [&](std::string_view names) { return read_names(names, s.web.only); }},
      {"--certificate", text(s.certificate)},
      {"--log", text(s.log)},
      {"--check", text(s.check)}};
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (const auto flag = flags.find(word); flag != flags.end()) {
      *flag->second = true;
    } else if (word == "--no-exhibits") {
      s.web.exhibits = false;
    } else if (word == "--no-port") {
      s.web.port_in_links = false;
    } else if (const auto option = options.find(word); option == options.end()) {
      return Error{fmt::format("unknown option {}; see --help", word)};
    } else if (++i == count || !option->second(words[i])) {
      return Error{fmt::format("{} needs a value that fits; see --help", word)};
    }
  }
  return s;
}

std::string exhibit_table() {
  std::string table = "| host | what it does | what a crawler should make of it |\n|---|---|---|\n";
  for (const Exhibit& e : make_exhibits()) {
    table += fmt::format("| `{}` | {} | {} |\n", e.host, e.what, e.expected);
  }
  return table;
}

Status check_log(const HostileWeb& web, const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  const Result<RequestEvents> log = parse_tsv(*text);
  if (!log) return log.error();
  fmt::print("{}", traffic_table(traffic_by_host(*log, Duration(50'000))));
  const RequestEvents offences = web.offences(*log);
  for (const RequestEvent& e : offences) {
    fmt::print("offence: {} {}{} {}\n", e.method, e.host, e.target, e.note);
  }
  const std::vector<std::string> missing = web.missing(*log);
  for (const std::string& page : missing) fmt::print("missing: {}\n", page);
  fmt::print("{} events, {} offences, {} pages missing\n", log->size(), offences.size(),
             missing.size());
  return {};
}

void print_start(const Settings& settings, const HostileWeb& web) {
  fmt::print("hostile web on 127.0.0.1:{}, {} good pages on {} hosts, start at {}\n", web.port(),
             web.good_web().size(), web.good_web().hosts(), web.start_url());
  if (settings.print_hosts) {
    for (const HostileWeb::Host& h : web.hosts()) {
      if (h.is_allowed) fmt::print("{} {}:{}\n", h.name, h.address, h.port);
    }
  }
  if (settings.print_pages) {
    for (const std::string& page : web.pages_to_fetch()) fmt::print("{}\n", page);
  }
  std::fflush(stdout);
}

Status write_log(const Settings& settings, const HostileWeb& web) {
  return settings.log.empty() ? Status() : replace_own_file(settings.log, to_tsv(web.log()));
}

Status run(const Settings& settings) {
  // Blocked before any thread starts, so that only sigtimedwait() gets them.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto web = HostileWeb::start(settings.web);
  if (!web) return web.error();
  if (!settings.check.empty()) return check_log(**web, settings.check);
  if (!settings.certificate.empty()) {
    if (Status status = replace_own_file(settings.certificate, (*web)->certificate()); !status) {
      return status;
    }
  }
  print_start(settings, **web);

  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(settings.seconds);
  while (true) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) break;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec wait{seconds.count(), (left - seconds).count()};
    const int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal == SIGINT || signal == SIGTERM) break;
    if (signal != SIGUSR1) continue;
    if (Status status = write_log(settings, **web); !status) return status;
  }
  (*web)->stop();
  return write_log(settings, **web);
}

}  // namespace
}  // namespace dowser

int main(int count, char** words) {
  const auto settings = dowser::parse(count, words);
  if (!settings) {
    fmt::print(stderr, "hostile_web: {}\n", settings.error().message);
    return 2;
  }
  if (settings->print_help) return fmt::print("{}", dowser::kHelp), 0;
  if (settings->print_list) return fmt::print("{}", dowser::exhibit_table()), 0;
  const dowser::Status status = dowser::run(*settings);
  if (status.ok()) return 0;
  fmt::print(stderr, "hostile_web: {}\n", status.error().message);
  return 1;
}
