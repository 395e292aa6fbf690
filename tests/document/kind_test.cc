#include "document/kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace dowser {
namespace {

DocumentKind kind(std::string title, std::string text, DocumentHeader header = {}) {
  DocumentText document;
  document.format = DocumentFormat::kPdf;
  document.text = std::move(text);
  header.title = {std::move(title), HeaderSource::kLayout};
  return kind_of(document, header);
}

constexpr char kPaperText[] =
    "Trees in winter\nAnn Lee\nUniversity of Eden\n\nAbstract\nTrees are measured.\n\n1 "
    "Introduction\nTrees "
    "are old [1]. They grow [2], [3], [4], [5].\n\n2 Conclusion\nThey grow.\n\nReferences\n[1] A. "
    "Lee. 1990.\n[2] B. Li. 1991.\n[3] C. Wu. 1992.\n";

DocumentHeader paper_header() {
  DocumentHeader header;
  header.abstract = {"Trees are measured.", HeaderSource::kText};
  header.authors = {"Ann Lee"};
  header.references = 3;
  return header;
}

TEST(Kind, a_paper_has_the_parts_of_one) {
  const DocumentKind paper = kind("Trees in winter", kPaperText, paper_header());
  EXPECT_EQ(paper.type, DocumentType::kPaper) << fmt::format("{}", paper.reasons);
  EXPECT_TRUE(paper.is_accepted());
  EXPECT_GT(paper.confidence, 0.5);
  ASSERT_FALSE(paper.reasons.empty());
  EXPECT_EQ(paper.reasons.front(), "an abstract") << "the weightiest first";
}

TEST(Kind, the_same_text_with_the_title_of_a_manual_is_none) {
  const DocumentKind manual = kind("A user guide to the tree class", kPaperText, paper_header());
  EXPECT_EQ(manual.type, DocumentType::kOther);
  EXPECT_FALSE(manual.is_accepted());
}

TEST(Kind, a_thesis_and_a_report_say_so_and_may_have_the_parts_of_a_paper_too) {
  EXPECT_EQ(kind("Trees",
                 "A thesis submitted in partial fulfillment of the requirements for the "
                 "degree of Doctor of Philosophy\n" +
                     std::string(kPaperText),
                 paper_header())
                .type,
            DocumentType::kThesis);
  EXPECT_EQ(
      kind("Trees", "Department of Forests\nTechnical Report CS-97-3\n" + std::string(kPaperText),
           paper_header())
          .type,
      DocumentType::kReport);
}

TEST(Kind, mere_mentions_of_theses_make_no_thesis) {
  EXPECT_EQ(kind("The eden package",
                 "It helps with your PhD thesis, your master's thesis and your "
                 "dissertation; ask your supervisor or advisor.")
                .type,
            DocumentType::kOther);
}

TEST(Kind, a_faq_is_called_so_or_asks_questions) {
  EXPECT_EQ(kind("Trees: Frequently Asked Questions", "Trees are green.").type, DocumentType::kFaq);
  std::string text;
  for (int i = 0; i < 10; ++i) text += fmt::format("How tall is tree {}?\nIt is very tall.\n", i);
  EXPECT_EQ(kind("About trees", text).type, DocumentType::kFaq);
}

TEST(Kind, nothing_is_something_else) {
  EXPECT_EQ(kind("", "").type, DocumentType::kOther);
  EXPECT_EQ(kind("Invoice", "Pay at once.").type, DocumentType::kOther);
}

TEST(Kind, the_rules_can_be_others) {
  KindRules rules = usual_kind_rules();
  rules.report.push_back({"field notes", 9});
  DocumentText document;
  document.text = "Field notes of a botanist in Eden";
  EXPECT_EQ(kind_of(document, {}, rules).type, DocumentType::kReport);
  EXPECT_EQ(kind_of(document, {}).type, DocumentType::kOther);
}

TEST(Kind, the_rules_are_those_of_the_profile_and_the_usual_ones_where_it_has_none) {
  const auto profile = parse_profile(
      "[pages]\npaper-words = [\"Méthode\", \"Résultats\"]\npaper-words-needed = 2\n"
      "[documents]\nreport = {\"Field Notes\" = 9}\n",
      "test");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  const KindRules rules = kind_rules_of(*profile);
  DocumentText document;
  document.text = "Field notes of a botanist in Eden";
  EXPECT_EQ(kind_of(document, {}, rules).type, DocumentType::kReport);
  document.text = "Technical report 7";
  EXPECT_EQ(kind_of(document, {}, rules).type, DocumentType::kOther);
  EXPECT_EQ(kind_of(document, {}).type, DocumentType::kReport);
  EXPECT_EQ(rules.thesis.size(), usual_kind_rules().thesis.size());
  EXPECT_EQ(rules.page_parts, (std::vector<std::string>{"methode", "resultats"}));
  EXPECT_EQ(rules.page_parts_needed, 2u);
}

}  // namespace
}  // namespace dowser
