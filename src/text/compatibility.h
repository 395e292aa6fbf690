#pragma once

#include <string>
#include <string_view>

// Characters that Unicode has twice, because an older character set had them twice: the micro sign
// for the letter mu, ligatures, full-width and half-width forms, letters in the shapes of a script.

namespace dowser {

// The text with such characters replaced by the usual ones: "µ" (micro sign) becomes "μ", "ﬁ" "fi",
// "Ａ" "A" and "㎏" "kg". Characters above or below the line, in circles and fractions stay, since
// they would join the word or number before them: "Java™" is not "JavaTM", "2½" not "21/2".
// Returns `utf8` itself if nothing is replaced, else a view of `scratch`.
std::string_view fold_compatibility(std::string_view utf8, std::string& scratch);

// Whether the function above replaces the character.
bool is_compatibility(char32_t c);

}  // namespace dowser
