#include "document/header_lines.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "text/utf8.h"

namespace dowser {
namespace {

constexpr std::array<std::string_view, 26> kHeadings = {"introduction",
                                                        "contents",
                                                        "table of contents",
                                                        "references",
                                                        "bibliography",
                                                        "overview",
                                                        "background",
                                                        "motivation",
                                                        "conclusion",
                                                        "conclusions",
                                                        "acknowledgements",
                                                        "acknowledgments",
                                                        "appendix",
                                                        "list of figures",
                                                        "preface",
                                                        "einleitung",
                                                        "inhalt",
                                                        "inhaltsverzeichnis",
                                                        "sommaire",
                                                        "table des matières",
                                                        "related work",
                                                        "getting started",
                                                        "installation",
                                                        "session information",
                                                        "notation",
                                                        "keywords"};

// Words that begin a line which is not a title.
constexpr std::array<std::string_view, 16> kLabelBeginnings = {"technical report",
                                                               "journal of",
                                                               "arxiv",
                                                               "http",
                                                               "www",
                                                               "version",
                                                               "page",
                                                               "draft",
                                                               "preprint",
                                                               "submitted",
                                                               "copyright",
                                                               "package version",
                                                               "department of",
                                                               "report number",
                                                               "doi",
                                                               "all rights"};

// Words that only affiliations, addresses and dates have.
constexpr std::array<std::string_view, 56> kNotNames = {
    "university", "universität", "universitat", "université", "universidad", "universita",
    "department", "institute",   "institut",    "school",     "college",     "laboratory",
    "lab",        "faculty",     "center",      "centre",     "hospital",    "research",
    "division",   "inc",         "ltd",         "gmbh",       "corporation", "foundation",
    "package",    "version",     "vignette",    "abstract",   "contents",    "introduction",
    "section",    "chapter",     "figure",      "table",      "using",       "with",
    "for",        "the",         "in",          "on",         "an",          "email",
    "mail",       "http",        "manual",      "guide",      "user",        "analysis",
    "data",       "group",       "sciences",    "science",    "statistics",  "mathematics",
    "medicine",   "street"};

constexpr std::array<std::string_view, 20> kMonths = {
    "january", "february",  "march",   "april",    "may",      "june",    "july",
    "august",  "september", "october", "november", "december", "januar",  "februar",
    "märz",    "mai",       "juni",    "juli",     "oktober",  "dezember"};

constexpr std::array<std::string_view, 12> kParticles = {"von", "van", "de",  "der", "den", "la",
                                                         "le",  "di",  "del", "da",  "ter", "dos"};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "3", "3.1", "IV.", "A.2": the number of a section.
bool is_section_number(std::string_view word) {
  while (!word.empty() && (word.back() == '.' || word.back() == ')')) word.remove_suffix(1);
  if (word.empty() || word.size() > 6) return false;
  const bool digits =
      std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == '.'; });
  const bool roman = std::all_of(word.begin(), word.end(),
                                 [](char c) { return c == 'I' || c == 'V' || c == 'X'; });
  return (digits && is_digit(word[0])) || roman;
}

// Footnote marks, degrees and the like around a name.
std::string clean_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_digit(c) || c == '*' || c == '(' || c == ')' || c == '[' || c == ']' || c == '#')
      continue;
    name += c;
  }
  for (const std::string_view mark : {"†", "‡", "§", "¶", "∗", "⋆"}) {
    for (size_t at; (at = name.find(mark)) != std::string::npos;) name.erase(at, mark.size());
  }
  std::string folded = folded_blanks(name);
  for (const std::string_view prefix : {"by ", "By ", "Dr. ", "Prof. ", "Authors: ", "Author: "}) {
    if (folded.starts_with(prefix)) folded.erase(0, prefix.size());
  }
  while (!folded.empty() &&
         (folded.back() == ',' || folded.back() == ';' || folded.back() == ':')) {
    folded.pop_back();
  }
  return folded;
}

bool begins_large(std::string_view word) {
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(word.data(), static_cast<int32_t>(word.size())));
  return !text.isEmpty() && u_isupper(text.char32At(0));
}

// Two to five words that begin with capital letters, initials and particles among them.
bool is_name(std::string_view text) {
  const std::vector<std::string_view> words = split(text, " ");
  if (words.size() < 2 || words.size() > 5 || text.size() > 50) return false;
  size_t capitals = 0, letters = 0;
  for (const std::string_view word : words) {
    const std::string folded = folded_words(word);
    if (folded.empty() || holds(kNotNames, folded) || holds(kMonths, folded)) return false;
    if (!begins_large(word) && !holds(kParticles, folded)) return false;
    capitals += begins_large(word);
    letters = std::max(letters, folded.size());
  }
  return capitals >= 2 && letters >= 2 &&
         text.find_first_of("@/\\{}<>=_%&") == std::string_view::npos;
}

}  // namespace

std::string folded_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    if (!blank) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

namespace {

// Letters and digits stay, an apostrophe is inside a word, everything else between two.
void append_folded(char c, std::string& words) {
  if (std::isalnum(static_cast<unsigned char>(c))) {
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  } else if (c != '\'' && !words.empty() && words.back() != ' ') {
    words += ' ';
  }
}

void append_folded_unicode(std::string_view text, std::string& words) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKDInstance(error);
  icu::UnicodeString from = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::UnicodeString all =
      U_SUCCESS(error) ? normalizer->normalize(from.toLower(), error) : from;
  for (int32_t i = 0; i < all.length(); i = all.moveIndex32(i, 1)) {
    const UChar32 c = all.char32At(i);
    if (c < 0x80) {
      append_folded(static_cast<char>(c), words);
    } else if (u_isalnum(c)) {
      icu::UnicodeString(c).toUTF8String(words);
    } else if (u_charType(c) != U_NON_SPACING_MARK && c != 0x2019) {
      append_folded(' ', words);
    }
  }
}

}  // namespace

std::string folded_words(std::string_view text) {
  text = text.substr(0, 1 << 20);
  std::string words;
  words.reserve(text.size());
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size() - 1) + 1;
    const std::string_view piece = text.substr(0, end);
    if (std::all_of(piece.begin(), piece.end(), is_ascii)) {
      for (const char c : piece) append_folded(c, words);
    } else {
      append_folded_unicode(piece, words);
    }
    text.remove_prefix(end);
  }
  if (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

std::string without_marks(std::string_view text) {
  std::string result = folded_blanks(text);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view mark : {" 1", "*", "∗", "†", "‡", " ,", " "}) {
      if (result.size() > mark.size() && result.ends_with(mark)) {
        result.erase(result.size() - mark.size());
        changed = true;
      }
    }
  }
  return result;
}

size_t count_letters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || (c & 0x80);
  }));
}

namespace {

// Characters that no text of people has: replacement and control characters, private use, holes.
bool is_no_text(char32_t c) {
  if (c == 0xFFFD || (c < 0x20 && c != '\t')) return true;
  const auto kind = u_charType(static_cast<UChar32>(c));
  return kind == U_PRIVATE_USE_CHAR || kind == U_UNASSIGNED || kind == U_CONTROL_CHAR;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// "&RPSXWHU" or "6FLHQFH": a mark or digit, then capitals. Of a font whose characters are numbered
// from the blank, the capitals come out as marks and digits, and the small letters as capitals.
bool is_shifted(std::string_view word) {
  constexpr std::string_view kMarks = "$%&*+0123456789:;<=";
  return word.size() >= 3 && kMarks.find(word[0]) != kMarks.npos &&
         std::all_of(word.begin() + 1, word.end(), is_capital);
}

bool has_vowel(std::string_view word) { return word.find_first_of("aeiouyAEIOUY") != word.npos; }

}  // namespace

bool is_readable(std::string_view text) {
  size_t characters = 0, bad = 0;
  for (std::string_view rest = text; !rest.empty(); ++characters) {
    const CodePoint c = decode_utf8(rest);
    bad += !c.well_formed || is_no_text(c.value);
    rest.remove_prefix(c.length);
  }
  if (10 * bad > characters || text.find("(cid:") != text.npos) return false;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) return true;
  constexpr size_t kFewWords = 4;  // which may all be abbreviations
  size_t words = 0, shifted = 0, spoken = 0;
  for (const std::string_view word : split(text, " \t")) {
    if (word.size() < 3) continue;
    ++words;
    shifted += is_shifted(word);
    spoken += has_vowel(word);
  }
  const bool has_small =
      std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (!has_small && words >= 2 && 2 * shifted >= words) return false;
  return words < kFewWords || spoken > 0;
}

bool is_section_heading(std::string_view line) {
  const std::string folded = folded_words(line);
  if (holds(kHeadings, folded)) return true;
  const size_t blank = line.find_first_of(" \t");
  if (folded.starts_with("chapter ") && folded.size() < 60) return true;
  if (blank == std::string_view::npos || blank > 6 || !is_section_number(line.substr(0, blank)))
    return false;
  return line.size() < 90 && count_letters(line.substr(blank)) >= 3;
}

bool is_label(std::string_view line) {
  const std::string folded = folded_words(line);
  const bool begins = std::any_of(kLabelBeginnings.begin(), kLabelBeginnings.end(),
                                  [&](auto label) { return folded.starts_with(label); });
  const bool is_address = line.find("://") != std::string_view::npos ||
                          (line.find('@') != std::string_view::npos && folded.size() < 60);
  return begins || is_address || is_abstract_heading(line);
}

bool is_abstract_heading(std::string_view line) {
  const std::string folded = folded_words(line);
  return folded == "abstract" || folded == "summary" || folded == "zusammenfassung" ||
         folded == "resume" || line.starts_with("Abstract.") || line.starts_with("Abstract:");
}

int year_in(std::string_view text) {
  for (size_t i = 0; i + 4 <= text.size(); ++i) {
    const bool alone =
        (i == 0 || !is_digit(text[i - 1])) && (i + 4 == text.size() || !is_digit(text[i + 4]));
    if (!alone || !std::all_of(text.begin() + static_cast<ptrdiff_t>(i),
                               text.begin() + static_cast<ptrdiff_t>(i) + 4, is_digit))
      continue;
    const int year = std::stoi(std::string(text.substr(i, 4)));
    if (year >= 1900 && year <= 2100) return year;
  }
  return 0;
}

bool is_date(std::string_view line) {
  if (line.size() > 70) return false;
  const std::string folded = folded_words(line);
  const std::vector<std::string_view> words = split(folded, " ");
  const bool month = std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return holds(kMonths, word) ||
           (word.size() == 3 && std::any_of(kMonths.begin(), kMonths.end(),
                                            [&](auto m) { return m.starts_with(word); }));
  });
  const bool numbers = std::any_of(folded.begin(), folded.end(), is_digit);
  if (month && numbers && words.size() <= 10) return true;
  // 2007-02-09, 9/2/2007
  return year_in(line) != 0 && count_letters(line) == 0;
}

std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  std::string text(line);
  for (const std::string_view word :
       {" and ", " und ", " et ", " & ", ", and ", "\tand ", " with "}) {
    for (size_t at; (at = text.find(word)) != std::string::npos;) {
      text.erase(at, word.size() - 1);
      text[at] = ';';
    }
  }
  const bool is_list = text.find(';') != std::string::npos || text.find('\t') != std::string::npos;
  for (const std::string_view part : split(text, ";,\t")) {
    std::string name = clean_name(part);
    if (name.starts_with("and ")) name.erase(0, 4);
    if (is_name(name)) names.push_back(std::move(name));
  }
  // "Vienna, Austria": a list of names has more of them than of other things.
  const size_t parts = split(text, ";,\t").size();
  if (names.size() * 2 < parts && !is_list) names.clear();
  return names;
}

bool looks_like_names(std::string_view line) {
  const std::vector<std::string> names = names_in(line);
  size_t letters = 0;
  for (const std::string& name : names) letters += name.size();
  return names.size() >= 2 && letters * 10 >= line.size() * 7;
}

std::optional<std::string> behind_heading(std::string_view line,
                                          std::span<const std::string_view> headings) {
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view heading : headings) {
    if (!std::string_view(lower).starts_with(heading)) continue;
    std::string_view rest = line.substr(heading.size());
    const bool has_mark = !rest.empty() && (rest[0] == ':' || rest[0] == '.' ||
                                            rest.starts_with("—") || rest.starts_with(" -"));
    if (!rest.empty() && !has_mark) continue;
    const size_t begin = rest.find_first_not_of(" :.-—");
    return begin == std::string_view::npos ? std::string() : std::string(rest.substr(begin));
  }
  return std::nullopt;
}

uint32_t count_references(std::string_view text) {
  // The last heading counts: a table of contents names it too.
  size_t begin = std::string_view::npos;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string folded = end - at < 40 ? folded_words(text.substr(at, end - at)) : std::string();
    while (!folded.empty() && (is_digit(folded[0]) || folded[0] == ' ')) folded.erase(0, 1);
    if (folded == "references" || folded == "bibliography" || folded == "literature cited")
      begin = end;
    at = end + 1;
  }
  if (begin == std::string_view::npos) return 0;
  uint32_t numbered = 0, dated = 0;
  for (const std::string_view line : split(text.substr(begin), "\n\f")) {
    const bool in_brackets = line.starts_with('[') && line.find(']') < 12;
    const size_t dot = line.find(". ");
    const bool with_dot = dot != std::string_view::npos && dot <= 3 && is_digit(line[0]);
    numbered += in_brackets || with_dot;
    dated += year_in(line) != 0;
  }
  return numbered >= 3 ? numbered : dated;
}

}  // namespace dowser
