// How fast HTML is read, on one core, beside the speed of looking for one byte in the same memory.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "archive/warc_reader.h"
#include "parse/html_tokenizer.h"
#include "parse/page_builder.h"
#include "parse/parse_page.h"

namespace dowser {
namespace {

constexpr int kRounds = 7;

struct Document {
  Url url;
  std::string html;
};

std::vector<Document> load(const char* file) {
  std::vector<Document> documents;
  Result<WarcReader> reader = WarcReader::open(file);
  if (!reader.ok()) {
    fmt::print(stderr, "{}\n", reader.error().message);
    return documents;
  }
  while (auto record = reader->next()) {
    if (record->type != RecordType::kResponse) continue;
    Result<Response> response = parse_response(record->block);
    if (!response.ok() || response->content_type() != "text/html") continue;
    Result<Url> url = Url::parse(record->target);
    if (url.ok()) documents.push_back({*url, std::move(response->body)});
  }
  return documents;
}

// Counts and no more.
struct CountingSink {
  size_t tags = 0, text_bytes = 0;
  void text(std::string_view piece) { text_bytes += piece.size(); }
  TextState start_tag(const Tag& tag) { return ++tags, state_after(tag.id); }
  void end_tag(const Tag&) { ++tags; }
};

struct Speed {
  double mb_per_second = 0;
  size_t check = 0;  // also keeps the compiler from leaving the work out
};

// Of this program alone: what else runs on the machine does not count as our time.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Speed measure(const std::vector<Document>& documents,
              const std::function<size_t(const Document&)>& work) {
  size_t bytes = 0;
  for (const Document& d : documents) bytes += d.html.size();
  Speed best;
  for (int round = 0; round < kRounds; ++round) {
    size_t check = 0;
    const double start = processor_seconds();
    for (const Document& d : documents) check += work(d);
    const double seconds = processor_seconds() - start;
    best = {std::max(best.mb_per_second, bytes / 1e6 / seconds), check};
  }
  return best;
}

size_t count_bytes(const Document& d) {
  size_t count = 0;
  const char* p = d.html.data();
  const char* const end = p + d.html.size();
  while ((p = static_cast<const char*>(std::memchr(p, '<', end - p)))) ++p, ++count;
  return count;
}

size_t tokenize(const Document& d) {
  CountingSink sink;
  std::string buffer;
  tokenize_html(normalize_newlines(d.html, buffer), sink);
  return sink.tags;
}

size_t extract(const Document& d) {
  std::string buffer;
  const std::string_view input = normalize_newlines(d.html, buffer);
  PageBuilder builder(input, {});
  tokenize_html(input, builder);
  builder.end_document();
  return builder.hrefs().size();
}

size_t extract_resolved(const Document& d) {
  return parse_html(d.html, d.url, {.detect_language = false}).links.size();
}

int run(const char* file) {
  const std::vector<Document> documents = load(file);
  if (documents.empty()) return 1;
  size_t bytes = 0;
  for (const Document& d : documents) bytes += d.html.size();
  fmt::print("{} pages, {:.1f} MB of HTML, best of {} rounds on one core\n", documents.size(),
             bytes / 1e6, kRounds);

  const struct {
    const char* name;
    const char* counted;
    size_t (*work)(const Document&);
  } rows[] = {
      {"memchr for '<'", "bytes found", count_bytes},
      {"tokenizer alone", "tags", tokenize},
      {"+ text, blocks, links as written", "links", extract},
      {"+ links resolved", "links", extract_resolved},
  };
  double memchr_speed = 0;
  for (const auto& row : rows) {
    const Speed result = measure(documents, row.work);
    if (memchr_speed == 0) memchr_speed = result.mb_per_second;
    fmt::print("{:<34} {:>8.0f} MB/s  {:>6.1f} % of memchr  {:>9} {}\n", row.name,
               result.mb_per_second, 100 * result.mb_per_second / memchr_speed, result.check,
               row.counted);
  }
  return 0;
}

}  // namespace
}  // namespace dowser

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_tokenizer FILE.warc.gz\n");
    return 2;
  }
  return dowser::run(argv[1]);
}
