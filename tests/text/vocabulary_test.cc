#include "text/vocabulary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace dowser {
namespace {

using Words = std::vector<std::string>;

TEST(Vocabulary, ids_go_by_first_sight_and_documents_are_counted_once_a_term) {
  Vocabulary vocabulary;
  const TermCounts first = vocabulary.add_document(Words{"web", "crawl", "web"});
  EXPECT_EQ(first.entries, (std::vector<TermCounts::Entry>{{0, 2}, {1, 1}}));
  EXPECT_EQ(first.total, 3u);
  vocabulary.add_document(Words{"focus", "crawl"});
  vocabulary.add_document(Words{});
  EXPECT_EQ(vocabulary.size(), 3u);
  EXPECT_EQ(vocabulary.documents(), 3u);
  EXPECT_EQ(vocabulary.find("crawl"), 1u);
  EXPECT_EQ(vocabulary.find("craw"), std::nullopt);
  EXPECT_EQ(vocabulary.term(2), "focus");
  EXPECT_EQ(vocabulary.document_frequency(0), 1u);
  EXPECT_EQ(vocabulary.document_frequency(1), 2u);
  EXPECT_EQ(vocabulary.add("focus"), 2u);
  EXPECT_EQ(vocabulary.document_frequency(vocabulary.add("new")), 0u);
}

TEST(Vocabulary, counting_leaves_it_alone_and_counts_unknown_terms_in_the_total_only) {
  Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.count(Words{"x"}), (TermCounts{{}, 1}));
  vocabulary.add_document(Words{"web", "crawl"});
  EXPECT_EQ(vocabulary.count(Words{"crawl", "unknown", "crawl", "web"}),
            (TermCounts{{{0, 1}, {1, 2}}, 4}));
  EXPECT_EQ(vocabulary.size(), 2u);
  EXPECT_EQ(vocabulary.documents(), 1u);
}

TEST(Vocabulary, its_text_is_what_the_header_says) {
  Vocabulary vocabulary;
  vocabulary.add_document(Words{"crawl", "two words"});
  vocabulary.add_document(Words{"crawl", "line\nfeed\\n"});
  const std::string text =
      "dowser-vocabulary 1\ndocuments 2\nterms 3\n2 crawl\n1 two words\n1 line\\nfeed\\\\n\n";
  EXPECT_EQ(vocabulary.save(), text);
  EXPECT_EQ(Vocabulary().save(), "dowser-vocabulary 1\ndocuments 0\nterms 0\n");
}

TEST(Vocabulary, broken_texts_are_refused) {
  const std::string good = "dowser-vocabulary 1\ndocuments 2\nterms 2\n2 a\n1 b\n";
  ASSERT_TRUE(Vocabulary::load(good).ok());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(Vocabulary::load(good.substr(0, size)).ok()) << size;
  }
  for (const std::string_view text : {
           "dowser-vocabulary 2\ndocuments 2\nterms 0\n",
           "dowser-vocabulary 1\ndocuments x\nterms 0\n",
           "dowser-vocabulary 1\ndocuments 2 \nterms 0\n",
           "dowser-vocabulary 1\ndocuments -2\nterms 0\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 1\n3 a\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 1\na 1\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 2\n1 a\n1 a\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 1\n1 a\\x\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 1\n1 a\n1 b\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 4000000000\n",
           "dowser-vocabulary 1\ndocuments 2\nterms 99999999999\n",
       }) {
    EXPECT_FALSE(Vocabulary::load(text).ok()) << text;
  }
}

RC_GTEST_PROP(Vocabulary, agrees_with_a_map_and_comes_back_from_its_text,
              (const std::vector<Words>& documents)) {
  Vocabulary vocabulary;
  std::map<std::string, uint32_t> frequency;
  for (const Words& document : documents) {
    vocabulary.add_document(document);
    for (const std::string& term : std::set<std::string>(document.begin(), document.end()))
      ++frequency[term];
  }
  const auto loaded = Vocabulary::load(vocabulary.save());
  RC_ASSERT(loaded.ok());
  RC_ASSERT(loaded->save() == vocabulary.save());
  for (const Vocabulary* v : std::initializer_list<const Vocabulary*>{&vocabulary, &*loaded}) {
    RC_ASSERT(v->size() == frequency.size());
    RC_ASSERT(v->documents() == documents.size());
    for (const auto& [term, count] : frequency) {
      const auto id = v->find(term);
      RC_ASSERT(id.has_value());
      RC_ASSERT(v->term(*id) == term);
      RC_ASSERT(v->document_frequency(*id) == count);
    }
  }
}

TEST(Vocabulary, many_terms_are_all_found_again) {
  Vocabulary vocabulary;
  for (uint32_t i = 0; i < 100000; ++i) ASSERT_EQ(vocabulary.add("term" + std::to_string(i)), i);
  for (uint32_t i = 0; i < 100000; ++i) ASSERT_EQ(vocabulary.find("term" + std::to_string(i)), i);
  EXPECT_EQ(vocabulary.find("term100000"), std::nullopt);
}

}  // namespace
}  // namespace dowser
