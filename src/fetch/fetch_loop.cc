#include "fetch/fetch_loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/hash.h"
#include "model/url_host.h"

namespace dowser {
namespace {

using std::chrono::steady_clock;

enum Owner : uint32_t { kWake, kResolver, kFirstShard };

// A limit is noticed at most this much too late, so that many short ones cost little.
constexpr auto kTick = std::chrono::milliseconds(5);
// How often transfers that wait for the budget look again.
constexpr auto kPause = std::chrono::milliseconds(20);
// Transfers kept for use again; each has a buffer of 16 kB.
constexpr size_t kMaxIdle = 512;

// From 7.83.0 to 8.0.1 an easy handle that is used again keeps a pointer to the last header field
// of its previous answer, which is freed by then. An answer whose first field is folded makes
// libcurl reallocate that memory (github.com/curl/curl/issues/11101). With these versions each
// transfer has a handle of its own; connections are kept by the multi handle, so they are reused
// all the same.
bool handles_can_be_reused() {
  static const unsigned version = curl_version_info(CURLVERSION_NOW)->version_num;
  return version < 0x075300 || version >= 0x080100;
}

int make_eventfd() {
  const int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return fd;
}

bool is_literal(std::string_view hostname) {
  return hostname.starts_with('[') || ends_in_number(hostname);
}

// A Url has no line ends and no spaces: they are encoded. This is the lock behind that lock.
bool can_be_sent(const Url& url) {
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7f; };
  return url.is_http() && !name_without_dot(url).empty() && url.request_target().starts_with('/') &&
         std::ranges::all_of(url.hostname(), is_plain) &&
         std::ranges::all_of(url.request_target(), is_plain);
}

Duration shortest(const FetchLimits& limits) {
  return std::min({limits.connect, limits.first_byte, limits.stall, limits.total});
}

}  // namespace

FetchLoop::FetchLoop(const FetchSetup& setup)
    : setup_(setup),
      max_shards_((setup.max_transfers + MultiShard::kMaxTransfers - 1) /
                  MultiShard::kMaxTransfers),
      shard_size_(setup.max_transfers / max_shards_),
      wake_(make_eventfd()),
      resolver_(setup.options.dns_servers, setup.options.limits.connect / 3, poller_, kResolver,
                [this](const std::string& host, const Resolver::Answer& answer) {
                  on_names(host, answer);
                }) {
  poller_.watch(wake_, EPOLLIN, kWake);
  thread_ = std::thread([this] { run(); });
}

FetchLoop::~FetchLoop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  eventfd_write(wake_, 1);
  thread_.join();
  for (const auto& transfer : active_) shards_[transfer->shard]->remove(*transfer);
  close(wake_);
}

void FetchLoop::start(FetchJob job) {
  bool was_empty;
  {
    const std::lock_guard lock(mutex_);
    was_empty = inbox_.empty();
    inbox_.push_back(std::move(job));
  }
  if (was_empty) eventfd_write(wake_, 1);
}

void FetchLoop::run() {
  while (take_inbox()) {
    handle_events();
    deliver();
  }
}

bool FetchLoop::take_inbox() {
  std::vector<FetchJob> jobs;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return false;
    jobs.swap(inbox_);
  }
  for (FetchJob& job : jobs) route(std::move(job));
  return true;
}

void FetchLoop::route(FetchJob job) {
  if (!can_be_sent(job.url)) return fail(std::move(job), Failure::kBadAddress);
  if (const std::string* address = setup_.elsewhere.find(job.url)) {
    return enter(std::move(job), {true, *address, {}, bare_address(*address)});
  }
  const std::string host(name_without_dot(job.url));
  if (is_literal(host)) return go(std::move(job), {});
  if (const Resolver::Answer* known = resolver_.find(host, steady_clock::now())) {
    return go(std::move(job), *known);
  }
  std::vector<FetchJob>& same_host = unnamed_[host];
  same_host.push_back(std::move(job));
  if (same_host.size() == 1) resolver_.ask(host);
}

void FetchLoop::on_names(const std::string& host, const Resolver::Answer& answer) {
  auto node = unnamed_.extract(host);
  if (!node) return;
  for (FetchJob& job : node.mapped()) go(std::move(job), answer);
}

void FetchLoop::go(FetchJob job, const Resolver::Answer& answer) {
  if (answer.failure != Failure::kNone) {
    return fail(std::move(job), answer.failure, answer.detail);
  }
  const bool may_be_private = setup_.allowed.find(job.url) != nullptr;
  const std::string_view first =
      answer.addresses.empty()  // the host is an address
          ? name_without_dot(job.url)
          : std::string_view(answer.addresses).substr(0, answer.addresses.find(','));
  std::string ip = setup_.connections->is_limited() ? bare_address(first) : "";
  enter(std::move(job), {may_be_private, {}, answer.addresses, std::move(ip)});
}

void FetchLoop::enter(FetchJob job, Route route) {
  if (setup_.connections->reserve(route.ip)) return launch(std::move(job), route);
  Response response;
  response.url = std::move(job.url);
  response.remote_address = std::move(route.ip);
  finished_.push_back({job.id, std::move(response), {}, true});
}

// A host has its home among the shards, where its connections are. Where that is full the next one
// serves, and only when all are, another is opened: a small crawl has one.
MultiShard* FetchLoop::shard_for(std::string_view host, size_t& number) {
  const size_t count = shards_.size(), home = count == 0 ? 0 : hash64(host, 1) % count;
  for (size_t i = 0; i < count; ++i) {
    number = (home + i) % count;
    if (shards_[number]->has_room()) return shards_[number].get();
  }
  if (count == max_shards_) return nullptr;
  number = count;
  shards_.push_back(std::make_unique<MultiShard>(
      poller_, static_cast<uint32_t>(kFirstShard + count), shard_size_));
  return shards_.back().get();
}

void FetchLoop::launch(FetchJob job, const Route& route) {
  size_t number = 0;
  MultiShard* const shard = shard_for(job.url.hostname(), number);
  if (!shard) {
    waiting_.emplace_back(std::move(job), route);
    return;
  }
  if (idle_.empty())
    idle_.push_back(std::make_unique<HttpTransfer>(setup_.options, *setup_.connections));
  HttpTransfer& transfer = *idle_.back();
  transfer.index = active_.size();
  transfer.shard = number;
  transfer.paused_count = &paused_;
  active_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  transfer.begin(std::move(job), route);
  // The limit of its next phase may be due before the one it has now.
  next_check_ = std::min(next_check_, steady_clock::now() + shortest(setup_.options.limits));
  shard->add(transfer);
}

void FetchLoop::launch_waiting() {
  while (!waiting_.empty() && active_.size() < max_shards_ * shard_size_) {
    auto [job, route] = std::move(waiting_.front());
    waiting_.pop_front();
    launch(std::move(job), route);
  }
}

SteadyTime FetchLoop::next_wake() const {
  if (!finished_.empty()) return SteadyTime();  // long ago
  SteadyTime next = next_check_;
  if (paused_ > 0) next = std::min(next, steady_clock::now() + kPause);
  for (const auto& shard : shards_) next = std::min(next, shard->next_timer().value_or(next));
  return std::min(next, resolver_.next_timer().value_or(next));
}

void FetchLoop::handle_events() {
  const std::span<const Poller::Event> events = poller_.wait(next_wake());
  for (const Poller::Event& event : events) {
    if (event.owner == kWake) {
      eventfd_t ignored;
      eventfd_read(wake_, &ignored);
    } else if (event.owner == kResolver) {
      resolver_.handle(event);
    } else {
      shards_[event.owner - kFirstShard]->handle(event);
    }
  }
  const SteadyTime now = steady_clock::now();
  resolver_.handle_timers();
  for (size_t i = 0; i < shards_.size(); ++i) shards_[i]->handle_timer(now);
  resume_paused();
  collect_finished();
  // Everything received must be read before a time-out is reported: done() may have taken
  // long.
  if (events.size() < Poller::kMaxEvents && now >= next_check_) check_limits(now);
  launch_waiting();
}

void FetchLoop::collect_finished() {
  for (const auto& shard : shards_) {
    CURLcode code;
    while (HttpTransfer* transfer = shard->take_finished(code)) {
      Response response = transfer->finish(code);
      finished_.push_back({transfer->job(), std::move(response), transfer->take_lease(),
                           transfer->found_no_connection()});
      put_away(*transfer);
    }
  }
}

// Bodies that had to wait for the budget.
void FetchLoop::resume_paused() {
  if (paused_ == 0) return;
  for (const auto& transfer : active_) {
    if (transfer->is_paused()) transfer->try_again();
  }
}

void FetchLoop::check_limits(SteadyTime now) {
  SteadyTime next = now + shortest(setup_.options.limits);
  for (size_t i = 0; i < active_.size();) {
    HttpTransfer& transfer = *active_[i];
    const Failure failure = transfer.overdue(now);
    if (failure == Failure::kNone) {
      next = std::min(next, transfer.deadline());
      ++i;
      continue;
    }
    shards_[transfer.shard]->remove(transfer);
    finished_.push_back({transfer.job(), transfer.give_up(failure), transfer.take_lease()});
    put_away(transfer);  // another one is at i now
  }
  next_check_ = active_.empty() ? SteadyTime::max() : std::max(next, now + kTick);
}

void FetchLoop::put_away(HttpTransfer& transfer) {
  setup_.connections->release(transfer.ip_address());
  paused_ -= transfer.is_paused();
  const size_t index = transfer.index;
  std::unique_ptr<HttpTransfer> taken = std::move(active_[index]);
  if (index + 1 < active_.size()) {
    active_[index] = std::move(active_.back());
    active_[index]->index = index;
  }
  active_.pop_back();
  if (idle_.size() < kMaxIdle && handles_can_be_reused()) idle_.push_back(std::move(taken));
}

void FetchLoop::fail(FetchJob job, Failure failure, std::string detail) {
  Response response;
  response.url = std::move(job.url);
  response.failure = failure;
  response.detail = std::move(detail);
  finished_.push_back({job.id, std::move(response), {}});
}

void FetchLoop::deliver() {
  std::vector<Ended> ready = std::exchange(finished_, {});
  for (auto& [job, response, lease, no_connection] : ready) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
    }
    response.fetched_at = wall_time();
    if (no_connection) {
      setup_.options.on_no_connection(job, response.url, response.remote_address);
    } else {
      setup_.done(job, std::move(response), std::move(lease));
    }
  }
}

}  // namespace dowser
