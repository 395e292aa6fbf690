#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "store/catalogue.h"
#include "store/catalogue_reader.h"
#include "tests/support.h"

namespace dowser {
namespace {

// A catalogue made by hand: a page has the links that it is given.
class BoilerplateTest : public testing::Test {
 protected:
  BoilerplateTest() {
    auto catalogue = Catalogue::create(path_);
    EXPECT_TRUE(catalogue.ok()) << catalogue.error().message;
    catalogue_ = std::make_unique<Catalogue>(std::move(*catalogue));
    EXPECT_TRUE(catalogue_->begin().ok());
  }

  void add(const std::string& host, const std::vector<std::string>& links, int status = 200,
           const std::string& type = "text/html") {
    Visit v;
    v.id = {next_++};
    v.candidate.url = *Url::parse(fmt::format("http://{}/{}", host, v.id.value));
    v.response.url = v.candidate.url;
    v.response.status = status;
    v.response.headers.add("Content-Type", type);
    for (const std::string& url : links) {
      Link link;
      link.url = *Url::parse(url);
      link.position = static_cast<uint32_t>(v.page.links.size());
      v.page.links.push_back(link);
    }
    v.page.tag_paths = {""};
    std::vector<FoundLink> found;
    for (const Link& link : v.page.links) {
      found.emplace_back();
      found.back().link = &link;
    }
    const Status added = catalogue_->add(v, found, {});
    EXPECT_TRUE(added.ok()) << added.error().message;
  }
  void add_many(int pages, const std::string& host, const std::vector<std::string>& links) {
    for (int i = 0; i < pages; ++i) add(host, links);
  }

  // "host url pages share links", sorted.
  std::vector<std::string> boilerplate() {
    EXPECT_TRUE(catalogue_->commit().ok());
    auto db = Database::open(path_);
    auto rows = db->prepare("SELECT host, url, pages, share, links FROM boilerplate ORDER BY 1, 2");
    EXPECT_TRUE(rows.ok()) << rows.error().message;
    std::vector<std::string> all;
    std::vector<std::string> by_view, by_reader;
    while (*rows->step()) {
      by_view.push_back(fmt::format("{} {} {} {}", rows->text(0), rows->text(1), rows->real(3),
                                    rows->integer(4)));
      all.push_back(fmt::format("{} {} {} {:.3f} {}", rows->text(0), rows->text(1),
                                rows->integer(2), rows->real(3), rows->integer(4)));
    }
    auto reader = CatalogueReader::open(path_);
    const auto links = reader->boilerplate();
    EXPECT_TRUE(links.ok());
    for (const BoilerplateLink& link : *links) {
      by_reader.push_back(fmt::format("{} {} {} {}", link.host, link.url, link.share, link.links));
    }
    // It is sorted by host, share and address.
    EXPECT_TRUE(std::is_sorted(links->begin(), links->end(), [](const auto& a, const auto& b) {
      return std::tie(a.host, b.share, a.url) < std::tie(b.host, a.share, b.url);
    }));
    std::sort(by_reader.begin(), by_reader.end());
    std::sort(by_view.begin(), by_view.end());
    EXPECT_EQ(by_reader, by_view);
    return all;
  }

  using Lines = std::vector<std::string>;
  TempDir dir_;
  const std::filesystem::path path_ = dir_ / "catalogue.sqlite";
  std::unique_ptr<Catalogue> catalogue_;
  uint32_t next_ = 0;
};

TEST_F(BoilerplateTest, a_link_on_9_of_18_pages_is_in_and_one_on_8_is_not) {
  add_many(8, "a.test", {"http://a.test/in", "http://a.test/out"});
  add_many(1, "a.test", {"http://a.test/in"});
  add_many(9, "a.test", {"http://a.test/rare"});
  add_many(1, "b.test", {"http://a.test/out"});
  EXPECT_EQ(boilerplate(),
            (Lines{"a.test http://a.test/in 9 0.500 9", "a.test http://a.test/rare 9 0.500 9"}));
}

TEST_F(BoilerplateTest, a_host_of_9_pages_is_too_small_to_tell) {
  add_many(9, "nine.test", {"http://nine.test/"});
  add_many(10, "ten.test", {"http://ten.test/"});
  EXPECT_EQ(boilerplate(), Lines{"ten.test http://ten.test/ 10 1.000 10"});
}

TEST_F(BoilerplateTest, a_page_that_repeats_a_link_counts_once) {
  add_many(9, "a.test",
           {"http://a.test/", "http://a.test/", "http://b.test/#top", "http://b.test/#end"});
  add_many(9, "a.test", {});
  add_many(7, "c.test", {"http://c.test/", "http://c.test/"});
  add_many(11, "c.test", {});
  EXPECT_EQ(boilerplate(),
            (Lines{"a.test http://a.test/ 9 0.500 18", "a.test http://b.test/ 9 0.500 18"}));
}

TEST_F(BoilerplateTest, only_html_pages_that_came_count) {
  add_many(10, "a.test", {"http://a.test/"});
  for (int i = 0; i < 20; ++i) {
    add("a.test", {}, 404);
    add("a.test", {}, 200, "application/pdf");
  }
  add_many(5, "b.test", {"http://b.test/"});
  for (int i = 0; i < 20; ++i) add("b.test", {}, 404);
  EXPECT_EQ(boilerplate(), Lines{"a.test http://a.test/ 10 1.000 10"});
}

TEST_F(BoilerplateTest, the_first_200_pages_of_a_host_are_looked_at) {
  add_many(100, "a.test", {"http://a.test/early"});
  add_many(100, "a.test", {});
  add_many(150, "a.test", {"http://a.test/late"});
  EXPECT_EQ(boilerplate(), Lines{"a.test http://a.test/early 100 0.500 100"});
}

TEST_F(BoilerplateTest, the_200_hosts_with_most_pages_are_looked_at) {
  for (int i = 0; i < 200; ++i) add_many(11, fmt::format("large-{}.test", i), {"http://x.test/"});
  add_many(10, "small.test", {"http://x.test/"});
  const Lines lines = boilerplate();
  EXPECT_EQ(lines.size(), 200u);
  EXPECT_TRUE(std::none_of(lines.begin(), lines.end(),
                           [](const std::string& l) { return l.starts_with("small"); }));
}

TEST_F(BoilerplateTest, a_catalogue_from_before_it_had_the_view_gets_it) {
  add_many(10, "a.test", {"http://a.test/"});
  EXPECT_TRUE(catalogue_->commit().ok());
  catalogue_.reset();
  ASSERT_TRUE(
      Database::create(path_)->execute("DROP VIEW boilerplate; DROP VIEW boilerplate_pages;").ok());
  auto again = Catalogue::open(path_);
  ASSERT_TRUE(again.ok()) << again.error().message;
  catalogue_ = std::make_unique<Catalogue>(std::move(*again));
  EXPECT_TRUE(catalogue_->begin().ok());
  EXPECT_EQ(boilerplate(), Lines{"a.test http://a.test/ 10 1.000 10"});
}

}  // namespace
}  // namespace dowser
