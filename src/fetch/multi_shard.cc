#include "fetch/multi_shard.h"

#include <new>

namespace dowser {

MultiShard::MultiShard(Poller& poller, uint32_t owner, size_t room)
    : poller_(poller), owner_(owner), room_(room), multi_(curl_multi_init()) {
  if (!multi_) throw std::bad_alloc();
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  // The first bounds what is kept idle, the second also what is opened next to it.
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(room));
  curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, static_cast<long>(room));
}

MultiShard::~MultiShard() { curl_multi_cleanup(multi_); }

int MultiShard::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
  auto& shard = *static_cast<MultiShard*>(self);
  if (what == CURL_POLL_REMOVE) {
    shard.poller_.forget(socket);
  } else {
    const uint32_t events =
        (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    shard.poller_.watch(socket, events, shard.owner_);
  }
  return 0;
}

int MultiShard::on_timer(CURLM*, long milliseconds, void* self) {
  auto& timer = static_cast<MultiShard*>(self)->timer_;
  timer.reset();
  if (milliseconds >= 0) {
    timer = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  }
  return 0;
}

void MultiShard::add(HttpTransfer& transfer) {
  curl_multi_add_handle(multi_, transfer.handle());
  ++transfers_;
}

void MultiShard::remove(HttpTransfer& transfer) {
  curl_multi_remove_handle(multi_, transfer.handle());
  --transfers_;
}

void MultiShard::handle(const Poller::Event& event) {
  const int what = (event.what & EPOLLIN ? CURL_CSELECT_IN : 0) |
                   (event.what & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                   (event.what & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
  int running = 0;
  curl_multi_socket_action(multi_, event.socket, what, &running);
}

void MultiShard::handle_timer(SteadyTime now) {
  if (!timer_ || *timer_ > now) return;
  timer_.reset();
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
}

HttpTransfer* MultiShard::take_finished(CURLcode& code) {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    code = message->data.result;  // the message goes with the handle
    HttpTransfer& transfer = HttpTransfer::of(message->easy_handle);
    remove(transfer);
    return &transfer;
  }
  return nullptr;
}

}  // namespace dowser
