#include "archive/warc_record.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr std::array<std::string_view, 9> kNames = {"warcinfo",   "response",     "resource",
                                                    "request",    "metadata",     "revisit",
                                                    "conversion", "continuation", "other"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::string hexadecimal(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char c : bytes) {
    out += kDigits[c >> 4];
    out += kDigits[c & 15];
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '\0');
  std::string with_end(out.size() + 1, '\0');  // OpenSSL writes a zero after
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(with_end.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  with_end.pop_back();
  return with_end;
}

// The digits of base 64 and of its form for addresses, without the padding.
std::string plain_base64(std::string_view text) {
  std::string out(text.substr(0, text.find('=')));
  std::replace(out.begin(), out.end(), '-', '+');
  std::replace(out.begin(), out.end(), '_', '/');
  return out;
}

}  // namespace

std::string_view name_of(RecordType type) { return kNames[static_cast<size_t>(type)]; }

RecordType record_type(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), lower(name));
  return found == kNames.end() ? RecordType::kOther
                               : static_cast<RecordType>(found - kNames.begin());
}

bool WarcRecord::is_http() const { return lower(content_type).starts_with("application/http"); }

std::string_view WarcRecord::payload() const {
  const std::string_view all = block;
  if (!is_http()) return all;
  size_t line = 0;
  while (line < all.size()) {
    const size_t end = all.find('\n', line);
    if (end == std::string_view::npos) break;
    const std::string_view text = all.substr(line, end - line);
    line = end + 1;
    if (text.empty() || text == "\r") return all.substr(line);
  }
  return {};
}

std::optional<bool> digest_matches(std::string_view declared, std::string_view bytes) {
  const size_t colon = declared.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string algorithm = lower(declared.substr(0, colon));
  std::erase(algorithm, '-');  // "sha-256"
  if (algorithm != "sha1" && algorithm != "sha256" && algorithm != "sha512" && algorithm != "md5") {
    return std::nullopt;
  }
  const std::string_view value = declared.substr(colon + 1);
  std::array<unsigned char, EVP_MAX_MD_SIZE> buffer;
  unsigned size = 0;
  if (!EVP_Digest(bytes.data(), bytes.size(), buffer.data(), &size,
                  EVP_get_digestbyname(algorithm.c_str()), nullptr)) {
    return std::nullopt;
  }
  const std::string_view digest(reinterpret_cast<const char*>(buffer.data()), size);
  if (value.size() == 2 * digest.size()) return lower(value) == hexadecimal(digest);
  // Base 32 first: for SHA-1 its 32 digits cannot be mistaken for the 27 or 28 of base 64.
  const std::string letters = base32(digest);
  if (lower(value) == lower(letters) ||
      lower(value) == lower(letters.substr(0, letters.find('=')))) {
    return true;
  }
  return plain_base64(value) == plain_base64(base64(digest));
}

}  // namespace dowser
