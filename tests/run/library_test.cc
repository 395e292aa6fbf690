#include "run/library.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "library/search.h"
#include "run/added_files.h"
#include "run/library_source.h"
#include "store/catalogue_reader.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// A crawl of a small web, made by the program itself, and its library.
class LibraryTest : public testing::Test {
 protected:
  void page(const std::string& name, const std::string& title, const std::string& words,
            const std::vector<std::string>& links) {
    std::string html = "<html lang=en><title>" + title + "</title><p>" + words + "</p>";
    for (const std::string& link : links) html += "<p><a href=\"" + link + "\">next</a></p>";
    fs::create_directories(folder_.path() / "web");
    ASSERT_TRUE(put_file(folder_.path() / "web" / name, html).ok());
  }
  // Pages 0 … n - 1 in a chain. Each has words of its own, or it would be taken for a copy of the
  // others, and its text for the template of their host.
  void make_web(int n) {
    for (int i = 0; i < n; ++i) {
      std::string own;
      for (char c = 'a'; c <= 'z'; ++c) own += std::string(" w") + static_cast<char>('a' + i) + c;
      page(std::to_string(i) + ".html", i % 2 ? "Swans" : "Stones",
           "birds number" + std::to_string(i) + (i == 3 ? " unique" : "") + own,
           {std::to_string(i + 1) + ".html", "0.html"});
    }
    const Ran packed = run_dowser(
        {"pack", folder_ / "web", "--host", "web.test", "--to", folder_ / "web.warc.gz"});
    ASSERT_EQ(packed.code, 0) << packed.err;
  }
  void crawl(int pages) {
    const Ran ran = run_dowser({"crawl", "--web", folder_ / "web.warc.gz", "--seed",
                                "http://web.test/0.html", "--topic", "birds swans", "--max-pages",
                                std::to_string(pages), "--out", dir()});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  std::string dir() const { return folder_ / "crawl"; }
  fs::path file() const { return fs::path(dir()) / "library.sqlite"; }

  LibraryReader open(LibraryOptions options = {}) {
    options.tell = [&](const std::string& sentence) { told_.push_back(sentence); };
    Result<LibraryReader> library = open_library(dir(), options);
    EXPECT_TRUE(library.ok()) << library.error().message;
    return std::move(*library);
  }
  uint64_t count(LibraryReader& library, std::string_view query) {
    SearchOptions options;
    options.filter.copies = true;  // the pages are nearly the same
    const Result<LibraryHits> hits = search(library, nullptr, *parse_query(query).query, options);
    EXPECT_TRUE(hits.ok());
    return hits->total;
  }
  // What a library says of everything it holds, but for the numbers of its items.
  std::vector<std::string> cards(LibraryReader& library) {
    std::vector<std::string> cards;
    for (int64_t id = 1; id <= 1000; ++id) {
      const auto item = *library.item(id);
      if (!item) continue;
      cards.push_back(fmt::format("{} {} {} {} {} {} {}", item->url, item->title, item->references,
                                  *item->relevance, item->relevant, item->length,
                                  item->archive_offset));
    }
    return cards;
  }

  TempDir folder_;
  std::vector<std::string> told_;
};

TEST_F(LibraryTest, it_is_built_when_first_asked_for_and_then_kept) {
  make_web(6);
  crawl(6);
  EXPECT_FALSE(fs::exists(file()));
  {
    LibraryReader library = open();
    EXPECT_EQ(library.items(), 6u);
    EXPECT_EQ(count(library, "birds"), 6u);
    EXPECT_EQ(count(library, "unique"), 1u);
    EXPECT_EQ((*library.item_at("http://web.test/0.html"))->references, 5u);
    EXPECT_EQ((*library.item_at("http://web.test/2.html"))->references, 1u);
  }
  const auto made = fs::last_write_time(file());
  open();
  EXPECT_EQ(fs::last_write_time(file()), made);
  EXPECT_TRUE(told_.empty());
  EXPECT_FALSE(fs::exists(file().string() + "-wal"));
  EXPECT_FALSE(fs::exists(file().string() + ".new"));
}

TEST_F(LibraryTest, a_crawl_that_has_gone_on_is_appended_and_equals_one_built_anew) {
  make_web(12);
  crawl(5);
  EXPECT_EQ(open().items(), 5u);
  const Ran resumed = run_dowser({"resume", dir(), "--max-pages", "12"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  std::vector<std::string> appended;
  {
    LibraryReader library = open();
    EXPECT_EQ(library.items(), 12u);
    EXPECT_EQ(count(library, "number11"), 1u);
    EXPECT_EQ(count(library, "number2"), 1u);
    appended = cards(library);
  }
  LibraryOptions options;
  options.rebuild = true;
  LibraryReader rebuilt = open(options);
  EXPECT_EQ(cards(rebuilt), appended);
}

TEST_F(LibraryTest, a_deleted_library_is_built_again_and_a_damaged_one_with_a_sentence) {
  make_web(4);
  crawl(4);
  std::vector<std::string> first;
  {
    LibraryReader library = open();
    first = cards(library);
  }
  fs::remove(file());
  {
    LibraryReader library = open();
    EXPECT_EQ(cards(library), first);
  }
  EXPECT_TRUE(told_.empty());
  ASSERT_TRUE(put_file(file(), "no database at all, but long enough to look like a file").ok());
  LibraryReader library = open();
  EXPECT_EQ(cards(library), first);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].find("was not a library, and was moved to"), std::string::npos) << told_[0];
}

// "Cannot be read" is not "is not there": it was once noted as if these pages had no text.
TEST_F(LibraryTest, pages_whose_archive_could_not_be_read_are_added_when_it_can) {
  make_web(6);
  crawl(6);
  const fs::path archive = fs::path(dir()) / "archive/crawl-00000.warc.gz";
  const std::string whole = *read_file(archive);
  ASSERT_TRUE(put_file(archive, whole.substr(0, whole.size() / 2)).ok());
  {
    LibraryReader library = open();
    EXPECT_LT(count(library, "birds"), 6u);
  }
  ASSERT_FALSE(told_.empty());
  EXPECT_NE(told_[0].find("could not be read"), std::string::npos) << told_[0];
  {
    LibraryReader library = open();
    EXPECT_LT(count(library, "birds"), 6u) << "nothing has changed";
  }
  ASSERT_TRUE(put_file(archive, whole).ok());
  LibraryReader library = open();
  EXPECT_EQ(count(library, "birds"), 6u);
}

TEST_F(LibraryTest, other_pages_in_the_place_of_those_it_knows_make_it_new) {
  make_web(5);
  crawl(5);
  open();
  // Another crawl in the same place, as after a crawl that was killed and lost its last pages.
  fs::rename(file(), folder_ / "kept");
  fs::remove_all(dir());
  page("0.html", "Start", "birds first", {"7.html"});
  page("7.html", "Swans", "birds seventh", {"1.html"});
  make_web(0);
  crawl(4);
  fs::rename(folder_ / "kept", file());
  LibraryReader library = open();
  EXPECT_EQ(count(library, "seventh"), 1u);
  EXPECT_EQ(count(library, "number0"), 0u);
}

TEST_F(LibraryTest, who_stops_it_leaves_what_was_there) {
  make_web(6);
  crawl(4);
  LibraryOptions stop;
  stop.watch = [](const Progress& progress) { return progress.what != "pages"; };
  EXPECT_FALSE(open_library(dir(), stop).ok());
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_FALSE(fs::exists(file().string() + ".new"));
  EXPECT_EQ(open().items(), 4u);
  ASSERT_EQ(run_dowser({"resume", dir(), "--max-pages", "6"}).code, 0);
  EXPECT_FALSE(open_library(dir(), stop).ok());
  EXPECT_EQ(LibraryReader::open(file())->items(), 4u);
  EXPECT_EQ(open().items(), 6u);
}

TEST_F(LibraryTest, added_files_are_found_and_come_back_after_a_rebuild) {
  make_web(3);
  crawl(3);
  open();
  const std::string paper = folder_ / "paper.txt";
  ASSERT_TRUE(put_file(paper,
                       "On the Flight of Swans\n\nby Ada Lovelace\n\nAbstract\n\nSwans fly "
                       "far over the quagmire.\n")
                  .ok());
  Result<std::unique_ptr<Converter>> converter = Converter::start(dowser_program());
  ASSERT_TRUE(converter.ok()) << converter.error().message;
  AddedFiles added(dir());
  const auto one = added.add(paper, **converter);
  ASSERT_TRUE(one.ok()) << one.error().message;
  EXPECT_TRUE(one->is_new);
  EXPECT_FALSE(added.add(paper, **converter)->is_new);
  {
    LibraryReader library = open();
    EXPECT_EQ(library.items(), 4u);
    EXPECT_EQ(count(library, "quagmire"), 1u);
    EXPECT_TRUE(library.item_at("added:paper.txt")->has_value());
  }
  fs::remove(file());
  {
    LibraryReader library = open();
    EXPECT_EQ(count(library, "quagmire"), 1u);
  }
  // Another file of the same name has another name here.
  ASSERT_TRUE(put_file(paper, "Something else about the morass.\n").ok());
  const auto two = added.add(paper, **converter);
  ASSERT_TRUE(two.ok());
  EXPECT_NE(two->item.url, one->item.url);
  EXPECT_TRUE(*added.remove("paper.txt"));
  EXPECT_FALSE(*added.remove("paper.txt"));
  EXPECT_FALSE(*added.remove("../catalogue.sqlite"));
  LibraryReader library = open();
  EXPECT_EQ(count(library, "quagmire"), 0u);
  EXPECT_EQ(count(library, "morass"), 1u);
}

TEST_F(LibraryTest, relevance_follows_the_catalogue) {
  make_web(4);
  crawl(4);
  open();
  {
    Result<Database> catalogue = Database::open_for_writing(fs::path(dir()) / "catalogue.sqlite");
    ASSERT_TRUE(catalogue.ok());
    ASSERT_TRUE(
        catalogue->execute("UPDATE pages SET relevance = 0.125, relevant = 1 WHERE id = 2").ok());
  }
  LibraryReader library = open();
  const auto item = *library.item(3);
  EXPECT_EQ(item->page, 2);
  EXPECT_EQ(*item->relevance, 0.125);
  EXPECT_TRUE(item->relevant);
}

}  // namespace
}  // namespace dowser
