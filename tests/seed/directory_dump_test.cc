#include "seed/directory_dump.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/compress.h"
#include "base/file.h"
#include "seed/seed_collector.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr char kContent[] = R"(<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/">
<Topic r:id="Top/Computers/Robotics">
  <catid>1</catid>
  <link r:resource="http://robots.test/"/>
  <link1 r:resource="http://best.test/?a=1&amp;b=2"/>
</Topic>
<ExternalPage about="http://robots.test/">
  <d:Title>Robots</d:Title>
  <topic>Top/Computers/Robotics</topic>
</ExternalPage>
<ExternalPage about="http://ai.test/">
  <d:Title>&quot;AI&quot;</d:Title>
  <topic>Top/Computers/Artificial_Intelligence</topic>
</ExternalPage>
<Topic r:id="Top/Computers_old"><link r:resource="http://old.test/"/></Topic>
<Topic r:id="Top/Arts"><link r:resource="http://art.test/"/></Topic>
<ExternalPage about="http://film.test/"><topic>Top/Arts</topic></ExternalPage>
</RDF>
)";

class DirectoryDump : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& content) {
    const std::string path = dir_ / name;
    EXPECT_TRUE(put_file(path, content).ok());
    return path;
  }

  DumpReport read(const std::string& path, std::vector<std::string> categories,
                  const Watch& watch = {}) {
    entries_.clear();
    const auto report = read_directory(
        path, CategoryFilter(categories),
        [&](std::string_view address, std::string_view category) {
          entries_.emplace_back(address, category);
        },
        watch);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? *report : DumpReport();
  }

  TempDir dir_;
  Entries entries_;
};

TEST_F(DirectoryDump, gives_both_forms_of_entries_of_wanted_categories_and_those_below) {
  const DumpReport report = read(file("content.rdf.u8", kContent), {"Top/Computers"});
  EXPECT_FALSE(report.damage);
  EXPECT_EQ(report.categories, 3u);
  EXPECT_EQ(report.entries, 7u);
  EXPECT_EQ(report.taken, 4u);
  EXPECT_EQ(entries_, (Entries{{"http://robots.test/", "Top/Computers/Robotics"},
                               {"http://best.test/?a=1&b=2", "Top/Computers/Robotics"},
                               {"http://robots.test/", "Top/Computers/Robotics"},
                               {"http://ai.test/", "Top/Computers/Artificial_Intelligence"}}));
  read(file("again.rdf.u8", kContent), {"Computers/Robotics", "Top/Arts/"});
  EXPECT_EQ(entries_.size(), 5u);
}

TEST_F(DirectoryDump, reads_gzip_of_several_members) {
  const std::string text = kContent;
  const std::string packed = gzip(text.substr(0, 300)) + gzip(text.substr(300));
  read(file("content.rdf.u8.gz", packed), {"Top/Computers"});
  EXPECT_EQ(entries_.size(), 4u);
}

TEST_F(DirectoryDump, reads_tab_separated_fields) {
  const std::string text =
      "http://a.test/\tA\tabout a\tTop/Computers/Robotics\n"
      "B\thttps://b.test/\tComputers\r\n"
      "http://c.test/\tC\tnothing\tTop/Arts\n"
      "no address\tTop/Computers\n"
      "http://d.test/\tTop/Computers";
  const DumpReport report = read(file("c.tsv.gz", gzip(text)), {"Top/Computers"});
  EXPECT_EQ(report.entries, 4u);
  EXPECT_EQ(entries_.size(), 3u);
  EXPECT_EQ(entries_.back().first, "http://d.test/");
}

// What is damaged, and the beginning of what the report says.
TEST_F(DirectoryDump, keeps_what_came_before_damage_and_names_the_line) {
  const std::string good =
      std::string(kContent).substr(0, std::string(kContent).find("<Topic r:id=\"Top/Arts"));
  const std::string packed = gzip(kContent);
  const std::pair<std::string, std::string> cases[] = {
      {good + "<Topic r:id=\"Top/Arts\"></Wrong>",
       "line 17: this is not well-formed XML: mismatched tag"},
      {good + "<d:Title>\xff\xfe</d:Title>",
       "line 17: this is not well-formed XML: not well-formed (invalid token)"},
      {good + "<d:Title>\x01</d:Title>",
       "line 17: this is not well-formed XML: not well-formed (invalid token)"},
      {good, "line 17: this is not well-formed XML: no element found"},
      {good + "<link r:resource=\"" + std::string(3 << 20, 'x'),
       "line 17: a tag is longer than 1048576 bytes"},
      {packed.substr(0, packed.size() - 20), ": the gzip file is cut short"},
  };
  for (const auto& [content, says] : cases) {
    const DumpReport report = read(file("broken", content), {"Top/Computers"});
    ASSERT_TRUE(report.damage) << says;
    EXPECT_NE(report.damage->message.find(says), std::string::npos) << report.damage->message;
    if (content[0] == '<') {
      EXPECT_EQ(entries_.size(), 4u) << says;
    }
  }
  std::string wrong = packed;
  wrong[wrong.size() / 2] ^= 0x55;
  EXPECT_TRUE(read(file("broken.gz", wrong), {"Top/Computers"}).damage);
  EXPECT_TRUE(read(file("type", "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"), {"Top"}).damage);
  EXPECT_TRUE(read(file("empty", ""), {"Top"}).damage);
  EXPECT_FALSE(read(file("empty.tsv", ""), {"Top"}).damage);
  EXPECT_TRUE(read(file("long.tsv", std::string(2 << 20, 'x')), {"Top"}).damage);
}

TEST_F(DirectoryDump, that_cannot_be_opened_is_an_error) {
  const auto report = read_directory(dir_ / "none", CategoryFilter({}), [](auto, auto) {});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("cannot read"), std::string::npos);
  EXPECT_FALSE(read_directory(dir_.path(), CategoryFilter({}), [](auto, auto) {}).ok());
}

TEST_F(DirectoryDump, stops_when_the_watch_says_so) {
  std::string text = "<RDF>";
  for (int i = 0; i < 50'000; ++i) text += fmt::format("<Topic r:id=\"Top/{}\"/>\n", i);
  const DumpReport report =
      read(file("big", text + "</RDF>"), {"Top"}, [](const Progress&) { return false; });
  EXPECT_TRUE(report.was_stopped);
  EXPECT_LT(report.categories, 50'000u);
}

TEST_F(DirectoryDump, structure_lists_the_categories) {
  const std::string text =
      "<RDF><Topic r:id=\"Top\"><narrow r:resource=\"Top/Arts\"/></Topic>"
      "<Topic r:id=\"Top/Arts\"/></RDF>";
  std::vector<std::string> names;
  const auto report = read_categories(file("structure.rdf.u8", text),
                                      [&](std::string_view name) { names.emplace_back(name); });
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(names, (std::vector<std::string>{"Top", "Top/Arts"}));
}

TEST(SeedCollector, leaves_out_repeats_documents_sponsors_and_what_is_no_address) {
  Profile profile;
  profile.addresses.document_formats = {"pdf"};
  profile.seeds.sponsors = {"ads.test", "sponsor.com"};
  std::vector<std::string> kept;
  SeedCollector collector(profile, [&](const Url& url, std::string_view from) {
    kept.push_back(fmt::format("{} {}", url.href(), from));
  });
  EXPECT_TRUE(collector.add("http://a.test/", "one"));
  EXPECT_FALSE(collector.add("http://www.a.test/index.html", "two"));
  EXPECT_FALSE(collector.add("http://b.test/paper.pdf", "one"));
  EXPECT_FALSE(collector.add("http://click.sponsor.com/?to=a", "one"));
  EXPECT_FALSE(collector.add("http://ads.test/", "one"));
  EXPECT_FALSE(collector.add("ftp://c.test/", "one"));
  EXPECT_FALSE(collector.add("nonsense", "one"));
  EXPECT_TRUE(collector.add("https://d.test/x", "two"));
  EXPECT_EQ(kept, (std::vector<std::string>{"http://a.test/ one", "https://d.test/x two"}));
  const SeedCollector::Counts& c = collector.counts();
  EXPECT_EQ(c.offered, 8u);
  EXPECT_EQ(c.kept + c.repeats + c.documents + c.sponsors + c.invalid, c.offered);
  EXPECT_EQ(c.sponsors, 2u);
}

}  // namespace
}  // namespace dowser
