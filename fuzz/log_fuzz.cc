#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mine/agent.h"
#include "mine/log_format.h"
#include "mine/referrer.h"
#include "mine/site_pages.h"

// Log lines over arbitrary bytes: the first line may be a format, the others are lines of a log.
// What is read lies within its line, and what is shown to people is valid UTF-8 without control
// characters.

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void within(std::string_view part, std::string_view line) {
  check(part.empty() ||
        (part.data() >= line.data() && part.data() + part.size() <= line.data() + line.size()));
}

void read_lines(dowser::LogFormat format, std::string_view text) {
  dowser::SitePages pages({{{"/a/*", "a"}}, {{"*done", "event"}}, {"*.part"}, false}, 1 << 16);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    dowser::LogEntry entry;
    const dowser::LineState state = format.read(line, entry);
    if (state != dowser::LineState::kWhole && state != dowser::LineState::kCut) continue;
    for (const std::string_view part :
         {entry.host, entry.user, entry.method, entry.target, entry.query, entry.protocol,
          entry.referrer, entry.agent, entry.cookie, entry.site}) {
      within(part, line);
    }
    check(entry.status >= 0 && entry.status <= 999 && entry.bytes >= 0);
    const dowser::Target target = pages.read(entry.site, entry.target);
    check(target.page == dowser::StringTable::kNone || target.page < pages.size());
    const dowser::Referrer referrer = dowser::read_referrer(entry.referrer);
    if (referrer.is_address) (void)pages.find("", referrer.target);
    (void)dowser::read_agent(entry.agent);
    const std::string shown = dowser::printable(line);
    check(dowser::printable(shown) == shown);
    for (const char c : shown) check(static_cast<unsigned char>(c) >= 0x20);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"common", "combined", "vhost", "w3c"}) {
    read_lines(*dowser::LogFormat::parse(name), bytes);
  }
  if (auto format = dowser::LogFormat::detect(bytes)) read_lines(*format, bytes);
  const size_t end = bytes.find('\n');
  if (end == bytes.npos) return 0;
  if (auto format = dowser::LogFormat::parse(bytes.substr(0, end))) {
    read_lines(*format, bytes.substr(end + 1));
  }
  return 0;
}
