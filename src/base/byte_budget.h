#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace dowser {

// Bytes taken from a budget. They are returned when the lease is destroyed, which may be after the
// budget itself.
class ByteLease {
 public:
  ByteLease() = default;
  ByteLease(ByteLease&& other) noexcept
      : used_(std::move(other.used_)), bytes_(std::exchange(other.bytes_, 0)) {}
  ByteLease& operator=(ByteLease&& other) noexcept {
    std::swap(used_, other.used_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~ByteLease() { shrink_to(0); }

  size_t bytes() const { return bytes_; }
  // Gives back all but `bytes` bytes.
  void shrink_to(size_t bytes) {
    if (!used_ || bytes >= bytes_) return;
    const std::lock_guard lock(used_->mutex);
    used_->bytes -= bytes_ - bytes;
    bytes_ = bytes;
  }

 private:
  friend class ByteBudget;
  struct Used {
    std::mutex mutex;
    size_t bytes = 0;
  };
  ByteLease(std::shared_ptr<Used> used, size_t bytes) : used_(std::move(used)), bytes_(bytes) {}

  std::shared_ptr<Used> used_;  // shared, since a lease may outlive its budget
  size_t bytes_ = 0;
};

// A limit on the memory that many tasks use together. Each task takes what it needs once, before it
// begins, and never waits for more while it holds some, so there is no deadlock. Thread-safe.
class ByteBudget {
 public:
  explicit ByteBudget(size_t limit) : limit_(limit) {}

  // Nothing if there is not enough left at the moment. A request for more than the whole budget
  // succeeds when nothing else is in use.
  std::optional<ByteLease> take(size_t bytes) {
    const std::lock_guard lock(used_->mutex);
    if (used_->bytes > 0 && (bytes > limit_ || used_->bytes > limit_ - bytes)) return std::nullopt;
    used_->bytes += bytes;
    return ByteLease(used_, bytes);
  }

  size_t used() const {
    const std::lock_guard lock(used_->mutex);
    return used_->bytes;
  }

 private:
  const size_t limit_;
  const std::shared_ptr<ByteLease::Used> used_ = std::make_shared<ByteLease::Used>();
};

}  // namespace dowser
