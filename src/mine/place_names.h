#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

// Where a visitor is: by the end of its host name, or by a MaxMind file that the user has.

namespace dowser {

struct Place {
  std::string country;  // ISO 3166 code or name; "" unknown
  std::string city;
  std::string organisation;  // of an address: who runs its network
};

// "dsl-1.example.co.uk" is in "uk", and its organisation is "example.co.uk". Generic domains (com,
// org) and plain addresses tell no country.
Place place_of_host(std::string_view host);

// A MaxMind DB file (version 2): a tree over the bits of addresses, and records in a data section.
class PlaceFile {
 public:
  static Result<PlaceFile> open(const std::string& path);
  // Nothing if the address is not in the file, or is not an address.
  std::optional<Place> find(std::string_view address) const;

 private:
  struct Value;

  explicit PlaceFile(MappedFile file) : file_(std::move(file)) {}
  std::string_view bytes() const { return file_.bytes(); }
  std::optional<uint32_t> node(uint32_t number, bool right) const;
  std::optional<Value> value(size_t at, int depth) const;
  // The text at a path of map keys: "country", "iso_code".
  std::string text(size_t record, std::initializer_list<std::string_view> path) const;
  std::optional<size_t> member(size_t map, std::string_view key) const;
  size_t skip(size_t at, int depth) const;

  MappedFile file_;
  uint32_t nodes_ = 0;
  uint32_t record_bits_ = 0;
  uint32_t ip_version_ = 6;
  size_t data_ = 0, data_end_ = 0;  // where the data section stands
};

}  // namespace dowser
