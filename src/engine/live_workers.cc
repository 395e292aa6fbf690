#include "engine/live_workers.h"

#include <algorithm>
#include <utility>

namespace dowser {
namespace {

// next() returns after this time at the latest, so that the crawl notices Ctrl-C.
constexpr Duration kLongestWait = std::chrono::milliseconds(200);

}  // namespace

LiveWorkers::LiveWorkers(LiveWebOptions web, const Clock& clock, const Judge& judge,
                         WorkOptions options, std::unique_ptr<Web> previous,
                         std::vector<std::unique_ptr<Converter>> converters)
    : clock_(clock),
      judge_(judge),
      options_(options),
      previous_(std::move(previous)),
      pool_(std::move(converters)),
      web_(completed(std::move(web)), [this](uint64_t id, Response response, ByteLease lease) {
        take_answer(id, std::move(response), std::move(lease));
      }) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

LiveWorkers::~LiveWorkers() {
  answers_.close();
  for (std::thread& thread : threads_) thread.join();
}

void LiveWorkers::take_answer(uint64_t id, Response response, ByteLease lease) {
  Started started = take_started(id);
  if (started.earlier) response = with_earlier(std::move(response), std::move(*started.earlier));
  answers_.push({std::move(started.job), std::move(response), std::move(lease)});
}

void LiveWorkers::work() {
  while (std::optional<Answer> answer = answers_.pop()) {
    if (needs_conversion(answer->job, answer->response, options_)) {
      convert(std::move(*answer));
      continue;
    }
    WorkerResult result = make_result(answer->job, std::move(answer->response), judge_, options_);
    result.lease = std::move(answer->lease);
    results_.push(std::move(result));
  }
}

// Tells that the answer is there, so that its host can be asked again, and hands it on.
void LiveWorkers::convert(Answer answer) {
  WorkerResult told;
  told.id = answer.job.id;
  told.is_converting = true;
  std::string body = std::exchange(answer.response.body, {});
  told.response = answer.response;
  answer.response.body = std::move(body);
  results_.push(std::move(told));

  // Shared, since a task can be copied; only one thread ever runs it.
  const auto task = std::make_shared<Answer>(std::move(answer));
  pool_.submit([this, task](Converter* converter) {
    WorkerResult result =
        make_result(task->job, std::move(task->response), judge_, options_, converter);
    result.lease = std::move(task->lease);
    results_.push(std::move(result));
  });
}

LiveWebOptions LiveWorkers::completed(LiveWebOptions options) {
  // Fetching takes a tenth of the time that parsing takes.
  if (options.threads <= 0) {
    options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
  }
  if (options_.documents.wanted) {
    options.budget = &budget_;
    options.plan_body = [this, usual = std::move(options.plan_body)](const Url& url,
                                                                     const Response& head) {
      return plan_document(url, head, options_.documents, usual);
    };
  }
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
