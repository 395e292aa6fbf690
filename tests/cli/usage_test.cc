#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>
#include <csignal>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/file.h"
#include "store/database.h"
#include "tests/support.h"

namespace dowser {
namespace {

using nlohmann::json;

constexpr const char* kLine =
    "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 100 \"-\" \"Firefox\"\n";

class UsageCommand : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(put_file(folder_ / name, bytes).ok());
    return folder_ / name;
  }
  // The one sentence of a run that fails.
  std::string failure(const std::vector<std::string>& arguments, int code) {
    std::vector<std::string> all = {"usage"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran ran = run_dowser(all);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("dowser usage: ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    return ran.err;
  }
  TempDir folder_;
};

TEST_F(UsageCommand, prints_json_and_leaves_a_database_and_a_report) {
  const std::string log = write("log", std::string(kLine) + kLine);
  const Ran ran = run_dowser({"usage", log, "--site", "example.org", "--out", folder_ / "out",
                              "--event", "see=/a", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out, nullptr, false);
  EXPECT_EQ(out["hits"], 2);
  EXPECT_EQ(out["bytes"], 200);
  EXPECT_EQ(out["events"][0]["sessions"], 1);
  EXPECT_EQ(out["pages"][0]["url"], "http://example.org/a");
  const auto report = read_file(folder_ / "out/report.html");
  ASSERT_TRUE(report.ok());
  EXPECT_NE(report->find("<h1>Use of http://example.org</h1>"), std::string::npos);
  EXPECT_EQ(report->find("src="), std::string::npos);  // one file
  Result<Database> database = Database::open(folder_ / "out/usage.sqlite");
  ASSERT_TRUE(database.ok());
  Result<Statement> rows = database->prepare("SELECT COUNT(*) FROM views");
  ASSERT_TRUE(rows.ok() && rows->step().ok());
  EXPECT_EQ(rows->integer(0), 2);
}

TEST_F(UsageCommand, the_real_log_gives_the_figures_of_goaccess) {
  const auto log = test_data("gold/access-log.gz");
  if (!log) GTEST_SKIP() << kNoData;
  const Ran ran = run_dowser({"usage", log->string(), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out, nullptr, false);
  // As goaccess 1.7 has them: bench/usage.
  EXPECT_EQ(out["hits"], 10'000);
  EXPECT_EQ(out["bytes"], 2'747'282'740);
  EXPECT_EQ(out["damaged_lines"], 1);
  EXPECT_EQ(out["cut_lines"], 1);
  int64_t redirects = 0, errors = 0;
  for (const json& row : out["statuses"]) {
    const std::string status = row["name"];
    if (status[0] == '3') redirects += row["count"].get<int64_t>();
    if (status[0] == '4') errors += row["count"].get<int64_t>();
  }
  EXPECT_EQ(redirects, 609);
  EXPECT_EQ(errors, 217);
  EXPECT_EQ(out["server_error_hits"], 3);
  EXPECT_EQ(out["site"], "http://www.semicomplete.com");
}

TEST_F(UsageCommand, what_is_wrong_is_said_in_one_sentence) {
  const std::string log = write("log", kLine);
  EXPECT_NE(failure({}, 2).find("LOG is missing"), std::string::npos);
  EXPECT_NE(failure({log, "--sites", "x"}, 2).find("--site"), std::string::npos);
  EXPECT_NE(failure({folder_ / "none"}, 1).find("cannot read"), std::string::npos);
  EXPECT_NE(failure({folder_.path().string()}, 1).find("folder"), std::string::npos);
  EXPECT_NE(failure({write("empty", "")}, 1).find("has no lines"), std::string::npos);
  EXPECT_NE(failure({write("poem", "roses are red\n")}, 1).find("give --format"),
            std::string::npos);
  EXPECT_NE(failure({log, "--format", "fancy"}, 2).find("no format"), std::string::npos);
  EXPECT_NE(failure({log, "--keep", "robots"}, 2).find("robot-agents"), std::string::npos);
  EXPECT_NE(failure({log, "--session", "hour"}, 2).find("stay=TIME"), std::string::npos);
  EXPECT_NE(failure({log, "--view", "/a"}, 2).find("PATTERN=NAME"), std::string::npos);
  EXPECT_NE(failure({log, "--event", "=x"}, 2).find("NAME=PATTERN"), std::string::npos);
  EXPECT_NE(failure({log, "--offset", "other=5s"}, 2).find("no log"), std::string::npos);
  EXPECT_NE(failure({log, "--places", log}, 1).find("MaxMind"), std::string::npos);
  EXPECT_NE(failure({log, "--web", log}, 1).find("log"), std::string::npos);
  EXPECT_NE(failure({log, "--crawl", folder_.path().string()}, 1).find("catalogue"),
            std::string::npos);
  EXPECT_NE(failure({log, "--confidence", "2"}, 2).find("0 to 1"), std::string::npos);
}

TEST_F(UsageCommand, zeros_and_huge_lines_are_counted_as_damaged) {
  const std::string line = kLine;
  const std::string huge = line.substr(0, line.size() - 9) + std::string(3 << 20, 'F') + "\"\n";
  const std::string log = write("log", line + std::string(100'000, '\0') + line + huge +
                                           std::string(2 << 20, 'x') + "\n" + line);
  const Ran ran = run_dowser({"usage", log, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json out = json::parse(ran.out, nullptr, false);
  EXPECT_EQ(out["lines"], 5);
  EXPECT_EQ(out["too_long_lines"], 2);
  EXPECT_EQ(out["hits"].get<int>() + out["broken_lines"].get<int>(), 5);
  EXPECT_EQ(out["hits"], 4);
}

TEST_F(UsageCommand, names_from_a_log_cannot_steer_a_terminal_or_a_browser) {
  std::string line = kLine;
  line.replace(line.find("/a"), 2, "/<script>\x1b[31m");
  const std::string log = write("log", line);
  const Ran ran = run_dowser({"usage", log, "--out", folder_ / "out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
  const auto report = read_file(folder_ / "out/report.html");
  EXPECT_EQ(report->find("<script>"), std::string::npos);
  EXPECT_EQ(report->find('\x1b'), std::string::npos);
}

TEST_F(UsageCommand, an_interrupt_leaves_nothing_half) {
  // A log that goes on as long as somebody writes.
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  DowserProcess process({"usage", pipe, "--out", folder_ / "out"});
  std::signal(SIGPIPE, SIG_IGN);
  std::ofstream writer(pipe);
  for (int i = 0; i < 100'000; ++i) writer << kLine;
  writer.flush();
  process.signal(SIGINT);
  for (int i = 0; i < 1000 && writer; ++i) {
    for (int k = 0; k < 1000; ++k) writer << kLine;
    writer.flush();
  }
  writer.close();
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 130);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(UsageCommand, a_full_disk_is_said_and_leaves_nothing_half) {
  std::string lines;
  for (int i = 0; i < 30'000; ++i) {
    std::string line = kLine;
    line.replace(line.find("/a"), 2, "/page" + std::to_string(i));
    line.replace(0, 1, std::to_string(i % 200));
    lines += line;
  }
  const std::string log = write("log", lines);
  // A file system of its own would need rights; a limit on the size of files fails the same way.
  const std::string out = folder_ / "out";
  const std::string command = "ulimit -f 200; trap '' XFSZ; " + dowser_program().string() +
                              " usage " + log + " --out " + out + " > " + (folder_ / "o") + " 2> " +
                              (folder_ / "e");
  const int code = std::system(("bash -c \"" + command + "\"").c_str());
  EXPECT_EQ(WEXITSTATUS(code), 1);
  EXPECT_NE(read_file(folder_ / "e")->find("usage.sqlite"), std::string::npos)
      << *read_file(folder_ / "e");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace dowser
