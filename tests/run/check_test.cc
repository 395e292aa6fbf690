#include "run/check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "base/file.h"
#include "base/random.h"
#include "run/run.h"
#include "store/database.h"
#include "store/row_sum.h"
#include "tests/support.h"

// Folders of real small crawls that are damaged in every way. Each damage is found, or makes no
// difference to a crawl that goes on; and what can be rebuilt is, to the same content.

namespace dowser {
namespace {

namespace fs = std::filesystem;
constexpr int kPages = 40;

class CheckTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = new TempDir;
    Random random(11);
    WarcWriter writer({.folder = dir_->path() / "web", .prefix = "web"});
    for (int i = 0; i < kPages; ++i) {
      Response page;
      page.url = address(i);
      page.status = i % 4 == 2 ? 404 : 200;
      page.reason = "OK";
      page.headers.add("Content-Type", "text/html; charset=utf-8");
      page.fetched_at = Time{1'000'000'000'000'000};
      page.body = "<html lang=en><title>Page " + std::to_string(i) + "</title><p>";
      for (int word = 0; word < 60; ++word) {
        page.body +=
            random.below(9) == 0 ? "lighthouse " : "w" + std::to_string(random.below(5000)) + " ";
      }
      for (int link = 0; link < 4; ++link) add_link(page, static_cast<int>(random.below(kPages)));
      add_link(page, (i + 1) % kPages);
      add_link(page, kPages + i);  // which the web does not hold
      ASSERT_TRUE(writer.write(response_record(page)).ok());
      if (i % 5 == 0) write_redirect(writer, i);
    }
    Response robots;
    robots.url = *Url::parse("http://h2.test/robots.txt");
    robots.status = 200;
    robots.reason = "OK";
    robots.headers.add("Content-Type", "text/plain");
    robots.fetched_at = Time{1'000'000'000'000'000};
    robots.body = "User-agent: *\nDisallow: /1\nDisallow: /2\n";
    ASSERT_TRUE(writer.write(response_record(robots)).ok());
    // A crawl that stopped and went on, so that the state has tables and a log.
    crawl(config("whole", 20));
    ASSERT_TRUE(go_on("whole", 30).ok());
  }
  static void TearDownTestSuite() {
    delete dir_;
    dir_ = nullptr;
  }

  // /r0 leads to the page; pages link to it as well.
  static void write_redirect(WarcWriter& writer, int to) {
    Response redirect;
    redirect.url = *Url::parse("http://h0.test/r" + std::to_string(to));
    redirect.status = 301;
    redirect.reason = "Moved";
    redirect.headers.add("Location", std::string(address(to).href()));
    redirect.fetched_at = Time{1'000'000'000'000'000};
    ASSERT_TRUE(writer.write(response_record(redirect)).ok());
  }

  static Url address(int page) {
    return *Url::parse("http://h" + std::to_string(page % 3) + ".test/" + std::to_string(page));
  }
  static void add_link(Response& page, int to) {
    const std::string url = to % 5 == 0 && to < kPages ? "http://h0.test/r" + std::to_string(to)
                                                       : std::string(address(to).href());
    page.body += "<a href='" + url + "'>to " + std::to_string(to) + "</a> ";
  }

  static CrawlConfig config(const std::string& name, int pages) {
    CrawlConfig config;
    config.web = {*dir_ / "web/web-00000.warc.gz"};
    config.seeds = {std::string(address(1).href())};
    config.topic = "lighthouse";
    config.strategy = "best-first";
    config.missing = "404";
    config.max_pages = pages;
    config.out = *dir_ / name;
    return config;
  }

  static void crawl(const CrawlConfig& config) {
    const auto result = run_crawl(config);
    ASSERT_TRUE(result.ok()) << result.error().message;
  }
  static Status go_on(const std::string& name, int pages) {
    Result<CrawlConfig> config = config_of(*dir_ / name);
    if (!config) return config.error();
    config->max_pages = pages;
    if (Status s = check_settings(*config); !s) return s;
    const auto result = resume_crawl(*config);
    return result ? Status{} : Status(result.error());
  }

  static fs::path copy_of(const std::string& from, const std::string& to) {
    fs::remove_all(*dir_ / to);
    fs::copy(*dir_ / from, *dir_ / to, fs::copy_options::recursive);
    return *dir_ / to;
  }

  static CheckReport check(const fs::path& folder) {
    const auto report = check_crawl(folder);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report ? *report : CheckReport{};
  }
  static RepairReport repair(const fs::path& folder) {
    const auto done = repair_crawl(folder, check(folder));
    EXPECT_TRUE(done.ok()) << done.error().message;
    return done ? *done : RepairReport{};
  }
  static std::string text(const CheckReport& report) {
    std::string all;
    for (const auto& problem : report.problems) all += problem.part + ": " + problem.what + "\n";
    return all;
  }
  static bool finds(const CheckReport& report, std::string_view part, std::string_view words) {
    for (const auto& problem : report.problems) {
      if (problem.part == part && problem.what.find(words) != std::string::npos) return true;
    }
    return false;
  }

  static void execute(const fs::path& folder, const char* sql) {
    Result<Database> db = Database::create(folder / "catalogue.sqlite");
    ASSERT_TRUE(db.ok());
    const Status done = db->execute(sql);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  static std::vector<std::string> rows(const fs::path& folder, const std::string& sql) {
    Result<Database> db = Database::open(folder / "catalogue.sqlite");
    std::vector<std::string> rows;
    Result<Statement> statement = db->prepare(sql);
    EXPECT_TRUE(statement.ok()) << statement.error().message;
    while (statement && *statement->step()) {
      std::string row;
      for (int i = 0; i < statement->columns(); ++i) {
        row += (statement->is_null(i) ? "NULL" : statement->text(i)) + "|";
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // What a crawl has left: the content of its records, and its rows.
  static std::map<std::string, std::string> left_in(const fs::path& folder) {
    std::map<std::string, std::string> left;
    for (const auto& entry : fs::directory_iterator(folder / "archive")) {
      auto reader = WarcReader::open(entry.path());
      std::string& all = left[entry.path().filename()];
      while (auto record = reader ? reader->next() : std::nullopt) {
        all += record->id + record->target + record->block;
      }
    }
    for (const char* table : {"pages", "links", "hosts"}) {
      for (const auto& row : rows(folder, std::string("SELECT * FROM ") + table)) {
        left[table] += row + "\n";
      }
    }
    left["index"] = *read_file(folder / "index.cdxj");
    return left;
  }

  static void flip(const fs::path& file, uint64_t offset, int bit = 2) {
    std::string bytes = *read_file(file);
    ASSERT_LT(offset, bytes.size());
    bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << bit));
    overwrite(file, bytes);
  }
  static void overwrite(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }

  static TempDir* dir_;
};
TempDir* CheckTest::dir_ = nullptr;

constexpr char kArchive[] = "archive/crawl-00000.warc.gz";

TEST_F(CheckTest, a_sound_crawl_has_no_problems_and_is_not_changed) {
  const fs::path folder = copy_of("whole", "sound");
  std::map<std::string, std::string> before;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) before[entry.path()] = *read_file(entry.path());
  }
  const CheckReport report = check(folder);
  EXPECT_TRUE(report.sound()) << text(report);
  EXPECT_EQ(report.parts.size(), 5u);
  std::map<std::string, std::string> after;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with("-shm") || name.ends_with("-wal")) continue;  // SQLite's, while it reads
    if (entry.is_regular_file()) after[entry.path()] = *read_file(entry.path());
  }
  EXPECT_EQ(before, after);
}

TEST_F(CheckTest, a_damaged_record_of_the_archive_is_named_with_its_page) {
  const fs::path folder = copy_of("whole", "record");
  const auto place = rows(folder, "SELECT archive_offset FROM pages WHERE id = 5").front();
  const auto offset = static_cast<uint64_t>(std::atoll(place.c_str()));
  flip(folder / kArchive, offset + 40);
  const CheckReport report = check(folder);
  EXPECT_TRUE(finds(report, "archive", "offset " + std::to_string(offset) + ":")) << text(report);
  EXPECT_TRUE(finds(report, "archive", "the answer for page 5")) << text(report);
  EXPECT_EQ(report.problems.size(), 1u) << text(report);
  EXPECT_EQ(report.problems.front().remedy, CheckReport::Remedy::kNone);
  repair(folder);  // which has nothing to do
  EXPECT_FALSE(fs::exists(folder / "set-aside"));
}

TEST_F(CheckTest, a_missing_or_short_archive_is_found) {
  const fs::path folder = copy_of("whole", "short");
  fs::resize_file(folder / kArchive, fs::file_size(folder / kArchive) / 2);
  EXPECT_TRUE(finds(check(folder), "archive", "")) << text(check(folder));
  fs::remove(folder / kArchive);
  EXPECT_TRUE(finds(check(folder), "archive", "is missing")) << text(check(folder));
}

TEST_F(CheckTest, bytes_behind_the_last_record_are_found_or_told) {
  const fs::path folder = copy_of("whole", "behind");
  std::ofstream(folder / kArchive, std::ios::binary | std::ios::app) << "more";
  const CheckReport report = check(folder);
  EXPECT_TRUE(report.sound());
  EXPECT_NE(report.notes.front().find("4 bytes after"), std::string::npos);
}

TEST_F(CheckTest, a_line_of_an_index_that_is_wrong_missing_or_out_of_order_is_found) {
  for (const char* name : {"index.cdxj", "index.unsorted"}) {
    const fs::path folder = copy_of("whole", "index");
    const std::string good = *read_file(folder / name);
    const size_t second = good.find('\n') + 1;
    overwrite(folder / name, good.substr(second));
    EXPECT_TRUE(finds(check(folder), "index", "lacks 1 record")) << text(check(folder));
    std::string wrong = good;
    wrong[good.find("\"length\":\"") + 10] ^= 1;
    overwrite(folder / name, wrong);
    EXPECT_TRUE(finds(check(folder), "index", "line 1")) << text(check(folder));
    if (std::string_view(name) == "index.cdxj") {
      overwrite(folder / name, good.substr(second) + good.substr(0, second));
      EXPECT_TRUE(finds(check(folder), "index", "out of order")) << text(check(folder));
    }
    fs::remove(folder / name);
    EXPECT_TRUE(finds(check(folder), "index", "")) << text(check(folder));
    repair(folder);
    EXPECT_TRUE(check(folder).sound()) << text(check(folder));
    EXPECT_EQ(*read_file(folder / name), good);
  }
}

TEST_F(CheckTest, every_changed_cell_of_the_catalogue_is_found) {
  const char* changes[] = {
      "UPDATE pages SET title = 'x' WHERE id = 3",
      "UPDATE pages SET relevance = relevance + 1e-15 WHERE id = 4",
      "UPDATE pages SET score = CAST(score AS TEXT) WHERE id = 4",
      "UPDATE pages SET status = NULL WHERE id = 6",
      "UPDATE link_lists SET base = base || ' ', links = REPLACE(links, '\",', ' \",') "
      "WHERE page = 2",
      "UPDATE link_lists SET links = JSON_SET(links, '$[0][3]', 1 - (links ->> '$[0][3]')) "
      "WHERE page = 2",
      "UPDATE link_lists SET links = JSON_REMOVE(links, '$[2]') WHERE page = 7",
      "UPDATE link_lists SET links = JSON_SET(links, '$[#]', JSON_EXTRACT(links, '$[1]')) "
      "WHERE page = 7",
      "UPDATE link_lists SET links = SUBSTR(links, 1, LENGTH(links) - 1) WHERE page = 7",
      "UPDATE link_lists SET paths = '[]' WHERE page = 7",
      "DELETE FROM link_lists WHERE page = 7",
      "INSERT INTO link_lists SELECT 999, base, paths, links FROM link_lists WHERE page = 7",
      "DELETE FROM pages WHERE id = 9",
      "UPDATE hosts SET bytes = bytes + 1 WHERE host = 'h1.test'",
      "UPDATE runs SET configuration = configuration || '#'",
      "UPDATE runs SET finished_at = '2000-01-01T00:00:00Z'",
      "DELETE FROM runs WHERE id = 1",
      "UPDATE sums SET sum = sum + 1 WHERE page = 3",
      "DELETE FROM sums WHERE page = 3",
      "PRAGMA user_version = 999",
      "DROP VIEW found",
      "DROP INDEX pages_final_url",
  };
  for (const char* change : changes) {
    const fs::path folder = copy_of("whole", "cells");
    execute(folder, change);
    EXPECT_TRUE(finds(check(folder), "catalogue", "")) << change;
    repair(folder);
    EXPECT_TRUE(check(folder).sound()) << change << "\n" << text(check(folder));
    EXPECT_TRUE(fs::exists(folder / "set-aside")) << change;
  }
}

TEST_F(CheckTest, sound_rows_of_a_damaged_catalogue_are_kept_as_they_are) {
  const fs::path folder = copy_of("whole", "kept");
  execute(folder, "UPDATE pages SET title = 'x' WHERE id = 3");
  repair(folder);
  EXPECT_EQ(rows(folder, "SELECT * FROM pages"), rows(*dir_ / "whole", "SELECT * FROM pages"));
  EXPECT_EQ(rows(folder, "SELECT * FROM links WHERE page <> 3"),
            rows(*dir_ / "whole", "SELECT * FROM links WHERE page <> 3"));
  EXPECT_EQ(rows(folder, "SELECT * FROM runs"), rows(*dir_ / "whole", "SELECT * FROM runs"));
}

TEST_F(CheckTest, a_deleted_catalogue_comes_back_equal_in_every_column_that_the_archive_knows) {
  const fs::path folder = copy_of("whole", "deleted");
  for (const char* name : {"catalogue.sqlite", "index.cdxj", "index.unsorted"}) {
    fs::remove(folder / name);
  }
  EXPECT_TRUE(finds(check(folder), "catalogue", "missing"));
  repair(folder);
  EXPECT_TRUE(check(folder).sound()) << text(check(folder));
  for (const std::string sql :
       {"SELECT * FROM pages", "SELECT * FROM hosts",
        "SELECT page, position, url, anchor, tag_path, nofollow FROM links",
        "SELECT configuration FROM runs WHERE id = (SELECT MAX(id) FROM runs)"}) {
    EXPECT_EQ(rows(folder, sql), rows(*dir_ / "whole", sql)) << sql;
  }
  EXPECT_EQ(*read_file(folder / "index.cdxj"), *read_file(*dir_ / "whole/index.cdxj"));
  // Failures, 404s, redirects and near duplicates were among them.
  EXPECT_NE(rows(folder, "SELECT 1 FROM pages WHERE failure IS NOT NULL").size(), 0u);
  EXPECT_NE(rows(folder, "SELECT 1 FROM pages WHERE status = 404").size(), 0u);
  EXPECT_NE(rows(folder, "SELECT 1 FROM pages WHERE url <> final_url").size(), 0u);

  // And the crawl goes on as from the undisturbed one.
  const fs::path other = copy_of("whole", "undisturbed");
  ASSERT_TRUE(go_on("deleted", 36).ok());
  ASSERT_TRUE(go_on("undisturbed", 36).ok());
  EXPECT_EQ(rows(folder, "SELECT * FROM pages"), rows(other, "SELECT * FROM pages"));
  EXPECT_TRUE(check(folder).sound()) << text(check(folder));
}

TEST_F(CheckTest, a_catalogue_comes_back_without_the_state_too) {
  const fs::path folder = copy_of("whole", "no-state");
  fs::remove(folder / "catalogue.sqlite");
  fs::remove_all(folder / "state");
  repair(folder);
  EXPECT_EQ(rows(folder, "SELECT * FROM pages"), rows(*dir_ / "whole", "SELECT * FROM pages"));
}

TEST_F(CheckTest, a_second_repair_changes_nothing) {
  const fs::path folder = copy_of("whole", "twice");
  fs::remove(folder / "catalogue.sqlite");
  repair(folder);
  const std::string once = *read_file(folder / "catalogue.sqlite");
  const RepairReport again = repair(folder);
  EXPECT_TRUE(again.done.empty());
  EXPECT_EQ(*read_file(folder / "catalogue.sqlite"), once);
  fs::remove(folder / "catalogue.sqlite");
  repair(folder);
  EXPECT_EQ(rows(folder, "SELECT * FROM sums WHERE page >= 0"),
            rows(folder, "SELECT * FROM sums WHERE page >= 0"));
  EXPECT_TRUE(check(folder).sound()) << text(check(folder));
}

TEST_F(CheckTest, the_configuration_comes_back_from_catalogue_or_archive) {
  const fs::path folder = copy_of("whole", "toml");
  const std::string good = *read_file(folder / "crawl.toml");
  overwrite(folder / "crawl.toml", "topic = \"light");
  EXPECT_TRUE(finds(check(folder), "crawl.toml", ""));
  repair(folder);
  EXPECT_EQ(*read_file(folder / "crawl.toml"), good);
  overwrite(folder / "crawl.toml", good + "# edited\n");
  EXPECT_TRUE(finds(check(folder), "crawl.toml", "newest run"));
  fs::remove(folder / "crawl.toml");
  fs::remove(folder / "catalogue.sqlite");
  repair(folder);
  EXPECT_TRUE(check(folder).sound()) << text(check(folder));
}

TEST_F(CheckTest, a_state_that_lost_visits_is_found) {
  const fs::path folder = copy_of("whole", "log");
  for (const auto& entry : fs::directory_iterator(folder / "state")) {
    if (entry.path().extension() == ".log") fs::resize_file(entry.path(), 0);
  }
  const CheckReport report = check(folder);
  EXPECT_TRUE(finds(report, "state", "known to have been stored")) << text(report);
}

TEST_F(CheckTest, what_is_no_crawl_is_refused_with_a_sentence) {
  fs::create_directories(*dir_ / "empty");
  const auto report = check_crawl(*dir_ / "empty");
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("does not contain a crawl"), std::string::npos);
  EXPECT_FALSE(check_crawl(*dir_ / "nothing").ok());
}

TEST_F(CheckTest, a_catalogue_from_before_there_were_sums_is_sound_and_told) {
  const fs::path folder = copy_of("whole", "old");
  execute(folder, "DROP TABLE sums");
  const CheckReport report = check(folder);
  EXPECT_TRUE(report.sound()) << text(report);
  EXPECT_NE(report.notes.front().find("cannot be verified"), std::string::npos);
}

// Damages a random file: flips a byte, cuts it, takes bytes out, puts some in, or deletes it.
std::string damage(const fs::path& folder, Random& random) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const fs::path file = files[random.below(files.size())];
  std::string bytes = *read_file(file);
  const std::string name = fs::relative(file, folder);
  const uint64_t kind = random.below(20);
  if (kind == 0 || bytes.empty()) {
    fs::remove(file);
    return name + " deleted";
  }
  const size_t at = random.below(bytes.size());
  const size_t size = 1 + random.below(50);
  std::string what;
  if (kind < 12) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 + random.below(255)));
    what = " flipped at ";
  } else if (kind < 15) {
    bytes.resize(at);
    what = " cut at ";
  } else if (kind < 18) {
    bytes.erase(at, size);
    what = " erased at ";
  } else {
    bytes.insert(at, std::string(size, static_cast<char>(random.below(256))));
    what = " inserted at ";
  }
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  return name + what + std::to_string(at);
}

// DOWSER_SEED and DOWSER_DAMAGES make it another and a longer run.
TEST_F(CheckTest, each_of_200_random_damages_is_found_or_makes_no_difference) {
  const char* seed = std::getenv("DOWSER_SEED");
  const char* times = std::getenv("DOWSER_DAMAGES");
  Random random(seed ? static_cast<uint64_t>(std::atoll(seed)) : 14);
  const int damages = times ? std::atoi(times) : 200;
  copy_of("whole", "good");
  ASSERT_TRUE(go_on("good", 36).ok());
  const auto good = left_in(*dir_ / "good");
  int found = 0, harmless = 0;
  std::map<std::string, int> tried;
  for (int i = 0; i < damages; ++i) {
    const fs::path folder = copy_of("whole", "damaged");
    const std::string what = damage(folder, random);
    const auto report = check_crawl(folder);
    if (!report || !report->sound()) {
      ++found;
      continue;
    }
    ++harmless;
    // What the check says nothing ever reads is believed after two trials of each file.
    const std::string file = what.substr(0, what.find(' '));
    const bool is_unread = file == "crawl.log" || file == "report.html" ||
                           file.starts_with("state/LOG") || file.starts_with("state/OPTIONS") ||
                           file == "state/IDENTITY" || file == "state/LOCK";
    if (is_unread && ++tried[file] > 2) continue;
    const Status resumed = go_on("damaged", 36);
    ASSERT_TRUE(resumed.ok()) << what << ": " << resumed.error().message;
    EXPECT_EQ(left_in(folder), good) << what;
  }
  RecordProperty("found", found);
  RecordProperty("harmless", harmless);
  std::printf("%d damages: %d found, %d make no difference\n", damages, found, harmless);
}

}  // namespace
}  // namespace dowser
