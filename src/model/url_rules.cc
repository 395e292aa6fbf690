#include "model/url_rules.h"

#include <algorithm>

#include "base/percent_decode.h"
#include "model/registrable_domain.h"
#include "model/url_host.h"

namespace dowser {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_upper(c) || is_lower(c); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

absl::flat_hash_set<std::string> lower_set(const std::vector<std::string>& names) {
  absl::flat_hash_set<std::string> set;
  for (const std::string& name : names) set.insert(lower(name));
  return set;
}

std::string_view ending_of(std::string_view file_name) {
  const size_t dot = file_name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : file_name.substr(dot + 1);
}

}  // namespace

std::string plain_directory_name(std::string_view segment) {
  return segment.find('%') == std::string_view::npos ? lower(segment)
                                                     : lower(percent_decode(segment));
}

std::string_view directory_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<Url> directories_above(const Url& url) {
  std::vector<Url> above;
  const std::string_view path = url.path();
  const std::string_view href = url.href();
  const std::string_view origin = href.substr(0, static_cast<size_t>(path.data() - href.data()));
  for (size_t end = path.size(); end > 1;) {
    const size_t slash = path.rfind('/', end - 2);
    end = slash + 1;
    // Of "/b/" itself the first one is "/".
    if (Result<Url> directory = Url::parse(std::string(origin) + std::string(path.substr(0, end)));
        directory) {
      above.push_back(std::move(*directory));
    }
  }
  return above;
}

std::vector<std::string_view> directory_names(std::string_view path) {
  std::vector<std::string_view> names;
  const std::string_view directory = directory_of(path);
  for (size_t begin = 0; begin < directory.size();) {
    const size_t end = directory.find('/', begin);
    if (end > begin) names.push_back(directory.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

uint32_t directory_levels(std::string_view path) {
  uint32_t levels = 0;
  const std::string_view directory = directory_of(path);
  for (size_t i = 1; i < directory.size(); ++i) {
    levels += directory[i] == '/' && directory[i - 1] != '/';
  }
  return levels;
}

std::vector<std::string_view> labels_before_suffix(std::string_view hostname) {
  std::vector<std::string_view> labels;
  for (std::string_view rest = hostname.substr(0, hostname.size() - public_suffix(hostname).size());
       !rest.empty();) {
    const size_t end = std::min(rest.find('.'), rest.size());
    if (end > 0) labels.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return labels;
}

UrlRules::UrlRules(const Profile& profile)
    : host_keywords_(lower_set(profile.addresses.host_keywords)),
      stop_directories_(lower_set(profile.addresses.stop_directories)),
      page_formats_(lower_set(profile.addresses.page_formats)),
      document_formats_(lower_set(profile.addresses.document_formats)),
      unwelcome_(lower_set(profile.documents.unwelcome_names)),
      path_levels_(profile.addresses.path_levels) {}

std::optional<std::string_view> UrlRules::host_keyword(std::string_view hostname) const {
  if (host_keywords_.empty()) return std::nullopt;
  for (const std::string_view label : labels_before_suffix(hostname)) {
    if (host_keywords_.contains(std::string(label))) return label;
  }
  return std::nullopt;
}

std::optional<std::string> UrlRules::stop_directory(std::string_view path) const {
  if (stop_directories_.empty()) return std::nullopt;
  for (const std::string_view segment : directory_names(path)) {
    std::string name = plain_directory_name(segment);
    if (stop_directories_.contains(name)) return name;
  }
  return std::nullopt;
}

AddressFormat UrlRules::format(const Url& url) const {
  if (!url.is_http()) return AddressFormat::kOther;
  const std::string ending = lower(ending_of(file_name_of(url.path())));
  if (ending.empty()) return AddressFormat::kPage;
  if (document_formats_.contains(ending)) return AddressFormat::kDocument;
  if (page_formats_.empty() || page_formats_.contains(ending)) return AddressFormat::kPage;
  return AddressFormat::kOther;
}

std::optional<std::string> UrlRules::unwelcome_word(std::string_view file_name) const {
  if (unwelcome_.empty()) return std::nullopt;
  const std::string decoded = percent_decode(file_name);
  const std::string_view name = std::string_view(decoded).substr(0, decoded.rfind('.'));
  for (size_t begin = 0; begin < name.size();) {
    if (!is_letter(name[begin])) {
      ++begin;
      continue;
    }
    size_t run_end = begin;
    while (run_end < name.size() && is_letter(name[run_end])) ++run_end;
    // The run as a whole, "HomeWork", and its parts, "Home" and "Work".
    std::string run = lower(name.substr(begin, run_end - begin));
    if (unwelcome_.contains(run)) return run;
    for (size_t part = begin; part < run_end;) {
      size_t end = part + 1;
      while (end < run_end && !(is_upper(name[end]) && is_lower(name[end - 1]))) ++end;
      std::string word = lower(name.substr(part, end - part));
      if (unwelcome_.contains(word)) return word;
      part = end;
    }
    begin = run_end;
  }
  return std::nullopt;
}

std::string_view UrlRules::refusal(const Url& url) const {
  if (has_too_many_levels(url.path())) return "levels";
  if (stop_directory(url.path())) return "stop-directory";
  if (format(url) == AddressFormat::kOther) return "format";
  return "";
}

}  // namespace dowser
