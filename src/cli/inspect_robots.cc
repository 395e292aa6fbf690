#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "fetch/robots.h"
#include "fetch/robots_target.h"
#include "model/url.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word_for(bool allowed) { return allowed ? "allow" : "deny"; }

Json to_json(const Robots& robots, const std::string& agent, const std::vector<std::string>& urls) {
  const RobotsRules rules = robots.rules_for(agent);
  Json verdicts = Json::array();
  for (const std::string& url : urls) {
    const RobotsRules::Verdict verdict = rules.check(robots_target(url));
    const Result<Url> parsed = Url::parse(url);
    const bool crawled = parsed && parsed->is_http() && rules.allows(parsed->request_target());
    verdicts.push_back({{"url", url},
                        {"verdict", word_for(verdict.allowed)},
                        {"rule", verdict.rule},
                        {"line", verdict.line},
                        {"crawl", word_for(crawled)}});
  }
  const auto delay = rules.crawl_delay();
  return {
      {"agent", agent},
      {"crawl_delay", delay ? Json(std::chrono::duration<double>(*delay).count()) : Json(nullptr)},
      {"sitemaps", robots.sitemaps()},
      {"verdicts", verdicts}};
}

}  // namespace

int inspect_robots_command(CommandLine line) {
  Arguments arguments(
      "inspect robots", "Shows what a robots.txt allows an agent to fetch.",
      "dowser inspect robots robots.txt --agent dowser http://example.org/cgi-bin/");
  std::string file, agent = "dowser";
  std::vector<std::string> urls;
  bool json = false;
  arguments.word("FILE", "a robots.txt", &file);
  arguments.words("URL", "addresses to look up", &urls, 0);
  arguments.option("agent", "NAME", "name of the crawler (default dowser)", &agent);
  arguments.flag("json", "print one JSON object, with crawl delay (seconds) and sitemaps", &json);
  arguments.note(
      "For each address one line: allow or deny, the address, the rule that decided and its line\n"
      "number (0: no rule). Addresses are compared as they are written. A crawl first normalises\n"
      "their percent-encoding (RFC 9309) and may always read /robots.txt: `crawl` in --json is\n"
      "what a crawl would do.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<std::string> bytes = read_file(file, kLargestDocument);
  if (!bytes) return fail("inspect robots", bytes.error());

  const Robots robots = Robots::parse(*bytes);
  const Json out = to_json(robots, agent, urls);
  if (json) {
    print_json(out);
    return kDone;
  }
  for (const Json& one : out["verdicts"]) {
    fmt::print("{}\t{}\t{}\t{}\n", one["verdict"].get_ref<const std::string&>(),
               one["url"].get_ref<const std::string&>(), one["rule"].get_ref<const std::string&>(),
               one["line"].get<size_t>());
  }
  return kDone;
}

}  // namespace dowser
