#include "archive/pack.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "archive/archive_index.h"
#include "base/compress.h"
#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, std::string_view content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

// The packed archive as address -> "200 body" or "301 -> location".
std::map<std::string, std::string> web_of(const fs::path& archive) {
  std::map<std::string, std::string> web;
  const auto archives = ArchiveSet::open(std::vector<fs::path>{archive});
  EXPECT_TRUE(archives.ok()) << archives.error().message;
  if (!archives) return web;
  EXPECT_TRUE(archives->errors().empty());
  for (const std::string& url : archives->urls()) {
    const Result<Response> r = archives->load(*archives->find(url));
    EXPECT_TRUE(r.ok());
    web[url] = r->status == 301 ? "301 -> " + std::string(*r->headers.get("Location"))
                                : std::to_string(r->status) + " " + r->body;
  }
  return web;
}

class PackTest : public testing::Test {
 protected:
  fs::path site() const { return folder_.path() / "site"; }
  fs::path archive() const { return folder_.path() / "web.warc.gz"; }

  Result<PackResult> pack_site(std::string prefix = "/", bool all = false) {
    PackOptions options;
    options.folders = {{site(), "example.org", std::move(prefix)}};
    options.to = archive();
    options.all = all;
    return pack(options);
  }

  TempDir folder_;
};

using Web = std::map<std::string, std::string>;

TEST_F(PackTest, every_html_file_becomes_a_page) {
  put(site() / "a.html", "A");
  put(site() / "b/c.HTM", "C");
  put(site() / "b/d.xhtml", "D");
  put(site() / "notes.txt", "no page");
  const auto result = pack_site();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->pages, 3u);
  EXPECT_EQ(result->bytes, 3u);
  EXPECT_EQ(web_of(archive()), (Web{{"http://example.org/a.html", "200 A"},
                                    {"http://example.org/b/c.HTM", "200 C"},
                                    {"http://example.org/b/d.xhtml", "200 D"}}));
}

TEST_F(PackTest, a_folder_redirects_to_its_index_page) {
  put(site() / "index.html", "home");
  put(site() / "sub/index.htm", "sub");
  put(site() / "both/index.html", "html");
  put(site() / "both/index.htm", "htm");
  const auto result = pack_site("docs");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->pages, 4u);
  EXPECT_EQ(result->redirects, 3u);
  Web web = web_of(archive());
  EXPECT_EQ(web["http://example.org/docs/"], "301 -> http://example.org/docs/index.html");
  EXPECT_EQ(web["http://example.org/docs/index.html"], "200 home");
  EXPECT_EQ(web["http://example.org/docs/sub/"], "301 -> http://example.org/docs/sub/index.htm");
  EXPECT_EQ(web["http://example.org/docs/both/"], "301 -> http://example.org/docs/both/index.html");
}

TEST_F(PackTest, packed_files_are_unpacked) {
  put(site() / "a.html.gz", gzip("unpacked"));
  put(site() / "b.html.gz", gzip("not this one"));
  put(site() / "b.html", "this one");
  const auto result = pack_site();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->skipped.size(), 1u);
  EXPECT_EQ(web_of(archive()), (Web{{"http://example.org/a.html", "200 unpacked"},
                                    {"http://example.org/b.html", "200 this one"}}));
}

TEST_F(PackTest, file_names_become_addresses_that_mean_them) {
  const std::pair<const char*, const char*> cases[] = {
      {"a b.html", "a%20b.html"},       {"100%.html", "100%25.html"},
      {"%41.html", "%2541.html"},       {"q?x.html", "q%3Fx.html"},
      {"h#1.html", "h%231.html"},       {"back\\slash.html", "back%5Cslash.html"},
      {"\xc3\xa4.html", "%C3%A4.html"}, {"\xe4.html", "%E4.html"},
      {"a+b;c=d.html", "a+b;c=d.html"}, {"a:b.html", "a:b.html"},
  };
  for (const auto& [name, path] : cases) put(site() / name, name);
  ASSERT_TRUE(pack_site().ok());
  const Web web = web_of(archive());
  EXPECT_EQ(web.size(), std::size(cases));
  for (const auto& [name, path] : cases) {
    const auto found = web.find(std::string("http://example.org/") + path);
    ASSERT_NE(found, web.end()) << path;
    EXPECT_EQ(found->second, std::string("200 ") + name);
    EXPECT_EQ(Url::parse(found->first)->href(), found->first);
  }
}

TEST_F(PackTest, links_are_followed_inside_of_the_folder_only_and_never_in_circles) {
  put(folder_.path() / "outside/secret.html", "secret");
  put(site() / "real/a.html", "A");
  fs::create_symlink("real/a.html", site() / "file.html");
  fs::create_directory_symlink("real", site() / "folder");
  fs::create_symlink("../outside/secret.html", site() / "leak.html");
  fs::create_directory_symlink("../outside", site() / "leak");
  fs::create_directory_symlink("..", site() / "real/up");
  fs::create_directory_symlink(".", site() / "real/self");
  fs::create_symlink("nowhere.html", site() / "broken.html");
  const auto result = pack_site();
  ASSERT_TRUE(result.ok());
  const Web web = web_of(archive());
  EXPECT_EQ(web, (Web{{"http://example.org/real/a.html", "200 A"},
                      {"http://example.org/file.html", "200 A"},
                      {"http://example.org/folder/a.html", "200 A"}}));
  // leak.html, leak, broken.html; real/up and real/self, each seen by two ways.
  EXPECT_EQ(result->skipped.size(), 7u);
}

TEST_F(PackTest, folders_that_all_link_to_each_other_end) {
  for (int i = 0; i < 8; ++i) {
    const fs::path folder = site() / std::to_string(i);
    put(folder / "a.html", "A");
    for (int j = 0; j < 8; ++j) {
      fs::create_directory_symlink("../" + std::to_string(j), folder / ("to" + std::to_string(j)));
    }
  }
  const auto result = pack_site();
  ASSERT_TRUE(result.ok());
  EXPECT_LT(result->pages, 5000u);
}

TEST_F(PackTest, all_takes_every_file_with_a_type_by_its_name) {
  put(site() / "a.html", "A");
  put(site() / "notes.TXT", "words");
  put(site() / "data", "?");
  put(site() / "more.tar.gz", gzip("tar"));
  ASSERT_TRUE(pack_site("/", true).ok());
  const auto archives = ArchiveSet::open(std::vector<fs::path>{archive()});
  ASSERT_TRUE(archives.ok());
  const auto load = [&](std::string_view url) {
    const auto found = archives->find(url);
    return found ? *archives->load(*found) : Response();
  };
  EXPECT_EQ(load("http://example.org/a.html").content_type(), "text/html");
  EXPECT_EQ(load("http://example.org/notes.TXT").content_type(), "text/plain");
  EXPECT_EQ(load("http://example.org/data").content_type(), "application/octet-stream");
  EXPECT_EQ(load("http://example.org/more.tar.gz").body, gzip("tar"));
}

TEST_F(PackTest, the_same_files_give_the_same_bytes) {
  for (const char* name : {"z.html", "a.html", "m/index.html", "b.html"}) put(site() / name, name);
  PackOptions options;
  options.folders = {{site(), "example.org"}};
  options.date = *parse_iso8601("2007-05-28T00:00:00Z");
  options.to = folder_.path() / "one.warc.gz";
  ASSERT_TRUE(pack(options).ok());
  fs::copy(site(), folder_.path() / "copy", fs::copy_options::recursive);
  options.folders[0].folder = folder_.path() / "copy";
  options.to = folder_.path() / "two.warc.gz";
  ASSERT_TRUE(pack(options).ok());
  EXPECT_EQ(*read_file(folder_ / "one.warc.gz"), *read_file(folder_ / "two.warc.gz"));
}

TEST_F(PackTest, the_date_is_that_of_the_newest_file) {
  put(site() / "old.html", "old");
  put(site() / "new.html", "new");
  const auto date = *parse_iso8601("2011-02-03T04:05:06Z");
  const auto at = [&](int seconds) {
    return std::chrono::file_clock::from_sys(std::chrono::sys_time<std::chrono::microseconds>(
        std::chrono::microseconds(date.micros + seconds * 1'000'000LL)));
  };
  fs::last_write_time(site() / "old.html", at(-1000));
  fs::last_write_time(site() / "new.html", at(0));
  const auto result = pack_site();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(to_iso8601(result->date), "2011-02-03T04:05:06Z");
}

TEST_F(PackTest, several_folders_become_several_hosts) {
  put(site() / "a.html", "A");
  put(folder_.path() / "other/a.html", "B");
  PackOptions options;
  options.folders = {{site(), "one.org"}, {folder_.path() / "other", "two.org:8080", "/x/"}};
  options.to = archive();
  ASSERT_TRUE(pack(options).ok());
  EXPECT_EQ(web_of(archive()),
            (Web{{"http://one.org/a.html", "200 A"}, {"http://two.org:8080/x/a.html", "200 B"}}));
}

TEST_F(PackTest, a_failure_leaves_what_was_there) {
  put(archive(), "old");
  put(site() / "notes.txt", "no page");
  EXPECT_FALSE(pack_site().ok());
  put(site() / "a.html", "A");
  for (const char* host : {"", "a/b", "user@a", "a?b", "a b"}) {
    PackOptions options;
    options.folders = {{site(), host}};
    options.to = archive();
    EXPECT_FALSE(pack(options).ok()) << host;
  }
  PackOptions options;
  options.folders = {{folder_.path() / "missing", "example.org"}};
  options.to = archive();
  const auto result = pack(options);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("is not a folder"), std::string::npos);
  EXPECT_EQ(*read_file(archive()), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);  // no leftovers
}

}  // namespace
}  // namespace dowser
