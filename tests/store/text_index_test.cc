#include "store/text_index.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/random.h"
#include "store/library_writer.h"
#include "tests/support.h"

namespace dowser {
namespace {

// A page whose blocks are given.
Page page_of(const std::string& url, const std::string& title,
             const std::vector<std::pair<std::string, BlockRole>>& blocks) {
  Page page;
  page.url = *Url::parse(url);
  page.title = title;
  for (const auto& [text, role] : blocks) {
    Block block;
    block.role = role;
    block.text.begin = static_cast<uint32_t>(page.text.size());
    page.text += text;
    block.text.end = static_cast<uint32_t>(page.text.size());
    page.text += '\n';
    page.blocks.push_back(block);
  }
  return page;
}

Page page_of(const std::string& url, const std::vector<std::string>& blocks) {
  std::vector<std::pair<std::string, BlockRole>> with_roles;
  for (const std::string& block : blocks) with_roles.emplace_back(block, BlockRole::kContent);
  return page_of(url, "", with_roles);
}

class TextIndexTest : public testing::Test {
 protected:
  TextIndex build(const std::vector<Page>& pages) {
    Result<LibraryWriter> writer = LibraryWriter::create(path());
    EXPECT_TRUE(writer.ok());
    for (const Page& page : pages) EXPECT_TRUE(writer->add(index_text(page)).ok());
    EXPECT_TRUE(writer->set_note("source", "a test").ok());
    EXPECT_TRUE(writer->finish().ok());
    Result<TextIndex> index = TextIndex::open(path());
    EXPECT_TRUE(index.ok());
    return std::move(*index);
  }
  std::string path() const { return folder_ / "index.sqlite"; }

  TempDir folder_;
};

TEST_F(TextIndexTest, a_phrase_never_matches_across_two_blocks) {
  TextIndex index = build({page_of("http://a.org/1", {"Turing machine", "Learning theory"}),
                           page_of("http://a.org/2", {"on machine learning"})});
  EXPECT_EQ(*index.count({{"machine learning"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"machine", "learning"}, ""}), 2u);
  EXPECT_EQ(index.pages(), 2u);
  EXPECT_EQ(index.source(), "a test");
}

TEST_F(TextIndexTest, case_punctuation_and_hyphens_make_no_difference) {
  TextIndex index = build({page_of("http://a.org/1", {"Case-Based, reasoning"}),
                           page_of("http://a.org/2", {"Straße nach Zürich, 人工智能"})});
  EXPECT_EQ(*index.count({{"case based reasoning"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"CASE-BASED reasoning"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"ZÜRICH"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"人工智能"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"can't \" ' ) OR a*"}, ""}), 0u);  // nothing in it is syntax
}

TEST_F(TextIndexTest, a_phrase_without_words_is_found_nowhere) {
  TextIndex index = build({page_of("http://a.org/1", {"words"})});
  EXPECT_EQ(*index.count({{"…"}, ""}), 0u);
  EXPECT_EQ(*index.count({{"words", "!"}, ""}), 0u);
  EXPECT_EQ(*index.count({{}, ""}), 0u);
  EXPECT_TRUE(index.find({{"!"}, ""}, 0, 10)->empty());
}

TEST_F(TextIndexTest, headers_and_footers_do_not_count_and_lists_of_links_do) {
  TextIndex index = build({page_of("http://a.org/1", "On birds",
                                   {{"swans", BlockRole::kContent},
                                    {"ducks", BlockRole::kMenu},
                                    {"imprint", BlockRole::kFooter}})});
  EXPECT_EQ(*index.count({{"birds"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"swans"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"ducks"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"imprint"}, ""}), 0u);
}

TEST_F(TextIndexTest, a_domain_holds_the_hosts_below_it_and_no_others) {
  TextIndex index =
      build({page_of("http://cs.cmu.edu/", {"word"}), page_of("http://www.cs.cmu.edu/", {"word"}),
             page_of("http://notcs.cmu.edu/", {"word"}), page_of("http://cmu.com/", {"word"})});
  EXPECT_EQ(*index.count({{"word"}, "cs.cmu.edu"}), 2u);
  EXPECT_EQ(*index.count({{"word"}, ".edu"}), 3u);
  EXPECT_EQ(*index.count({{"word"}, "org"}), 0u);
  EXPECT_EQ(index.find({{"word"}, "com"}, 0, 10)->size(), 1u);
}

TEST_F(TextIndexTest, results_come_in_pages_and_a_word_in_the_title_counts_more) {
  std::vector<Page> pages;
  for (int i = 0; i < 7; ++i) {
    pages.push_back(page_of("http://a.org/" + std::to_string(i), {"swans and other birds"}));
  }
  pages.push_back(page_of("http://a.org/best", "Swans", {{"some text", BlockRole::kContent}}));
  TextIndex index = build(pages);
  const auto first = index.find({{"swans"}, ""}, 0, 5), second = index.find({{"swans"}, ""}, 5, 5);
  ASSERT_EQ(first->size(), 5u);
  EXPECT_EQ(second->size(), 3u);
  EXPECT_EQ(first->front().url, "http://a.org/best");
  EXPECT_EQ(first->front().title, "Swans");
  EXPECT_TRUE(index.find({{"swans"}, ""}, 8, 5)->empty());
}

TEST_F(TextIndexTest, what_chance_explains_goes_by_host_and_length) {
  // On a.org three of four words stand on the page with "two", on b.org none does.
  TextIndex index =
      build({page_of("http://a.org/1", {"one two three"}), page_of("http://a.org/2", {"four"}),
             page_of("http://b.org/1", {"four five"})});
  EXPECT_DOUBLE_EQ(*index.expected_both({{"two"}, ""}, {{"four"}, ""}), 0.75);
  EXPECT_DOUBLE_EQ(*index.expected_both({{"five"}, ""}, {{"four"}, ""}), 1);
  EXPECT_DOUBLE_EQ(*index.expected_both({{"six"}, ""}, {{"four"}, ""}), 0);
}

TEST_F(TextIndexTest, the_last_word_may_stand_in_singular_or_plural_where_that_is_wanted) {
  TextIndex index = build({page_of("http://a.org/1", {"a neural network"}),
                           page_of("http://a.org/2", {"neural networks"}),
                           page_of("http://a.org/3", {"neurals network"})});
  EXPECT_EQ(*index.count({{"neural network"}, ""}), 1u);
  EXPECT_EQ(*index.count({{"neural network"}, "", true}), 2u);
  EXPECT_EQ(*index.count({{"Neural Networks"}, "", true}), 2u);
}

TEST_F(TextIndexTest, counts_equal_brute_force_on_random_pages) {
  Random random(3);
  const auto word = [&] { return std::string(1, static_cast<char>('a' + random.below(5))); };
  std::vector<std::vector<std::string>> pages;  // blocks, with blanks around each word
  std::vector<Page> parsed;
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> blocks(1 + random.below(4));
    for (std::string& block : blocks) {
      block = " ";
      for (size_t n = 1 + random.below(6); n > 0; --n) block += word() + " ";
    }
    pages.push_back(blocks);
    parsed.push_back(page_of("http://a.org/" + std::to_string(i), blocks));
  }
  TextIndex index = build(parsed);
  const auto holds = [&](const std::vector<std::string>& blocks, const std::string& phrase) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const std::string& block) {
      return block.find(" " + phrase + " ") != block.npos;
    });
  };
  for (int i = 0; i < 1000; ++i) {
    SearchQuery query;
    for (size_t n = 1 + random.below(2); n > 0; --n) {
      std::string phrase = word();
      for (size_t more = random.below(3); more > 0; --more) phrase += " " + word();
      query.phrases.push_back(phrase);
    }
    size_t expected = 0;
    for (const auto& blocks : pages) {
      expected += std::all_of(query.phrases.begin(), query.phrases.end(),
                              [&](const std::string& phrase) { return holds(blocks, phrase); });
    }
    ASSERT_EQ(*index.count(query), expected) << query.phrases.front();
    ASSERT_EQ(index.find(query, 0, 100)->size(), expected);
  }
}

TEST_F(TextIndexTest, what_is_not_finished_leaves_nothing_and_keeps_the_old_index) {
  build({page_of("http://a.org/1", {"old"})});
  {
    Result<LibraryWriter> writer = LibraryWriter::create(path());
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->add(index_text(page_of("http://a.org/2", {"new"}))).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(path() + ".new"));
  Result<TextIndex> index = TextIndex::open(path());
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(*index->count({{"old"}, ""}), 1u);
  EXPECT_EQ(*index->count({{"new"}, ""}), 0u);
}

TEST_F(TextIndexTest, what_is_no_index_is_refused_in_one_sentence) {
  ASSERT_TRUE(put_file(path(), "this is a text\n").ok());
  const Result<TextIndex> text = TextIndex::open(path());
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message.find("index.sqlite"), std::string::npos) << text.error().message;
  EXPECT_FALSE(TextIndex::open(folder_ / "missing.sqlite").ok());
  EXPECT_FALSE(LibraryWriter::create(folder_ / "no/such/folder/index.sqlite").ok());
}

TEST_F(TextIndexTest, the_index_is_smaller_than_the_text) {
  Random random(5);
  std::vector<Page> pages;
  size_t text = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string block;
    for (int n = 0; n < 200; ++n) {
      block += "word" + std::to_string(random.below(random.below(5000) + 1)) + " ";
    }
    text += block.size();
    pages.push_back(page_of("http://a.org/" + std::to_string(i), {block}));
  }
  build(pages);
  EXPECT_LT(std::filesystem::file_size(path()), text);
}

}  // namespace
}  // namespace dowser
