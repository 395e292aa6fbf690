// The rules work on the text of a new address, part by part, so that a rule is a function on a path
// or on a query and can be read alone. Two traps, both guarded by the property "twice is the same
// as once":
//
// - Removing a session from a path may leave a dot segment ("/a/..;jsessionid=1/b"), so a changed
//   address is parsed again; a key goes through canonical() first where its path may hold a
//   session.
// - Removing a default file leaves a slash, removing the slash may leave a default file
//   ("/index.html/index.html"), so the two run until nothing changes.
//
// Cost: one string, one pass over the address for the key of a plain one.

#include "model/url_canonical.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/nearest.h"
#include "model/percent_encode.h"
#include "model/query_parameters.h"

namespace dowser {
namespace {

constexpr std::string_view kDefaultFiles[] = {
    "index.html", "index.htm",    "index.xhtml", "index.shtml", "index.php",
    "index.asp",  "index.aspx",   "index.jsp",   "index.cgi",   "index.pl",
    "index.cfm",  "default.html", "default.htm", "default.asp", "default.aspx"};

bool equal_ignoring_case(std::string_view lower, std::string_view text) {
  return std::equal(lower.begin(), lower.end(), text.begin(), text.end(),
                    [](char a, char b) { return a == ascii_lower(b); });
}

// What stands before the given part of the address.
std::string_view before(std::string_view part, const Url& url) {
  return url.href().substr(0, static_cast<size_t>(part.data() - url.href().data()));
}

void append_text(std::string& out, std::string_view text, const CanonicalRules& rules) {
  if (rules.percent_encoding) {
    append_percent_normalised(out, text);
  } else {
    out.append(text);
  }
}

// Neither character is ever the result of decoding, so one may ask before. (find_first_of is ten
// times slower.)
bool may_hold_session(std::string_view path) {
  return path.find(';') != path.npos || path.find('(') != path.npos;
}

// "a;jsessionid=1;b" -> "a;b"
void append_without_session_parameters(std::string& out, std::string_view segment) {
  for (bool first = true; first || !segment.empty(); first = false) {
    const size_t end = std::min(segment.find(';', first ? 0 : 1), segment.size());
    const std::string_view piece = segment.substr(0, end);  // with its ';' unless it is the first
    const size_t equals = std::min(piece.find('='), piece.size());
    const bool session =
        !first && equals < piece.size() &&
        is_session_parameter(piece.substr(1, equals - 1), piece.substr(equals + 1));
    if (!session) out.append(piece);
    segment.remove_prefix(end);
  }
}

// "(S(lit3py55t21z5v55vlm25s55))": where ASP.NET puts the session of those without cookies.
bool is_asp_session(std::string_view segment) {
  constexpr size_t kSize = 24;  // of the session alone
  if (!segment.starts_with("(S(") || !segment.ends_with("))") || segment.size() != kSize + 5) {
    return false;
  }
  const std::string_view session = segment.substr(3, kSize);
  return std::all_of(session.begin(), session.end(), [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
  });
}

void remove_path_sessions(std::string& out, size_t begin) {
  const std::string path = out.substr(begin);
  out.resize(begin);
  size_t i = 0;
  while (i < path.size()) {  // path[i] is the '/' before a segment
    const size_t end = std::min(path.find('/', i + 1), path.size());
    const size_t at = out.size();
    append_without_session_parameters(out, std::string_view(path).substr(i, end - i));
    if (is_asp_session(std::string_view(out).substr(at + 1))) out.resize(at);
    i = end;
  }
  if (out.size() == begin) out.push_back('/');
}

void append_path(std::string& out, const Url& url, const CanonicalRules& rules) {
  const size_t begin = out.size();
  append_text(out, url.path(), rules);
  if (rules.session_parameters && may_hold_session(url.path())) remove_path_sessions(out, begin);
}

bool is_dropped(std::string_view parameter, const CanonicalRules& rules) {
  const size_t equals = std::min(parameter.find('='), parameter.size());
  const std::string_view name = parameter.substr(0, equals);
  if (rules.tracking_parameters && is_tracking_parameter(name)) return true;
  return rules.session_parameters && equals < parameter.size() &&
         is_session_parameter(name, parameter.substr(equals + 1));
}

void drop_parameters(std::string& out, size_t begin, const CanonicalRules& rules) {
  size_t write = begin;
  bool first = true;
  for (size_t read = begin; read <= out.size();) {
    const size_t end = std::min(out.find('&', read), out.size());
    if (!is_dropped(std::string_view(out).substr(read, end - read), rules)) {
      if (!first) out[write++] = '&';
      first = false;
      std::copy(out.begin() + read, out.begin() + end, out.begin() + write);
      write += end - read;
    }
    read = end + 1;
  }
  out.resize(write);
}

void sort_parameters(std::string& out, size_t begin) {
  const std::string query = out.substr(begin);
  std::vector<std::string_view> parameters;
  for (size_t i = 0; i <= query.size();) {
    const size_t end = std::min(query.find('&', i), query.size());
    parameters.push_back(std::string_view(query).substr(i, end - i));
    i = end + 1;
  }
  std::sort(parameters.begin(), parameters.end());
  out.resize(begin);
  for (const std::string_view parameter : parameters) out.append(parameter).push_back('&');
  out.pop_back();
}

// Appends '?' and the query; where no parameter is left, neither.
void append_query(std::string& out, const Url& url, const CanonicalRules& rules) {
  if (!url.has_query()) return;
  const size_t begin = out.size() + 1;
  out.push_back('?');
  append_text(out, url.query(), rules);
  if (rules.session_parameters || rules.tracking_parameters) drop_parameters(out, begin, rules);
  if (rules.sorted_query) sort_parameters(out, begin);
  if (out.size() == begin && !url.query().empty()) out.pop_back();
}

void append_fragment(std::string& out, const Url& url, const CanonicalRules& rules) {
  if (!rules.fragment && url.has_fragment()) out.append("#").append(url.fragment());
}

// Takes "www." off, but leaves a name with a dot: www.com is a site of its own.
std::string_view without_www(std::string_view hostname) {
  while (hostname.starts_with("www.") && hostname.find('.', 4) != hostname.npos) {
    hostname.remove_prefix(4);
  }
  return hostname;
}

bool remove_default_file(std::string& out) {
  const size_t begin = out.rfind('/') + 1;
  const std::string_view file = std::string_view(out).substr(begin);
  if (file.empty() || (ascii_lower(file[0]) != 'i' && ascii_lower(file[0]) != 'd')) return false;
  for (const std::string_view name : kDefaultFiles) {
    if (!equal_ignoring_case(name, file)) continue;
    out.resize(begin);
    return true;
  }
  return false;
}

void trim_path(std::string& out, size_t path_begin, const CanonicalRules& rules) {
  do {
    while (rules.trailing_slash && out.size() > path_begin + 1 && out.back() == '/') out.pop_back();
  } while (rules.default_files && remove_default_file(out));
}

// An https address with a port of its own is another server than the http one.
void append_scheme_and_host(std::string& out, const Url& url, const CanonicalRules& rules) {
  std::string_view start = before(url.hostname(), url);
  if (rules.one_scheme && !url.port() && start.starts_with("https:")) {
    out.append("http");
    start.remove_prefix(5);
  }
  out.append(start);
  const std::string_view host = url.host();
  const std::string_view hostname = rules.www ? without_www(url.hostname()) : url.hostname();
  out.append(host.substr(url.hostname().size() - hostname.size()));
}

// The key of an http address without sessions in its path.
void write_key(const Url& url, const CanonicalRules& rules, std::string& key) {
  key.clear();
  key.reserve(url.href().size());
  append_scheme_and_host(key, url, rules);
  const size_t path_begin = key.size();
  append_text(key, url.path(), rules);
  trim_path(key, path_begin, rules);
  if (!rules.empty_query || !url.query().empty()) append_query(key, url, rules);
  append_fragment(key, url, rules);
}

void write_seen_key(const Url& url, const CanonicalRules& rules, std::string& key) {
  if (!url.is_http()) {
    key = canonical(url, rules).href();
  } else if (rules.session_parameters && may_hold_session(url.path())) {
    write_key(canonical(url, rules), rules, key);
  } else {
    write_key(url, rules, key);
  }
}

}  // namespace

Status set_rule(CanonicalRules& rules, std::string_view name, bool on) {
  for (const CanonicalRule& rule : kCanonicalRules) {
    if (rule.name != name) continue;
    rules.*rule.field = on;
    return {};
  }
  std::vector<std::string> known;
  for (const CanonicalRule& rule : kCanonicalRules) known.emplace_back(rule.name);
  return Error{"no rule for addresses is called '" + std::string(name) + "'" +
               did_you_mean(name, known)};
}

Url canonical(const Url& url, const CanonicalRules& rules) {
  if (!url.is_http()) return rules.fragment ? url.without_fragment() : url;
  std::string href;
  href.reserve(url.href().size());
  href.append(before(url.path(), url));
  append_path(href, url, rules);
  append_query(href, url, rules);
  append_fragment(href, url, rules);
  if (href == url.href()) return url;
  const size_t fragment_at = before(url.path(), url).size() + url.request_target().size();
  if (href == url.href().substr(0, fragment_at)) return url.without_fragment();
  Result<Url> again = Url::parse(href);
  return again ? *std::move(again) : url;
}

std::string seen_key(const Url& url, const CanonicalRules& rules) {
  std::string key;
  write_seen_key(url, rules, key);
  return key;
}

uint64_t seen_fingerprint(const Url& url, const CanonicalRules& rules) {
  thread_local std::string key;
  write_seen_key(url, rules, key);
  return hash64(key);
}

}  // namespace dowser
