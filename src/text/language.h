#pragma once

#include <string>
#include <string_view>

namespace dowser {

// The language that most of a text is written in: its ISO 639-1 code ("en", "de", "zh"), or the
// 639-3 code where there is none of two letters ("ceb"). Empty where the text has fewer than 20
// letters (10 of Asian scripts) or gives no sure answer. Long texts are judged by a sample;
// ill-formed UTF-8 is allowed.
std::string detect_language(std::string_view utf8);

}  // namespace dowser
