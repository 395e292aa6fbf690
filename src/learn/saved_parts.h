#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/sparse_vector.h"

// Saving trained models. Each model can be converted to `Parts`, a struct of plain data, and made
// from it again. Parts list their fields once,
//
//   static void each(auto& parts, auto& field) { field(parts.alpha), field(parts.priors); }
//
// and save_parts() and load_parts() use that. The saved bytes begin with the kind of the model.

namespace dowser {

template <class T>
concept PlainNumber = (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&!std::same_as<T, bool>;

class PartsWriter {
 public:
  explicit PartsWriter(ByteWriter& out) : out_(out) {}

  void operator()(const SparseVector& v) {
    out_.number(static_cast<uint32_t>(v.size()));
    for (const auto& e : v.entries()) {
      out_.number(e.index);
      out_.number(e.value);
    }
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    out_.number(static_cast<uint8_t>(value.has_value()));
    if (value) (*this)(*value);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    out_.number(static_cast<uint32_t>(values.size()));
    if constexpr (PlainNumber<T>) {
      out_.raw({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    } else {
      for (const T& value : values) (*this)(value);
    }
  }
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      out_.number(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      out_.number(value);
    } else {
      T::each(value, *this);
    }
  }

 private:
  ByteWriter& out_;
};

class PartsReader {
 public:
  explicit PartsReader(ByteReader& in) : in_(in) {}

  void operator()(SparseVector& v) {
    std::vector<SparseVector::Entry> entries;
    for (uint32_t left = in_.number<uint32_t>(); left > 0 && in_.ok(); --left) {
      const uint32_t index = in_.number<uint32_t>();
      entries.push_back({index, in_.number<double>()});
    }
    v = SparseVector(std::move(entries));
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (in_.number<uint8_t>() != 0) (*this)(value.emplace());
  }
  // No memory is reserved for a count before the bytes are there.
  template <class T>
  void operator()(std::vector<T>& values) {
    values.clear();
    const size_t count = in_.number<uint32_t>();
    if constexpr (PlainNumber<T>) {
      const std::string_view raw = in_.raw(count * sizeof(T));
      values.resize(raw.size() / sizeof(T));
      if (!raw.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    } else {
      for (size_t i = 0; i < count && in_.ok(); ++i) (*this)(values.emplace_back());
    }
  }
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(in_.number<std::underlying_type_t<T>>());
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = in_.number<T>();
    } else {
      T::each(value, *this);
    }
  }

 private:
  ByteReader& in_;
};

template <class Parts>
void save_parts(std::string_view kind, const Parts& parts, ByteWriter& out) {
  out.text(kind);
  PartsWriter field(out);
  Parts::each(parts, field);
}

template <class Parts>
Result<Parts> load_parts(std::string_view kind, ByteReader& in) {
  const std::string_view found = in.text();
  if (in.ok() && found != kind) return Error{"this is not a saved model of " + std::string(kind)};
  Parts parts;
  PartsReader field(in);
  Parts::each(parts, field);
  if (!in.ok()) return Error{"the saved model of " + std::string(kind) + " is cut short"};
  return parts;
}

// The error of from_parts() for parts that do not fit together.
inline Error contradiction(std::string_view kind, std::string_view why) {
  return Error{"the parts of a model of " + std::string(kind) +
               " contradict each other: " + std::string(why)};
}

}  // namespace dowser
