#include "document/docx_text.h"

#include <gtest/gtest.h>

#include "document/zip_reader.h"
#include "tests/made_documents.h"

namespace dowser {
namespace {

std::string docx(std::string_view body) {
  const std::string xml =
      "<?xml version=\"1.0\"?><w:document><w:body>" + std::string(body) + "</w:body></w:document>";
  return made_zip("word/document.xml", xml, xml.size());
}

TEST(DocxText, paragraphs_are_lines_and_only_runs_are_text) {
  const Result<std::string> text =
      text_of_docx(docx("<w:p><w:r><w:t>A </w:t></w:r><w:r><w:t>title</w:t></w:r></w:p> stray "
                        "<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t></"
                        "w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>"));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "A title\none\ttwo\n");
}

TEST(DocxText, an_opendocument_text_is_read_too) {
  const std::string xml =
      "<office:document-content><office:body><office:text><text:h>Head</text:h><text:p>One "
      "<text:span>two</text:span><text:s/>three<text:note>note</text:note></text:p></office:text>"
      "</office:body></office:document-content>";
  const Result<std::string> text = text_of_odt(made_zip("content.xml", xml, xml.size()));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "Head\nOne two three\n");
}

TEST(DocxText, entities_and_document_types_are_refused) {
  const std::string xml =
      "<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
      "<w:document><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:document>";
  EXPECT_FALSE(text_of_docx(made_zip("word/document.xml", xml, xml.size())));
}

TEST(DocxText, a_relationship_that_points_outside_is_not_looked_at) {
  const Result<std::string> text = text_of_docx(
      docx("<w:p><w:hyperlink r:id=\"rId1\" target=\"http://127.0.0.1/\"><w:r><w:t>link</w:t></w:r>"
           "</w:hyperlink><w:altChunk r:id=\"rId2\"/></w:p>"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "link\n");
}

TEST(ZipReader, a_bomb_is_refused_by_what_it_claims_and_by_what_it_is) {
  const std::string zeros(10 << 20, '0');
  EXPECT_FALSE(read_zip_file(made_zip("a", zeros, zeros.size()), "a", 1 << 20));
  // One that says that it is small does not unpack beyond that.
  EXPECT_FALSE(read_zip_file(made_zip("a", zeros, 100), "a", 1 << 20));
  EXPECT_TRUE(read_zip_file(made_zip("a", zeros, zeros.size()), "a", 20 << 20));
}

TEST(ZipReader, damaged_archives_of_any_kind_are_an_error) {
  const std::string good = made_zip("name", "some words in a file", 20);
  ASSERT_EQ(*read_zip_file(good, "name", 1000), "some words in a file");
  EXPECT_FALSE(read_zip_file(good, "other", 1000));
  EXPECT_FALSE(read_zip_file(made_zip("name", "secret words in here", 20, 1), "name", 1000));
  for (size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_FALSE(read_zip_file(std::string_view(good).substr(0, cut), "name", 1000)) << cut;
  }
  for (size_t at = 0; at < good.size(); ++at) {  // no bit may lead outside
    for (const char bits : {'\x01', '\x80', '\xff'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ bits);
      (void)read_zip_file(bad, "name", 1000);
    }
  }
}

}  // namespace
}  // namespace dowser
