#include "guard/document_copies.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

Document document(std::string digest, DocumentFormat format) {
  Document d;
  d.digest = std::move(digest);
  d.format = format;
  return d;
}

Url url(std::string_view path) { return *Url::parse("http://a.test" + std::string(path)); }

TEST(DocumentCopies, the_same_bytes_elsewhere_are_the_first_document) {
  DocumentCopies copies;
  const Document paper = document("sha1:A", DocumentFormat::kPdf);
  EXPECT_FALSE(copies.add(VisitId{3}, url("/a/paper.pdf"), paper).same_bytes_as);
  const auto again = copies.add(VisitId{5}, url("/b/other.pdf"), paper);
  EXPECT_EQ(again.same_bytes_as, VisitId{3});
  EXPECT_FALSE(again.other_format_of);
  EXPECT_EQ(copies.add(VisitId{9}, url("/c/x.pdf"), paper).same_bytes_as, VisitId{3});
}

TEST(DocumentCopies, formats_that_stand_side_by_side_are_linked_to_the_first) {
  DocumentCopies copies;
  copies.add(VisitId{1}, url("/a/paper.pdf"), document("sha1:A", DocumentFormat::kPdf));
  const auto beside = [&](uint32_t id, std::string_view path, std::string digest) {
    return copies.add(VisitId{id}, url(path), document(std::move(digest), DocumentFormat::kDoc))
        .other_format_of;
  };
  EXPECT_EQ(beside(2, "/a/paper.ps", "sha1:B"), VisitId{1});
  EXPECT_EQ(beside(3, "/a/paper.ps.gz", "sha1:C"), VisitId{1});
  EXPECT_EQ(beside(4, "/b/paper.ps", "sha1:D"), std::nullopt) << "another folder";
  EXPECT_EQ(beside(5, "/a/paper2.ps", "sha1:E"), std::nullopt) << "another name";
  EXPECT_EQ(beside(6, "/a/paper", "sha1:F"), std::nullopt) << "no extension";
  EXPECT_EQ(beside(7, "/get.ps?id=1", "sha1:G"), std::nullopt);
  EXPECT_EQ(beside(8, "/get.ps?id=2", "sha1:H"), std::nullopt) << "a query tells them apart";
}

TEST(DocumentCopies, what_was_saved_says_the_same) {
  const Document paper = document("sha1:A", DocumentFormat::kPdf);
  DocumentCopies copies;
  copies.add(VisitId{1}, DocumentCopies::digest(paper), DocumentCopies::stem(url("/a/p.pdf")),
             paper.format);
  EXPECT_EQ(copies.add(VisitId{2}, url("/x.pdf"), paper).same_bytes_as, VisitId{1});
  EXPECT_EQ(copies.add(VisitId{3}, url("/a/p.ps"), document("sha1:B", DocumentFormat::kPostScript))
                .other_format_of,
            VisitId{1});
}

}  // namespace
}  // namespace dowser
