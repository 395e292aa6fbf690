// Prints the content of article pages: bench/articles runs it and compares with what people marked.

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/compress.h"
#include "base/file.h"
#include "parse/parse_page.h"

// Usage: articles_bench FOLDER > content.json   (FOLDER/html/*.html.gz)
int main(int argc, char** argv) {
  using namespace dowser;
  if (argc != 2) return 2;
  nlohmann::json out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(argv[1]) / "html")) {
    const Result<std::string> file = read_file(entry.path());
    if (!file) continue;
    Response response;
    response.url = *Url::parse("https://example.org/");
    response.status = 200;
    response.headers.add("Content-Type", "text/html");
    response.headers.add("Content-Encoding", "gzip");
    response.body = *file;
    const Page page = parse_page(response, {});
    std::string content;
    for (const Block& block : page.blocks) {
      if (block.role != BlockRole::kContent) continue;
      content += page.words(block.text);
      content += '\n';
    }
    std::string name = entry.path().filename();
    out[name.substr(0, name.find('.'))] = {{"articleBody", content}};
  }
  fmt::print("{}\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}
