#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

// Expected failures are values: a function that can fail on its input returns Result<T>, which is
// either the value or an Error with one sentence for a person. Exceptions are for what ends the run
// (no memory, a broken invariant); main() catches them once.

namespace dowser {

struct [[nodiscard]] Error {
  std::string message;  // one sentence without a full stop; says what to do if possible
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& operator*() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T& operator*() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& operator*() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const T* operator->() const { return &**this; }
  T* operator->() { return &**this; }

  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// The result of an action that returns no value: success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace dowser
