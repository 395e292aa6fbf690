#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "model/page.h"
#include "model/response.h"
#include "run/config.h"

// Pages by their addresses, fetched as politely as a crawl fetches them: robots.txt, the delay of a
// host, redirects, refusal of private addresses. Nothing is kept, and no link is followed.

namespace dowser {

class PageFetcher {
 public:
  // The web, the delays and who asks are those of `config`; its seeds and topic do not matter.
  static Result<PageFetcher> open(const CrawlConfig& config);
  PageFetcher(PageFetcher&&) noexcept;
  ~PageFetcher();

  // Calls back once for each address, in the order in which they arrive; with nothing if there
  // is not an HTML page. False: nothing more is fetched. `should_stop` is asked often. Delays hold
  // from one call to the next.
  Status fetch(std::span<const Url> urls, const std::function<bool(std::optional<Page>)>& use,
               const std::function<bool()>& should_stop);

 private:
  struct Parts;
  explicit PageFetcher(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// An HTML page that a server gave; not an error page, a picture or plain text.
bool is_html_page(const Response& response, const Page& page);

}  // namespace dowser
