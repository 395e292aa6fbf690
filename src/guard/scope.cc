#include "guard/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/glob.h"
#include "guard/file_type.h"
#include "guard/name_words.h"

namespace dowser {
namespace {

std::string_view without_www(std::string_view host) {
  return host.starts_with("www.") ? host.substr(4) : host;
}

// Writes a host as addresses have it: lower case, punycode. With `port`, one may stand after it.
Status normalise_host(std::string& host, bool port) {
  const Result<Url> url = Url::parse("http://" + host + "/");
  const bool is_host = url.ok() && url->path() == "/" && !url->has_query() &&
                       !url->has_fragment() && !url->hostname().empty() &&
                       host.find_first_of("*@/\\ \t\r\n") == host.npos &&
                       (port || host.starts_with('[') || host.find(':') == host.npos);
  if (!is_host) {
    return Error{fmt::format("'{}' is not a host name: write it like example.org{}", host,
                             port ? " or example.org:8080" : "")};
  }
  host = port ? url->host() : url->hostname();
  return {};
}

// Whether some address of http or https can begin as the pattern does.
bool can_begin_an_address(std::string_view pattern) {
  const std::string_view start = pattern.substr(0, pattern.find_first_of("*?"));
  for (const std::string_view scheme : {"http://", "https://"}) {
    const size_t n = std::min(start.size(), scheme.size());
    const bool whole = start.size() == pattern.size();  // no wildcard: it must continue by itself
    if (start.substr(0, n) == scheme.substr(0, n) && (!whole || n == scheme.size())) return true;
  }
  return false;
}

Status check_pattern(const std::string& pattern) {
  if (pattern.empty()) return Error{"an empty deny pattern matches nothing: remove it"};
  // Two addresses that have in common only what all have.
  if (glob_matches(pattern, "http://0/") && glob_matches(pattern, "https://1.2/3")) {
    return Error{fmt::format("the deny pattern '{}' refuses every address", pattern)};
  }
  for (const char c : pattern) {
    if (c > ' ' && c < 0x7f) continue;
    return Error{
        fmt::format("the deny pattern '{}' matches no address: write spaces and non-ASCII letters "
                    "percent-encoded, as in addresses",
                    pattern)};
  }
  if (pattern.find('#') != pattern.npos) {
    return Error{
        fmt::format("the deny pattern '{}' matches no address: fragments are removed", pattern)};
  }
  if (!can_begin_an_address(pattern)) {
    return Error{
        fmt::format("the deny pattern '{}' matches no address, because it must match the whole "
                    "address: write '*{}*'",
                    pattern, pattern)};
  }
  return {};
}

// Directories above the last segment: 2 of "/a/b/c.html".
uint32_t path_levels(std::string_view path) {
  const auto slashes = std::count(path.begin(), path.end(), '/');
  return slashes > 0 ? static_cast<uint32_t>(slashes - 1) : 0;
}

bool is_followed(FileType type, bool documents) {
  return type == FileType::kPage || (type == FileType::kDocument && documents);
}

}  // namespace

Result<Scope> Scope::make(ScopeRules rules) {
  for (std::string& host : rules.allow_hosts) {
    if (Status s = normalise_host(host, true); !s) return s.error();
    host = without_www(host);
  }
  for (std::string& domain : rules.allow_domains) {
    if (domain.starts_with('.')) domain.erase(0, 1);  // ".edu" is meant like "edu"
    if (Status s = normalise_host(domain, false); !s) return s.error();
  }
  for (const std::string& path : rules.allow_paths) {
    if (path.starts_with('/')) continue;
    return Error{fmt::format("'{}' is not the beginning of a path: write '/{}'", path, path)};
  }
  for (const std::string& pattern : rules.deny) {
    if (Status s = check_pattern(pattern); !s) return s.error();
  }
  Scope scope;
  scope.rules_ = std::move(rules);
  return scope;
}

bool Scope::has_unwelcome_name(const Url& url) const {
  if (rules_.unwelcome_names.empty() || !names_document(url)) return false;
  const std::string_view path = url.path();
  const std::vector<std::string> words = name_words(path.substr(path.rfind('/') + 1));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(rules_.unwelcome_names.begin(), rules_.unwelcome_names.end(), word) !=
           rules_.unwelcome_names.end();
  });
}

bool Scope::allows_host(const Url& url) const {
  if (rules_.allow_hosts.empty() && rules_.allow_domains.empty()) return true;
  const std::string_view host = without_www(url.host());
  if (std::find(rules_.allow_hosts.begin(), rules_.allow_hosts.end(), host) !=
      rules_.allow_hosts.end()) {
    return true;
  }
  const std::string_view name = url.hostname();
  return std::any_of(
      rules_.allow_domains.begin(), rules_.allow_domains.end(), [&](std::string_view domain) {
        return name.ends_with(domain) &&
               (name.size() == domain.size() || name[name.size() - domain.size() - 1] == '.');
      });
}

Verdict Scope::check(const Url& url, uint32_t depth) const {
  if (!url.is_http()) return Verdict::refused("scheme");
  // Somebody's password, or a name that only looks like a host: http://bank.example@evil.example/.
  if (!url.username().empty() || !url.password().empty()) return Verdict::refused("credentials");
  const std::string_view target = url.request_target();
  const std::string_view address =
      url.href().substr(0, static_cast<size_t>(target.data() + target.size() - url.href().data()));
  if (address.size() > rules_.max_url_length) return Verdict::refused("length");
  if (rules_.max_depth > 0 && depth > rules_.max_depth) return Verdict::refused("depth");
  for (const std::string& pattern : rules_.deny) {
    if (glob_matches(pattern, address)) return Verdict::refused("denied");
  }
  if (!allows_host(url)) return Verdict::refused("host");
  const bool below = std::any_of(rules_.allow_paths.begin(), rules_.allow_paths.end(),
                                 [&](const auto& path) { return url.path().starts_with(path); });
  if (!below && !rules_.allow_paths.empty()) return Verdict::refused("path");
  if (rules_.max_path_levels > 0 && path_levels(url.path()) > rules_.max_path_levels) {
    return Verdict::refused("path-levels");
  }
  if (!is_followed(file_type(url), rules_.documents)) return Verdict::refused("file-type");
  if (has_unwelcome_name(url)) return Verdict::refused("unwelcome-name");
  return {};
}

}  // namespace dowser
