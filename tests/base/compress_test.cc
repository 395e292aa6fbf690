#include "base/compress.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace dowser {
namespace {

constexpr size_t kLimit = 1 << 20;

// Bytes made by other programs, so that the decoders are not only tested against our own encoder.
// printf 'hello hello hello hello\n' | brotli -c, | zstd -c; and zlib's and raw deflate of it.
std::string hex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}
const std::string kHello = "hello hello hello hello\n";
const std::string kBrotli = hex("1b1700f88d946ede445586d60a206c6f4a1179e280ae16");
const std::string kZstd = hex("28b52ffd04586d00003868656c6c6f200a0100994b11a87c2ea8");
const std::string kZlib = hex("789ccb48cdc9c957c84027b90070be08bb");
const std::string kRawDeflate = hex("cb48cdc9c957c84027b900");

std::string text_of(size_t size) {
  std::string text;
  while (text.size() < size) text += "line " + std::to_string(text.size() * 7919 % 100003) + "\n";
  text.resize(size);
  return text;
}

TEST(Gzip, what_is_packed_comes_back_at_every_level) {
  for (int level = 0; level <= 12; ++level) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{100'000}}) {
      const std::string text = text_of(size);
      const auto member = gunzip_member(gzip(text, level), kLimit);
      ASSERT_TRUE(member.ok());
      EXPECT_EQ(member->bytes, text);
    }
  }
}

TEST(Gzip, the_same_bytes_are_packed_to_the_same_bytes) { EXPECT_EQ(gzip("abc"), gzip("abc")); }

TEST(GzipFast, what_is_packed_comes_back_and_is_the_same_each_time) {
  std::string noise(300'000, '\0');
  uint64_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 6364136223846793005u + 1) >> 56);
  std::vector<std::string> texts = {noise, noise.substr(0, 500), std::string(5 << 20, 'a')};
  for (const size_t size : {0, 1, 300, 1023, 1024, 20'000, 3 << 20}) texts.push_back(text_of(size));
  for (const std::string& text : texts) {
    const std::string packed = gzip_fast(text);
    EXPECT_EQ(packed, gzip_fast(text));
    EXPECT_EQ(packed.substr(0, 10), gzip(text, 1).substr(0, 10)) << "dowser check looks at it";
    EXPECT_LE(packed.size(), text.size() + text.size() / 1000 + 64);
    const auto member = gunzip_member(packed + "more", 8 << 20);
    ASSERT_TRUE(member.ok()) << text.size();
    EXPECT_EQ(member->bytes, text);
    EXPECT_EQ(member->consumed, packed.size());
    // By another program's eyes: zlib reads it as the body of an answer.
    EXPECT_EQ(decode_content("gzip", packed + packed, 16 << 20)->bytes, text + text);
  }
}

TEST(GunzipMember, it_says_how_much_of_the_input_it_took) {
  const std::string first = gzip("first"), second = gzip(text_of(5000));
  const std::string both = first + second + "junk";
  const auto one = gunzip_member(both, kLimit);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->bytes, "first");
  EXPECT_EQ(one->consumed, first.size());
  const auto two = gunzip_member(std::string_view(both).substr(one->consumed), kLimit);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->consumed, second.size());
}

TEST(GunzipMember, a_bomb_stops_at_the_limit) {
  const std::string bomb = gzip(std::string(50 << 20, 'a'));
  EXPECT_FALSE(gunzip_member(bomb, kLimit).ok());
  EXPECT_FALSE(gunzip_member(bomb, 10).ok());
  EXPECT_TRUE(gunzip_member(bomb, 50 << 20).ok());
}

TEST(GunzipMember, a_broken_member_is_an_error) {
  std::string bytes = gzip(text_of(5000));
  EXPECT_FALSE(gunzip_member(std::string_view(bytes).substr(0, bytes.size() - 1), kLimit).ok());
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_FALSE(gunzip_member(bytes, kLimit).ok());
  EXPECT_FALSE(gunzip_member("", kLimit).ok());
  EXPECT_FALSE(gunzip_member("no gzip at all", kLimit).ok());
}

TEST(DecodeContent, every_coding_of_the_web_is_read) {
  const struct {
    std::string encoding, body;
  } rows[] = {
      {"", kHello},
      {"identity", kHello},
      {"gzip", gzip(kHello)},
      {"x-gzip", gzip(kHello)},
      {"GZIP", gzip(kHello)},
      {" gzip ", gzip(kHello)},
      {"deflate", kZlib},
      {"deflate", kRawDeflate},
      {"br", kBrotli},
      {"zstd", kZstd},
      {"zstd, identity", kZstd},
      {"identity, gzip", gzip(kHello)},
      {"gzip, gzip", gzip(gzip(kHello))},
      {"br, gzip", gzip(kBrotli)},
      {"gzip", gzip(kHello.substr(0, 7)) + gzip(kHello.substr(7))},
      {"gzip", gzip(kHello) + "junk behind the end"},
  };
  for (const auto& row : rows) {
    const auto decoded = decode_content(row.encoding, row.body, kLimit);
    ASSERT_TRUE(decoded.ok()) << row.encoding << ": " << decoded.error().message;
    EXPECT_EQ(decoded->bytes, kHello) << row.encoding;
    EXPECT_FALSE(decoded->truncated) << row.encoding;
  }
}

TEST(DecodeContent, a_stream_that_is_cut_yields_the_bytes_so_far) {
  const std::string text = text_of(200'000);
  const std::string packed = gzip(text);
  const auto decoded =
      decode_content("gzip", std::string_view(packed).substr(0, packed.size() / 2), kLimit);
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded->truncated);
  EXPECT_GT(decoded->bytes.size(), text.size() / 4);
  EXPECT_TRUE(text.starts_with(decoded->bytes));
}

TEST(DecodeContent, every_coding_stops_at_the_limit) {
  for (const auto& [encoding, body] :
       {std::pair{"gzip", gzip(kHello)}, std::pair{"deflate", kZlib}, std::pair{"br", kBrotli},
        std::pair{"zstd", kZstd}, std::pair{"identity", kHello}}) {
    const auto cut = decode_content(encoding, body, 10);
    ASSERT_TRUE(cut.ok()) << encoding;
    EXPECT_EQ(cut->bytes, kHello.substr(0, 10)) << encoding;
    EXPECT_TRUE(cut->truncated) << encoding;
    const auto exact = decode_content(encoding, body, kHello.size());
    ASSERT_TRUE(exact.ok()) << encoding;
    EXPECT_FALSE(exact->truncated) << encoding;
  }
}

TEST(DecodeContent, a_bomb_in_a_bomb_stops_at_the_limit) {
  const std::string bomb = gzip(gzip(std::string(100 << 20, 'a')));
  const auto decoded = decode_content("gzip, gzip", bomb, kLimit);
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded->truncated);
  EXPECT_EQ(decoded->bytes.size(), kLimit);
}

TEST(DecodeContent, a_body_that_only_claims_to_be_gzip_is_kept) {
  const auto decoded = decode_content("gzip", "<html>", kLimit);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->bytes, "<html>");
}

TEST(DecodeContent, an_empty_body_is_empty_in_every_coding) {
  for (const char* encoding : {"gzip", "br", "zstd", "deflate", "gzip, br"}) {
    const auto decoded = decode_content(encoding, "", kLimit);
    ASSERT_TRUE(decoded.ok()) << encoding;
    EXPECT_EQ(decoded->bytes, "");
    EXPECT_FALSE(decoded->truncated);
  }
}

TEST(DecodeContent, unknown_codings_and_long_lists_are_errors) {
  EXPECT_FALSE(decode_content("rot13", "abc", kLimit).ok());
  EXPECT_FALSE(decode_content("gzip,gzip,gzip,gzip,gzip", "abc", kLimit).ok());
  EXPECT_FALSE(decode_content("br", "<html>", kLimit).ok());
  EXPECT_FALSE(decode_content("zstd", "<html>", kLimit).ok());
  EXPECT_FALSE(decode_content("deflate", "<html>", kLimit).ok());
}

TEST(DecodeContent, arbitrary_bytes_never_crash) {
  EXPECT_TRUE(rc::check([](const std::string& junk) {
    for (const char* encoding : {"gzip", "br", "zstd", "deflate"}) {
      for (const std::string& body : {junk, "\x1f\x8b\x08" + junk, kZstd.substr(0, 6) + junk}) {
        const auto decoded = decode_content(encoding, body, 1000);
        if (decoded.ok()) RC_ASSERT(decoded->bytes.size() <= 1000u);
      }
    }
  }));
}

// Leaves a value in the memory that the next function uses for its variables.
[[gnu::noinline]] uint16_t fill_stack(uint16_t value) {
  volatile uint16_t rubbish[150'000];
  for (volatile uint16_t& one : rubbish) one = value;
  return rubbish[value];
}

// igzip's own initialisation leaves one of its settings undefined.
TEST(Gzip, packs_the_same_bytes_whatever_was_in_memory_before) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "a page of the crawl " + std::to_string(i * 7919 % 1000);
  const std::string usual = gzip_fast(text);
  for (uint16_t value = 0; value < 20; ++value) {
    EXPECT_EQ(fill_stack(value), value);
    EXPECT_EQ(gzip_fast(text) == usual, true) << value;
  }
}

}  // namespace
}  // namespace dowser
