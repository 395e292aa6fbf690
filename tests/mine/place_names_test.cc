#include "mine/place_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

// The few parts of the MaxMind DB format that a small file needs.
std::string text(std::string_view value) {
  // From 29 bytes on the size stands in a byte of its own.
  std::string head(1, static_cast<char>(2 << 5 | std::min<size_t>(value.size(), 29)));
  if (value.size() >= 29) head += static_cast<char>(value.size() - 29);
  return head + std::string(value);
}
std::string map(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string out(1, static_cast<char>(7 << 5 | members.size()));
  for (const auto& [key, value] : members) out += text(key) + value;
  return out;
}
std::string number(uint32_t value) {
  std::string out(1, static_cast<char>(6 << 5 | 4));
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  return out;
}
std::string record24(uint32_t left, uint32_t right) {
  std::string out;
  for (const uint32_t value : {left, right}) {
    for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  }
  return out;
}

// A tree of one node: addresses below 128.0.0.0 are in Norway, the others unknown.
std::string small_file() {
  const std::string data =
      map({{"country", map({{"iso_code", text("NO")}, {"names", map({{"en", text("Norway")}})}})},
           {"city", map({{"names", map({{"en", text("Oslo")}})}})},
           {"autonomous_system_organization", text("Nett AS")}});
  return record24(1 + 16, 1) + std::string(16, '\0') + data + "\xAB\xCD\xEFMaxMind.com" +
         map({{"node_count", number(1)}, {"record_size", number(24)}, {"ip_version", number(4)}});
}

TEST(PlaceFile, finds_country_city_and_organisation_of_an_address) {
  TempDir folder;
  ASSERT_TRUE(put_file(folder / "places.mmdb", small_file()).ok());
  const Result<PlaceFile> file = PlaceFile::open(folder / "places.mmdb");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const auto place = file->find("1.2.3.4");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->country, "Norway");
  EXPECT_EQ(place->city, "Oslo");
  EXPECT_EQ(place->organisation, "Nett AS");
  EXPECT_FALSE(file->find("200.1.1.1"));
  EXPECT_FALSE(file->find("::1"));
  EXPECT_FALSE(file->find("host.example.org"));
}

TEST(PlaceFile, of_a_broken_file_nothing_worse_comes_than_nothing) {
  TempDir folder;
  const std::string good = small_file();
  for (size_t size = 0; size < good.size(); ++size) {
    for (const bool flip : {false, true}) {
      std::string bytes = flip ? good : good.substr(0, size);
      if (flip) bytes[size] = static_cast<char>(~bytes[size]);
      ASSERT_TRUE(put_file(folder / "places.mmdb", bytes).ok());
      const Result<PlaceFile> file = PlaceFile::open(folder / "places.mmdb");
      if (file.ok()) (void)file->find("1.2.3.4");
    }
  }
}

TEST(PlaceOfHost, is_told_by_the_end_of_its_name) {
  EXPECT_EQ(place_of_host("dsl-1.example.co.uk").country, "uk");
  EXPECT_EQ(place_of_host("dsl-1.example.co.uk").organisation, "example.co.uk");
  EXPECT_EQ(place_of_host("pc.example.com").country, "");
  EXPECT_EQ(place_of_host("pc.example.com").organisation, "example.com");
  EXPECT_EQ(place_of_host("1.2.3.4").country, "");
  EXPECT_EQ(place_of_host("2001:db8::1").organisation, "");
  EXPECT_EQ(place_of_host("localhost").country, "");
  EXPECT_EQ(place_of_host("").country, "");
}

}  // namespace
}  // namespace dowser
