#include "text/charset.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "text/single_byte.h"
#include "text/utf8.h"

namespace dowser {
namespace {

using namespace std::string_literals;

TEST(CharsetForLabel, labels_are_read_as_browsers_do) {
  const struct {
    std::string_view label, charset;
  } rows[] = {
      {"utf-8", "utf-8"},
      {"UTF8", "utf-8"},
      {"  Utf-8\t\n", "utf-8"},
      {"latin1", "windows-1252"},
      {"ISO-8859-1", "windows-1252"},
      {"us-ascii", "windows-1252"},
      {"iso-8859-9", "windows-1254"},
      {"iso-8859-11", "windows-874"},
      {"x-sjis", "shift_jis"},
      {"Windows-31J", "shift_jis"},
      {"gb2312", "gbk"},
      {"ks_c_5601-1987", "euc-kr"},
      {"big5-hkscs", "big5"},
      {"utf-16", "utf-16le"},
      {"utf-16be", "utf-16be"},
      {"visual", "iso-8859-8"},
      {"logical", "iso-8859-8-i"},
      {"koi", "koi8-r"},
      {"", ""},
      {" ", ""},
      {"utf-7", ""},
      {"utf-32", ""},
      {"none", ""},
      {"utf-8; x", ""},
      {"iso-2022-kr", ""},
      {"hz-gb-2312", ""},
      {"replacement", ""},
      {"a label that is far longer than any label of the standard is", ""},
  };
  for (const auto& [label, charset] : rows) EXPECT_EQ(charset_for_label(label), charset) << label;
}

TEST(CharsetForLabel, a_charset_is_its_own_label) {
  for (const std::string_view label :
       {"866",     "l2",     "latin3",    "l4",          "cyrillic", "arabic",          "greek",
        "hebrew",  "l6",     "iso885913", "iso885914",   "l9",       "iso-8859-16",     "koi8",
        "koi8-ru", "mac",    "tis-620",   "cp1250",      "cp1251",   "cp1252",          "cp1253",
        "cp1254",  "cp1255", "cp1256",    "cp1257",      "cp1258",   "x-mac-ukrainian", "gbk",
        "gb18030", "big5",   "x-euc-jp",  "csiso2022jp", "sjis",     "korean"}) {
    const std::string_view charset = charset_for_label(label);
    EXPECT_FALSE(charset.empty()) << label;
    EXPECT_EQ(charset_for_label(charset), charset) << label;
  }
}

TEST(Utf8, only_well_formed_bytes_are_valid) {
  const struct {
    std::string bytes;
    bool valid;
  } rows[] = {
      {"", true},
      {"plain", true},
      {std::string(100, 'a') + "é" + std::string(100, 'b'), true},
      {"\xED\x9F\xBF", true},      // U+D7FF
      {"\xF4\x8F\xBF\xBF", true},  // U+10FFFF
      {"\0"s, true},
      {"\x80", false},
      {"\xC3", false},      // cut
      {"\xC0\xAF", false},  // overlong
      {"\xE0\x80\xAF", false},
      {"\xF0\x80\x80\xAF", false},
      {"\xED\xA0\x80", false},      // surrogate
      {"\xF4\x90\x80\x80", false},  // over U+10FFFF
      {"\xF5\x80\x80\x80", false},
      {std::string(63, 'a') + "\xFF", false},
      {std::string(64, 'a') + "\xE2\x82", false},
  };
  for (const auto& [bytes, valid] : rows)
    EXPECT_EQ(is_valid_utf8(bytes), valid) << testing::PrintToString(bytes);
}

TEST(ToUtf8, known_texts_are_decoded) {
  const struct {
    std::string bytes;
    std::string_view charset, text;
  } rows[] = {
      {"caf\xC3\xA9", "utf-8", "café"},
      {"caf\xE9 \x80 \x81", "iso-8859-1", "café € \xC2\x81"},
      {"caf\xE9", "no such set", "café"},
      {"caf\xE9", "", "café"},
      {"\xA4", "iso-8859-15", "€"},
      {"\xAA\xDE\xBA", "iso-8859-16", "ȘȚș"},
      {"\xCF\xF0\xE8\xE2\xE5\xF2", "windows-1251", "Привет"},
      {"\xF0\xD2\xC9\xD7\xC5\xD4", "koi8-r", "Привет"},
      {"\xFD\xDE", "windows-1254", "ıŞ"},
      {"\xE1\xEB\xF6\xDC", "iso-8859-7", "αλφά"},
      {"\xCA", "windows-1255", "\xD6\xBA"},
      {"\xAA", "windows-1253", "\xEF\xBF\xBD"},
      {"\x93\xFA\x96\x7B", "shift_jis", "日本"},
      {"\xC6\xFC\xCB\xDC", "euc-jp", "日本"},
      {"\x1B$BF|K\\\x1B(B!", "iso-2022-jp", "日本!"},
      {"\xD6\xD0\xCE\xC4", "gb2312", "中文"},
      {"\x84\x31\xA4\x37", "gb18030", "\xEF\xBF\xBD"},
      {"\xA4\xA4\xA4\xE5", "big5", "中文"},
      {"\xC7\xD1\xB1\xDB", "euc-kr", "한글"},
      {"h\0i\0"s, "utf-16le", "hi"},
      {"\0h\0i"s, "utf-16be", "hi"},
      {"\x3D\xD8\x00\xDE"s, "utf-16", "😀"},
      {"\x3D\xD8"
       "a\0"s,
       "utf-16le",
       "\xEF\xBF\xBD"
       "a"},
      {"a\0b"s, "utf-16le", "a\xEF\xBF\xBD"},
      {"\x41\x80", "x-user-defined", "A\xEF\x9E\x80"},
  };
  for (const auto& [bytes, charset, text] : rows)
    EXPECT_EQ(to_utf8(bytes, charset), text) << charset;
}

TEST(ToUtf8, a_byte_order_mark_wins_and_is_dropped) {
  EXPECT_EQ(to_utf8("\xEF\xBB\xBF"
                    "é",
                    "windows-1252"),
            "é");
  EXPECT_EQ(to_utf8("\xFF\xFE"
                    "h\0"s,
                    "utf-8"),
            "h");
  EXPECT_EQ(to_utf8("\xFE\xFF"
                    "\0h"s,
                    ""),
            "h");
}

TEST(ToUtf8, bad_bytes_become_replacement_characters_by_maximal_subparts) {
  const std::string r = "\xEF\xBF\xBD";
  const struct {
    std::string bytes, text;
  } rows[] = {
      {"a\xFFz", "a" + r + "z"}, {"\xE2\x82z", r + "z"},      {"\xF0\x9F\x98", r},
      {"\xC0\xAF", r + r},       {"\xED\xA0\x80", r + r + r}, {"\xE2\x82\xAC\xE2\x82", "€" + r},
  };
  for (const auto& [bytes, text] : rows) EXPECT_EQ(to_utf8(bytes, "utf-8"), text);
}

// Otherwise a stray lead byte could hide the quote or bracket behind it from the HTML tokenizer.
TEST(ToUtf8, a_bad_lead_byte_does_not_swallow_ascii) {
  for (const std::string_view charset :
       {"shift_jis", "euc-jp", "euc-kr", "gbk", "big5", "gb18030"}) {
    const std::string text = to_utf8("a\x85<b>\xFE\">", charset);
    EXPECT_NE(text.find('<'), std::string::npos) << charset;
    EXPECT_NE(text.find('"'), std::string::npos) << charset;
  }
}

TEST(ToUtf8, long_multi_byte_texts_survive_the_edges_of_the_buffer) {
  for (size_t lead = 4090; lead < 4100; ++lead) {
    std::string bytes(lead, 'a'), text(lead, 'a');
    for (int i = 0; i < 3000; ++i)
      bytes += "\x90\x30\x81\x30", text += "\xF0\x90\x80\x80";  // U+10000
    ASSERT_EQ(to_utf8(bytes, "gb18030"), text) << lead;
  }
}

RC_GTEST_PROP(ToUtf8, is_valid_whatever_the_bytes, (const std::string& bytes)) {
  for (const std::string_view charset :
       {"utf-8", "windows-1252", "iso-8859-16", "utf-16le", "utf-16be", "shift_jis", "euc-jp",
        "iso-2022-jp", "gb18030", "big5", "euc-kr", "macintosh", ""}) {
    RC_ASSERT(is_valid_utf8(to_utf8(bytes, charset)));
  }
  (void)detect_charset(bytes);
}

TEST(SingleByteTable, every_single_byte_set_of_the_standard_has_one) {
  for (const std::string_view name :
       {"ibm866",       "iso-8859-2",   "iso-8859-3",     "iso-8859-4",    "iso-8859-5",
        "iso-8859-6",   "iso-8859-7",   "iso-8859-8",     "iso-8859-8-i",  "iso-8859-10",
        "iso-8859-13",  "iso-8859-14",  "iso-8859-15",    "iso-8859-16",   "koi8-r",
        "koi8-u",       "macintosh",    "windows-874",    "windows-1250",  "windows-1251",
        "windows-1252", "windows-1253", "windows-1254",   "windows-1255",  "windows-1256",
        "windows-1257", "windows-1258", "x-mac-cyrillic", "x-user-defined"}) {
    const SingleByteTable* table = single_byte_table(name);
    ASSERT_NE(table, nullptr) << name;
    const auto unknown = std::count(table->begin(), table->end(), char16_t{kReplacement});
    EXPECT_LT(unknown, name.starts_with("iso-8859-6")   ? 50
                       : name.starts_with("iso-8859-8") ? 40
                                                        : 12)
        << name;
  }
  EXPECT_EQ(single_byte_table("shift_jis"), nullptr);
}

TEST(DetectCharset, sure_cases_are_utf8) {
  EXPECT_EQ(detect_charset(""), "utf-8");
  EXPECT_EQ(detect_charset("plain"), "utf-8");
  EXPECT_EQ(detect_charset("naïve café"), "utf-8");
  EXPECT_EQ(detect_charset("a text that was cut in \xC3\xA9 the middle of \xE2\x82"), "utf-8");
  EXPECT_EQ(detect_charset("\xFF\xFE"
                           "h\0i\0"s),
            "utf-16le");
  EXPECT_EQ(detect_charset("\xFE\xFF\0h"s), "utf-16be");
}

TEST(DetectCharset, the_rest_is_guessed_well_from_a_sentence_or_two) {
  const std::string ascii(3000, ' ');
  const struct {
    std::string bytes;
    std::string_view charset;
  } rows[] = {
      // "Все люди рождаются свободными и равными в своем достоинстве и правах." in two character
      // sets.
      {"\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\xF2\xF1\xFF "
       "\xF1\xE2\xEE\xE1\xEE\xE4\xED\xFB\xEC\xE8 \xE8 \xF0\xE0\xE2\xED\xFB\xEC\xE8 \xE2 "
       "\xF1\xE2\xEE\xE5\xEC \xE4\xEE\xF1\xF2\xEE\xE8\xED\xF1\xF2\xE2\xE5 \xE8 "
       "\xEF\xF0\xE0\xE2\xE0\xF5.",
       "windows-1251"},
      {"\xF7\xD3\xC5 \xCC\xC0\xC4\xC9 \xD2\xCF\xD6\xC4\xC1\xC0\xD4\xD3\xD1 "
       "\xD3\xD7\xCF\xC2\xCF\xC4\xCE\xD9\xCD\xC9 \xC9 \xD2\xC1\xD7\xCE\xD9\xCD\xC9 \xD7 "
       "\xD3\xD7\xCF\xC5\xCD \xC4\xCF\xD3\xD4\xCF\xC9\xCE\xD3\xD4\xD7\xC5 \xC9 "
       "\xD0\xD2\xC1\xD7\xC1\xC8.",
       "koi8-r"},
      // "日本語のページです。これは文章です。"
      {"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x79\x81\x5B\x83\x57\x82\xC5\x82\xB7\x81\x42\x82\xB1"
       "\x82\xEA"
       "\x82\xCD\x95\xB6\x8F\xCD\x82\xC5\x82\xB7\x81\x42",
       "shift_jis"},
      {"\x1B$BF|K\\8l$G$9\x1B(B", "iso-2022-jp"},
  };
  for (const auto& [bytes, charset] : rows) {
    EXPECT_EQ(detect_charset(bytes), charset);
    EXPECT_EQ(detect_charset(ascii + bytes), charset) << "behind much ASCII";
  }
}

}  // namespace
}  // namespace dowser
