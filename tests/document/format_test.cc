#include "document/format.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

using namespace std::string_view_literals;

TEST(DocumentFormat, the_first_bytes_count_more_than_type_and_name) {
  EXPECT_EQ(document_format("%PDF-1.4\n...", "application/octet-stream", "x.bin"),
            DocumentFormat::kPdf);
  EXPECT_EQ(document_format("junk from a mail gateway\r\n%PDF-1.4\n", "text/html", "a.html"),
            DocumentFormat::kPdf);
  EXPECT_EQ(document_format("%!PS-Adobe-2.0\n", "text/plain", "paper.txt"),
            DocumentFormat::kPostScript);
  EXPECT_EQ(document_format("{\\rtf1\\ansi hello}", "application/msword", "a.doc"),
            DocumentFormat::kRtf);
  EXPECT_EQ(document_format("Just some words.\n", "application/msword", "letter.doc"),
            DocumentFormat::kText);
  EXPECT_EQ(document_format("\x1f\x8b\x08\0"sv, "application/postscript", "a.ps.gz"),
            DocumentFormat::kGzip);
}

TEST(DocumentFormat, containers_are_told_apart_by_what_they_hold) {
  const std::string ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
  const std::string word = std::string("W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0", 24);
  EXPECT_EQ(document_format(ole + word, "", "a.doc"), DocumentFormat::kDoc);
  EXPECT_EQ(document_format(ole + "Workbook", "application/msword", "a.doc"),
            DocumentFormat::kUnknown);
  EXPECT_EQ(document_format("PK\x03\x04 word/document.xml", "", "a.zip"), DocumentFormat::kDocx);
  EXPECT_EQ(document_format("PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text", "", ""),
            DocumentFormat::kOdt);
  EXPECT_EQ(document_format("PK\x03\x04 something", "", "a.docx"), DocumentFormat::kUnknown);
}

TEST(DocumentFormat, texts_are_told_apart_by_their_beginning_then_type_then_name) {
  EXPECT_EQ(document_format("% a comment\n\\documentclass{article}", "text/plain", "a"),
            DocumentFormat::kTex);
  EXPECT_EQ(document_format("\\input macros\nHello", "application/x-tex", "a"),
            DocumentFormat::kTex);
  EXPECT_EQ(document_format("\\input macros\nHello", "", "a.tex"), DocumentFormat::kTex);
  EXPECT_EQ(document_format("  <!DOCTYPE HTML><title>x", "text/plain", ""), DocumentFormat::kHtml);
  EXPECT_EQ(document_format("<?xml version='1.0'?><a/>", "", ""), DocumentFormat::kXml);
  EXPECT_EQ(document_format("<?xml version='1.0'?><html>", "", ""), DocumentFormat::kHtml);
  EXPECT_EQ(document_format("hello", "", "readme"), DocumentFormat::kText);
}

TEST(DocumentFormat, nothing_and_binary_junk_are_unknown_whatever_they_are_called) {
  EXPECT_EQ(document_format("", "application/pdf", "a.pdf"), DocumentFormat::kUnknown);
  EXPECT_EQ(document_format(" \n\n", "text/plain", "a.txt"), DocumentFormat::kUnknown);
  EXPECT_EQ(document_format("\x89PNG\r\n\x1a\n\0\0"sv, "application/pdf", "a.pdf"),
            DocumentFormat::kUnknown);
}

TEST(DocumentFormat, names_can_be_read_back) {
  for (int i = 0; i < 12; ++i) {
    const auto format = static_cast<DocumentFormat>(i);
    EXPECT_EQ(document_format_named(name_of(format)), format);
  }
  EXPECT_FALSE(document_format_named("odd"));
}

}  // namespace
}  // namespace dowser
