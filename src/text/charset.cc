#include "text/charset.h"

#include <uchardet/uchardet.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "text/single_byte.h"
#include "text/utf8.h"

namespace dowser {
namespace {

// How much of an unlabelled text the detector reads: it processes about 30 MB/s, and more text
// rarely changes the result.
constexpr size_t kGuessBytes = 64 * 1024;

struct ByteOrderMark {
  std::string_view charset;
  size_t length;
};

ByteOrderMark byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return {"utf-8", 3};
  if (bytes.starts_with("\xFE\xFF")) return {"utf-16be", 2};
  if (bytes.starts_with("\xFF\xFE")) return {"utf-16le", 2};
  return {"", 0};
}

// The number of leading bytes that are well-formed.
size_t valid_utf8_prefix(std::string_view bytes) {
  size_t i = 0;
  while (i < bytes.size()) {
    if (static_cast<uint8_t>(bytes[i]) < 0x80) {
      i += ascii_prefix(bytes.substr(i));
      continue;
    }
    const CodePoint c = decode_utf8(bytes.substr(i));
    if (!c.well_formed) break;
    i += c.length;
  }
  return i;
}

std::string repaired_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 16);
  while (!bytes.empty()) {
    const size_t valid = valid_utf8_prefix(bytes);
    out.append(bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    append_utf8(out, kReplacement);
    bytes.remove_prefix(decode_utf8(bytes).length);
  }
  return out;
}

std::string decode_single_byte(std::string_view bytes, const SingleByteTable& table) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (size_t i = 0; i < bytes.size();) {
    const size_t run = ascii_prefix(bytes.substr(i));
    out.append(bytes.substr(i, run));
    for (i += run; i < bytes.size() && static_cast<uint8_t>(bytes[i]) >= 0x80; ++i) {
      append_utf8(out, table[static_cast<uint8_t>(bytes[i]) - 0x80]);
    }
  }
  return out;
}

// Appends UTF-16 as UTF-8; unpaired surrogates become U+FFFD.
void append_utf16(std::string& out, const UChar* from, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char32_t c = from[i];
    if (U16_IS_SURROGATE(c)) {
      if (U16_IS_LEAD(c) && i + 1 < size && U16_IS_TRAIL(from[i + 1])) {
        c = U16_GET_SUPPLEMENTARY(c, from[i + 1]);
        ++i;
      } else {
        c = kReplacement;
      }
    }
    append_utf8(out, c);
  }
}

std::string decode_utf16(std::string_view bytes, bool big_endian) {
  std::u16string units(bytes.size() / 2, 0);
  for (size_t i = 0; i < units.size(); ++i) {
    const auto a = static_cast<uint8_t>(bytes[2 * i]), b = static_cast<uint8_t>(bytes[2 * i + 1]);
    units[i] = static_cast<char16_t>(big_endian ? a << 8 | b : b << 8 | a);
  }
  std::string out;
  out.reserve(bytes.size());
  append_utf16(out, units.data(), units.size());
  if (bytes.size() % 2 == 1) append_utf8(out, kReplacement);
  return out;
}

// ICU's converter that comes nearest to the standard's decoder.
const char* converter_name(std::string_view charset) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"gbk", "gb18030"},        {"gb18030", "gb18030"},         {"big5", "Big5-HKSCS"},
      {"euc-jp", "EUC-JP"},      {"iso-2022-jp", "ISO-2022-JP"}, {"shift_jis", "windows-31j"},
      {"euc-kr", "windows-949"},
  };
  for (const auto& [name, converter] : kNames) {
    if (name == charset) return converter;
  }
  return nullptr;
}

// Used instead of ICU's substitution, which writes U+001A for some character sets.
void replace_bad_bytes(const void*, UConverterToUnicodeArgs* args, const char*, int32_t,
                       UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;
  *status = U_ZERO_ERROR;
  const UChar replacement = kReplacement;
  ucnv_cbToUWriteUChars(args, &replacement, 1, 0, status);
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

// The thread's converter, reset. Opening one costs as much as decoding a page.
UConverter* converter_for(const char* name) {
  thread_local absl::flat_hash_map<std::string_view, std::unique_ptr<UConverter, CloseConverter>>
      open;
  auto& converter = open[name];
  if (converter == nullptr) {
    UErrorCode status = U_ZERO_ERROR;
    converter.reset(ucnv_open(name, &status));
    if (converter == nullptr) return nullptr;
    ucnv_setToUCallBack(converter.get(), replace_bad_bytes, nullptr, nullptr, nullptr, &status);
  }
  ucnv_reset(converter.get());
  return converter.get();
}

std::string decode_by_icu(std::string_view bytes, UConverter* converter) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  std::array<UChar, 4096> buffer;
  size_t kept = 0;  // a leading surrogate whose other half did not fit
  const char* from = bytes.data();
  const char* const end = from + bytes.size();
  UErrorCode status;
  do {
    status = U_ZERO_ERROR;
    UChar* to = buffer.data() + kept;
    ucnv_toUnicode(converter, &to, buffer.data() + buffer.size(), &from, end, nullptr, true,
                   &status);
    size_t size = static_cast<size_t>(to - buffer.data());
    kept = status == U_BUFFER_OVERFLOW_ERROR && U16_IS_LEAD(buffer[size - 1]) ? 1 : 0;
    append_utf16(out, buffer.data(), size - kept);
    if (kept == 1) buffer[0] = buffer[size - 1];
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  return out;
}

struct CloseGuesser {
  void operator()(uchardet_t guesser) const { uchardet_delete(guesser); }
};

std::string guessed_charset(std::string_view sample) {
  thread_local const std::unique_ptr<std::remove_pointer_t<uchardet_t>, CloseGuesser> guesser(
      uchardet_new());
  uchardet_reset(guesser.get());
  if (uchardet_handle_data(guesser.get(), sample.data(), sample.size()) != 0) return "";
  uchardet_data_end(guesser.get());
  const std::string_view name = uchardet_get_charset(guesser.get());
  // Names of uchardet that are not labels of the standard.
  if (name == "UHC" || name == "CP949") return "euc-kr";
  if (name == "MAC-CYRILLIC") return "x-mac-cyrillic";
  return std::string(charset_for_label(name));
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) { return valid_utf8_prefix(bytes) == bytes.size(); }

std::string detect_charset(std::string_view bytes) {
  if (const auto mark = byte_order_mark(bytes); mark.length > 0) return std::string(mark.charset);
  const size_t ascii = ascii_prefix(bytes);
  // ISO-2022-JP consists of ASCII bytes and switches by escape sequences.
  const size_t escape = bytes.substr(0, ascii).find('\x1B');
  if (escape == std::string_view::npos) {
    const std::string_view rest = bytes.substr(ascii);
    const size_t valid = valid_utf8_prefix(rest);
    // A text that was cut may end inside a character.
    const bool cut = valid > 0 && rest.size() - valid < 4 &&
                     decode_utf8(rest.substr(valid)).length == rest.size() - valid &&
                     static_cast<uint8_t>(rest[valid]) >= 0xC2;
    if (valid == rest.size() || cut) return "utf-8";
  }
  // A few bytes before the first one that is not ASCII are context enough.
  const size_t interesting = std::min(ascii, escape);
  const std::string guess =
      guessed_charset(bytes.substr(interesting - std::min<size_t>(interesting, 256), kGuessBytes));
  if (guess.empty() && ascii == bytes.size()) return "utf-8";
  return guess;
}

std::string to_utf8(std::string_view bytes, std::string_view charset) {
  std::string_view name = charset_for_label(charset);
  if (const auto mark = byte_order_mark(bytes); mark.length > 0) {
    name = mark.charset;
    bytes.remove_prefix(mark.length);
  }
  if (name == "utf-8") {
    const size_t valid = valid_utf8_prefix(bytes);
    return valid == bytes.size() ? std::string(bytes) : repaired_utf8(bytes);
  }
  if (name == "utf-16le" || name == "utf-16be") return decode_utf16(bytes, name == "utf-16be");
  if (const SingleByteTable* table = single_byte_table(name))
    return decode_single_byte(bytes, *table);
  if (const char* icu_name = converter_name(name)) {
    if (UConverter* converter = converter_for(icu_name)) return decode_by_icu(bytes, converter);
  }
  return decode_single_byte(bytes, *single_byte_table("windows-1252"));
}

}  // namespace dowser
