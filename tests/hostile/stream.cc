#include "tests/hostile/stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace dowser {

using std::chrono::steady_clock;

bool Stream::wait_for(short events, Moment until) {
  std::array<pollfd, 2> files = {{{socket_, events, 0}, {stop_, POLLIN, 0}}};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now());
    if (left.count() <= 0) return false;
    const int n = poll(files.data(), files.size(), static_cast<int>(left.count()));
    if (n < 0 && errno == EINTR) continue;
    return n > 0 && files[1].revents == 0;
  }
}

bool Stream::wait_for_tls(int result, Moment until) {
  switch (SSL_get_error(tls_, result)) {
    case SSL_ERROR_WANT_READ:
      return wait_for(POLLIN, until);
    case SSL_ERROR_WANT_WRITE:
      return wait_for(POLLOUT, until);
    default:
      return false;
  }
}

bool Stream::start_tls(ssl_ctx_st* context, Duration patience) {
  const Moment until = steady_clock::now() + patience;
  tls_ = SSL_new(context);
  if (tls_ == nullptr || SSL_set_fd(tls_, socket_) != 1) return false;
  while (true) {
    ERR_clear_error();
    const int result = SSL_accept(tls_);
    if (result == 1) return true;
    if (!wait_for_tls(result, until)) return false;
  }
}

bool Stream::read(std::string& into, Duration patience) {
  const Moment until = steady_clock::now() + patience;
  char piece[16384];
  while (socket_ >= 0) {
    if (tls_ != nullptr) {
      ERR_clear_error();
      const int n = SSL_read(tls_, piece, sizeof piece);
      if (n > 0) return into.append(piece, static_cast<size_t>(n)), true;
      if (!wait_for_tls(n, until)) return false;
      continue;
    }
    const ssize_t n = recv(socket_, piece, sizeof piece, 0);
    if (n > 0) return into.append(piece, static_cast<size_t>(n)), true;
    if (n == 0 || (errno != EAGAIN && errno != EINTR)) return false;
    if (!wait_for(POLLIN, until)) return false;
  }
  return false;
}

bool Stream::write(std::string_view bytes, Duration patience) {
  const Moment until = steady_clock::now() + patience;
  while (!bytes.empty()) {
    if (socket_ < 0) return false;
    if (tls_ != nullptr) {
      ERR_clear_error();
      const int n = SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()));
      if (n > 0) {
        bytes.remove_prefix(static_cast<size_t>(n));
      } else if (!wait_for_tls(n, until)) {
        return false;
      }
      continue;
    }
    const ssize_t n = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n > 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
    } else if ((errno != EAGAIN && errno != EINTR) || !wait_for(POLLOUT, until)) {
      return false;
    }
  }
  return true;
}

bool Stream::pause(Duration duration) {
  if (socket_ < 0) return false;
  const Moment until = steady_clock::now() + duration;
  // Only its going counts: a client may send the next request while it waits for this answer.
  const bool woken = wait_for(POLLRDHUP, until);
  return !woken && steady_clock::now() >= until;
}

void Stream::close() {
  if (tls_ != nullptr && !resets_ && SSL_is_init_finished(tls_)) SSL_shutdown(tls_);
  SSL_free(tls_);
  tls_ = nullptr;
  if (socket_ < 0) return;
  if (resets_) {
    const linger now{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  } else {
    shutdown(socket_, SHUT_WR);
  }
  ::close(socket_);
  socket_ = -1;
}

}  // namespace dowser
