// IPv4 and IPv6 addresses in hosts: the parsers and serialisers of the URL standard.

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "model/percent_encode.h"
#include "model/url_host.h"

namespace dowser {
namespace {

// A part of an IPv4 address: decimal, octal after 0, hexadecimal after 0x ("0x" alone is 0). What
// is too large for any address is returned as something too large.
std::optional<uint64_t> parse_ipv4_part(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int radix = 10;
  if (text.size() >= 2 && text[0] == '0' && ascii_lower(text[1]) == 'x') {
    text.remove_prefix(2);
    radix = 16;
  } else if (text.size() >= 2 && text[0] == '0') {
    text.remove_prefix(1);
    radix = 8;
  }
  constexpr uint64_t kTooLarge = uint64_t{1} << 32;
  uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || digit >= radix) return std::nullopt;
    value =
        std::min(value * static_cast<uint64_t>(radix) + static_cast<uint64_t>(digit), kTooLarge);
  }
  return value;
}

bool is_digits(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

// The dotted decimal form at the end of an IPv6 address: exactly four parts, no leading zeros.
std::optional<uint32_t> parse_strict_ipv4(std::string_view text) {
  uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    const std::string_view digits = text.substr(0, part < 3 ? text.find('.') : text.size());
    if (!is_digits(digits) || digits.size() > 3 || (digits.size() > 1 && digits[0] == '0')) {
      return std::nullopt;
    }
    uint32_t value = 0;
    for (const char c : digits) value = value * 10 + static_cast<uint32_t>(c - '0');
    if (value > 255) return std::nullopt;
    address = address << 8 | value;
    if (part < 3) {
      if (digits.size() == text.size()) return std::nullopt;
      text.remove_prefix(digits.size() + 1);
    }
  }
  return address;
}

using Pieces = std::array<uint16_t, 8>;

// At most four hexadecimal digits off the front of `text`, and how many there were.
int take_piece(std::string_view& text, uint16_t& value) {
  int count = 0;
  value = 0;
  while (count < 4 && !text.empty() && hex_value(text[0]) >= 0) {
    value = static_cast<uint16_t>(value << 4 | hex_value(text[0]));
    text.remove_prefix(1);
    ++count;
  }
  return count;
}

std::optional<Pieces> parse_ipv6(std::string_view text) {
  Pieces pieces{};
  size_t count = 0;
  std::optional<size_t> gap;  // the piece before which "::" stands
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return std::nullopt;
    text.remove_prefix(2);
    gap = 0;
  }
  while (!text.empty()) {
    if (count == 8) return std::nullopt;
    if (text[0] == ':') {
      if (gap) return std::nullopt;
      text.remove_prefix(1);
      gap = count;
      continue;
    }
    const std::string_view at_piece = text;
    const int digits = take_piece(text, pieces[count]);
    if (text.starts_with('.')) {
      const std::optional<uint32_t> ipv4 = parse_strict_ipv4(at_piece);
      if (!ipv4 || count > 6) return std::nullopt;
      pieces[count++] = static_cast<uint16_t>(*ipv4 >> 16);
      pieces[count++] = static_cast<uint16_t>(*ipv4);
      break;
    }
    if (digits == 0) return std::nullopt;
    ++count;
    if (text.empty()) break;
    if (text[0] != ':' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  if (!gap) return count == 8 ? std::optional(pieces) : std::nullopt;
  if (count == 8) return std::nullopt;
  std::move_backward(pieces.begin() + *gap, pieces.begin() + count, pieces.end());
  std::fill_n(pieces.begin() + *gap, 8 - count, uint16_t{0});
  return pieces;
}

// The first of the longest runs of two zeros and more: where it begins and how long it is (0 for
// none).
std::pair<size_t, size_t> longest_zeros(const Pieces& pieces) {
  size_t best_begin = 0;
  size_t best_size = 1;
  for (size_t i = 0; i < 8;) {
    size_t end = i;
    while (end < 8 && pieces[end] == 0) ++end;
    if (end - i > best_size) {
      best_begin = i;
      best_size = end - i;
    }
    i = end + 1;
  }
  return {best_begin, best_size > 1 ? best_size : 0};
}

void append_number(std::string& out, uint32_t value, int radix) {
  char text[12];
  out.append(text, std::to_chars(text, text + sizeof text, value, radix).ptr);
}

}  // namespace

bool ends_in_number(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  if (last.empty() || last[0] < '0' || last[0] > '9') return false;
  return is_digits(last) || parse_ipv4_part(last).has_value();
}

std::optional<uint32_t> parse_ipv4(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  uint32_t address = 0;
  for (int shift = 24;; shift -= 8) {
    const size_t dot = text.find('.');
    const std::optional<uint64_t> part = parse_ipv4_part(text.substr(0, dot));
    if (!part) return std::nullopt;
    if (dot == std::string_view::npos) {  // the last part fills what is left of the address
      if (*part >> (shift + 8)) return std::nullopt;
      return address | static_cast<uint32_t>(*part);
    }
    if (*part > 255 || shift == 0) return std::nullopt;
    address |= static_cast<uint32_t>(*part) << shift;
    text.remove_prefix(dot + 1);
  }
}

void append_ipv4(std::string& out, uint32_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    append_number(out, address >> shift & 255, 10);
    if (shift > 0) out.push_back('.');
  }
}

bool append_ipv6(std::string& out, std::string_view text) {
  const std::optional<Pieces> pieces = parse_ipv6(text);
  if (!pieces) return false;
  const auto [gap, gap_size] = longest_zeros(*pieces);
  out.push_back('[');
  for (size_t i = 0; i < 8; ++i) {
    if (gap_size > 0 && i == gap) {
      out.append(i == 0 ? "::" : ":");
      i += gap_size - 1;
      continue;
    }
    append_number(out, (*pieces)[i], 16);
    if (i < 7) out.push_back(':');
  }
  out.push_back(']');
  return true;
}

}  // namespace dowser
