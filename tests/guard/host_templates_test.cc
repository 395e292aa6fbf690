#include "guard/host_templates.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "parse/parse_page.h"

namespace dowser {
namespace {

Page page_of(const std::string& host, const std::vector<std::string>& blocks) {
  std::string html;
  for (const std::string& block : blocks)
    html += "<p><a href=/" + std::to_string(html.size()) + ">" + block + "</a></p>";
  return parse_html(html, *Url::parse("http://" + host + "/"),
                    {.detect_language = false, .count_terms = false});
}

std::vector<std::string> marked(const HostTemplates& templates, Page page) {
  templates.mark(page);
  std::vector<std::string> texts;
  for (const Block& block : page.blocks) {
    if (block.role == BlockRole::kTemplate) texts.emplace_back(page.words(block.text));
  }
  return texts;
}

TEST(HostTemplates, what_stands_on_most_pages_of_a_host_is_its_template) {
  HostTemplates templates;
  for (int i = 0; i < 5; ++i) {
    const std::string own = "page " + std::to_string(i);
    EXPECT_TRUE(marked(templates, page_of("a.org", {"Home Search About", own})).empty());
    templates.learn(page_of("a.org", {"Home Search About", own}));
  }
  EXPECT_EQ(marked(templates, page_of("a.org", {"Home Search About", "page 9"})),
            std::vector<std::string>{"Home Search About"});
}

TEST(HostTemplates, text_of_the_content_stays_though_pages_share_it) {
  HostTemplates templates;
  const std::string html = "<p>Research interests</p><p><a href=/>Home</a></p>";
  Page page = parse_html(html, *Url::parse("http://a.org/"), {});
  for (int i = 0; i < 9; ++i) templates.learn(page);
  EXPECT_EQ(marked(templates, page), std::vector<std::string>{"Home"});
}

// Pages of two hosts with blocks that many, some or few pages have; some blocks are plain text.
TEST(HostTemplates, it_is_known_of_a_page_whether_it_would_still_be_marked_as_it_is) {
  std::mt19937 random(3);
  size_t same = 0, different = 0;
  HostTemplates templates;
  std::vector<std::pair<Page, std::string>> pages;  // as parsed, and the candidates when it came
  for (int i = 0; i < 60; ++i) {
    std::string html;
    for (int block = 0; block < 10; ++block) {
      if (static_cast<int>(random() % 10) < block) continue;
      const std::string words = "words of block number " + std::to_string(block);
      html += random() % 4 == 0 ? "<p>" + words + "</p>" : "<p><a href=/x>" + words + "</a></p>";
    }
    const Page parsed =
        parse_html(html, *Url::parse(i % 3 == 0 ? "http://a.org/" : "http://b.org/"), {});
    Page page = parsed;
    templates.mark(page);
    pages.emplace_back(parsed, HostTemplates::candidates(page));
    templates.learn(parsed);
    for (const auto& [earlier, candidates] : pages) {
      Page now = earlier;
      templates.mark(now);
      const bool is_same = HostTemplates::candidates(now) == candidates;
      EXPECT_EQ(templates.still_marks(candidates), is_same);
      ++(is_same ? same : different);
    }
  }
  EXPECT_GT(same, 100u);
  EXPECT_GT(different, 100u);
}

TEST(HostTemplates, cut_candidates_are_not_believed) {
  const HostTemplates templates;
  const std::string whole = HostTemplates::candidates(page_of("a.org", {"Home", "Search"}));
  EXPECT_TRUE(templates.still_marks(whole));
  EXPECT_FALSE(templates.still_marks(whole.substr(0, whole.size() - 1)));
  EXPECT_FALSE(templates.still_marks(""));
}

TEST(HostTemplates, other_hosts_are_not_concerned) {
  HostTemplates templates;
  for (int i = 0; i < 9; ++i) templates.learn(page_of("a.org", {"Home Search About"}));
  EXPECT_TRUE(marked(templates, page_of("b.org", {"Home Search About"})).empty());
}

TEST(HostTemplates, what_stands_on_few_pages_is_content) {
  HostTemplates templates;
  for (int i = 0; i < 20; ++i) {
    templates.learn(page_of("a.org", {i % 3 == 0 ? "Class: Aves" : "page " + std::to_string(i)}));
  }
  EXPECT_TRUE(marked(templates, page_of("a.org", {"Class: Aves"})).empty());
}

TEST(HostTemplates, a_block_that_a_page_repeats_counts_once) {
  HostTemplates templates;
  for (int i = 0; i < 20; ++i) {
    const std::string own = "page " + std::to_string(i);
    const bool has = i % 4 == 0;
    templates.learn(page_of("a.org", has ? std::vector<std::string>{"Yes", "Yes", "Yes", own}
                                         : std::vector<std::string>{own}));
  }
  EXPECT_TRUE(marked(templates, page_of("a.org", {"Yes"})).empty());
}

// Against a table that forgets nothing.
TEST(HostTemplates, marks_are_those_of_a_slow_reference) {
  std::mt19937 random(7);
  HostTemplates templates;
  std::map<std::string, std::map<std::string, int>> pages_with;
  std::map<std::string, int> pages;
  for (int i = 0; i < 600; ++i) {
    const std::string host = std::string(1, static_cast<char>('a' + random() % 4)) + ".org";
    std::vector<std::string> blocks;
    for (int b = 0; b < 12; ++b) blocks.push_back("block " + std::to_string(random() % (b + 1)));
    const Page page = page_of(host, blocks);
    std::set<std::string> expected;
    for (const std::string& block : blocks) {
      const int with = pages_with[host][block];
      if (pages[host] >= 5 && 2 * with >= pages[host]) expected.insert(block);
    }
    const auto got = marked(templates, page);
    EXPECT_EQ(std::set<std::string>(got.begin(), got.end()), expected);
    templates.learn(page);
    ++pages[host];
    for (const std::string& block : std::set<std::string>(blocks.begin(), blocks.end())) {
      ++pages_with[host][block];
    }
  }
}

TEST(HostTemplates, memory_is_bounded_and_the_template_is_kept) {
  HostTemplates templates;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::string> blocks = {"Home Search About"};
    for (int b = 0; b < 100; ++b) blocks.push_back(std::to_string(i) + " " + std::to_string(b));
    templates.learn(page_of("a.org", blocks));
  }
  EXPECT_LE(templates.blocks(), HostTemplates::kMostBlocksOfHost);
  EXPECT_EQ(marked(templates, page_of("a.org", {"Home Search About", "new"})).size(), 1u);
}

TEST(HostTemplates, hosts_not_seen_for_long_are_forgotten_first) {
  HostTemplates templates;
  const auto learn_host = [&](int host) {
    std::vector<std::string> blocks;
    for (int b = 0; b < 180; ++b) blocks.push_back(std::to_string(host * 1000 + b));
    templates.learn(page_of("h" + std::to_string(host) + ".org", blocks));
  };
  for (int host = 0; host < 6000; ++host) learn_host(host);
  EXPECT_LE(templates.blocks(), HostTemplates::kMostBlocks);
  EXPECT_LT(templates.hosts(), 6000u);
  EXPECT_GT(templates.hosts(), 4000u);
}

TEST(HostTemplates, what_is_saved_of_pages_makes_the_same_templates_and_marks) {
  HostTemplates first, again;
  for (int i = 0; i < 8; ++i) {
    Page page = page_of("a.org", {"Home Search About", "page " + std::to_string(i)});
    first.mark(page);
    first.learn(page);
    const std::string saved = HostTemplates::saved(page, true);
    Page read = page_of("a.org", {"Home Search About", "page " + std::to_string(i)});
    HostTemplates::mark(read, saved);
    for (size_t b = 0; b < page.blocks.size(); ++b) {
      EXPECT_EQ(read.blocks[b].role, page.blocks[b].role);
    }
    again.learn(saved);
  }
  const Page page = page_of("a.org", {"Home Search About", "page 9"});
  EXPECT_EQ(marked(first, page), marked(again, page));
  EXPECT_EQ(marked(first, page).size(), 1u);
}

TEST(HostTemplates, damaged_bytes_change_nothing) {
  HostTemplates templates;
  Page page = page_of("a.org", {"one", "two"});
  const std::string saved = HostTemplates::saved(page, true);
  for (size_t n = 0; n < saved.size(); ++n) {
    templates.learn(saved.substr(0, 8 + n % 4));
    HostTemplates::mark(page, saved.substr(0, n));
  }
  EXPECT_EQ(templates.hosts(), 0u);
}

}  // namespace
}  // namespace dowser
