#include "engine/workers.h"

#include "engine/make_page.h"

namespace dowser {

WorkerResult make_result(const WorkerJob& job, Response response, const Judge& judge,
                         const WorkOptions& options) {
  WorkerResult result;
  result.id = job.id;
  result.response = std::move(response);
  if (job.is_page && options.archive && result.response.failure == Failure::kNone) {
    result.archive = archive_form(result.response, "");
  }
  if (!job.is_page || result.response.is_redirect()) return result;
  result.page = make_page(result.response, options.parse, options.sitemaps);
  if (!result.response.ok()) return result;
  result.judgement = judge.judge(result.page);
  if (options.sketches) result.sketch = sketch_of(result.page.text);
  return result;
}

std::optional<WorkerResult> InlineWorkers::next(std::optional<Time> until) {
  if (started_.empty()) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  const WorkerJob job = std::move(started_.front());
  started_.pop_front();
  Response response = web_.get(job.url);
  response.url = job.url;
  response.fetched_at = clock_.now();
  return make_result(job, std::move(response), judge_, options_);
}

}  // namespace dowser
