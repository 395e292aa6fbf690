#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace dowser {

// An array of trivially copyable rows that grows to hundreds of megabytes. A vector would copy
// everything into new memory, which the system has to provide page by page; this array extends its
// memory (realloc), which only remaps the pages.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  T& emplace_back() {
    make_room(size_ + 1);
    return *new (data_ + size_++) T();
  }
  void push_back(const T& row) {
    const T copy = row;  // it may be one of these
    emplace_back() = copy;
  }
  // They are not in this array.
  void append(std::span<const T> rows) {
    if (rows.empty()) return;
    make_room(size_ + rows.size());
    std::memcpy(static_cast<void*>(data_ + size_), rows.data(), rows.size() * sizeof(T));
    size_ += rows.size();
  }

 private:
  void swap(GrowingArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  void make_room(size_t wanted) {
    if (wanted <= capacity_) return;
    const size_t capacity = std::max(wanted, capacity_ + capacity_ / 2 + 16);
    void* memory = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (!memory) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace dowser
