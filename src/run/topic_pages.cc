#include "run/topic_pages.h"

#include <fmt/format.h>

#include "model/url_canonical.h"
#include "run/archived_pages.h"
#include "run/topic.h"
#include "store/catalogue_reader.h"

namespace dowser {
namespace {

// The answer that the crawl has archived for the address; nothing if there is none.
Result<std::optional<Response>> answer_of_crawl(const std::filesystem::path& folder,
                                                const Url& url) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
  if (!catalogue) return catalogue.error();
  for (const Url& address : {url, canonical(url)}) {
    const Result<std::optional<CataloguePage>> page = catalogue->page_at(address.href());
    if (!page) return page.error();
    if (!*page || (*page)->archive_file.empty()) continue;
    Result<Response> response =
        ArchivedPages(folder / "archive").response((*page)->archive_file, (*page)->archive_offset);
    if (!response) return response.error();
    if (response->ok()) return std::optional(std::move(*response));
  }
  return std::optional<Response>();
}

Status add_missing(const CrawlConfig& config, const std::vector<std::string>& places,
                   const CrawlWeb* web, std::vector<Response>& known) {
  while (known.size() < places.size()) {
    const std::string& place = places[known.size()];
    const Result<Url> url = Url::parse(place);
    if (url && url->is_http()) {
      Result<std::optional<Response>> own = answer_of_crawl(config.out, *url);
      if (!own) return own.error();
      if (*own) {
        known.push_back(std::move(**own));
        continue;
      }
      if (!web) {
        return Error{fmt::format(
            "{} is not among the pages of {}, and nothing is fetched here: name a page that the "
            "crawl has fetched, or a file",
            place, config.out)};
      }
    }
    Result<std::vector<Response>> answer =
        web ? web->pages({place}) : load_examples({place}, nullptr);
    if (!answer) return answer.error();
    known.push_back(std::move(answer->front()));
  }
  return {};
}

}  // namespace

Result<TopicPages> topic_pages(const CrawlConfig& config, const CrawlWeb& web) {
  Result<std::vector<Response>> examples = web.pages(config.examples);
  if (!examples) return examples.error();
  Result<std::vector<Response>> counter_examples = web.pages(config.not_examples);
  if (!counter_examples) return counter_examples.error();
  return TopicPages{std::move(*examples), std::move(*counter_examples)};
}

Result<TopicPages> topic_pages(const CrawlConfig& config, TopicPages kept, const CrawlWeb* web) {
  if (Status s = add_missing(config, config.examples, web, kept.examples); !s) return s.error();
  if (Status s = add_missing(config, config.not_examples, web, kept.counter_examples); !s) {
    return s.error();
  }
  return kept;
}

}  // namespace dowser
