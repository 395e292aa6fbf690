#include "engine/live_workers.h"

#include <algorithm>

namespace dowser {
namespace {

// However long there is to wait, the crawl looks up now and then: somebody may have pressed Ctrl-C.
constexpr Duration kLookUp = std::chrono::milliseconds(200);

// The job of the web says by its lowest bit whether it is a page.
uint64_t job_of(const Work& work) { return work.id << 1 | (work.is_page ? 1 : 0); }

}  // namespace

LiveWorkers::LiveWorkers(LiveWebOptions web, const Judge& judge, WorkOptions options)
    : judge_(judge),
      options_(options),
      web_(std::move(web), [this](uint64_t job, Response response) {
        response.fetched_at = SystemClock().now();
        finished_.push(finish(job >> 1, job & 1, std::move(response), judge_, options_));
      }) {}

void LiveWorkers::start(const Work& work) { web_.start(job_of(work), work.url); }

std::optional<Finished> LiveWorkers::next(std::optional<Time> until) {
  Duration patience = kLookUp;
  if (until) patience = std::clamp(*until - SystemClock().now(), Duration(0), kLookUp);
  return finished_.pop(patience);
}

}  // namespace dowser
