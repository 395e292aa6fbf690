#include "mine/export_sessions.h"

#include <fmt/format.h>

#include <algorithm>

#include "archive/session_file.h"
#include "archive/warc_writer.h"
#include "base/glob.h"
#include "mine/usage_result.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

// The event of that name, or nothing.
std::optional<size_t> event_named(const UsageOptions& options, const std::string& name) {
  const auto& events = options.pages.events;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].name == name) return i;
  }
  return std::nullopt;
}

// WARC files, and those of crawls.
std::vector<fs::path> archive_files(const std::vector<std::string>& places) {
  std::vector<fs::path> files;
  for (const std::string& place : places) {
    if (!fs::is_directory(place)) {
      files.emplace_back(place);
      continue;
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::path(place) / "archive", ignored)) {
      // Other files there are the user's own.
      if (archive_number(entry.path().filename().string())) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

StepKind kind_of(const SessionView& view, bool first, bool seen, uint32_t before) {
  if (first || view.from == CameFrom::kOutside) return StepKind::kStart;
  if (view.inferred) return seen ? StepKind::kBack : StepKind::kUnknown;
  return view.from == CameFrom::kPage && view.from_page == before ? StepKind::kLink
                                                                  : StepKind::kUnknown;
}

}  // namespace

Status check_targets(const UsageOptions& options) {
  for (const std::string& target : options.targets) {
    if (event_named(options, target) || target.find_first_of("/*") == 0) continue;
    return Error{fmt::format(
        "--target '{}' is not an --event; a pattern begins with / or *, such as /shop/*", target)};
  }
  return {};
}

ExportSessions::ExportSessions(const UsageOptions& options) {
  for (const std::string& target : options.targets) {
    if (const auto event = event_named(options, target)) {
      target_events_ |= 1u << *event;
    } else {
      target_patterns_.push_back(target);
    }
  }
}

Result<ExportSessions> ExportSessions::open(const UsageOptions& options) {
  ExportSessions sessions(options);
  if (const std::vector<fs::path> files = archive_files(options.web); !files.empty()) {
    Result<ArchiveSet> web = ArchiveSet::open(files);
    if (!web) return web.error();
    sessions.web_ = std::move(*web);
  }
  return sessions;
}

bool ExportSessions::is_target(const SessionView& view, const SitePages& pages) const {
  if (view.events & target_events_) return true;
  return std::any_of(target_patterns_.begin(), target_patterns_.end(), [&](const auto& pattern) {
    return glob_matches(pattern, pages.target(view.page));
  });
}

const SessionPage& ExportSessions::page(uint32_t number, const SitePages& pages,
                                        const std::string& site) {
  const auto [it, is_new] = pages_.try_emplace(number);
  SessionPage& page = it->second;
  if (!is_new) return page;
  const std::string address = page_address(site, pages, number);
  if (const Result<Url> url = Url::parse(address)) page.url = *url;
  if (web_) {
    const auto ref = web_->find(page.url.href());
    Result<Response> response = ref ? web_->load(*ref) : Error{"not in the archive"};
    if (response && response->status == 200) {
      response->url = page.url;
      page.response = std::make_shared<const Response>(std::move(*response));
    }
  }
  without_html_ += page.response == nullptr;
  return page;
}

void ExportSessions::add(const UsageSession& session, const HitCounter& hits,
                         const std::string& site) {
  Session out;
  out.name = fmt::format("{}", sessions_.size() + 1);
  out.started = Time{session.start() * 1'000'000};
  absl::flat_hash_map<uint32_t, uint32_t> numbers;  // of pages, in the session
  uint32_t before = kNoPage;
  for (const SessionView& view : session.views) {
    const auto [it, is_new] =
        numbers.try_emplace(view.page, static_cast<uint32_t>(out.pages.size()));
    if (is_new) out.pages.push_back(page(view.page, hits.pages(), site));
    out.pages[it->second].useful |= is_target(view, hits.pages());
    SessionStep step;
    step.page = it->second;
    step.kind = kind_of(view, out.steps.empty(), !is_new, before);
    if (!view.inferred) step.at = Time{view.time * 1'000'000};
    out.steps.push_back(step);
    // A link that was followed exists, even if no archive knows it.
    const auto from = view.from == CameFrom::kPage ? numbers.find(view.from_page) : numbers.end();
    if (from != numbers.end() && from->second != it->second) {
      out.links.push_back({from->second, it->second});
    }
    before = view.page;
  }
  std::sort(out.links.begin(), out.links.end());
  out.links.erase(std::unique(out.links.begin(), out.links.end()), out.links.end());
  with_target_ += out.targets() > 0;
  sessions_.push_back(std::move(out));
}

Status ExportSessions::write(const fs::path& path) {
  PageLinks links;
  for (Session& session : sessions_) link_pages(session, links);
  return write_session_file(path, sessions_);
}

}  // namespace dowser
