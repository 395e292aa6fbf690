#include "document/file_name.h"

#include <gtest/gtest.h>

#include <set>

namespace dowser {
namespace {

constexpr std::string_view kDigest = "sha1:ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

std::string name(std::string_view original, DocumentFormat format = DocumentFormat::kPdf,
                 bool packed = false) {
  return document_name(original, kDigest, format, packed);
}

TEST(DocumentName, is_made_of_the_original_its_content_and_its_format) {
  EXPECT_EQ(name("paper.pdf"), "paper-abcdefghijkl.pdf");
  EXPECT_EQ(name("An%20Intro.PDF"), "An_Intro-abcdefghijkl.pdf");
  EXPECT_EQ(name("paper.bin"), "paper-abcdefghijkl.pdf");
  EXPECT_EQ(name("thesis.ps.gz", DocumentFormat::kPostScript, true), "thesis-abcdefghijkl.ps.gz");
  EXPECT_EQ(name("v1.2-final.pdf"), "v1.2-final-abcdefghijkl.pdf");
  EXPECT_EQ(name("Diplomarbeit%20%C3%9Cber.pdf"), "Diplomarbeit_Über-abcdefghijkl.pdf");
}

TEST(DocumentName, hostile_names_become_harmless) {
  EXPECT_EQ(name("..%2F..%2Fetc%2Fpasswd"), "passwd-abcdefghijkl.pdf");
  EXPECT_EQ(name("..\\..\\boot.ini"), "boot-abcdefghijkl.pdf");
  EXPECT_EQ(name("../../x.pdf"), "x-abcdefghijkl.pdf");
  EXPECT_EQ(name("a%00b.pdf"), "a_b-abcdefghijkl.pdf");
  EXPECT_EQ(name("a%0Ab%0D.pdf"), "a_b-abcdefghijkl.pdf");
  EXPECT_EQ(name("a\nb.pdf"), "a_b-abcdefghijkl.pdf");
  EXPECT_EQ(name("evil%E2%80%AEfdp.exe"), "evil_fdp-abcdefghijkl.pdf") << "right-to-left mark";
  EXPECT_EQ(name(".htaccess"), "htaccess-abcdefghijkl.pdf");
  EXPECT_EQ(name("-rf.pdf"), "rf-abcdefghijkl.pdf");
  EXPECT_EQ(name(""), "document-abcdefghijkl.pdf");
  EXPECT_EQ(name("%FF%FE.pdf"), "document-abcdefghijkl.pdf");
  // On some systems CON, NUL and COM1 are devices, also with an extension behind them.
  EXPECT_EQ(name("CON.pdf"), "CON-abcdefghijkl.pdf");
  EXPECT_EQ(name("nul"), "nul-abcdefghijkl.pdf");
}

TEST(DocumentName, is_short_whatever_it_was) {
  for (const std::string& original :
       {std::string(300, 'a'), std::string(300, '.'), std::string(300, '/') + "x.pdf"}) {
    EXPECT_LE(name(original).size(), 64U);
  }
  std::string umlauts;
  for (int i = 0; i < 300; ++i) umlauts += "%C3%A4";
  EXPECT_LE(name(umlauts).size(), 64U);
}

TEST(DocumentName, holds_only_characters_that_every_system_allows) {
  for (int c = 1; c < 256; ++c) {
    const std::string original = std::string("a") + static_cast<char>(c) + "b.pdf";
    for (const char one : name(original)) {
      const bool is_harmless = std::isalnum(static_cast<unsigned char>(one)) || one == '.' ||
                               one == '-' || one == '_' || (one & 0x80);
      EXPECT_TRUE(is_harmless) << c;
    }
  }
}

TEST(DocumentName, other_bytes_have_another_name) {
  EXPECT_NE(document_name("content.pdf", "sha1:AAAAAAAAAAAA", DocumentFormat::kPdf, false),
            document_name("content.pdf", "sha1:BBBBBBBBBBBB", DocumentFormat::kPdf, false));
}

}  // namespace
}  // namespace dowser
