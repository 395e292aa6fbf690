#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a line of a document's first pages looks like: a heading, a date, names. All of it is a
// guess by form and by a few words of English, German and French; header.cc puts the guesses
// together.

namespace dowser {

std::string folded_blanks(std::string_view text);
// Lower case, letters and digits only, single blanks between words, ligatures and accents undone:
// two spellings of one title are equal.
std::string folded_words(std::string_view text);
// Without the marks of footnotes at the end: "A title *" is "A title".
std::string without_marks(std::string_view text);
size_t count_letters(std::string_view text);
// Whether it can be text that people read. A font without a table of its characters gives
// replacement characters, characters of private use, or other letters: "7KH &RPSXWHU".
bool is_readable(std::string_view text);

// "1 Introduction", "II. Methods", "Contents", "References", "Chapter 3".
bool is_section_heading(std::string_view line);
// Text on first pages that is neither title nor name: "Technical Report CS-97-3", "Journal of …",
// "arXiv:…", addresses, "Package 'x'", "Version 1.2", "page 3".
bool is_label(std::string_view line);
bool is_abstract_heading(std::string_view line);
bool is_date(std::string_view line);
// From 1900 to 2100; 0: none.
int year_in(std::string_view text);

// The names of people in a line; empty if it is about something else.
std::vector<std::string> names_in(std::string_view line);
bool looks_like_names(std::string_view line);

// What follows one of the headings on its own line: "Abstract: We show" gives "We show", "ABSTRACT"
// gives
// "". Nothing if the line does not begin with one.
std::optional<std::string> behind_heading(std::string_view line,
                                          std::span<const std::string_view> headings);

// The entries of the bibliography at the end.
uint32_t count_references(std::string_view text);

}  // namespace dowser
