#include "mine/place_names.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "mine/referrer.h"
#include "model/registrable_domain.h"
#include "text/printable.h"

// The MaxMind DB format is specified at https://maxmind.github.io/MaxMind-DB/. Nothing in a file is
// trusted: every read is within the file, and nesting is bounded.

namespace dowser {
namespace {

constexpr std::string_view kMetadata = "\xAB\xCD\xEFMaxMind.com";
constexpr int kDeepest = 32;

bool is_generic(std::string_view top) {
  return top == "com" || top == "org" || top == "net" || top == "edu" || top == "gov" ||
         top == "mil" || top == "int" || top == "arpa" || top.size() != 2;
}

}  // namespace

Place place_of_host(std::string_view host) {
  const size_t dot = host.rfind('.');
  // Names end with letters, addresses do not.
  if (dot == host.npos || dot + 1 == host.size() || host.find(':') != host.npos ||
      (host.back() >= '0' && host.back() <= '9')) {
    return {};
  }
  const std::string name = site_name(host);
  const std::string_view top = std::string_view(name).substr(name.rfind('.') + 1);
  Place place;
  if (!is_generic(top)) place.country = printable(top);
  place.organisation = printable(registrable_domain(name));
  return place;
}

// What stands at a place of the data section.
struct PlaceFile::Value {
  enum Type { kPointer = 1, kString = 2, kUint16 = 5, kUint32 = 6, kMap = 7, kArray = 11 };
  int type = 0;
  size_t size = 0;     // bytes, or members
  size_t begin = 0;    // of its content
  size_t pointer = 0;  // of a pointer: where to
};

std::optional<PlaceFile::Value> PlaceFile::value(size_t at, int depth) const {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes()[i]); };
  const size_t end = bytes().size();
  if (at >= end || depth > kDeepest) return std::nullopt;
  Value v;
  const uint8_t control = byte(at++);
  v.type = control >> 5;
  if (v.type == Value::kPointer) {
    const size_t extra = (control >> 3 & 3) + 1u;
    if (at + extra > end) return std::nullopt;
    size_t value = extra == 4 ? 0 : control & 7;
    for (size_t i = 0; i < extra; ++i) value = value << 8 | byte(at + i);
    constexpr size_t kBase[] = {0, 0, 2048, 526336, 0};
    v.pointer = data_ + value + kBase[extra];
    v.begin = at + extra;
    return v;
  }
  if (v.type == 0) {
    if (at >= end) return std::nullopt;
    v.type = byte(at++) + 7;
  }
  v.size = control & 31;
  if (v.size >= 29) {
    const size_t extra = v.size - 28;
    if (at + extra > end) return std::nullopt;
    size_t more = 0;
    for (size_t i = 0; i < extra; ++i) more = more << 8 | byte(at + i);
    constexpr size_t kBase[] = {0, 29, 285, 65821};
    v.size = more + kBase[extra];
    at += extra;
  }
  v.begin = at;
  const bool holds_bytes = v.type != Value::kMap && v.type != Value::kArray && v.type != 14;
  if (holds_bytes && v.size > end - at) return std::nullopt;
  return v;
}

// After the value at a place; the end of the file where it cannot be read.
size_t PlaceFile::skip(size_t at, int depth) const {
  const auto v = value(at, depth);
  if (!v) return bytes().size();
  if (v->type == Value::kPointer || v->type == 14) return v->begin;
  if (v->type != Value::kMap && v->type != Value::kArray) return v->begin + v->size;
  size_t next = v->begin;
  const size_t members = v->type == Value::kMap ? 2 * v->size : v->size;
  for (size_t i = 0; i < members && next < bytes().size(); ++i) next = skip(next, depth + 1);
  return next;
}

std::optional<size_t> PlaceFile::member(size_t map, std::string_view key) const {
  auto v = value(map, 0);
  if (v && v->type == Value::kPointer) v = value(v->pointer, 1);
  if (!v || v->type != Value::kMap) return std::nullopt;
  size_t at = v->begin;
  for (size_t i = 0; i < v->size && at < bytes().size(); ++i) {
    auto name = value(at, 0);
    if (name && name->type == Value::kPointer) name = value(name->pointer, 1);
    const size_t content = skip(at, 0);
    if (name && name->type == Value::kString && bytes().substr(name->begin, name->size) == key) {
      return content;
    }
    at = skip(content, 0);
  }
  return std::nullopt;
}

std::string PlaceFile::text(size_t record, std::initializer_list<std::string_view> path) const {
  for (const std::string_view key : path) {
    const auto next = member(record, key);
    if (!next) return "";
    record = *next;
  }
  auto v = value(record, 0);
  if (v && v->type == Value::kPointer) v = value(v->pointer, 1);
  if (!v || v->type != Value::kString) return "";
  return printable(bytes().substr(v->begin, v->size));
}

Result<PlaceFile> PlaceFile::open(const std::string& path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  PlaceFile file(std::move(*mapped));
  const Error no_such_file{fmt::format("{} is not a MaxMind DB file (.mmdb)", path)};
  const size_t marker = file.bytes().rfind(kMetadata);
  if (marker == std::string_view::npos) return no_such_file;
  const size_t metadata = marker + kMetadata.size();
  file.data_ = metadata;  // pointers in the metadata begin there
  const auto number = [&](std::string_view key) -> uint32_t {
    const auto at = file.member(metadata, key);
    const auto v = at ? file.value(*at, 0) : std::nullopt;
    if (!v || (v->type != Value::kUint16 && v->type != Value::kUint32) || v->size > 4) return 0;
    uint32_t n = 0;
    for (size_t i = 0; i < v->size; ++i) {
      n = n << 8 | static_cast<uint8_t>(file.bytes()[v->begin + i]);
    }
    return n;
  };
  file.nodes_ = number("node_count");
  file.record_bits_ = number("record_size");
  file.ip_version_ = number("ip_version");
  const bool known = file.record_bits_ == 24 || file.record_bits_ == 28 || file.record_bits_ == 32;
  const size_t tree = size_t{file.nodes_} * file.record_bits_ / 4;
  if (!known || file.nodes_ == 0 || tree + 16 > marker) return no_such_file;
  file.data_ = tree + 16;
  file.data_end_ = marker;
  return file;
}

std::optional<uint32_t> PlaceFile::node(uint32_t number, bool right) const {
  const size_t size = record_bits_ / 4;
  const size_t at = size_t{number} * size;
  if (number >= nodes_ || at + size > bytes().size()) return std::nullopt;
  const auto byte = [&](size_t i) { return uint32_t{static_cast<uint8_t>(bytes()[at + i])}; };
  if (record_bits_ == 24) {
    const size_t i = right ? 3 : 0;
    return byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
  }
  if (record_bits_ == 28) {
    return right ? (byte(3) & 15) << 24 | byte(4) << 16 | byte(5) << 8 | byte(6)
                 : (byte(3) >> 4) << 24 | byte(0) << 16 | byte(1) << 8 | byte(2);
  }
  const size_t i = right ? 4 : 0;
  return byte(i) << 24 | byte(i + 1) << 16 | byte(i + 2) << 8 | byte(i + 3);
}

std::optional<Place> PlaceFile::find(std::string_view address) const {
  const std::string text(address);
  std::array<uint8_t, 16> bits = {};
  size_t first = 0;
  if (inet_pton(AF_INET, text.c_str(), bits.data() + 12) == 1) {
    first = ip_version_ == 4 ? 96 : 0;  // in a tree for both, old addresses stand after 96 zeros
  } else if (ip_version_ == 4 || inet_pton(AF_INET6, text.c_str(), bits.data()) != 1) {
    return std::nullopt;
  }
  uint32_t at = 0;
  for (size_t i = first; i < 128 && at < nodes_; ++i) {
    const auto next = node(at, bits[i / 8] >> (7 - i % 8) & 1);
    if (!next) return std::nullopt;
    at = *next;
  }
  // The number of nodes says "nothing here"; above it is a place in the data.
  if (at <= nodes_) return std::nullopt;
  const size_t record = data_ + (at - nodes_) - 16;
  if (record >= data_end_) return std::nullopt;
  Place place;
  place.country = this->text(record, {"country", "names", "en"});
  if (place.country.empty()) place.country = this->text(record, {"country", "iso_code"});
  if (place.country.empty()) {
    place.country = this->text(record, {"registered_country", "iso_code"});
  }
  place.city = this->text(record, {"city", "names", "en"});
  place.organisation = this->text(record, {"autonomous_system_organization"});
  if (place.organisation.empty()) place.organisation = this->text(record, {"organization"});
  return place;
}

}  // namespace dowser
