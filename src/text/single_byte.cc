// The tables of the single-byte character sets of the WHATWG Encoding standard. They are made from
// ICU's converters on first use; `kDiffering` holds the few bytes on which ICU and the standard
// differ. One rule covers most of those: if a Windows character set leaves a byte from 0x80 to 0x9F
// undefined, the standard maps it to the control character of the same number, as browsers do.

#include "text/single_byte.h"

#include <unicode/ucnv.h>

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "text/utf8.h"

namespace dowser {
namespace {

struct Source {
  std::string_view charset;
  const char* converter;  // ICU's name; null: kLatin10, or a fixed offset
};

constexpr Source kSources[] = {
    {"windows-1252", "ibm-5348_P100-1997"},
    {"ibm866", "ibm-866_P100-1995"},
    {"iso-8859-2", "iso-8859-2"},
    {"iso-8859-3", "iso-8859-3"},
    {"iso-8859-4", "iso-8859-4"},
    {"iso-8859-5", "iso-8859-5"},
    {"iso-8859-6", "iso-8859-6"},
    {"iso-8859-7", "iso-8859-7"},
    {"iso-8859-8", "iso-8859-8"},
    {"iso-8859-8-i", "iso-8859-8"},
    {"iso-8859-10", "iso-8859-10"},
    {"iso-8859-13", "iso-8859-13"},
    {"iso-8859-14", "iso-8859-14"},
    {"iso-8859-15", "iso-8859-15"},
    {"iso-8859-16", nullptr},
    {"koi8-r", "koi8-r"},
    {"koi8-u", "koi8-u"},
    {"macintosh", "macintosh"},
    {"windows-874", "windows-874-2000"},
    {"windows-1250", "ibm-5346_P100-1998"},
    {"windows-1251", "ibm-5347_P100-1998"},
    {"windows-1253", "ibm-5349_P100-1998"},
    {"windows-1254", "ibm-5350_P100-1998"},
    {"windows-1255", "ibm-9447_P100-2002"},
    {"windows-1256", "ibm-9448_X100-2005"},
    {"windows-1257", "ibm-9449_P100-2002"},
    {"windows-1258", "ibm-5354_P100-1998"},
    {"x-mac-cyrillic", "x-mac-cyrillic"},
    {"x-user-defined", nullptr},
};

struct Differing {
  std::string_view charset;
  uint8_t byte;
  char16_t value;
};

constexpr Differing kDiffering[] = {
    {"koi8-u", 0xAE, 0x045E},
    {"koi8-u", 0xBE, 0x040E},
    {"windows-1253", 0xAA, char16_t{kReplacement}},
    {"windows-1255", 0xCA, 0x05BA},
};

// ISO 8859-16 from 0xA1 on, which ICU does not have.
constexpr std::u16string_view kLatin10 =
    u"ĄąŁ€„Š§š©Ș«Ź\u00ADźŻ°±ČłŽ”¶·žčș»ŒœŸż"
    u"ÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß"
    u"àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ";

SingleByteTable make_table(const Source& source) {
  SingleByteTable table;
  if (source.converter == nullptr) {
    const bool latin10 = source.charset == "iso-8859-16";
    for (size_t i = 0; i < 128; ++i) {
      table[i] = static_cast<char16_t>(!latin10   ? 0xF780 + i
                                       : i < 0x21 ? 0x80 + i
                                                  : kLatin10[i - 0x21]);
    }
    return table;
  }
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(
      ucnv_open(source.converter, &status), &ucnv_close);
  const bool controls = source.charset.starts_with("windows");
  for (size_t i = 0; i < 128; ++i) {
    const char byte = static_cast<char>(0x80 + i);
    table[i] = controls && i < 0x20 ? static_cast<char16_t>(0x80 + i) : char16_t{kReplacement};
    if (converter == nullptr) continue;
    status = U_ZERO_ERROR;
    const char* from = &byte;
    const UChar32 c = ucnv_getNextUChar(converter.get(), &from, from + 1, &status);
    // ICU substitutes U+001A for some undefined bytes, and a private character for others.
    const bool defined =
        U_SUCCESS(status) && c != kReplacement && c != 0x1A && (c < 0xE000 || c > 0xF8FF);
    if (defined || (source.charset == "macintosh" && c == 0xF8FF))
      table[i] = static_cast<char16_t>(c);
  }
  for (const auto& [charset, byte, value] : kDiffering) {
    if (charset == source.charset) table[byte - 0x80] = value;
  }
  return table;
}

using Tables = absl::flat_hash_map<std::string_view, SingleByteTable>;

}  // namespace

const SingleByteTable* single_byte_table(std::string_view charset) {
  static const Tables& tables = *[] {
    auto* all = new Tables;
    for (const Source& source : kSources) all->emplace(source.charset, make_table(source));
    return all;
  }();
  const auto found = tables.find(charset);
  return found == tables.end() ? nullptr : &found->second;
}

}  // namespace dowser
