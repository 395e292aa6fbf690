#include "engine/live_workers.h"

#include <algorithm>

namespace dowser {
namespace {

// However long there is to wait, the crawl looks up now and then: somebody may have pressed Ctrl-C.
constexpr Duration kLookUp = std::chrono::milliseconds(200);

// The job of the web says by its lowest bit whether it is a page.
uint64_t job_of(const Work& work) { return work.id << 1 | (work.is_page ? 1 : 0); }

}  // namespace

LiveWorkers::LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge,
                         WorkOptions options, std::unique_ptr<Web> previous)
    : clock_(clock),
      judge_(judge),
      options_(options),
      previous_(std::move(previous)),
      web_(with_refusals(std::move(web)), [this](uint64_t job, Response response) {
        response.fetched_at = wall_time();
        finished_.push(
            finish(job >> 1, job & 1, with_earlier(job, std::move(response)), judge_, options_));
      }) {}

LiveWebOptions LiveWorkers::with_refusals(LiveWebOptions options) {
  options.on_no_place = [this](uint64_t job, const Url& url, const std::string& address) {
    Finished refused;
    refused.id = job >> 1;
    refused.no_place = true;
    refused.response.url = url;
    refused.response.remote_address = address;
    {
      const std::lock_guard lock(mutex_);
      earlier_.erase(job);
    }
    finished_.push(std::move(refused));
  };
  return options;
}

void LiveWorkers::start(const Work& work) {
  const uint64_t job = job_of(work);
  if (work.is_page) {
    web_.start(job, work.url, remember(job, work.url));
  } else {
    web_.start(job, work.url, {}, LiveWeb::Types::kAny);
  }
}

Validators LiveWorkers::remember(uint64_t job, const Url& url) {
  if (!previous_ || !previous_->may_hold(url)) return {};
  Response earlier = previous_->get(url);
  const Validators validators = validators_of(earlier);
  if (validators.empty()) return {};
  const std::lock_guard lock(mutex_);
  earlier_.insert_or_assign(job, std::move(earlier));
  return validators;
}

// A 304 becomes the answer that it stands for.
Response LiveWorkers::with_earlier(uint64_t job, Response response) {
  if (!previous_) return response;
  const std::lock_guard lock(mutex_);
  const auto it = earlier_.find(job);
  if (it == earlier_.end()) return response;
  Response earlier = std::move(it->second);
  earlier_.erase(it);
  if (response.failure != Failure::kNone || response.status != 304) return response;
  response.unchanged_since = earlier.fetched_at;
  response.not_modified_head = response_head(response);
  response.status = earlier.status;
  response.reason = std::move(earlier.reason);
  response.headers = std::move(earlier.headers);
  response.body = std::move(earlier.body);
  response.truncated = earlier.truncated;
  return response;
}

std::optional<Finished> LiveWorkers::next(std::optional<Time> until) {
  Duration patience = kLookUp;
  if (until) patience = std::clamp(*until - clock_.now(), Duration(0), kLookUp);
  return finished_.pop(patience);
}

}  // namespace dowser
