#include "store/document_json.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

Document whole() {
  Document d;
  d.format = DocumentFormat::kPdf;
  d.kind = {DocumentType::kPaper, 0.8765432109876543, {"an abstract", "\"quoted\""}};
  d.header.title = {"On \"webs\"\nand Größe", HeaderSource::kLayout};
  d.header.abstract = {"We show …", HeaderSource::kText};
  d.header.keywords = {"a, b", HeaderSource::kMetadata};
  d.header.subject = {"s", HeaderSource::kMetadata};
  d.header.authors = {"Ann Lee", "Bo Li"};
  d.header.authors_source = HeaderSource::kText;
  d.header.year = 2004;
  d.header.year_source = HeaderSource::kLayout;
  d.header.references = 17;
  d.name = "p-abc.pdf";
  d.digest = "sha1:ABC";
  d.same_bytes_as = VisitId{0};
  d.other_format_of = VisitId{7};
  return d;
}

TEST(DocumentJson, everything_but_the_text_comes_back) {
  const Document d = whole();
  const std::string json = document_json(d);
  EXPECT_EQ(json.find('\n'), std::string::npos);
  const Result<Document> back = document_of_json(json);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, d);
}

TEST(DocumentJson, a_failure_comes_back) {
  Document d;
  d.format = DocumentFormat::kPostScript;
  d.failure = ConversionFailure::kTime;
  d.detail = "it took too long";
  d.name = "x.ps";
  const Result<Document> back = document_of_json(document_json(d));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, d);
}

TEST(DocumentJson, nonsense_is_an_error_or_as_good_as_nothing) {
  EXPECT_FALSE(document_of_json("").ok());
  EXPECT_FALSE(document_of_json("[1]").ok());
  const Result<Document> odd = document_of_json(
      R"({"format": 3, "kind": "novel", "year": "x", "authors": [1, "A B"], "same-bytes-as": -1})");
  ASSERT_TRUE(odd.ok());
  EXPECT_EQ(odd->format, DocumentFormat::kUnknown);
  EXPECT_EQ(odd->header.authors, std::vector<std::string>{"A B"});
  EXPECT_FALSE(odd->same_bytes_as);
}

}  // namespace
}  // namespace dowser
