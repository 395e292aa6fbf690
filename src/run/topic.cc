#include "run/topic.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "fetch/archive_web.h"
#include "model/redirects.h"
#include "parse/parse_page.h"
#include "text/topic_words.h"

namespace dowser {
namespace {

Result<Response> answer_of_web(Web& web, const Url& url) {
  Response answer = final_answer(url, [&](const Url& at) { return web.get(at); });
  if (answer.ok()) return answer;
  return Error{
      fmt::format("{} is not in the archive, or was not archived with status 200", url.href())};
}

Result<Response> answer_of_file(const std::string& name) {
  Result<std::string> body = read_file(name, kLargestDocument);
  if (!body) return body.error();
  Response response;
  response.status = 200;
  response.headers.add("Content-Type", name.ends_with(".txt") ? "text/plain" : "text/html");
  response.body = std::move(*body);
  std::error_code failed;
  const std::string path = std::filesystem::absolute(name, failed).string();
  if (Result<Url> url = Url::parse("file://" + path)) response.url = std::move(*url);
  return response;
}

bool is_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

Result<Response> answer_of(const std::string& place, Web* web) {
  if (!is_address(place)) return answer_of_file(place);
  const Result<Url> url = Url::parse(place);
  if (!url)
    return Error{fmt::format("'{}' is not a valid address: {}", place, url.error().message)};
  if (!web) {
    return Error{
        fmt::format("{} is an address: name the archive that contains it with --web FILE", place)};
  }
  return answer_of_web(*web, *url);
}

Result<std::unique_ptr<ArchiveWeb>> open_archives(const std::vector<std::string>& archives) {
  const std::vector<std::filesystem::path> files(archives.begin(), archives.end());
  return ArchiveWeb::open(files);
}

}  // namespace

Result<std::vector<Response>> load_examples(const std::vector<std::string>& examples, Web* web) {
  std::vector<Response> answers;
  for (const std::string& example : examples) {
    Result<Response> answer = answer_of(example, web);
    if (!answer) return answer.error();
    answers.push_back(std::move(*answer));
  }
  return answers;
}

Topic make_topic(const std::string& words, const std::vector<Response>& examples,
                 const std::vector<Response>& counter_examples, const FieldWeights& fields) {
  Topic topic;
  topic.words = without_stop_words(words);
  ParseOptions options;
  options.fields = fields;
  for (const Response& page : examples) topic.examples.push_back(parse_page(page, options));
  for (const Response& page : counter_examples) {
    topic.counter_examples.push_back(parse_page(page, options));
  }
  return topic;
}

Result<Page> load_page(const std::string& place, const std::vector<std::string>& archives,
                       const ParseOptions& options) {
  std::unique_ptr<ArchiveWeb> web;
  if (!archives.empty() && is_address(place)) {
    auto opened = open_archives(archives);
    if (!opened) return opened.error();
    web = std::move(*opened);
  }
  const Result<Response> answer = answer_of(place, web.get());
  if (!answer) return answer.error();
  return parse_page(*answer, options);
}

Result<Topic> load_topic(const std::string& words, const std::vector<std::string>& examples,
                         const std::vector<std::string>& archives, const FieldWeights& fields) {
  std::unique_ptr<ArchiveWeb> web;
  if (!archives.empty()) {
    auto opened = open_archives(archives);
    if (!opened) return opened.error();
    web = std::move(*opened);
  }
  const Result<std::vector<Response>> answers = load_examples(examples, web.get());
  if (!answers) return answers.error();
  return make_topic(words, *answers, {}, fields);
}

}  // namespace dowser
