#pragma once

#include <curl/curl.h>

#include <string_view>

#include "model/response.h"

namespace dowser {

// Which of our failures ended a transfer. `error` is curl's message: some codes stand for several
// things. `head_complete`: the head of the answer had come.
Failure curl_failure(CURLcode code, std::string_view error, bool head_complete);

}  // namespace dowser
