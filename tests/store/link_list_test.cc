#include "store/link_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "tests/store/older_catalogue.h"
#include "tests/support.h"

namespace dowser {
namespace {

const std::string kBase = "http://a.test/wp/b/Bird.htm";

// A link that owns its texts.
struct Made {
  std::string url, anchor, tag_path, refused, parts;
  bool nofollow = false, won = false;
  std::optional<double> score;

  LinkRow row() const { return {url, anchor, tag_path, nofollow, refused, score, won, parts}; }
  friend bool operator==(const Made&, const Made&) = default;
};

Made made_of(const LinkRow& row) {
  return {std::string(row.url),
          std::string(row.anchor),
          std::string(row.tag_path),
          std::string(row.refused),
          std::string(row.parts),
          row.nofollow,
          row.won,
          row.score};
}

// Texts with everything that JSON escapes, and nothing at all.
Made some_link(Random& random) {
  const auto text = [&](size_t most) {
    static const std::string kAlphabet("ab<>\"\\/\n\t\x01\x1f]},[\xc3\xa9 ", 17);
    std::string text;
    for (size_t n = random.below(most + 1); n > 0; --n) text += kAlphabet[random.below(17)];
    return text;
  };
  Made link;
  link.url = random.below(3) == 0
                 ? kBase.substr(0, 14 + random.below(kBase.size() - 14)) + "x?q=%22"
                 : "https://other.test/" + std::to_string(random.below(100));
  link.anchor = text(6);
  link.tag_path = random.below(5) == 0 ? "" : "div>" + text(2) + "a";
  link.nofollow = random.below(2) == 0;
  if (random.below(2) == 0) {
    link.score = random.below(10) == 0 ? std::numeric_limits<double>::infinity()
                                       : random.uniform() * (random.below(2) == 0 ? -1e-9 : 7);
    link.won = random.below(2) == 0;
    if (link.won) link.parts = "page=0.3";
  } else if (random.below(2) == 0) {
    link.refused = "missing";
  }
  return link;
}

TEST(LinkList, is_read_back_as_it_was_written) {
  Random random(7);
  LinkListWriter writer;
  LinkListReader reader;
  for (int page = 0; page < 500; ++page) {
    std::vector<Made> links(random.below(20)), read;
    writer.begin(kBase);
    for (Made& link : links) {
      link = some_link(random);
    }
    for (const Made& link : links) writer.add(link.row());
    ASSERT_TRUE(reader.open(writer.base(), writer.paths(), writer.links())) << writer.paths();
    while (reader.next()) read.push_back(made_of(reader.link()));
    ASSERT_FALSE(reader.damaged()) << writer.links();
    ASSERT_EQ(read, links) << writer.links();
  }
}

TEST(LinkList, shares_the_beginning_of_addresses_and_their_tag_paths) {
  LinkListWriter writer;
  writer.begin(kBase);
  writer.add({.url = "http://a.test/wp/b/Nest.htm",
              .anchor = "nests",
              .tag_path = "div>p>a",
              .score = 0.25,
              .won = true,
              .parts = "page=0.25"});
  writer.add({.url = "http://a.test/i/1.jpg", .tag_path = "div>p>a", .refused = "missing"});
  writer.add({.url = kBase, .nofollow = true});
  EXPECT_EQ(writer.paths(), R"(["div>p>a"])");
  EXPECT_EQ(writer.links(),
            R"([[19,"Nest.htm",0,1,0.25,"nests","page=0.25"],[14,"i/1.jpg",0,0,"missing"],)"
            R"([27,"",null,2]])");
}

TEST(LinkList, no_damage_is_read_as_a_list_of_other_length_or_beyond_its_end) {
  LinkListWriter writer;
  writer.begin(kBase);
  Random random(3);
  std::vector<Made> links(5);
  for (Made& link : links) link = some_link(random);
  for (const Made& link : links) writer.add(link.row());
  const std::string good(writer.links());
  const std::string paths(writer.paths());
  LinkListReader reader;
  for (size_t cut = 0; cut < good.size(); ++cut) {
    const std::string bad = good.substr(0, cut);  // of its own size, so that asan sees its end
    (void)reader.open(kBase, paths, bad);
    while (reader.next()) {
    }
    EXPECT_TRUE(reader.damaged()) << bad;
  }
  for (int i = 0; i < 5'000; ++i) {
    std::string bad = good, bad_paths = paths;
    std::string& text = random.below(4) == 0 ? bad_paths : bad;
    text[random.below(text.size())] = static_cast<char>(random.below(256));
    (void)reader.open(kBase, bad_paths, bad);
    size_t count = 0;
    while (reader.next()) ++count;
    EXPECT_LE(count, links.size());
  }
}

// A catalogue with one page and these links.
void make_catalogue(const std::filesystem::path& path, const std::vector<Made>& links) {
  auto catalogue = Catalogue::create(path);
  ASSERT_TRUE(catalogue.ok());
  Visit visit;
  visit.candidate.url = visit.response.url = *Url::parse(kBase);
  visit.response.status = 200;
  visit.page.tag_paths = {"div>p>a"};
  std::vector<Link> found(links.size());
  std::vector<FoundLink> rows(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    Link& link = found[i];
    link.url = *Url::parse(links[i].url);
    link.position = static_cast<uint32_t>(i);
    link.nofollow = links[i].nofollow;
    link.anchor = {static_cast<uint32_t>(visit.page.text.size()),
                   static_cast<uint32_t>(visit.page.text.size() + links[i].anchor.size())};
    visit.page.text += links[i].anchor;
    rows[i].link = &link;
    if (links[i].score) rows[i].score = Score(*links[i].score);
    rows[i].won = links[i].won;
    rows[i].parts = links[i].parts;
    rows[i].refused = links[i].refused;
  }
  ASSERT_TRUE(catalogue->begin().ok());
  ASSERT_TRUE(catalogue->add(visit, rows, {}).ok());
  ASSERT_TRUE(catalogue->commit().ok());
}

std::vector<std::string> rows_of(Database& database, const std::string& sql) {
  auto statement = database.prepare(sql);
  EXPECT_TRUE(statement.ok()) << statement.error().message;
  std::vector<std::string> rows;
  while (*statement->step()) {
    std::string& row = rows.emplace_back();
    for (int i = 0; i < statement->columns(); ++i) {
      row += statement->is_null(i) ? "NULL|" : statement->text(i) + "|";
    }
  }
  return rows;
}

std::vector<Made> some_links() {
  Random random(11);
  std::vector<Made> links(40);
  for (Made& link : links) {
    link = some_link(random);
    link.tag_path = "div>p>a";
  }
  return links;
}

TEST(LinkTable, shows_the_same_rows_as_the_view_in_the_file) {
  TempDir dir;
  const std::filesystem::path path = dir / "catalogue.sqlite";
  make_catalogue(path, some_links());
  auto fast = Database::open(path);
  auto plain = Database::open_for_writing(path);  // does not unpack links by itself
  ASSERT_TRUE(fast.ok() && plain.ok());
  for (const char* sql :
       {"SELECT * FROM links", "SELECT url FROM links WHERE position = 3 AND page = 0",
        "SELECT position, score FROM links WHERE page = 0 AND won ORDER BY position",
        "SELECT position FROM links WHERE page = 0 ORDER BY position DESC",
        "SELECT refused, COUNT(*) FROM links GROUP BY refused"}) {
    const auto rows = rows_of(*fast, sql);
    EXPECT_EQ(rows, rows_of(*plain, sql)) << sql;
    EXPECT_FALSE(rows.empty()) << sql;
  }
  EXPECT_NE(rows_of(*fast, "EXPLAIN QUERY PLAN SELECT * FROM links")[1].find("VIRTUAL TABLE"),
            std::string::npos);
}

TEST(LinkTable, a_catalogue_with_a_row_for_each_link_is_read_and_converted) {
  TempDir dir;
  const std::filesystem::path path = dir / "catalogue.sqlite";
  make_catalogue(path, some_links());
  const auto all = [&](const char* sql) {
    auto database = Database::open(path);
    return rows_of(*database, sql);
  };
  const auto links = all("SELECT * FROM links"), sums = all("SELECT * FROM sums");
  {
    auto database = Database::open_for_writing(path);
    const Status done = make_links_a_table(*database);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  EXPECT_EQ(all("SELECT * FROM links"), links);
  EXPECT_EQ(all("SELECT type FROM sqlite_master WHERE name = 'links'")[0], "table|");
  ASSERT_TRUE(Catalogue::open(path).ok());
  EXPECT_EQ(all("PRAGMA user_version")[0], fmt::format("{}|", kCatalogueVersion));
  EXPECT_EQ(all("SELECT * FROM links"), links);
  EXPECT_EQ(all("SELECT * FROM sums"), sums);
  EXPECT_EQ(all("SELECT type FROM sqlite_master WHERE name = 'links'")[0], "view|");
}

TEST(LinkTable, links_of_no_page_are_not_dropped_by_the_conversion) {
  TempDir dir;
  const std::filesystem::path path = dir / "catalogue.sqlite";
  make_catalogue(path, some_links());
  {
    auto database = Database::open_for_writing(path);
    ASSERT_TRUE(make_links_a_table(*database).ok());
    ASSERT_TRUE(database->execute("UPDATE main.links SET page = 5 WHERE position = 39").ok());
  }
  const auto opened = Catalogue::open(path);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().message.find("dowser check --repair"), std::string::npos);
  auto database = Database::open(path);
  EXPECT_EQ(rows_of(*database, "PRAGMA user_version")[0], "4|");
  EXPECT_EQ(rows_of(*database, "SELECT COUNT(*) FROM links")[0], "40|");
}

}  // namespace
}  // namespace dowser
