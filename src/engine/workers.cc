#include "engine/workers.h"

namespace dowser {

Finished finish(uint64_t id, bool is_page, Response response, const Judge& judge,
                const ParseOptions& options) {
  Finished finished{id, std::move(response), {}, {}};
  if (!is_page || finished.response.is_redirect()) return finished;
  finished.page = parse_page(finished.response, options);
  if (finished.response.ok()) finished.judgement = judge.judge(finished.page);
  return finished;
}

void InlineWorkers::start(const Work& work) {
  Response response = web_.get(work.url);
  response.url = work.url;
  response.fetched_at = clock_.now();
  finished_.push_back(finish(work.id, work.is_page, std::move(response), judge_, options_));
}

std::optional<Finished> InlineWorkers::next(std::optional<Time> until) {
  if (finished_.empty()) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  Finished first = std::move(finished_.front());
  finished_.pop_front();
  return first;
}

}  // namespace dowser
