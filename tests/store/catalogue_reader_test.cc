#include "store/catalogue_reader.h"

#include <gtest/gtest.h>

#include "store/catalogue.h"
#include "store/table_file.h"
#include "tests/support.h"

namespace dowser {
namespace {

// A seed a with links to b and c; b is relevant, c repeats it, d is forbidden by robots.txt.
class CatalogueReaderTest : public testing::Test {
 protected:
  CatalogueReaderTest() {
    auto created = Catalogue::create(dir_.path() / "catalogue.sqlite");
    EXPECT_TRUE(created.ok()) << created.error().message;
    Catalogue& catalogue = *created;
    EXPECT_TRUE(catalogue.add_run("", Time{0}).ok());
    EXPECT_TRUE(catalogue.begin().ok());
    add(catalogue, "http://w/a", {"http://w/b", "http://w/c", "http://w/d", "http://w/e"},
        [](Visit& v) {
          v.page.title = "start";
          v.judgement.relevance = {0.2};
        });
    add(catalogue, "http://w/b", {}, [](Visit& v) {
      v.candidate.trail = {VisitId{0}, 1, 0};
      v.candidate.score = Score(0.5);
      v.judgement = {{0.9}, true, "", {{"bird", 0.1}}};
    });
    add(catalogue, "http://w/c", {}, [](Visit& v) {
      v.candidate.trail = {VisitId{0}, 1, 1};
      v.candidate.score = Score(0.4);
      v.judgement = {{0.9}, true, "", {}};
      v.near_duplicate_of = VisitId{1};
    });
    add(catalogue, "http://w/d", {}, [](Visit& v) {
      v.candidate.trail = {VisitId{0}, 1, 2};
      v.response.failure = Failure::kRobots;
    });
    EXPECT_TRUE(catalogue.commit().ok());
  }

  void add(Catalogue& catalogue, const std::string& url, const std::vector<std::string>& links,
           const std::function<void(Visit&)>& change) {
    Visit v;
    v.id = {next_++};
    v.candidate.url = v.response.url = *Url::parse(url);
    v.candidate.score = Score::seed();
    v.response.status = 200;
    v.response.body = "1234567890";
    v.page.tag_paths = {"p>a"};
    for (const std::string& to : links) {
      Link link;
      link.url = *Url::parse(to);
      link.position = static_cast<uint32_t>(v.page.links.size());
      v.page.links.push_back(link);
    }
    change(v);
    std::vector<FoundLink> found;
    for (const Link& link : v.page.links) {
      found.push_back({&link, Score(0.5), true, "page=0.5", ""});
    }
    const bool answered = v.response.failure == Failure::kNone;
    const ArchivePlace place = answered ? ArchivePlace{"f.warc.gz", 7, "sha1:x"} : ArchivePlace{};
    const Status added = catalogue.add(v, found, place);
    EXPECT_TRUE(added.ok()) << added.error().message;
  }

  CatalogueReader open() {
    auto reader = CatalogueReader::open(dir_.path());
    EXPECT_TRUE(reader.ok()) << reader.error().message;
    return std::move(*reader);
  }

  TempDir dir_;
  uint32_t next_ = 0;
};

TEST_F(CatalogueReaderTest, the_harvest_is_what_was_fetched_and_counts_no_copies) {
  EXPECT_EQ(*open().harvest(), (std::vector<bool>{false, true, false}));
  const auto best = open().best_pages(10);
  ASSERT_EQ(best->size(), 1u);
  EXPECT_EQ(best->front().url, "http://w/b");
  EXPECT_EQ(best->front().reasons, "[[\"bird\",0.1]]");
}

TEST_F(CatalogueReaderTest, counts_are_those_of_the_first_visits) {
  const auto all = open().counts();
  EXPECT_EQ(all->fetched, 3u);
  EXPECT_EQ(all->disallowed, 1u);
  EXPECT_EQ(all->relevant, 1u);
  EXPECT_EQ(all->near_duplicates, 1u);
  EXPECT_EQ(all->links, 4u);
  EXPECT_EQ(all->bytes, 40u);
  EXPECT_EQ(all->statuses.at("200"), 3u);
  EXPECT_EQ(all->failures.at("robots"), 1u);
  EXPECT_EQ(open().counts(1)->fetched, 1u);
  EXPECT_EQ(open().page_counts()->links, 0u);
}

TEST_F(CatalogueReaderTest, a_page_is_found_by_number_and_address) {
  CatalogueReader reader = open();
  EXPECT_EQ((*reader.page(VisitId{0}))->title, "start");
  EXPECT_FALSE((*reader.page(VisitId{0}))->parent);
  EXPECT_FALSE((*reader.page(VisitId{0}))->score);
  EXPECT_EQ((*reader.page(VisitId{2}))->near_duplicate_of, 1u);
  EXPECT_EQ((*reader.page_at("http://w/d"))->failure, "robots");
  EXPECT_FALSE((*reader.page_at("http://w/d"))->status);
  EXPECT_FALSE(reader.page_at("http://w/e")->has_value());
  EXPECT_FALSE(reader.page(VisitId{9})->has_value());
}

TEST_F(CatalogueReaderTest, links_to_a_page_and_beside_it_explain_why_it_was_fetched) {
  CatalogueReader reader = open();
  const CataloguePage c = **reader.page_at("http://w/c");
  EXPECT_EQ((*reader.winning_link(c))->page_title, "start");
  EXPECT_EQ((*reader.winning_link(c))->position, 1u);
  const auto neighbours = reader.neighbours(c);
  ASSERT_EQ(neighbours->size(), 1u);
  EXPECT_EQ(neighbours->front().url, "http://w/b");
  EXPECT_EQ(neighbours->front().places, -1);
  EXPECT_EQ(reader.links_to("http://w/e", 5)->pages, 1u);
  EXPECT_FALSE(reader.winning_link(**reader.page_at("http://w/a"))->has_value());
}

TEST_F(CatalogueReaderTest, hosts_links_and_tables_can_be_read) {
  CatalogueReader reader = open();
  EXPECT_EQ(*reader.host_count(), 1u);
  EXPECT_EQ(reader.hosts(5)->front().pages, 4u);
  EXPECT_EQ(*reader.largest_host(), "w");
  size_t links = 0, answers = 0;
  EXPECT_TRUE(
      reader.for_each_link([&](const auto& link) { links += link.from == "http://w/a"; }).ok());
  EXPECT_EQ(links, 4u);
  EXPECT_TRUE(reader.for_each_answer([&](const CataloguePage&) { ++answers; }).ok());
  EXPECT_EQ(answers, 3u);
  EXPECT_TRUE(reader.table("runs").ok());
  EXPECT_FALSE(reader.table("pages; DROP TABLE pages").ok());
}

TEST(TableFile, has_its_name_only_when_it_is_complete) {
  TempDir dir;
  const std::filesystem::path path = dir.path() / "t.sqlite";
  for (const bool finishes : {false, true}) {
    auto file = TableFile::create(path, "CREATE TABLE t (a INTEGER, b TEXT);");
    ASSERT_TRUE(file.ok()) << file.error().message;
    auto insert = file->insert_into("t", 2);
    ASSERT_TRUE(insert.ok()) << insert.error().message;
    EXPECT_TRUE(insert->bind(1, int64_t{1}).bind(2, "x").run().ok());
    EXPECT_FALSE(std::filesystem::exists(path));
    if (finishes) {
      EXPECT_TRUE(file->finish("").ok());
    }
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".new"));
}

}  // namespace
}  // namespace dowser
