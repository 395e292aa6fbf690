#include "tests/hostile/hostile_web.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/compress.h"
#include "base/hash.h"

// What is where on this web. How it listens and answers is in hostile_server.cc.

namespace dowser {
namespace {

// 7 of "h7.test"; 0 where it is no such name.
size_t good_host_number(std::string_view host) {
  size_t number = 0;
  if (host.size() < 7 || host[0] != 'h' || !host.ends_with(".test")) return 0;
  const char* const end = host.data() + host.size() - 5;
  const auto [stop, error] = std::from_chars(host.data() + 1, end, number);
  return error == std::errc() && stop == end ? number : 0;
}

bool is_wanted(const HostileOptions& options, std::string_view host) {
  if (!options.exhibits) return false;
  return options.only.empty() || std::ranges::any_of(options.only, [&](const std::string& name) {
           return host == name || host == name + ".test";
         });
}

std::string chunked(std::string_view body) {
  std::string out;
  while (!body.empty()) {
    const std::string_view piece = body.substr(0, 500);
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    body.remove_prefix(piece.size());
  }
  return out + "0\r\n\r\n";
}

}  // namespace

HostileWeb::HostileWeb(HostileOptions options)
    : options_(std::move(options)),
      good_(options_.good_pages, options_.good_hosts, options_.seed),
      trusted_(std::vector<std::string>{"good-tls.test"}),
      self_signed_(std::vector<std::string>{"bad-tls.test"}) {
  for (Exhibit& exhibit : make_exhibits()) {
    if (!is_wanted(options_, exhibit.host)) continue;
    exhibit_numbers_[exhibit.host] = exhibits_.size();
    exhibits_.push_back(std::move(exhibit));
  }
  place_hosts();
}

void HostileWeb::place_hosts() {
  const auto place = [&](std::string name) {
    const size_t number = hosts_.size() + 1;
    if (number <= good_.hosts() && number + options_.shared_hosts > good_.hosts()) {
      hosts_.push_back({std::move(name), "127.0.200.1", 0});
      return;
    }
    const size_t at = options_.addresses == 0 ? number : number % options_.addresses;
    hosts_.push_back({std::move(name), fmt::format("127.0.{}.{}", at / 250, at % 250 + 1), 0});
  };
  for (size_t i = 1; i <= good_.hosts(); ++i) place(fmt::format("h{}.test", i));
  for (const Exhibit& exhibit : exhibits_) {
    if (exhibit.place != Place::kListens && exhibit.place != Place::kNobodyListens) continue;
    place(exhibit.host);
    hosts_.back().is_allowed = !exhibit.untouchable;
  }
}

const Exhibit* HostileWeb::exhibit_of(std::string_view host) const {
  const auto found = exhibit_numbers_.find(host);
  return found == exhibit_numbers_.end() ? nullptr : &exhibits_[found->second];
}

uint16_t HostileWeb::port_of(const Exhibit& exhibit) const {
  if (exhibit.place == Place::kNobodyListens) return deaf_port_;
  return exhibit.tls == TlsKind::kNone ? port_ : tls_port_;
}

DnsReply HostileWeb::resolve(const std::string& name) const {
  using Kind = DnsReply::Kind;
  const auto host = std::ranges::find(hosts_, name, &Host::name);
  if (host != hosts_.end()) return {Kind::kAddress, host->address};
  const Exhibit* const exhibit = exhibit_of(name);
  if (exhibit != nullptr && exhibit->place == Place::kNameFails) return {Kind::kFails};
  if (exhibit != nullptr && exhibit->place == Place::kNameStalls) return {Kind::kSaysNothing};
  return {Kind::kNoSuchName};
}

std::string_view HostileWeb::host_at(std::string_view address) const {
  const auto found = std::ranges::find(hosts_, address, &Host::address);
  return found == hosts_.end() ? std::string_view() : found->name;
}

std::string HostileWeb::url(std::string_view host, std::string_view path) const {
  return options_.port_in_links ? fmt::format("http://{}:{}{}", host, port_, path)
                                : fmt::format("http://{}{}", host, path);
}

std::string HostileWeb::entry_url(const Exhibit& exhibit) const {
  const std::string_view scheme = exhibit.is_https ? "https" : "http";
  return options_.port_in_links
             ? fmt::format("{}://{}:{}{}", scheme, exhibit.host, port_of(exhibit), exhibit.entry)
             : fmt::format("{}://{}{}", scheme, exhibit.host, exhibit.entry);
}

std::vector<std::string> HostileWeb::hrefs(size_t page) const {
  std::vector<std::string> hrefs;
  for (const uint32_t to : good_.links(page)) {
    const std::string host = fmt::format("h{}.test", good_.host_of(to));
    // Whoever is told where a host is finds it there on every port.
    const size_t spelling = options_.varied ? hash64(fmt::format("{} {}", page, to)) % 8 : 0;
    if (spelling == 1 || spelling == 2) {
      hrefs.push_back(fmt::format("http://{}:{}{}", host, 8000 + spelling, good_.path_of(to)));
    } else {
      hrefs.push_back(url(host + (spelling == 3 ? "." : ""), good_.path_of(to)));
    }
  }
  // The start page links to every exhibit; every third page to one, so that they are met anywhere.
  for (size_t i = 0; i < exhibits_.size(); ++i) {
    const bool is_here = page % 3 == 0 && page / 3 % exhibits_.size() == i;
    if (page == 0 || is_here) hrefs.push_back(entry_url(exhibits_[i]));
  }
  return hrefs;
}

void HostileWeb::respond_well(size_t page, Exchange& e) const {
  const std::string tag = fmt::format("\"{}-{}\"", options_.seed, page);
  if (e.request().field("If-None-Match") == tag) return e.answer(304, {{"ETag", tag}}, "");

  std::string body = fmt::format(
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{}</title></head>\n"
      "<body><h1>{}</h1>\n<p>{}</p>\n<ul>\n",
      good_.title(page), good_.title(page), good_.text(page));
  for (const std::string& href : hrefs(page)) {
    body += fmt::format("<li><a href=\"{}\">{}</a></li>\n", href, href);
  }
  body += "</ul></body></html>\n";

  // Each way in which a good server may send a page is met.
  Exchange::Fields fields = {{"Content-Type", Exchange::kHtml}, {"ETag", tag}};
  const std::string_view accepted = e.request().field("Accept-Encoding").value_or("");
  if (page % 3 == 1 && accepted.find("gzip") != accepted.npos) {
    fields.emplace_back("Content-Encoding", "gzip");
    body = gzip(body);
  } else if (page % 3 == 2 && e.request().method == "GET") {
    e.send(
        fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\nETag: {}\r\n"
                    "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}",
                    Exchange::kHtml, tag, chunked(body)));
    return;
  }
  e.answer(200, fields, body);
}

// Of every ten hosts two ask for two seconds between requests, two forbid /pages/9…, and two lead
// to the robots.txt of the next host, which holds for them as well.
void HostileWeb::varied_robots(size_t host, Exchange& e) const {
  switch (host % 10) {
    case 3:
    case 8:
      return e.answer(200, {}, "User-agent: *\nCrawl-delay: 2\n");
    case 4:
    case 9:
      return e.answer(200, {}, "User-agent: *\nDisallow: /pages/9\n");
    case 2:
    case 7:
      return e.redirect(url(fmt::format("h{}.test", host % good_.hosts() + 1), "/robots.txt"));
    default:
      return e.answer(200, {}, "User-agent: *\nDisallow:\n");
  }
}

void HostileWeb::respond(Exchange& e) const {
  const HostileRequest& request = e.request();
  const bool wants_robots = request.target == "/robots.txt";
  if (request.method != "GET" && request.method != "HEAD") {
    e.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nThis is plain HTTP.\n");
  } else if (const size_t host = good_host_number(request.host); host > 0) {
    if (!e.pause(options_.latency)) return;
    const auto page = good_.find(host, request.target);
    if (page) return respond_well(*page, e);
    if (wants_robots && options_.varied) return varied_robots(host, e);
    wants_robots&& host % 2 == 0 ? e.answer(200, {}, "User-agent: *\nDisallow:\n") : e.not_found();
  } else if (const Exhibit* const exhibit = exhibit_of(request.host)) {
    if (!wants_robots) return exhibit->handle(e);
    exhibit->robots ? exhibit->robots(e) : e.not_found();
  } else {
    e.answer(200, {{"Content-Type", "text/plain"}}, "A secret of a private network.\n");
  }
}

std::vector<std::string> HostileWeb::pages_to_fetch() const {
  std::vector<std::string> pages;
  for (size_t i = 0; i < good_.size(); ++i) {
    pages.push_back(fmt::format("h{}.test{}", good_.host_of(i), good_.path_of(i)));
  }
  for (const Exhibit& exhibit : exhibits_) {
    for (const std::string& path : exhibit.good) pages.push_back(exhibit.host + path);
  }
  return pages;
}

std::vector<std::string> HostileWeb::pages_on_topic() const {
  std::vector<std::string> pages;
  for (size_t i = 0; i < good_.size(); ++i) {
    if (!good_.on_topic(i)) continue;
    pages.push_back(fmt::format("h{}.test{}", good_.host_of(i), good_.path_of(i)));
  }
  return pages;
}

RequestEvents HostileWeb::offences(std::span<const RequestEvent> log) const {
  RequestEvents found;
  for (const RequestEvent& event : log) {
    if (event.kind != RequestEvent::Kind::kRequest) continue;
    const size_t host = good_host_number(event.host);
    const Exhibit* const exhibit = exhibit_of(event.host);
    const bool is_closed = options_.varied && (host % 10 == 4 || host % 10 == 9) &&
                           event.target.starts_with("/pages/9");
    const bool is_linked = exhibit != nullptr || (host > 0 && host <= good_.hosts());
    if (!is_linked || is_closed || !event.note.empty() ||
        (exhibit != nullptr && is_forbidden(*exhibit, event.target))) {
      found.push_back(event);
    }
  }
  return found;
}

std::vector<std::string> HostileWeb::missing(std::span<const RequestEvent> log) const {
  const std::map<std::string, size_t> answered = answer_counts(log);
  std::vector<std::string> pages = pages_to_fetch();
  std::erase_if(pages, [&](const std::string& page) { return answered.contains(page); });
  return pages;
}

bool is_forbidden(const Exhibit& exhibit, std::string_view target) {
  if (exhibit.untouchable) return true;
  return target != "/robots.txt" &&
         std::ranges::any_of(exhibit.forbidden, [&](const std::string& beginning) {
           // A whole host, a folder, or one address.
           return beginning.ends_with('/') ? target.starts_with(beginning) : target == beginning;
         });
}

}  // namespace dowser
