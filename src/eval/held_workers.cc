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

void HeldWorkers::start(const Work& work) {
  Finished finished;
  finished.id = work.id;
  // A redirect may lead to any spelling of an address.
  if (const HeldWeb::Answer* answer = web_.find(canonical(work.url))) {
    finished.response = answer->head;
    if (work.is_page && !answer->head.is_redirect()) {
      finished.page = answer->page;
      const bool is_marked = templates_ && templates_->mark(finished.page) > 0;
      // The web was parsed with the usual weights.
      if (is_marked || fields_ != FieldWeights()) {
        finished.page.terms = weighed_terms(finished.page, fields_);
      }
    }
    if (work.is_page && answer->head.ok()) {
      finished.judgement = judgements_ ? judgements_->of(*answer) : judge_.judge(finished.page);
    }
  } else {
    finished.response.failure = Failure::kNotInArchive;
  }
  finished.response.url = work.url;
  // robots.txt costs nothing, since it is the order of pages that is compared.
  finished.response.fetched_at = clock_.now() + (work.is_page ? latency_ : Duration(0));
  if (work.is_page) {
    under_way_.push_back(std::move(finished));
  } else {
    under_way_.push_front(std::move(finished));
  }
}

std::optional<Finished> HeldWorkers::next(std::optional<Time> until) {
  if (under_way_.empty() || (until && *until < under_way_.front().response.fetched_at)) {
    if (until) clock_.wait_until(*until);
    return std::nullopt;
  }
  Finished first = std::move(under_way_.front());
  under_way_.pop_front();
  clock_.wait_until(first.response.fetched_at);
  return first;
}

}  // namespace dowser
