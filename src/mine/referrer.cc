#include "mine/referrer.h"

#include <algorithm>

#include "model/percent_encode.h"
#include "text/printable.h"

namespace dowser {
namespace {

struct Engine {
  std::string_view name;
  std::string_view host;       // a label of the host name: "google" in www.google.co.uk
  std::string_view parameter;  // holds the keywords
};

constexpr Engine kEngines[] = {
    {"Google", "google", "q"},
    {"Bing", "bing", "q"},
    {"Yahoo", "yahoo", "p"},
    {"DuckDuckGo", "duckduckgo", "q"},
    {"Yandex", "yandex", "text"},
    {"Baidu", "baidu", "wd"},
    {"Baidu", "baidu", "word"},
    {"Ask", "ask", "q"},
    {"AOL", "aol", "q"},
    {"Ecosia", "ecosia", "q"},
    {"Startpage", "startpage", "query"},
    {"Qwant", "qwant", "q"},
    {"Naver", "naver", "query"},
    {"Seznam", "seznam", "q"},
    {"Sogou", "sogou", "query"},
    {"Brave", "search.brave", "q"},
    {"SearX", "searx", "q"},
    {"Live Search", "search.live", "q"},
    {"MSN Search", "search.msn", "q"},
    {"AltaVista", "altavista", "q"},
    {"Lycos", "lycos", "query"},
    {"Excite", "excite", "q"},
};

bool has_label(std::string_view host, std::string_view label) {
  for (size_t at = host.find(label); at != host.npos; at = host.find(label, at + 1)) {
    const bool begins = at == 0 || host[at - 1] == '.';
    const size_t end = at + label.size();
    if (begins && end < host.size() && host[end] == '.') return true;
  }
  return false;
}

std::string decoded_words(std::string_view value) {
  std::string plain(value);
  std::replace(plain.begin(), plain.end(), '+', ' ');
  plain = percent_decode(plain);
  const size_t begin = plain.find_first_not_of(' '), end = plain.find_last_not_of(' ');
  return begin == plain.npos ? "" : printable(plain.substr(begin, end - begin + 1));
}

std::string parameter(std::string_view target, std::string_view name) {
  const size_t question = target.find_first_of("?#");
  if (question == target.npos) return "";
  std::string_view rest = target.substr(question + 1);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("&;#"), rest.size());
    const std::string_view pair = rest.substr(0, end);
    if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=') {
      return decoded_words(pair.substr(name.size() + 1));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

}  // namespace

std::string site_name(std::string_view host) {
  const size_t colon = host.rfind(':');
  if (colon != host.npos && host.find(']', colon) == host.npos) host = host.substr(0, colon);
  std::string name;
  append_lower(name, host);
  if (name.starts_with("www.")) name.erase(0, 4);
  return name;
}

Referrer read_referrer(std::string_view header) {
  Referrer referrer;
  std::string_view rest = header;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else {
    return referrer;
  }
  const size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view host = rest.substr(0, end);
  if (const size_t at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
  referrer.site = site_name(host);
  referrer.is_address = !referrer.site.empty();
  rest.remove_prefix(end);
  const std::string_view target = rest.substr(0, rest.find('#'));
  if (!target.starts_with('/')) referrer.target += '/';
  referrer.target += target;
  for (const Engine& engine : kEngines) {
    if (!has_label(referrer.site, engine.host)) continue;
    referrer.engine = engine.name;
    // Google's old result pages keep the words after the '#'.
    referrer.keywords = parameter(rest, engine.parameter);
    if (!referrer.keywords.empty()) break;
  }
  return referrer;
}

}  // namespace dowser
