#include <fmt/format.h>
#include <fmt/ranges.h>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/nearest.h"
#include "seed/search_http.h"

// Any search engine that answers with JSON, described by a file:
//
//   address = "https://api.example.org/search?q={query}&start={offset}&num={size}&key={key}"
//   key = "EXAMPLE_KEY"                    # the environment variable that holds the key
//   size = 10                              # results of a page (default 10)
//   first = 1                              # the number of the first result, or page (default 0)
//   results = "/items"                     # JSON pointer to the list of results
//   url = "/link"                          # within a result
//   title = "/title"                       # within a result; may be left out
//   count = "/searchInformation/total"     # how many pages match; may be left out
//
// In `address` stand {query} and one of {page} and {offset}; {size} and {key} may. The key is read
// when the provider is made, is sent, and is never stored, printed, or part of the text form.

namespace dowser {
namespace {

struct JsonService {
  std::string address;
  std::string key_name;
  int64_t size = 10;
  int64_t first = 0;
  AnswerShape shape;
};

// Replaces every {name}.
void fill_in(std::string& text, std::string_view name, std::string_view value) {
  const std::string place = fmt::format("{{{}}}", name);
  for (size_t at = text.find(place); at != text.npos; at = text.find(place, at + value.size())) {
    text.replace(at, place.size(), value);
  }
}

class ServiceFile {
 public:
  explicit ServiceFile(const std::string& path) : path_(path) {}

  Result<JsonService> read() {
    const Result<std::string> text = read_file(path_, kLargestDocument);
    if (!text) return text.error();
    const toml::parse_result parsed = toml::parse(*text, path_);
    if (!parsed) {
      return Error{fmt::format("{}, line {}: {}", path_, parsed.error().source().begin.line,
                               std::string(parsed.error().description()))};
    }
    for (const auto& [key, value] : parsed.table()) {
      if (Status s = set(std::string(key.str()), value); !s) {
        return Error{fmt::format("{}: {}", path_, s.error().message)};
      }
    }
    if (Status s = check(); !s) return Error{fmt::format("{}: {}", path_, s.error().message)};
    return service_;
  }

 private:
  Status set(const std::string& key, const toml::node& value) {
    if (key == "size" || key == "first") {
      const auto number = value.value_exact<int64_t>();
      if (!number || *number < (key == "size" ? 1 : 0) || *number > 1000) {
        return Error{fmt::format("{} must be a whole number up to 1000", key)};
      }
      (key == "size" ? service_.size : service_.first) = *number;
      return {};
    }
    const std::vector<std::string> known = {"address", "count", "first", "key",
                                            "results", "size",  "title", "url"};
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return Error{fmt::format("there is no setting '{}'{}: it takes {}", key,
                               did_you_mean(key, known), fmt::join(known, ", "))};
    }
    const auto text = value.value_exact<std::string>();
    if (!text) return Error{fmt::format("{} must be a string", key)};
    if (key == "address") {
      service_.address = *text;
    } else if (key == "key") {
      service_.key_name = *text;
    } else {
      if (!is_json_pointer(*text) || text->empty()) {
        return Error{fmt::format(
            "{} = \"{}\" is not a JSON pointer; a pointer looks like \"/items\"", key, *text)};
      }
      AnswerShape& shape = service_.shape;
      (key == "results" ? shape.results
       : key == "url"   ? shape.url
       : key == "title" ? shape.title
                        : shape.count) = *text;
    }
    return {};
  }

  Status check() const {
    const auto has = [&](std::string_view place) {
      return service_.address.find(place) != std::string::npos;
    };
    if (service_.address.empty() || service_.shape.results.empty() || service_.shape.url.empty()) {
      return Error{"address, results and url must be set"};
    }
    if (!has("{query}")) return Error{"address must contain {query}"};
    if (!has("{page}") && !has("{offset}")) return Error{"address must contain {page} or {offset}"};
    if (has("{key}") == service_.key_name.empty()) {
      return Error{
          "{key} in the address and key, the name of an environment variable, must be given "
          "together"};
    }
    return {};
  }

  const std::string path_;
  JsonService service_;
};

std::string explain_status(int status) {
  switch (status) {
    case 401:
    case 403:
      return "the key is missing or wrong, or not valid for this service; check the environment "
             "variable that key names";
    case 404:
      return "there is nothing at this address; check address";
    case 429:
      return "too many requests, or the daily quota is used up; try again later";
    default:
      return "";
  }
}

class JsonProvider final : public SearchProvider {
 public:
  JsonProvider(JsonService service, std::string key, const Url& server, Spec spec,
               const ProviderContext& context)
      : service_(std::move(service)),
        key_(std::move(key)),
        spec_(std::move(spec)),
        http_("the service of " + spec_.parameters.at("file"), server, context) {}

  Result<SearchAnswer> search(const SearchQuery& query, size_t page) override {
    const auto number = static_cast<int64_t>(page);
    std::string address = service_.address;
    fill_in(address, "page", fmt::to_string(service_.first + number));
    fill_in(address, "offset", fmt::to_string(service_.first + number * service_.size));
    fill_in(address, "size", fmt::to_string(service_.size));
    fill_in(address, "key", key_);
    fill_in(address, "query", query_escaped(query_text(query)));  // last: a query may hold {key}
    const Result<Url> url = Url::parse(address);
    if (!url)
      return Error{fmt::format("{}: address is not a valid address", spec_.parameters.at("file"))};
    const Result<nlohmann::json> json = http_.get(*url, explain_status, key_);
    if (!json) return json.error();
    Result<SearchAnswer> answer = read_answer(*json, service_.shape, page);
    if (answer) return answer;
    return Error{fmt::format("{}: {}", spec_.parameters.at("file"), answer.error().message)};
  }

  Spec spec() const override { return spec_; }

 private:
  const JsonService service_;
  const std::string key_;
  const Spec spec_;
  SearchHttp http_;
};

}  // namespace

Result<std::unique_ptr<SearchProvider>> make_json_provider(const Spec& spec,
                                                           const ProviderContext& context) {
  const Result<std::string> file = only_parameter(spec, "file", "service.toml");
  if (!file) return file.error();
  Result<JsonService> service = ServiceFile(*file).read();
  if (!service) return service.error();
  std::string key;
  if (!service->key_name.empty()) {
    const char* value = std::getenv(service->key_name.c_str());
    if (!value || !*value) {
      return Error{
          fmt::format("{} needs a key: set the environment variable {}", *file, service->key_name)};
    }
    key = query_escaped(value);
  }
  std::string sample = service->address;
  for (const std::string_view name : {"query", "page", "offset", "size", "key"}) {
    fill_in(sample, name, "1");
  }
  const Result<Url> server = Url::parse(sample);
  if (!server || !server->is_http()) {
    return Error{
        fmt::format("{}: '{}' is not the address of a web server", *file, service->address)};
  }
  return std::unique_ptr<SearchProvider>(
      std::make_unique<JsonProvider>(std::move(*service), std::move(key), *server, spec, context));
}

}  // namespace dowser
