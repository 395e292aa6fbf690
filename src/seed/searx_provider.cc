#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "seed/search_http.h"

namespace dowser {
namespace {

std::string explain_status(int status) {
  switch (status) {
    case 403:
      return "it does not send JSON; its settings.yml must list json under search: formats:";
    case 404:
      return "there is no /search below this address; url= must be the address of SearXNG's start "
             "page";
    case 429:
      return "it limits the number of requests; switch its limiter off, or try again later";
    default:
      return "";
  }
}

const AnswerShape kShape{"/results", "/url", "/title", "/number_of_results", true};

// SearXNG, or searx, which asks many search engines. Its number_of_results is 0 nearly always,
// whatever it has found: then the count is unknown.
class SearxProvider final : public SearchProvider {
 public:
  SearxProvider(Url base, Spec spec, const ProviderContext& context)
      : base_(std::move(base)), spec_(std::move(spec)), http_("searx", base_, context) {}

  Result<SearchAnswer> search(const SearchQuery& query, size_t page) override {
    const Result<Url> url = Url::parse(fmt::format("search?q={}&format=json&pageno={}",
                                                   query_escaped(query_text(query)), page + 1),
                                       &base_);
    if (!url) return url.error();
    const Result<nlohmann::json> json = http_.get(*url, explain_status);
    if (!json) return json.error();
    Result<SearchAnswer> answer = read_answer(*json, kShape, page);
    if (answer) return answer;
    return Error{"searx did not send a list of results; is url= the address of a SearXNG?"};
  }

  Spec spec() const override { return spec_; }

 private:
  const Url base_;
  const Spec spec_;
  SearchHttp http_;
};

}  // namespace

Result<std::unique_ptr<SearchProvider>> make_searx_provider(const Spec& spec,
                                                            const ProviderContext& context) {
  const Result<std::string> given = only_parameter(spec, "url", "http://127.0.0.1:8888");
  if (!given) return given.error();
  std::string address = *given;
  if (!address.ends_with('/')) address += '/';
  Result<Url> base = Url::parse(address);
  if (!base || !base->is_http()) {
    return Error{fmt::format("searx: '{}' is not the address of a web server", address)};
  }
  return std::unique_ptr<SearchProvider>(
      std::make_unique<SearxProvider>(std::move(*base), spec, context));
}

}  // namespace dowser
