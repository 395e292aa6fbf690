#include "mine/site_pages.h"

#include <algorithm>

#include "base/glob.h"
#include "mine/referrer.h"
#include "model/url_canonical.h"
#include "text/printable.h"

namespace dowser {
namespace {

constexpr std::string_view kAssetExtensions[] = {
    "css",  "js",  "mjs", "map",   "gif", "jpg",  "jpeg",  "png",  "ico", "svg", "webp",
    "avif", "bmp", "tif", "tiff",  "cur", "woff", "woff2", "ttf",  "otf", "eot", "mp3",
    "ogg",  "oga", "wav", "flac",  "m4a", "mp4",  "m4v",   "webm", "ogv", "avi", "mov",
    "wmv",  "flv", "swf", "class", "jar", "xsl",  "dtd",   "wasm"};

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find_first_of("?#"));
}

}  // namespace

bool SitePages::is_asset(std::string_view target) {
  const std::string_view path = path_of(target);
  const size_t dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos || path.size() - dot > 6) return false;
  std::string extension(path.substr(dot + 1));
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  return std::find(std::begin(kAssetExtensions), std::end(kAssetExtensions), extension) !=
         std::end(kAssetExtensions);
}

SitePages::SitePages(SitePagesOptions options, size_t most_bytes)
    : options_(std::move(options)), keys_(most_bytes) {}

const NamedPattern* SitePages::view_of(std::string_view target) const {
  for (const NamedPattern& view : options_.views) {
    if (glob_matches(view.pattern, target)) return &view;
  }
  return nullptr;
}

std::string SitePages::key(std::string_view site, std::string_view target) const {
  if (const NamedPattern* view = view_of(target)) return "view " + view->name;
  const std::string host = site.empty() ? "site.invalid" : std::string(site);
  const Result<Url> url = Url::parse("http://" + host + std::string(target));
  return url ? seen_key(*url) : std::string(target);
}

Target SitePages::read(std::string_view site, std::string_view target) {
  Target result;
  if (path_of(target) == "/robots.txt") {
    result.kind = TargetKind::kRobotsTxt;
    return result;
  }
  if (!target.starts_with('/')) {
    // "http://other.example/" asks for a proxy; "*" and what is not a request are not pages either.
    result.kind = TargetKind::kForeign;
    return result;
  }
  const bool asset = is_asset(target) || std::any_of(options_.assets.begin(), options_.assets.end(),
                                                     [&](const std::string& pattern) {
                                                       return glob_matches(pattern, target);
                                                     });
  for (size_t i = 0; i < options_.events.size(); ++i) {
    if (glob_matches(options_.events[i].pattern, target)) result.events |= 1u << i;
  }
  // What somebody named is not an asset, whatever its extension.
  result.asset = asset && result.events == 0 && !view_of(target);
  if (result.asset && !options_.keep_assets) {
    result.kind = TargetKind::kAsset;
    return result;
  }
  const StringTable::Added added = keys_.add(key(site, target));
  result.page = added.number;
  if (added.number == StringTable::kNone) return result;
  const std::string_view shown = target.substr(0, target.find('#'));
  if (!added.is_new) {
    std::string_view& known = targets_[added.number];
    if (std::pair(shown.size(), shown) < std::pair(known.size(), known)) {
      known = blocks_.copy(shown);
    }
    return result;
  }
  targets_.push_back(blocks_.copy(shown));
  if (!site.empty()) sites_.emplace(added.number, site);
  return result;
}

std::string SitePages::name(uint32_t page) const {
  const NamedPattern* view = view_of(targets_[page]);
  const std::string_view site_of_page = site(page);
  if (view) return printable(view->name);
  return printable(site_of_page) + printable(targets_[page]);
}

std::string_view SitePages::site(uint32_t page) const {
  const auto it = sites_.find(page);
  return it == sites_.end() ? std::string_view() : std::string_view(it->second);
}

uint32_t SitePages::find(std::string_view site, std::string_view target) const {
  return keys_.find(key(site, target));
}

}  // namespace dowser
