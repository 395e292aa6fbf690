#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "model/link_repair.h"
#include "model/profile.h"
#include "model/registrable_domain.h"
#include "model/url.h"
#include "model/url_canonical.h"
#include "model/url_rules.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

void add_parts(Json& json, const Url& url) {
  json["href"] = url.href();
  json["origin"] = url.origin();
  json["scheme"] = url.scheme();
  json["username"] = url.username();
  json["password"] = url.password();
  json["host"] = url.host();
  json["hostname"] = url.hostname();
  json["port"] = url.port() ? Json(*url.port()) : Json(nullptr);
  json["path"] = url.path();
  json["query"] = url.has_query() ? Json(url.query()) : Json(nullptr);
  json["fragment"] = url.has_fragment() ? Json(url.fragment()) : Json(nullptr);
}

// What a crawl does with it.
void add_use(Json& json, const Url& url) {
  json["canonical"] = canonical(url).href();
  json["seen_key"] = seen_key(url);
  json["registrable_domain"] = registrable_domain(url.hostname());
}

// What the rules of a profile think of it.
void add_rules(Json& json, const Url& url, const Profile& profile) {
  const UrlRules rules(profile);
  const auto or_null = [](const auto& found) { return found ? Json(*found) : Json(nullptr); };
  static constexpr std::string_view kFormats[] = {"page", "document", "other"};
  json["profile"] = profile.name;
  json["host_keyword"] = or_null(rules.host_keyword(url.hostname()));
  json["levels"] = directory_levels(url.path());
  json["stop_directory"] = or_null(rules.stop_directory(url.path()));
  json["format"] = kFormats[static_cast<size_t>(rules.format(url))];
  if (rules.format(url) == AddressFormat::kDocument) {
    json["unwelcome_word"] = or_null(rules.unwelcome_word(file_name_of(url.path())));
  }
  const std::string_view refused = rules.refusal(url);
  json["verdict"] = !refused.empty()                     ? fmt::format("not followed: {}", refused)
                    : rules.host_keyword(url.hostname()) ? "followed with high priority"
                                                         : "followed";
}

void print(const Json& json) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_null() || value == "" || (value.is_array() && value.empty())) continue;
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_array()) {
      text.clear();
      for (const Json& one : value) text += (text.empty() ? "" : ", ") + one.get<std::string>();
    }
    fmt::print("{:<19} {}\n", name, text);
  }
}

}  // namespace

int inspect_url_command(CommandLine line) {
  Arguments arguments("inspect url", "Shows the parts of an address and how a crawl treats it.",
                      "dowser inspect url ../b/Bird.htm#Wing --base http://example.org/a/");
  std::string input, base_text, profile_name;
  bool json = false;
  arguments.word("URL", "an address, or a link if --base is given", &input);
  arguments.option("base", "URL", "address of the page that contains the link", &base_text);
  arguments.option(
      "profile", "NAME|FILE",
      "also show how each rule of this profile, such as computer-science, treats the address",
      &profile_name);
  arguments.flag("json", "print one JSON object", &json);
  arguments.note(
      "href and its parts are those of the URL standard. A crawl repairs some badly written links\n"
      "before it follows them: then `repaired` is the address that it follows, `repairs` says "
      "what\n"
      "was wrong, and canonical and seen_key belong to the repaired address.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<Profile> profile = load_profile(profile_name);
  if (!profile) return fail("inspect url", profile.error(), kUsage);
  Url base;
  if (!base_text.empty()) {
    Result<Url> parsed = Url::parse(base_text);
    if (!parsed) {
      return fail("inspect url",
                  Error{fmt::format("--base '{}' is not a valid address: {}", base_text,
                                    parsed.error().message)},
                  kUsage);
    }
    base = std::move(*parsed);
  }

  Json out = {{"input", input}};
  const Result<Url> url = Url::parse(input, &base);
  std::vector<std::string_view> repairs;
  const Result<Url> repaired = parse_link(input, base, &repairs);
  if (url) add_parts(out, *url);
  if (!url) out["error"] = url.error().message;
  if (repaired && (!url || *repaired != *url)) {
    out["repaired"] = repaired->href();
    out["repairs"] = repairs;
  }
  if (repaired) add_use(out, *repaired);
  if (repaired && !profile_name.empty()) add_rules(out, *repaired, *profile);
  json ? print_json(out) : print(out);
  if (url) return kDone;
  return fail("inspect url",
              Error{fmt::format("'{}' is not a valid address: {}", input, url.error().message)});
}

}  // namespace dowser
