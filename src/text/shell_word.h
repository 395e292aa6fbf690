#pragma once

#include <string>
#include <string_view>

namespace dowser {

// A text as one word of a command line that a person pastes into a shell, in quotes where the shell
// would read more into it. Addresses come from the web: "http://a.test/?x;rm" must stay an address.
std::string shell_word(std::string_view text);

}  // namespace dowser
