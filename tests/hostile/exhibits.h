#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/hostile/exchange.h"

namespace dowser {

// What an exhibit speaks on its port for TLS, where it has one.
enum class TlsKind : uint8_t { kNone, kTrusted, kSelfSigned, kStalls, kDrops, kGarbage, kAlert };

// Where it is to be found: at its address, or nowhere in one of several ways.
enum class Place : uint8_t { kListens, kNobodyListens, kNoSuchName, kNameFails, kNameStalls };

// One way of a host to misbehave. Each has a host of its own: who gives a host up for its manners
// must not miss anything else.
struct Exhibit {
  std::string host;                         // "drop.test"
  std::string what;                         // what it does, for people
  std::string expected;                     // what a good crawler makes of it
  Handler handle;                           // answers everything but robots.txt
  std::string entry = "/";                  // where the start page links to
  std::vector<std::string> good = {};       // paths of pages that have to be fetched
  std::vector<std::string> forbidden = {};  // beginnings of paths that must not be asked for
  Handler robots = nullptr;                 // answers robots.txt; nothing: 404
  TlsKind tls = TlsKind::kNone;
  Place place = Place::kListens;
  bool is_https = false;     // the link to it says https
  bool untouchable = false;  // not even robots.txt may be asked for
  // What a crawl may make of the entry: statuses and names of failures. Empty: it takes too long.
  std::vector<std::string> outcomes = {};
  std::string speaks_first = {};  // sent before any request is read; then it closes
};

// Handlers keep state (how often they were asked), so every web has its own.
std::vector<Exhibit> make_exhibits();

std::vector<Exhibit> connection_exhibits();
std::vector<Exhibit> message_exhibits();
std::vector<Exhibit> encoding_exhibits();
std::vector<Exhibit> redirect_exhibits();
std::vector<Exhibit> trap_exhibits();
std::vector<Exhibit> overload_exhibits();
std::vector<Exhibit> robots_exhibits();
std::vector<Exhibit> content_exhibits();
std::vector<Exhibit> odd_exhibits();

// A host that behaves: its home page links to all these pages, each of them back home; whatever
// else is asked for is not found.
Handler ordinary_site(std::vector<std::string> paths);

}  // namespace dowser
