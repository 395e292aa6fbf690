#include "fetch/poller.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace dowser {

Poller::Poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

Poller::~Poller() { close(epoll_); }

void Poller::watch(int socket, uint32_t what, uint32_t owner) {
  const auto place = static_cast<size_t>(socket);
  if (place >= is_watched_.size()) is_watched_.resize(place + 64);
  epoll_event event{};
  event.events = what;
  event.data.u64 = uint64_t{owner} << 32 | static_cast<uint32_t>(socket);
  // The number of a socket that was closed behind our back may have come back as another's.
  if (!is_watched_[place] || epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0) {
    epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  }
  is_watched_[place] = true;
}

void Poller::forget(int socket) {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
  if (static_cast<size_t>(socket) < is_watched_.size()) {
    is_watched_[static_cast<size_t>(socket)] = false;
  }
}

std::span<const Poller::Event> Poller::wait(SteadyTime until) {
  // Rounded up: a wait that ends a little early would loop until it is time.
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  const auto timeout = static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
  std::array<epoll_event, kMaxEvents> ready;
  const int count = epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), timeout);
  for (int i = 0; i < count; ++i) {
    const auto& [what, data] = ready[static_cast<size_t>(i)];
    events_[static_cast<size_t>(i)] = {static_cast<int>(data.u64 & 0xffffffff),
                                       static_cast<uint32_t>(data.u64 >> 32), what};
  }
  return {events_.data(), static_cast<size_t>(std::max(count, 0))};
}

}  // namespace dowser
