#pragma once

#include <string>
#include <string_view>

namespace dowser {

// The language that most of a text is written in: its ISO 639-1 code ("en", "de", "zh"), or the
// 639-3 code if there is none of two letters ("ceb"). Empty if the text has fewer than 20 letters
// (10 in Asian scripts) or the language is uncertain. Long texts are sampled; ill-formed UTF-8 is
// allowed. `declared` is the language that the page declares ("de-AT"), or empty: it is used unless
// detection is very sure of another one.
std::string detect_language(std::string_view utf8, std::string_view declared = {});

}  // namespace dowser
