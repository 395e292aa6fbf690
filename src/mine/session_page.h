#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "model/response.h"

namespace dowser {

// A response made from the HTML that a browser reported for a page of a session, in UTF-8 whatever
// the server had sent. Null if there is no HTML.
inline std::shared_ptr<const Response> answer_of_browser(const Url& url, std::string html,
                                                         Time at) {
  if (html.empty()) return nullptr;
  auto response = std::make_shared<Response>();
  response->url = url;
  response->status = 200;
  response->reason = "OK";
  response->headers.add("Content-Type", "text/html; charset=utf-8");
  response->body = std::move(html);
  response->fetched_at = at;
  return response;
}

}  // namespace dowser
