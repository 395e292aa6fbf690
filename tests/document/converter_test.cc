#include "document/converter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "document/document_text.h"
#include "tests/made_documents.h"
#include "tests/support.h"

// Real converters on documents that are made here, good ones and hostile ones.

namespace dowser {
namespace {

class ConverterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Converter::start(dowser_program());
    ASSERT_TRUE(started) << started.error().message;
    converter_ = std::move(*started).release();
  }
  static void TearDownTestSuite() { delete converter_; }
  void SetUp() override {
    if (!converter_->support().is_enough()) GTEST_SKIP() << converter_->support().missing();
    limits_.seconds = 600;  // much longer than a busy machine needs for the processor time
    limits_.jail.cpu_seconds = 5;
  }

  static bool is_installed(const char* program) { return access(program, X_OK) == 0; }
  DocumentText read(std::string_view bytes, std::string_view name) {
    return read_document(bytes, "", name, converter_, limits_);
  }

  static Converter* converter_;
  ConversionLimits limits_;
};
Converter* ConverterTest::converter_ = nullptr;

TEST_F(ConverterTest, a_pdf_gives_its_text_and_the_layout_of_its_first_page) {
  if (!is_installed("/usr/bin/pdftotext")) GTEST_SKIP() << "poppler-utils is not installed";
  const DocumentText document = read(made_pdf("On the growth of trees in cold climates"), "a.bin");
  EXPECT_EQ(document.format, DocumentFormat::kPdf);
  EXPECT_EQ(document.failure, ConversionFailure::kNone) << document.detail;
  EXPECT_NE(document.text.find("growth of trees"), std::string::npos);
  ASSERT_EQ(document.lines.size(), 1u);
  EXPECT_EQ(document.lines[0].text, "On the growth of trees in cold climates");
}

TEST_F(ConverterTest, the_layout_is_that_of_the_second_page_if_the_first_has_no_words) {
  if (!is_installed("/usr/bin/pdftotext")) GTEST_SKIP() << "poppler-utils is not installed";
  std::string pdf = made_pdf("On the growth of trees in cold climates");
  const std::string_view pages = "/Kids [3 0 R] /Count 1 ";
  pdf.replace(pdf.find(pages), pages.size(), "/Kids [6 0 R 3 0 R] /Count 2 ");
  pdf.insert(pdf.find("xref\n"),
             "6 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>\nendobj\n");
  const DocumentText document = read(pdf, "a.pdf");
  ASSERT_EQ(document.lines.size(), 1u);
  EXPECT_EQ(document.lines[0].page, 2u);
  EXPECT_EQ(document.lines[0].text, "On the growth of trees in cold climates");
}

TEST_F(ConverterTest, damaged_and_encrypted_pdfs_have_their_names) {
  if (!is_installed("/usr/bin/pdftotext")) GTEST_SKIP() << "poppler-utils is not installed";
  EXPECT_EQ(read("%PDF-1.4\nthis is no PDF at all", "a.pdf").failure, ConversionFailure::kDamaged);
  EXPECT_EQ(read(made_locked_pdf(), "a.pdf").failure, ConversionFailure::kEncrypted);
  EXPECT_EQ(read(made_pdf(""), "scan.pdf").failure, ConversionFailure::kNoText);
}

TEST_F(ConverterTest, postscript_is_read_and_cannot_read_files_or_loop_for_ever) {
  if (!is_installed("/usr/bin/gs")) GTEST_SKIP() << "ghostscript is not installed";
  const std::string font = "%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto ";
  const DocumentText good =
      read(font + "(A letter about trees and climates) show showpage", "a.ps");
  EXPECT_EQ(good.failure, ConversionFailure::kNone) << good.detail;
  EXPECT_NE(good.text.find("trees"), std::string::npos);
  const DocumentText thief =
      read(font + "(/etc/passwd) (r) file 4000 string readstring pop show showpage", "thief.ps");
  EXPECT_EQ(thief.text.find("root:"), std::string::npos);
  EXPECT_NE(thief.failure, ConversionFailure::kNone);
  limits_.jail.cpu_seconds = 2;
  EXPECT_EQ(read("%!PS\n{ } loop", "loop.ps").failure, ConversionFailure::kTime);
}

TEST_F(ConverterTest, rtf_and_tex_and_packed_text_are_read) {
  if (is_installed("/usr/bin/unrtf")) {
    const DocumentText rtf =
        read("{\\rtf1\\ansi A letter about {\\b trees} and climates.}", "a.rtf");
    EXPECT_EQ(rtf.failure, ConversionFailure::kNone) << rtf.detail;
    EXPECT_TRUE(rtf.text.starts_with("A letter about trees and climates.")) << rtf.text;
  }
  const DocumentText tex = read(
      "\\documentclass{article}\\begin{document}In winter all \\emph{trees} are "
      "alike.\\end{document}",
      "a");
  EXPECT_EQ(tex.failure, ConversionFailure::kNone) << tex.detail;
  EXPECT_EQ(tex.format, DocumentFormat::kTex);
  EXPECT_NE(tex.text.find("all trees are alike."), std::string::npos);
}

TEST_F(ConverterTest, what_is_unknown_or_packed_twice_is_said) {
  EXPECT_EQ(read(std::string_view("\0\1\2\3", 4), "a.pdf").failure,
            ConversionFailure::kUnknownFormat);
  EXPECT_EQ(read(std::string("\x1f\x8b") + "junk", "a.gz").failure, ConversionFailure::kDamaged);
}

TEST_F(ConverterTest, a_converter_that_is_killed_is_started_again) {
  auto started = Converter::start(dowser_program());
  ASSERT_TRUE(started);
  Converter& converter = **started;
  const std::string tex = "\\documentclass{article}All trees are alike, say some.";
  ASSERT_EQ(converter.convert(DocumentFormat::kTex, tex).failure, ConversionFailure::kNone);
  ASSERT_EQ(kill(converter.process(), SIGKILL), 0);
  EXPECT_EQ(converter.convert(DocumentFormat::kTex, tex).failure, ConversionFailure::kTime);
  EXPECT_EQ(converter.convert(DocumentFormat::kTex, tex).failure, ConversionFailure::kNone);
}

TEST(Converter, a_program_that_is_none_is_an_error) {
  EXPECT_FALSE(Converter::start("/nonexistent/dowser"));
  EXPECT_FALSE(Converter::start("/bin/true"));
}

}  // namespace
}  // namespace dowser
