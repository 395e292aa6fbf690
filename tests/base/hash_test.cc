#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>

namespace dowser {
namespace {

TEST(Sha1, gives_the_digests_of_fips_180) {
  EXPECT_EQ(sha1_digest(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(sha1_digest("abc"), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
  EXPECT_EQ(sha1_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha1:QSMD4RA4HPJG5OVOJKQ7SUJJ4XSUM4HR");
}

TEST(Base32, gives_the_examples_of_rfc_4648) {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"f", "MY======"},
                                                      {"fo", "MZXQ===="},
                                                      {"foo", "MZXW6==="},
                                                      {"foob", "MZXW6YQ="},
                                                      {"fooba", "MZXW6YTB"},
                                                      {"foobar", "MZXW6YTBOI======"}};
  for (const auto& [bytes, text] : rows) EXPECT_EQ(base32(bytes), text);
  EXPECT_EQ(base32(std::string(5, '\xFF')), "77777777");
}

// It is written to disk: these values must stay for ever.
TEST(Hash64, is_the_same_for_ever) {
  EXPECT_EQ(hash64(""), 3864975741552502364u);
  EXPECT_EQ(hash64("a"), 1857401641444726708u);
  EXPECT_EQ(hash64("be"), 15268716902577323730u);
  EXPECT_EQ(hash64("cat"), 13527107391032135921u);
  EXPECT_EQ(hash64("bird"), 12932466358220874761u);
  EXPECT_EQ(hash64("birds"), 10687354439098251227u);
  EXPECT_EQ(hash64("feather"), 14601029411442252433u);
  EXPECT_EQ(hash64("dowser"), 15676219249929576307u);
  EXPECT_EQ(hash64("http://example.org/a/b?c=d"), 7521203295671786365u);
  EXPECT_EQ(hash64("dowser", 1), 1854543415162076894u);
}

TEST(Hash64, tells_apart_what_differs_little) {
  std::set<uint64_t> seen;
  std::string zeros, text = "http://example.org/a/b/c/d";
  size_t count = 0;
  for (int i = 0; i < 40; ++i, ++count) seen.insert(hash64(zeros += '\0'));
  for (size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit, ++count) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      seen.insert(hash64(other));
    }
  }
  for (uint64_t seed = 0; seed < 100; ++seed, ++count) seen.insert(hash64(text, seed));
  EXPECT_EQ(seen.size(), count);
}

TEST(Hash64, flips_half_of_the_bits_for_each_bit_of_the_input) {
  const std::string text = "http://example.org/page/1234567";
  double flipped = 0;
  for (size_t i = 0; i < text.size() * 8; ++i) {
    std::string other = text;
    other[i / 8] = static_cast<char>(other[i / 8] ^ (1 << i % 8));
    flipped += __builtin_popcountll(hash64(text) ^ hash64(other));
  }
  EXPECT_NEAR(flipped / static_cast<double>(text.size() * 8), 32, 1);
}

}  // namespace
}  // namespace dowser
