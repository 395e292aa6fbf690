#include "mine/log_merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/printable.h"

namespace dowser {
namespace {

constexpr int kLinesAtATime = 512;

}  // namespace

Result<LogMerge> LogMerge::open(const UsageOptions& options) {
  LogMerge merge(options.window);
  for (const LogInput& input : options.logs) {
    Result<LogFile> file = LogFile::open(input.path);
    if (!file) return file.error();
    LogFormat format;
    if (!options.format.empty()) {
      const Result<LogFormat> given = LogFormat::parse(options.format);
      if (!given) return given.error();
      format = *given;
    } else {
      const std::string_view beginning = file->peek();
      // An empty log is fine next to others.
      const auto found = LogFormat::detect(beginning);
      if (!found && !beginning.empty()) {
        const std::string line =
            printable(beginning.substr(0, std::min<size_t>(beginning.find('\n'), 60)));
        return Error{
            fmt::format("{} is not a log in common, combined, vhost or W3C format; give --format "
                        "(it begins with '{}')",
                        input.path, line)};
      }
      format = found ? *found : *LogFormat::parse("combined");
    }
    merge.referrers_ |= format.has_referrer();
    merge.total_bytes_ += file->bytes_total();
    merge.total_known_ &= file->bytes_total() > 0;
    merge.tallies_.push_back({input.path, format.name()});
    merge.sources_.push_back({std::move(*file), std::move(format), input.offset, INT64_MIN,
                              INT64_MIN, merge.tallies_.size() - 1});
  }
  return merge;
}

bool LogMerge::read_line(Source& source, const UseLine& use) {
  const auto line = source.file.next();
  if (!line) return false;
  if (line->text.empty()) return true;
  LogTally& tally = tallies_[source.tally];
  LogEntry entry;
  const LineState state = source.format.read(line->text, entry);
  if (state == LineState::kComment) return true;
  ++tally.lines;
  tally.too_long += line->shortened;
  if (state == LineState::kBroken) {
    if (tally.broken++ == 0) tally.first_broken = printable(line->text.substr(0, 80));
    return true;
  }
  tally.cut += state == LineState::kCut || line->shortened || line->zeros;
  entry.time += source.offset;
  source.before_last = source.last == INT64_MIN ? entry.time : source.last;
  source.last = entry.time;
  tally.late += entry.time < complete_until_;
  use(line->text, entry);
  return true;
}

bool LogMerge::read_some(const UseLine& use) {
  if (sources_.empty()) return false;
  const auto behind =
      std::min_element(sources_.begin(), sources_.end(),
                       [](const Source& a, const Source& b) { return a.reached() < b.reached(); });
  for (int i = 0; i < kLinesAtATime; ++i) {
    if (read_line(*behind, use)) continue;
    finished_bytes_ += behind->file.bytes_read();
    if (behind->file.error()) tallies_[behind->tally].problem = behind->file.error()->message;
    sources_.erase(behind);
    break;
  }
  int64_t reached = INT64_MAX;
  for (const Source& source : sources_) reached = std::min(reached, source.reached());
  if (!sources_.empty() && reached != INT64_MIN) {
    complete_until_ = std::max(complete_until_, reached - window_);
  }
  return !sources_.empty();
}

uint64_t LogMerge::lines() const {
  uint64_t lines = 0;
  for (const LogTally& tally : tallies_) lines += tally.lines;
  return lines;
}

uint64_t LogMerge::bytes_read() const {
  uint64_t bytes = finished_bytes_;
  for (const Source& source : sources_) bytes += source.file.bytes_read();
  return bytes;
}

uint64_t LogMerge::bytes_total() const { return total_known_ ? total_bytes_ : 0; }
bool LogMerge::has_referrers() const { return referrers_; }

}  // namespace dowser
