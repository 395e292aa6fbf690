#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "fetch/live_web.h"
#include "seed/search_answer.h"

// What the providers on the network share: they send a request and get JSON back.

namespace dowser {

// Sends requests to a search engine that a person has named. robots.txt does not apply to it, since
// it is meant to be used by programs; in return it gets at most one request per second. The named
// server may be in a private network, but no redirect may lead from it to another private address.
class SearchHttp {
 public:
  // `name` is the name of the provider in messages; `server` is an address at it.
  SearchHttp(std::string name, const Url& server, const ProviderContext& context);

  // The answer to a request, as JSON. Errors never show `secret`. A status other than 2xx goes to
  // `explain`, which may have a better sentence.
  using Explain = std::string (*)(int status);
  Result<nlohmann::json> get(const Url& url, Explain explain, std::string_view secret = {});

  static constexpr int kMostRedirects = 5;

 private:
  Result<Response> follow(const Url& url, std::string_view secret);
  void wait_for_turn();

  const std::string name_;
  const ProviderContext context_;
  SystemClock clock_;
  std::optional<Time> last_;  // of the last request
  LiveWebSync web_;
};

// "a b" "c d" site:edu — what most search engines understand. A quotation mark in a phrase is
// dropped.
std::string query_text(const SearchQuery& query);

// For a query of an address: everything but unreserved characters is escaped.
std::string query_escaped(std::string_view text);

// The one parameter that a provider on the network has and needs; `example` is for the message.
Result<std::string> only_parameter(const Spec& spec, const std::string& name,
                                   std::string_view example);

}  // namespace dowser
