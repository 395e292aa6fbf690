#include "run/crawl_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/new_file.h"
#include "base/shorten.h"

namespace dowser {
namespace {

constexpr size_t kMaxField = 2048;  // bytes
constexpr std::chrono::seconds kFlushEvery(5);

std::string remarks(const Visit& visit) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "\t{}{}", name, shortened(value, kMaxField));
  };
  const Response& response = visit.response;
  if (!visit.redirects.empty()) add("-> ", response.url.href());
  if (visit.near_duplicate_of) {
    add("repeats visit ", std::to_string(visit.near_duplicate_of->value));
  }
  if (visit.soft_404) add("", "soft 404");
  if (response.truncated) add("cut: ", name_of(response.cut_by));
  if (!response.detail.empty()) add("", response.detail);
  return text;
}

}  // namespace

Result<CrawlLog> CrawlLog::open(const std::filesystem::path& path) {
  if (Status s = is_no_link(path); !s) return s.error();
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (!file) return Error{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
  return CrawlLog(file);
}

void CrawlLog::write(std::string_view line) {
  failed_ |= std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size();
}

void CrawlLog::flush() {
  failed_ |= std::fflush(file_.get()) != 0;
  flushed_ = std::chrono::steady_clock::now();
}

void CrawlLog::observe(const CrawlEvent& event) {
  if (const auto* made = std::get_if<VisitMade>(&event)) {
    add(made->visit);
    if (std::chrono::steady_clock::now() - flushed_ >= kFlushEvery) flush();
  } else if (const auto* given_up = std::get_if<HostAbandoned>(&event)) {
    note(fmt::format("host given up: {}", shortened(given_up->host, kMaxField)));
  } else if (const auto* replaced = std::get_if<JudgeReplaced>(&event)) {
    note(fmt::format("new judge, number {}", replaced->generation));
  } else if (const auto* warning = std::get_if<CrawlWarning>(&event)) {
    note(warning->text);
  } else if (const auto* ended = std::get_if<CrawlEnded>(&event)) {
    note(ended->error.empty() ? "ends" : ended->error);
  }
}

void CrawlLog::add(const Visit& visit) {
  const Response& response = visit.response;
  const bool answered = response.failure == Failure::kNone;
  write(fmt::format(
      "{}\t{}\t{}\t{}\t{}{}\n", to_iso8601(response.fetched_at),
      answered ? std::to_string(response.status) : std::string(name_of(response.failure)),
      answered ? fmt::format("{:.3f}", visit.judgement.relevance.value) : "-", response.body.size(),
      shortened(visit.candidate.url.href(), kMaxField), remarks(visit)));
}

void CrawlLog::note(std::string_view text) {
  write(fmt::format("{}\t# {}\n", to_iso8601(SystemClock().now()), text));
  flush();
}

}  // namespace dowser
