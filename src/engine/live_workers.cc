#include "engine/live_workers.h"

#include <algorithm>

namespace dowser {
namespace {

// next() returns after this time at the latest, so that the crawl notices Ctrl-C.
constexpr Duration kLongestWait = std::chrono::milliseconds(200);

}  // namespace

LiveWorkers::LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge,
                         WorkOptions options, std::unique_ptr<Web> previous)
    : clock_(clock),
      judge_(judge),
      options_(options),
      previous_(std::move(previous)),
      web_(with_refusals(std::move(web)), [this](uint64_t id, Response response) {
        Started started = take_started(id);
        if (started.earlier)
          response = with_earlier(std::move(response), std::move(*started.earlier));
        results_.push(make_result(started.job, std::move(response), judge_, options_));
      }) {}

LiveWebOptions LiveWorkers::with_refusals(LiveWebOptions options) {
  options.on_no_connection = [this](uint64_t id, const Url& url, const std::string& address) {
    (void)take_started(id);
    WorkerResult refused;
    refused.id = id;
    refused.no_connection = true;
    refused.response.url = url;
    refused.response.remote_address = address;
    results_.push(std::move(refused));
  };
  return options;
}

void LiveWorkers::start(const WorkerJob& job) {
  Started started{job, job.is_page ? earlier_answer(job.url) : std::nullopt};
  Validators validators;
  if (started.earlier) validators = validators_of(*started.earlier);
  {
    const std::lock_guard lock(mutex_);
    started_.insert_or_assign(job.id, std::move(started));
  }
  web_.start(job.id, job.url, std::move(validators),
             job.is_page ? LiveWeb::Types::kWanted : LiveWeb::Types::kAny);
}

LiveWorkers::Started LiveWorkers::take_started(uint64_t id) {
  const std::lock_guard lock(mutex_);
  auto node = started_.extract(id);
  return std::move(node.mapped());
}

// The answer of the earlier crawl, if the server can be asked whether it has changed since.
std::optional<Response> LiveWorkers::earlier_answer(const Url& url) const {
  if (!previous_ || !previous_->may_hold(url)) return std::nullopt;
  Response earlier = previous_->get(url);
  if (validators_of(earlier).empty()) return std::nullopt;
  return earlier;
}

// Replaces a 304 by the answer that it stands for.
Response LiveWorkers::with_earlier(Response response, Response earlier) {
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

std::optional<WorkerResult> LiveWorkers::next(std::optional<Time> until) {
  Duration wait = kLongestWait;
  if (until) wait = std::clamp(*until - clock_.now(), Duration(0), kLongestWait);
  return results_.pop(wait);
}

}  // namespace dowser
