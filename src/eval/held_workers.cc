#include "eval/held_workers.h"

#include "model/url_canonical.h"
#include "parse/weighed_terms.h"

namespace dowser {

const Judgement& HeldJudgements::of(const HeldWeb::Answer& answer) {
  std::optional<Judgement>& known = known_[&answer - web_.answers().data()];
  if (!known) {
    known = judge_.judge(answer.page);
    known->reasons.clear();
  }
  return *known;
}

void HeldWorkers::start(const WorkerJob& job) {
  WorkerResult result;
  result.id = job.id;
  // A redirect may lead to any spelling of an address.
  if (const HeldWeb::Answer* answer = web_.find(canonical(job.url))) {
    result.response = answer->head;
    if (job.is_page && !answer->head.is_redirect()) {
      result.page = answer->page;
      const bool is_marked = templates_ && templates_->mark(result.page) > 0;
      // The web was parsed with the usual weights.
      if (is_marked || fields_ != FieldWeights()) {
        result.page.terms = weighed_terms(result.page, fields_);
      }
    }
    if (job.is_page && answer->head.ok()) {
      result.judgement = judgements_ ? judgements_->of(*answer) : judge_.judge(result.page);
    }
  } else {
    result.response.failure = Failure::kNotInArchive;
  }
  result.response.url = job.url;
  // robots.txt costs nothing, since it is the order of pages that is compared.
  result.response.fetched_at = clock_.now() + (job.is_page ? latency_ : Duration(0));
  if (job.is_page) {
    in_flight_.push_back(std::move(result));
  } else {
    in_flight_.push_front(std::move(result));
  }
}

std::optional<WorkerResult> HeldWorkers::next(std::optional<Time> until) {
  if (in_flight_.empty() || (until && *until < in_flight_.front().response.fetched_at)) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  WorkerResult first = std::move(in_flight_.front());
  in_flight_.pop_front();
  clock_.wait_until(first.response.fetched_at);
  return first;
}

}  // namespace dowser
