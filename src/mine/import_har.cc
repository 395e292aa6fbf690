#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/base64.h"
#include "mine/import_sessions.h"
#include "mine/session_links.h"
#include "mine/session_page.h"
#include "model/url_canonical.h"

// HAR 1.2, the HTTP archive that browsers export from their network panel ("save all as HAR with
// content"): JSON with an entry for every request.
//
// A visit is an entry that brought HTML with status 200 for a page of its own: not for a frame, a
// script or a picture. Chrome says which request was for a document (_resourceType); without this
// information, the first HTML answer of each "pageref" is the page. A redirect is an entry with
// status 301 to 308 and stands for the page it ends at, so it is skipped.
//
// A step is a link if the request names a Referer that was visited, otherwise a start. A HAR file
// contains neither "back", which the browser answers from its cache, nor marks: the user names the
// useful pages when importing.

namespace dowser {
namespace {

using nlohmann::json;

const json& member(const json& from, const char* name) {
  static const json kNothing;
  if (!from.is_object()) return kNothing;
  const auto it = from.find(name);
  return it == from.end() ? kNothing : *it;
}

std::string text(const json& from, const char* name) {
  const json& value = member(from, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string header(const json& message, std::string_view name) {
  const json& headers = member(message, "headers");
  if (!headers.is_array()) return "";
  for (const json& field : headers) {
    std::string lower = text(field, "name");
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (lower == name) return text(field, "value");
  }
  return "";
}

bool is_html(const json& response) {
  std::string type = text(member(response, "content"), "mimeType");
  if (type.empty()) type = header(response, "content-type");
  return type.starts_with("text/html") || type.starts_with("application/xhtml+xml");
}

class HarReader {
 public:
  explicit HarReader(std::string name) { session_.name = std::move(name); }

  void read(const json& entry) {
    const json& request = member(entry, "request");
    const json& response = member(entry, "response");
    const json& status = member(response, "status");
    if (!status.is_number_integer() || status.get<int64_t>() != 200 || !is_html(response)) return;
    const std::string type = text(entry, "_resourceType");
    const std::string page = text(entry, "pageref");
    if (!type.empty() && type != "document") return;
    if (type.empty() && !page.empty() && !seen_pages_.insert(page).second) return;
    const Result<Url> parsed = Url::parse(text(request, "url"));
    if (!parsed || !parsed->is_http()) return;
    const Url url = parsed->without_credentials().without_fragment();
    const Result<Time> at = parse_iso8601(text(entry, "startedDateTime"));
    const Time time = at ? *at : Time{};
    const auto [it, is_new] =
        numbers_.try_emplace(seen_fingerprint(url), static_cast<uint32_t>(session_.pages.size()));
    if (is_new) session_.pages.push_back({url, body_of(url, response, time)});
    if (session_.started.micros == 0) session_.started = time;
    session_.steps.push_back({it->second, step_kind(request), time});
  }

  Session take() { return std::move(session_); }

 private:
  StepKind step_kind(const json& request) const {
    const Result<Url> from = Url::parse(header(request, "referer"));
    return from && numbers_.contains(seen_fingerprint(*from)) ? StepKind::kLink : StepKind::kStart;
  }

  // Without a body where it was not exported.
  static std::shared_ptr<const Response> body_of(const Url& url, const json& from, Time time) {
    const json& content = member(from, "content");
    std::string body = text(content, "text");
    if (text(content, "encoding") == "base64") body = from_base64(body).value_or("");
    return answer_of_browser(url, std::move(body), time);
  }

  Session session_;
  std::map<uint64_t, uint32_t> numbers_;  // of pages, by the fingerprint of the address
  std::set<std::string> seen_pages_;      // pagerefs
};

}  // namespace

Result<Session> import_har(std::string_view har, std::string name,
                           const std::vector<std::string>& useful) {
  const json all = json::parse(har, nullptr, false);
  const json& entries = member(member(all, "log"), "entries");
  if (!entries.is_array()) {
    return Error{fmt::format("{} is not a HAR file: it has no log with entries", name)};
  }
  HarReader reader(name);
  for (const json& entry : entries) reader.read(entry);
  Session session = reader.take();
  if (session.pages.empty()) {
    return Error{fmt::format("{} has no entry that brought an HTML page with status 200", name)};
  }
  for (const std::string& address : useful) {
    const Result<Url> url = Url::parse(address);
    const auto page =
        std::find_if(session.pages.begin(), session.pages.end(), [&](const SessionPage& p) {
          return url && seen_fingerprint(p.url) == seen_fingerprint(*url);
        });
    if (page == session.pages.end()) {
      return Error{fmt::format("{} was not visited in {}, so it cannot be marked", address, name)};
    }
    page->useful = true;
  }
  PageLinks links;
  link_pages(session, links);
  return session;
}

}  // namespace dowser
