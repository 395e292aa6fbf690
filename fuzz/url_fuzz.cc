// Input: a base and a reference, separated by the first line end. Whatever they are: what parses is
// written so that it parses to itself, its parts lie in it, and the canonical forms are fixed
// points.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/link_repair.h"
#include "model/registrable_domain.h"
#include "model/url.h"
#include "model/url_canonical.h"

namespace {

using dowser::Result;
using dowser::Url;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Url& url) {
  const std::string_view href = url.href();
  for (const std::string_view part :
       {url.scheme(), url.username(), url.password(), url.hostname(), url.host(), url.path(),
        url.query(), url.fragment(), url.request_target(),
        dowser::registrable_domain(url.hostname())}) {
    if (part.empty()) continue;
    require(part.data() >= href.data() && part.data() + part.size() <= href.data() + href.size());
  }
  const Result<Url> again = Url::parse(href);
  require(again.ok() && *again == url);
  require(again->hostname() == url.hostname() && again->request_target() == url.request_target());
  require(again->origin() == url.origin());

  const Url canonical = dowser::canonical(url);
  require(dowser::canonical(canonical) == canonical);
  const std::string key = dowser::seen_key(url);
  require(dowser::seen_key(canonical) == key);
  const Result<Url> key_url = Url::parse(key);
  require(key_url.ok() && dowser::seen_key(*key_url) == key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line = input.find('\n');
  const Result<Url> base = Url::parse(input.substr(0, line));
  if (base) check(*base);
  if (line == input.npos) return 0;
  const std::string_view reference = input.substr(line + 1);
  const Url none;
  if (const Result<Url> url = Url::parse(reference, base ? &*base : nullptr)) check(*url);
  if (const Result<Url> url = dowser::parse_link(reference, base ? *base : none)) check(*url);
  return 0;
}
