// A search engine over a full-text index, for a searx to ask: bench/searx starts both.
//   bench_searx INDEX
// Prints its address and answers GET /search?q="a b" "c"&page=1 with ten results as JSON until it
// is killed.

#include <fmt/format.h>
#include <unistd.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "serve/http_server.h"
#include "store/text_index.h"

using namespace dowser;

namespace {

constexpr size_t kPageSize = 10;

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of a parameter of the query, decoded.
std::string parameter(std::string_view target, std::string_view name) {
  const std::string key = fmt::format("{}=", name);
  size_t at = target.find('?');
  while (at != target.npos && !target.substr(at + 1).starts_with(key))
    at = target.find('&', at + 1);
  if (at == target.npos) return "";
  std::string_view text = target.substr(at + 1 + key.size());
  text = text.substr(0, text.find('&'));
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      value += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      value += text[i] == '+' ? ' ' : text[i];
    }
  }
  return value;
}

// What stands between quotation marks.
SearchQuery query_of(const std::string& text) {
  SearchQuery query;
  for (size_t begin = text.find('"'); begin != text.npos;) {
    const size_t end = text.find('"', begin + 1);
    if (end == text.npos) break;
    query.phrases.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('"', end + 1);
  }
  if (query.phrases.empty()) query.phrases.push_back(text);
  return query;
}

}  // namespace

int main(int argc, char** argv) {
  auto index = argc == 2 ? TextIndex::open(argv[1]) : Result<TextIndex>(Error{"bench_searx INDEX"});
  if (!index) {
    fmt::print(stderr, "{}\n", index.error().message);
    return 1;
  }
  std::mutex mutex;
  auto server =
      HttpServer::start(*ListenAddress::parse("127.0.0.1:0"), [&](const HttpRequest& request) {
        const std::string page = parameter(request.target, "page");
        const size_t number = page.empty() ? 1 : std::strtoul(page.c_str(), nullptr, 10);
        nlohmann::json results = nlohmann::json::array();
        {
          const std::lock_guard lock(mutex);
          const auto found = index->find(query_of(parameter(request.target, "q")),
                                         (std::max<size_t>(1, number) - 1) * kPageSize, kPageSize);
          if (found) {
            for (const auto& match : *found) {
              results.push_back({{"url", match.url}, {"title", match.title}, {"text", ""}});
            }
          }
        }
        Response response;
        response.status = 200;
        response.reason = "OK";
        response.headers.add("Content-Type", "application/json");
        response.body = nlohmann::json{{"results", results}}.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
        return response;
      });
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().message);
    return 1;
  }
  fmt::print("http://{}\n", (*server)->address().to_string());
  std::fflush(stdout);
  while (true) pause();
}
