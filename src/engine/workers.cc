#include "engine/workers.h"

#include "engine/make_page.h"

namespace dowser {

Finished finish(uint64_t id, bool is_page, Response response, const Judge& judge,
                const WorkOptions& options) {
  Finished finished;
  finished.id = id;
  finished.response = std::move(response);
  if (is_page && options.archive && finished.response.failure == Failure::kNone) {
    finished.archive = archive_form(finished.response, "");
  }
  if (!is_page || finished.response.is_redirect()) return finished;
  finished.page = make_page(finished.response, options.parse, options.sitemaps);
  if (!finished.response.ok()) return finished;
  finished.judgement = judge.judge(finished.page);
  if (options.sketches) finished.sketch = sketch_of(finished.page.text);
  return finished;
}

std::optional<Finished> InlineWorkers::next(std::optional<Time> until) {
  if (started_.empty()) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  const Work work = std::move(started_.front());
  started_.pop_front();
  Response response = web_.get(work.url);
  response.url = work.url;
  response.fetched_at = clock_.now();
  return finish(work.id, work.is_page, std::move(response), judge_, options_);
}

}  // namespace dowser
