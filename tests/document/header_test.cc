#include "document/header.h"

#include <gtest/gtest.h>

#include "document/header_lines.h"

namespace dowser {
namespace {

// A page as pdftohtml tells it: "size text" a line, from the top.
std::string page(std::initializer_list<std::pair<int, std::string_view>> lines) {
  std::string xml = "<page number=\"1\" height=\"1000\" width=\"700\">\n";
  for (int i = 1; i < 60; ++i) {
    xml += "<fontspec id=\"" + std::to_string(i) + "\" size=\"" + std::to_string(i) + "\"/>\n";
  }
  int top = 50;
  for (const auto& [size, text] : lines) {
    xml += "<text top=\"" + std::to_string(top) + "\" left=\"100\" width=\"300\" height=\"" +
           std::to_string(size) + "\" font=\"" + std::to_string(size) + "\">" + std::string(text) +
           "</text>\n";
    top += size + size / 2;
  }
  return xml + "</page>";
}

DocumentText document_of(std::initializer_list<std::pair<int, std::string_view>> lines) {
  DocumentText document;
  document.format = DocumentFormat::kPdf;
  document.lines = read_pdf_layout(page(lines));
  for (const PrintedLine& line : document.lines) document.text += line.text + "\n";
  return document;
}

TEST(DocumentHeader, the_largest_lines_are_the_title_and_names_below_the_authors) {
  const DocumentHeader header =
      header_of(document_of({{12, "Journal of Trees 12 (2003)"},
                             {22, "On the Growth of Trees"},
                             {22, "in Cold Climates"},
                             {14, "Anna Oak and Bert van der Elm"},
                             {12, "University of Woods, Department of Botany"},
                             {12, "May 3, 2004"},
                             {12, "Abstract"},
                             {12, "We show that trees grow more slowly where it is cold."},
                             {24, "1 Introduction"},
                             {12, "Trees are large."}}));
  EXPECT_EQ(header.title.value, "On the Growth of Trees in Cold Climates");
  EXPECT_EQ(header.title.source, HeaderSource::kLayout);
  EXPECT_EQ(header.authors, (std::vector<std::string>{"Anna Oak", "Bert van der Elm"}));
  EXPECT_EQ(header.year, 2003);
  EXPECT_EQ(header.abstract.value, "We show that trees grow more slowly where it is cold.");
}

TEST(DocumentHeader, metadata_count_only_where_the_page_says_the_same) {
  DocumentText document = document_of({{22, "On the Growth of Trees"}, {14, "Anna Oak"}});
  document.metadata.title = "CMR10";
  document.metadata.author = "tex user";
  EXPECT_EQ(header_of(document).title.value, "On the Growth of Trees");
  EXPECT_EQ(header_of(document).authors, (std::vector<std::string>{"Anna Oak"}));
  document.metadata.title = "On the growth of trees";
  EXPECT_EQ(header_of(document).title.source, HeaderSource::kMetadata);
  EXPECT_EQ(header_of(document, {false}).title.source, HeaderSource::kLayout);
}

TEST(DocumentHeader, a_title_of_a_broken_font_falls_back_to_the_metadata_or_the_largest_sane_line) {
  for (const std::string_view broken :
       {"2Q WKH *URZWK RI 7UHHV LQ &ROG &OLPDWHV", "\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD\uFFFD",
        "\uE001\uE002 \uE003\uE004\uE005\uE006", "(cid:12)(cid:7)(cid:55) (cid:3)"}) {
    DocumentText document = document_of({{24, broken},
                                         {18, "How Trees Grow in the Cold"},
                                         {14, "Anna Oak"},
                                         {12, "We show that trees grow."}});
    EXPECT_EQ(header_of(document).title.value, "How Trees Grow in the Cold") << broken;
    EXPECT_EQ(header_of(document).title.source, HeaderSource::kLayout);
    document.metadata.title = "On the Growth of Trees in Cold Climates";
    EXPECT_EQ(header_of(document).title.value, "On the Growth of Trees in Cold Climates");
    EXPECT_EQ(header_of(document).title.source, HeaderSource::kMetadata);
    document.metadata.title = "\uFFFD\uFFFD \uFFFD \uFFFD";
    EXPECT_EQ(header_of(document).title.value, "How Trees Grow in the Cold") << broken;
  }
}

TEST(DocumentHeader, capitals_that_say_nothing_of_the_text_are_of_a_broken_font) {
  DocumentText document = document_of(
      {{24, "2Q WKH JURZWK RI WUHHV LQ FROG FOLPDWHV"}, {18, "How Trees Grow in the Cold"}});
  for (int i = 0; i < 150; ++i) document.text += "tree" + std::to_string(i) + " grows\n";
  EXPECT_EQ(header_of(document).title.value, "How Trees Grow in the Cold");
  document = document_of({{24, "ON THE GROWTH OF TREES"}, {18, "Anna Oak"}});
  for (int i = 0; i < 150; ++i) document.text += "trees" + std::to_string(i) + " growth\n";
  EXPECT_EQ(header_of(document).title.value, "ON THE GROWTH OF TREES");
}

TEST(HeaderLines, titles_of_real_papers_can_be_read) {
  for (const std::string_view title :
       {"On the Growth of Trees", "HTML 5, CSS 3 and SVG", "A", "XML", "3D PDF", "$1 UNISTROKE",
        "Über die Bäume", "東京都の図書館", "µ-opioid receptors", "L∞ norms", "TCP/IP"}) {
    EXPECT_TRUE(is_readable(title)) << title;
  }
}

TEST(DocumentHeader, what_is_not_there_is_empty) {
  const DocumentHeader header = header_of({});
  EXPECT_EQ(header.title.value, "");
  EXPECT_TRUE(header.authors.empty());
  EXPECT_EQ(header.year, 0);
  EXPECT_EQ(header.references, 0u);
}

TEST(HeaderLines, names_are_told_from_places_and_affiliations) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in("Jane Doe"), Names{"Jane Doe"});
  EXPECT_EQ(names_in("J. R. Doe1,2, Ann Lee3 and Élise Müller∗"),
            (Names{"J. R. Doe", "Ann Lee", "Élise Müller"}));
  EXPECT_EQ(names_in("Jane Doe\tJohn Roe"), (Names{"Jane Doe", "John Roe"}));
  EXPECT_EQ(names_in("University of Vienna"), Names{});
  EXPECT_EQ(names_in("jane@example.org"), Names{});
  EXPECT_EQ(names_in("We show that this is so"), Names{});
}

TEST(HeaderLines, references_are_counted_behind_the_last_heading) {
  EXPECT_EQ(count_references("Contents\nReferences\n\nText\n[1] no\nReferences\n[1] A. 1999.\n"
                             "[2] B. 2000.\n[3] C.\n"),
            3u);
  EXPECT_EQ(count_references("References\nOak A (1999). Trees.\nElm B (2001). Leaves.\n"), 2u);
  EXPECT_EQ(count_references("no such part"), 0u);
}

TEST(PdfLayout, pieces_on_one_height_are_a_line_and_columns_are_kept_apart) {
  const auto lines = read_pdf_layout(
      "<page number=\"1\" height=\"1000\"><fontspec id=\"0\" size=\"10\"/>"
      "<text top=\"100\" left=\"10\" width=\"40\" height=\"12\" font=\"0\"><b>Big</b> &amp;</text>"
      "<text top=\"99\" left=\"53\" width=\"30\" height=\"14\" font=\"0\">Tree</text>"
      "<text top=\"100\" left=\"300\" width=\"30\" height=\"12\" font=\"0\">Ann Lee</text></page>");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "Big & Tree\tAnn Lee");
}

TEST(PdfLayout, broken_output_gives_what_was_whole) {
  EXPECT_TRUE(read_pdf_layout("").empty());
  EXPECT_TRUE(read_pdf_layout("<page number=\"x\"><text top=\"nan\" font=\"99\">").empty());
  EXPECT_TRUE(read_pdf_layout("<<<<<<>><text ></text>").empty());
}

TEST(FoldedWords, of_ascii_and_of_other_letters) {
  EXPECT_EQ(folded_words(""), "");
  EXPECT_EQ(folded_words(" \n-- "), "");
  EXPECT_EQ(folded_words("  The Reader's  Guide:\tParts 1-2\n"), "the readers guide parts 1 2");
  EXPECT_EQ(folded_words("Ångström’s Größe, e\u0301tude"), "angstroms große etude");
  EXPECT_EQ(folded_words("an ef\uFB01cient—and fast—way \u0301x"), "an efficient and fast way x");
  EXPECT_EQ(folded_words("Ὀδυσσεύς went home"), "οδυσσευς went home");
}

}  // namespace
}  // namespace dowser
