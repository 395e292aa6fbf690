#include "store/store.h"

#include <gtest/gtest.h>

#include <thread>

#include "archive/archive_index.h"
#include "base/file.h"
#include "base/hash.h"
#include "tests/support.h"

namespace dowser {
namespace {

Visit visit(uint32_t id, const std::string& url, const std::string& body) {
  Visit v;
  v.id = {id};
  v.candidate.url = *Url::parse(url);
  v.candidate.score = id == 0 ? Score::seed() : Score(0.25);
  if (id > 0) v.candidate.trail = {VisitId{id - 1}, id, 3};
  v.response.url = v.candidate.url;
  v.response.status = 200;
  v.response.reason = "OK";
  v.response.headers.add("Content-Type", "text/html");
  v.response.body = body;
  v.response.fetched_at = Time{1'180'310'400'000'000};
  v.page.title = "A \"title\"";
  v.judgement.relevance.value = 0.5;
  v.judgement.relevant = id == 1;
  v.judgement.reasons = {{"bird", 0.3}, {"nest", 0.2}};
  return v;
}

std::unique_ptr<Store> open_store(const std::string& folder) {
  StoreOptions options;
  options.folder = folder;
  options.configuration = "topic = \"birds\"\n";
  options.judge = "cosine";
  options.strategy = "best-first";
  auto store = Store::create(options);
  EXPECT_TRUE(store.ok());
  return std::move(*store);
}

std::string one(const Store& store, const std::string& sql) {
  auto db = Database::open(store.catalogue_path());
  auto rows = db->prepare(sql);
  EXPECT_TRUE(rows.ok()) << rows.error().message;
  return *rows->step() ? rows->text(0) : "-";
}

TEST(Store, a_row_points_at_the_response_in_the_archive) {
  TempDir dir;
  auto store = open_store(dir / "out");
  ASSERT_TRUE(store->keep(visit(0, "http://a.test/", "first"), {}).ok());
  ASSERT_TRUE(store->keep(visit(1, "http://a.test/b", "second"), {}).ok());
  ASSERT_TRUE(store->finish().ok());

  const auto file =
      store->archive_folder() / one(*store, "SELECT archive_file FROM pages WHERE id = 1");
  const auto reader = WarcReader::open(file);
  ASSERT_TRUE(reader.ok());
  const uint64_t offset = std::stoull(one(*store, "SELECT archive_offset FROM pages WHERE id = 1"));
  const auto record = reader->read_at({offset, 0, 0});
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->target, "http://a.test/b");
  EXPECT_EQ(record->payload(), "second");
  EXPECT_EQ(one(*store, "SELECT digest FROM pages WHERE id = 1"), sha1_digest("second"));
}

TEST(Store, keeps_response_request_and_what_the_crawl_knew_of_the_page) {
  TempDir dir;
  auto store = open_store(dir / "out");
  ASSERT_TRUE(store->keep(visit(0, "http://a.test/", "first"), {}).ok());
  ASSERT_TRUE(store->keep(visit(1, "http://a.test/b", "second"), {}).ok());
  ASSERT_TRUE(store->finish().ok());
  auto reader = WarcReader::open(store->archive_folder() / "crawl-00000.warc.gz");
  std::vector<std::string> types;
  std::string last_metadata;
  while (const auto record = reader->next()) {
    types.emplace_back(name_of(record->type));
    if (record->type == RecordType::kMetadata) last_metadata = record->block;
  }
  EXPECT_TRUE(reader->errors().empty());
  EXPECT_EQ(types, (std::vector<std::string>{"warcinfo", "response", "request", "metadata",
                                             "response", "request", "metadata"}));
  for (const char* line : {"relevance: 0.5", "relevant: yes", "score: 0.25", "judge: cosine",
                           "strategy: best-first", "parent: http://a.test/", "depth: 1"}) {
    EXPECT_NE(last_metadata.find(line), std::string::npos) << line;
  }
}

TEST(Store, the_index_lists_every_response) {
  TempDir dir;
  auto store = open_store(dir / "out");
  Visit redirected = visit(0, "http://a.test/b", "page");
  Response hop;
  hop.url = *Url::parse("http://a.test/");
  hop.status = 301;
  hop.headers.add("Location", "/b");
  redirected.redirects.push_back(hop);
  ASSERT_TRUE(store->keep(redirected, {}).ok());
  ASSERT_TRUE(store->finish().ok());
  auto index = CdxIndex::read(std::filesystem::path(dir / "out") / "index.cdxj");
  ASSERT_TRUE(index.ok());
  ASSERT_EQ(index->entries().size(), 2u);
  EXPECT_EQ(index->entries()[0].status, "301");
  EXPECT_EQ(index->entries()[1].status, "200");
  EXPECT_EQ("sha1:" + index->entries()[1].digest, sha1_digest("page"));
}

TEST(Store, what_brought_no_answer_has_a_row_and_no_response) {
  TempDir dir;
  auto store = open_store(dir / "out");
  Visit failed = visit(0, "http://a.test/", "");
  failed.response.failure = Failure::kRobots;
  failed.response.status = 0;
  ASSERT_TRUE(store->keep(failed, {}).ok());
  ASSERT_TRUE(store->finish().ok());
  EXPECT_EQ(
      one(*store,
          "SELECT failure || COALESCE(status, '-') || COALESCE(archive_file, '-') FROM pages"),
      "robots--");
}

TEST(Store, links_keep_their_words_and_the_terms_of_their_score) {
  TempDir dir;
  auto store = open_store(dir / "out");
  Visit v = visit(0, "http://a.test/", "x");
  v.page.text = "see the nest";
  v.page.tag_paths = {"p>a"};
  Link link;
  link.url = *Url::parse("http://a.test/nest#part");
  link.anchor = {8, 12};
  v.page.links = {link};
  const FoundLink found{&v.page.links[0], Score(0.5), true, "page=0.5"};
  ASSERT_TRUE(store->keep(v, std::span(&found, 1)).ok());
  ASSERT_TRUE(store->finish().ok());
  EXPECT_EQ(one(*store,
                "SELECT url || ' ' || anchor || ' ' || tag_path || ' ' || score || ' ' || parts "
                "FROM links"),
            "http://a.test/nest#part nest p>a 0.5 page=0.5");
}

TEST(Store, refuses_a_folder_that_is_not_empty_and_touches_nothing_there) {
  TempDir dir;
  ASSERT_TRUE(put_file(dir / "mine.txt", "keep me").ok());
  StoreOptions options;
  options.folder = dir.path();
  const auto store = Store::create(options);
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().message.find("is not empty: name a new folder with --out"),
            std::string::npos);
  EXPECT_EQ(*read_file(dir / "mine.txt"), "keep me");
  EXPECT_FALSE(std::filesystem::exists(dir / "catalogue.sqlite"));
}

TEST(Store, counts_by_host) {
  TempDir dir;
  auto store = open_store(dir / "out");
  ASSERT_TRUE(store->keep(visit(0, "http://a.test/", "1"), {}).ok());
  ASSERT_TRUE(store->keep(visit(1, "http://a.test/b", "22"), {}).ok());
  ASSERT_TRUE(store->finish().ok());
  EXPECT_EQ(
      one(*store, "SELECT host || ' ' || pages || ' ' || relevant || ' ' || bytes FROM hosts"),
      "a.test 2 1 3");
}

// A deferred BEGIN whose first statement reads can no longer write once another process has
// written, however long it is ready to wait, so a short lock ended the crawl.
TEST(Store, somebody_who_writes_to_the_catalogue_is_waited_for) {
  TempDir dir;
  auto store = open_store(dir / "out");
  ASSERT_TRUE(store->keep(visit(0, "http://a.test/", "first"), {}).ok());
  for (uint32_t id = 1; id < 4; ++id) {
    auto other = Database::open_for_writing(store->catalogue_path());
    ASSERT_TRUE(
        other->execute("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS theirs (a);"
                       "INSERT INTO theirs VALUES (1)"));
    std::thread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      EXPECT_TRUE(other->execute("COMMIT"));
    });
    const std::string url = "http://a.test/" + std::to_string(id);
    const Status kept = store->keep(visit(id, url, "body " + url), {});
    writer.join();
    EXPECT_TRUE(kept.ok()) << kept.error().message;
  }
  ASSERT_TRUE(store->finish().ok());
  EXPECT_EQ(one(*store, "SELECT COUNT(*) FROM pages"), "4");
}

TEST(Store, what_the_catalogue_could_not_keep_has_no_line_in_the_index) {
  TempDir dir;
  auto store = open_store(dir / "out");
  ASSERT_TRUE(store->keep(visit(0, "http://a.test/", "first"), {}).ok());
  {
    auto other = Database::open_for_writing(store->catalogue_path());
    ASSERT_TRUE(
        other->execute("CREATE TRIGGER no BEFORE INSERT ON pages BEGIN "
                       "SELECT RAISE(ABORT, 'no more'); END"));
  }
  EXPECT_FALSE(store->keep(visit(1, "http://a.test/b", "second"), {}).ok());
  ASSERT_TRUE(store->finish().ok());
  const std::string index = *read_file(dir / "out/index.cdxj");
  EXPECT_NE(index.find("http://a.test/\""), std::string::npos) << index;
  EXPECT_EQ(index.find("http://a.test/b"), std::string::npos) << index;
}

}  // namespace
}  // namespace dowser
