#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"

// The words of a text as a search compares them, on both sides: in the index and in the query. They
// are the tokens of tokens.h, numbers included, with four differences.
//
//   - Accents of Latin letters are dropped and ligatures are spelled out, so that "Zurich" finds
//     "Zürich", "Strasse" finds "Straße", and "istanbul" finds both "İstanbul" and "ISTANBUL".
//   - Characters that Unicode has twice are one: the micro sign and the letter mu, "ﬁ" and "fi",
//   full
//     width and usual letters (compatibility.h).
//   - Each Chinese or Japanese character is a word of its own, and a query for several is a phrase.
//     A dictionary splits a compound in one way in the query and in another within a sentence, and
//     then one does not find the other.
//   - An apostrophe separates words: "l'homme" is found by "homme".

namespace dowser {

// A word is valid only during the call.
void for_each_search_word(std::string_view utf8,
                          absl::FunctionRef<void(std::string_view word)> use);

std::vector<std::string> search_words(std::string_view utf8);

// Appends the words, a blank after each; returns how many there are.
uint32_t append_search_words(std::string_view utf8, std::string& to);

// Whether a character is written without spaces around it and is a word of its own here.
bool is_ideograph(char32_t c);

}  // namespace dowser
