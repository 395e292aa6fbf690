#pragma once

#include <string>
#include <string_view>

namespace dowser {

// The words of a topic without the stop words of the language that they are in: the one that most
// of the stop words among them belong to, English if none stands out. Otherwise "the history of
// maps" would find "the" and "of" on pages in other languages, where they are not stop words. If
// nothing would be left, the text is returned as it is.
std::string without_stop_words(std::string_view words);

}  // namespace dowser
