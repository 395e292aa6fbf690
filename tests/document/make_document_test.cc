#include "document/make_document.h"

#include <gtest/gtest.h>

#include "base/compress.h"
#include "tests/made_documents.h"

namespace dowser {
namespace {

Response answer(std::string_view path, std::string_view type, std::string body) {
  Response response;
  response.url = *Url::parse("http://a.test" + std::string(path));
  response.status = 200;
  if (!type.empty()) response.headers.add("Content-Type", std::string(type));
  response.body = std::move(body);
  return response;
}

TEST(IsDocument, the_first_bytes_decide_then_the_type_then_the_name) {
  const std::string pdf = made_pdf("words");
  EXPECT_TRUE(is_document(answer("/a", "application/octet-stream", pdf)));
  EXPECT_TRUE(is_document(answer("/a.html", "text/html", pdf)));
  EXPECT_TRUE(is_document(answer("/a.doc", "application/msword", "plain words")));
  EXPECT_TRUE(is_document(answer("/a.txt", "text/plain", "plain words")));
  EXPECT_TRUE(is_document(answer("/a.pdf", "application/pdf", std::string("\0\1\2", 3))))
      << "it claims to be one: a failure with a name";
  EXPECT_FALSE(is_document(answer("/a.pdf", "text/html", "<!doctype html><p>not found")));
  EXPECT_FALSE(is_document(answer("/", "text/html", "<p>words")));
  EXPECT_FALSE(is_document(answer("/a.css", "text/css", "p { color: red }")));
  EXPECT_FALSE(is_document(answer("/a.json", "application/json", "{}")));
  EXPECT_FALSE(is_document(answer("/tex.html", "text/html", "Write \\section{A} <p>words")));
}

TEST(IsDocument, feeds_sitemaps_and_pictures_are_none_although_they_are_xml) {
  for (const char* root : {"<rss version='2.0'>", "<feed>", "<urlset>", "<svg>"}) {
    EXPECT_FALSE(is_document(answer("/a.xml", "application/xml", std::string("<?xml?>") + root)))
        << root;
  }
  EXPECT_TRUE(is_document(answer("/a.xml", "application/xml", "<?xml?><article>words")));
  EXPECT_FALSE(is_document(answer("/sitemap.xml.gz", "application/gzip", gzip("<urlset/>"))));
}

TEST(IsDocument, a_body_that_is_encoded_on_its_way_is_looked_into) {
  Response response = answer("/a", "application/octet-stream", gzip(made_pdf("words")));
  response.headers.add("Content-Encoding", "gzip");
  EXPECT_TRUE(is_document(response));
  EXPECT_EQ(make_document(response, nullptr).format, DocumentFormat::kPdf);
}

TEST(IsDocument, only_a_good_answer_is_one) {
  Response response = answer("/a.txt", "text/plain", "words");
  response.status = 404;
  EXPECT_FALSE(is_document(response));
  EXPECT_FALSE(is_document(answer("/a.pdf", "application/pdf", "")));
}

TEST(MakeDocument, without_a_converter_text_is_read_and_the_rest_fails_by_name) {
  const Document text = make_document(
      answer("/notes.txt", "text/plain", "Notes about trees in winter and their names."), nullptr);
  EXPECT_EQ(text.failure, ConversionFailure::kNone);
  EXPECT_EQ(text.text, "Notes about trees in winter and their names.");
  EXPECT_TRUE(text.name.starts_with("notes-")) << text.name;
  EXPECT_TRUE(text.digest.starts_with("sha1:"));
  const Document pdf = make_document(answer("/a.pdf", "", made_pdf("words")), nullptr);
  EXPECT_EQ(pdf.failure, ConversionFailure::kNotConfined);
  EXPECT_EQ(pdf.text, "");
}

TEST(DocumentOfPage, ordinary_pages_are_none) {
  Page page;
  page.url = *Url::parse("http://a.test/x.html");
  page.title = "Welcome";
  page.text = "Welcome to our pages";
  EXPECT_FALSE(document_of_page(page, "bytes"));
}

TEST(DocumentOfPage, a_page_called_faq_is_one) {
  Page page;
  page.url = *Url::parse("http://a.test/x.html");
  page.title = "Trees FAQ";
  page.text = "How tall are trees?\nTall.";
  const auto document = document_of_page(page, "bytes");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->kind.type, DocumentType::kFaq);
  EXPECT_EQ(document->format, DocumentFormat::kHtml);
  EXPECT_EQ(document->text, "") << "its text is that of the page";
  EXPECT_TRUE(document->name.ends_with(".html"));
}

TEST(DocumentOfPage, a_list_of_links_is_none_whatever_it_is_called) {
  Page page;
  page.url = *Url::parse("http://example.org/faq/");
  page.title = "Documents of debian-faq";
  page.text = "Documents of debian-faq\ndebian-faq.en.txt debian-faq.en.ps debian-faq.de.txt";
  EXPECT_TRUE(document_of_page(page, "bytes"));
  for (const uint32_t begin : {24u, 42u, 59u}) {
    Link link;
    link.anchor = {begin, begin + 17};
    page.links.push_back(link);
  }
  EXPECT_FALSE(document_of_page(page, "bytes"));
}

}  // namespace
}  // namespace dowser
