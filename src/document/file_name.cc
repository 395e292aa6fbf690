#include "document/file_name.h"

#include <unicode/uchar.h>

#include <array>

#include "base/percent_decode.h"
#include "text/utf8.h"

namespace dowser {
namespace {

constexpr size_t kMostStem = 40;   // bytes
constexpr size_t kDigest = 12;     // characters: 60 bits
constexpr size_t kMostEnding = 6;  // ".docx" and the like

// In the order of the enumeration.
constexpr std::array<std::string_view, 12> kEndings = {
    "", ".pdf", ".ps", ".doc", ".docx", ".odt", ".rtf", ".tex", ".txt", ".xml", ".html", ""};

// Letters and digits of any script stay; all else becomes one '_'.
std::string safe(std::string_view name) {
  std::string result;
  while (!name.empty() && result.size() < kMostStem) {
    const CodePoint c = decode_utf8(name);
    const std::string_view bytes = name.substr(0, c.length);
    name.remove_prefix(c.length);
    const bool is_dot = c.value == '.';
    if (c.well_formed && (u_isalnum(static_cast<UChar32>(c.value)) || c.value == '-' || is_dot)) {
      if (bytes.size() > kMostStem - result.size()) break;
      if (!is_dot || (!result.empty() && result.back() != '.')) result += bytes;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && (result.back() == '_' || result.back() == '.' || result.back() == '-'))
    result.pop_back();
  while (!result.empty() && (result.front() == '-' || result.front() == '_')) result.erase(0, 1);
  return result;
}

std::string_view without_ending(std::string_view name) {
  const size_t dot = name.rfind('.');
  const bool is_ending = dot != name.npos && dot > 0 && name.size() - dot <= kMostEnding;
  return is_ending ? name.substr(0, dot) : name;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

}  // namespace

std::string document_name(std::string_view original, std::string_view digest, DocumentFormat format,
                          bool packed) {
  const std::string decoded = percent_decode(original);
  std::string_view name = decoded;
  // What looks like a path in an encoded name: only its last part is a name.
  name.remove_prefix(name.find_last_of("/\\") == name.npos ? 0 : name.find_last_of("/\\") + 1);
  if (packed && lower(name).ends_with(".gz")) name.remove_suffix(3);
  std::string result = safe(without_ending(name));
  if (result.empty()) result = "document";
  const size_t colon = digest.find(':');
  result += '-';
  result += lower(digest.substr(colon == digest.npos ? 0 : colon + 1).substr(0, kDigest));
  result += kEndings[static_cast<size_t>(format)];
  if (packed) result += ".gz";
  return result;
}

}  // namespace dowser
