#include "tests/faults/crawls.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "tests/support.h"

namespace dowser::faults {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWords[] = {"bird",  "nest",  "feather", "wing",   "egg",    "stone",
                                  "water", "river", "road",    "house",  "window", "garden",
                                  "music", "night", "lamp",    "engine", "paper",  "winter"};

std::string page(int number, int pages, std::mt19937& random) {
  const auto word = [&](size_t of) { return std::string(kWords[random() % of]) + " "; };
  std::string html = "<title>Page " + std::to_string(number) + "</title><p>";
  for (int i = 0; i < 60; ++i) html += word(number % 2 ? 6 : std::size(kWords));
  for (const int step : {1, 2, 5, 9}) {
    html += "<a href=" + std::to_string((number * 3 + step) % pages) + ".html>";
    html += word(std::size(kWords)) + "</a> ";
  }
  return html;
}

void expect_done(const Command& command, int code = 0) {
  const Ended ended = run_program(command);
  if (ended.code == code) return;
  throw std::runtime_error(shell_form(command) + "\nended with " + std::to_string(ended.code) +
                           ": " + ended.err);
}

long lines_of(const fs::path& file) {
  const std::string content = file_content(file);
  return std::count(content.begin(), content.end(), '\n');
}

}  // namespace

Programs programs_of_build() {
  const char* other = std::getenv("DOWSER");
  const char* preload = std::getenv("FAULTS_PRELOAD");
  return {other ? fs::path(other) : dowser_program(), preload ? preload : FAULTS_PRELOAD};
}

fs::path temporary_folder() {
  const char* set = std::getenv("TMPDIR");
  const bool in_memory = !set && access("/dev/shm", W_OK) == 0;
  fs::path parent = in_memory ? fs::path("/dev/shm") : fs::temp_directory_path();
  std::string pattern = (parent / "dowser-faults-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
  return pattern;
}

Crawls::Crawls(Programs programs, fs::path work, int pages)
    : programs_(std::move(programs)), work_(std::move(work)), pages_(pages) {
  has_check_ = run_program(dowser({"check", "--help"})).code == 0;
  has_accept_loss_ =
      run_program(dowser({"resume", "--help"})).out.find("--accept-loss") != std::string::npos;
  make_web();
  make_other_inputs();
  expect_done(crawl(complete()));
  wanted_ = finished_in(complete());
  if (wanted_.tables.pages.size() != static_cast<size_t>(pages_)) {
    throw std::runtime_error("the web has lost pages");
  }
  expect_done(crawl(earlier(), pages_ * 5 / 16));
  copy_folder(earlier(), finished());
  expect_done(resume(finished(), pages_ * 5 / 8));
  stop_at_random_calls();
}

void Crawls::make_web() {
  fs::create_directories(work_ / "site");
  std::mt19937 random(1);
  for (int i = 0; i < pages_; ++i) {
    std::ofstream(work_ / "site" / (std::to_string(i) + ".html")) << page(i, pages_, random);
  }
  expect_done(dowser({"pack", (work_ / "site").string(), "--host", "web.test", "--to",
                      (work_ / "web.warc.gz").string()}));
}

void Crawls::make_other_inputs() const {
  fs::create_directories(other_site());
  std::mt19937 random(2);
  for (int i = 0; i < 8; ++i) {
    std::ofstream page(other_site() / (std::to_string(i) + ".html"));
    page << "<title>Other " << i << "</title><p>";
    for (int n = 0; n < 60; ++n) page << kWords[6 + random() % (std::size(kWords) - 6)] << " ";
  }
  std::ofstream log(server_log()), clicks(this->clicks());
  clicks << "user\tstarted\tseconds\ttarget\tclicks\n";
  for (int i = 0; i < 60; ++i) {
    log << "10.0.0." << i % 5 << " - - [10/Oct/2025:13:" << 10 + i % 50 << ":36 +0000] \"GET /"
        << i * 7 % pages_ << ".html HTTP/1.1\" 200 2326 \"-\" \"Mozilla/5.0\"\n";
    const std::string from = "http://web.test/" + std::to_string(i) + ".html";
    const std::string to = "http://web.test/" + std::to_string((i * 3 + 1) % pages_) + ".html";
    clicks << "user" << i << "\t" << 1297090819 + i << "\t60\t" << to << "\t" << from << " " << to
           << "\n";
  }
}

// Evenly over the calls of a crawl that goes on.
void Crawls::stop_at_random_calls() {
  const auto calls = [&](const char* way) {
    const fs::path folder = work_ / "counted", log = work_ / "calls";
    fs::remove_all(folder);
    fs::remove(log);
    copy_folder(finished(), folder);
    expect_done(failing(resume(folder), {way, false, 0}, folder, log));
    wanted_of_resume_ = finished_in(folder);
    return lines_of(log);
  };
  const long all = calls("KILL"), writes = calls("TEAR");
  for (size_t i = 0; i < kVariants; ++i) {
    const auto part = [&](long of) {
      return of * static_cast<long>(i + 1) / static_cast<long>(kVariants + 1);
    };
    copy_folder(finished(), interrupted(i));
    run_program(failing(resume(interrupted(i)), {"INT", false, part(all)}, interrupted(i), {}));
    kill_at(killed(i), i % 2 ? "KILL" : "TEAR", part(i % 2 ? all : writes));
  }
}

// Visits are written in groups, and how many make up a group depends on the threads. So a run may
// end before the call is made, and is tried again with an earlier one.
void Crawls::kill_at(const fs::path& folder, const char* way, long call) const {
  for (; call > 0; call = call * 2 / 3) {
    fs::remove_all(folder);
    copy_folder(finished(), folder);
    const Ended ended = run_program(failing(resume(folder), {way, false, call}, folder, {}));
    if (ended.code == 128 + 9) return;
  }
  throw std::runtime_error("a crawl could not be killed in " + folder.string());
}

fs::path Crawls::interrupted(size_t n) const {
  return work_ / ("interrupted-" + std::to_string(n));
}
fs::path Crawls::killed(size_t n) const { return work_ / ("killed-" + std::to_string(n)); }

Command Crawls::dowser(std::vector<std::string> words) const {
  words.insert(words.begin(), programs_.dowser.string());
  return {std::move(words)};
}

Command Crawls::crawl(const fs::path& folder, int pages) const {
  return dowser({"crawl", "--web", (work_ / "web.warc.gz").string(), "--seed",
                 "http://web.test/0.html", "--topic", "bird nest", "--connections", "1",
                 "--max-pages", std::to_string(pages), "--out", folder.string()});
}

Command Crawls::resume(const fs::path& folder, int pages) const {
  return dowser({"resume", folder.string(), "--max-pages", std::to_string(pages)});
}

Command Crawls::failing(Command command, const Fault& fault, const fs::path& below,
                        const fs::path& log) const {
  std::vector<std::string>& to = command.environment;
  to.push_back("FAIL_BELOW=" + below.string());
  to.push_back("FAIL_WITH=" + (fault.with == "POWER" ? "KILL" : fault.with));
  if (fault.with == "POWER") {
    keep_as_synced(below, synced_folder(below));
    to.push_back("FAIL_SYNCED=" + synced_folder(below).string());
  }
  if (fault.at > 0) to.push_back("FAIL_AT=" + std::to_string(fault.at));
  if (fault.after) to.push_back("FAIL_ON=after");
  if (!log.empty()) to.push_back("FAIL_LOG=" + log.string());
  to.push_back("LD_PRELOAD=" + programs_.preload);
  return command;
}

std::string without_notices(const std::string& messages) {
  std::istringstream lines(messages);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    const bool notice = line.find(" were moved to ") != line.npos ||
                        line.find("some lines are missing") != line.npos ||
                        line.find("so strategy and judge did not learn") != line.npos;
    if (!notice) rest += line + "\n";
  }
  return rest;
}

bool is_one_line(std::string_view message) {
  return !message.empty() && message.find('\n') == message.size() - 1;
}

bool says_what_to_do(std::string_view message) {
  for (const std::string_view hint :
       {"dowser check", "dowser resume", "--accept-loss", "mount", "close ", "free ", "make room",
        "again", "give ", "name ", "remove ", "restore ", "is the disk full", "move "}) {
    if (message.find(hint) != message.npos) return true;
  }
  return false;
}

}  // namespace dowser::faults
