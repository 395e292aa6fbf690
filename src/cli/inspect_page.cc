#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/inspect.h"
#include "cli/print_json.h"
#include "model/page.h"
#include "run/topic.h"
#include "text/printable.h"

namespace dowser {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::kAnchor:
      return "anchor";
    case LinkKind::kArea:
      return "area";
    case LinkKind::kFrame:
      return "frame";
    case LinkKind::kRefresh:
      return "refresh";
  }
  return "unknown";
}

std::string_view name_of(BlockKind kind) {
  switch (kind) {
    case BlockKind::kText:
      return "text";
    case BlockKind::kHeading:
      return "heading";
    case BlockKind::kParagraph:
      return "paragraph";
    case BlockKind::kListItem:
      return "list-item";
    case BlockKind::kTableCell:
      return "table-cell";
    case BlockKind::kPre:
      return "pre";
  }
  return "unknown";
}

Json link_json(const Page& page, const Link& link) {
  const Page::Context context = page.context(link);
  Json rel = Json::array();
  if (link.nofollow) rel.push_back("nofollow");
  if (link.next) rel.push_back("next");
  return {{"url", link.url.href()},          {"kind", name_of(link.kind)},
          {"anchor", page.anchor(link)},     {"before", context.before},
          {"after", context.after},          {"rel", rel},
          {"tag_path", page.tag_path(link)}, {"position", link.position}};
}

Json block_json(const Page& page, const Block& block) {
  return {{"kind", name_of(block.kind)},
          {"role", name_of(block.role)},
          {"level", block.level},
          {"list", block.list},
          {"tag_path", page.tag_paths[block.tag_path]},
          {"text", page.words(block.text)}};
}

Json to_json(const Page& page) {
  Json json = {{"url", page.url.href()},
               {"base", page.base.href()},
               {"title", page.title},
               {"content_type", page.content_type},
               {"charset", page.charset},
               {"language", page.language},
               {"declared_language", page.declared_language},
               {"description", page.description},
               {"keywords", page.keywords},
               {"canonical", page.canonical.href()},
               {"alternates", Json::array()},
               {"noindex", page.noindex},
               {"nofollow", page.nofollow},
               {"links", Json::array()},
               {"blocks", Json::array()},
               {"lists", Json::array()}};
  for (const Url& url : page.alternates) json["alternates"].push_back(url.href());
  for (const Link& link : page.links) json["links"].push_back(link_json(page, link));
  for (const Block& block : page.blocks) json["blocks"].push_back(block_json(page, block));
  for (const List& list : page.lists) {
    json["lists"].push_back({{"parent", list.parent}, {"heading", list.heading}});
  }
  return json;
}

void print_line(std::string_view name, std::string_view text) {
  if (!text.empty()) fmt::print("  {:<13} {}\n", name, printable(text));
}

void print_links(const Page& page) {
  fmt::print("\n{} links\n", page.links.size());
  for (const Link& link : page.links) {
    const Page::Context context = page.context(link);
    fmt::print("  {}{}{}{}\n", link.url.href(),
               link.kind == LinkKind::kAnchor ? "" : fmt::format(" ({})", name_of(link.kind)),
               link.nofollow ? " (nofollow)" : "", link.next ? " (next)" : "");
    fmt::print("      {}[{}]{}\n", printable(context.before), printable(page.anchor(link)),
               printable(context.after));
    fmt::print("      {}\n", page.tag_path(link));
  }
}

void print(const Page& page) {
  fmt::print("{}\n", page.url.href());
  print_line("title", page.title);
  print_line("base", page.base == page.url ? "" : page.base.href());
  print_line("content type", page.content_type);
  print_line("character set", page.charset);
  print_line("language", page.language);
  print_line("declared", page.declared_language);
  print_line("description", page.description);
  print_line("keywords", page.keywords);
  print_line("canonical", page.canonical.href());
  for (const Url& url : page.alternates) print_line("alternate", url.href());
  print_line("robots", page.noindex    ? page.nofollow ? "noindex, nofollow" : "noindex"
                       : page.nofollow ? "nofollow"
                                       : "");
  print_links(page);
  fmt::print("\n{} blocks of text\n", page.blocks.size());
  for (const Block& block : page.blocks) {
    const std::string level = block.kind == BlockKind::kHeading ? std::to_string(block.level) : "";
    fmt::print("  {:<8} {:<10} {}\n", name_of(block.role),
               fmt::format("{}{}", name_of(block.kind), level), printable(page.words(block.text)));
  }
}

}  // namespace

int inspect_page_command(CommandLine line) {
  Arguments arguments("inspect page", "Shows the text and the links that Dowser sees in a page.",
                      "dowser inspect page http://schools-wikipedia.org/wp/b/Bird.htm --web "
                      "schools.warc.gz");
  std::string place;
  std::vector<std::string> web;
  bool json = false;
  arguments.word("PAGE", "an HTML file, or an address in the archive of --web", &place);
  arguments.list("web", "FILE", "the archive that contains the address", &web);
  arguments.flag("json", "print one JSON object", &json);
  arguments.note(
      "Each link is printed in brackets between the words before and after it. Each block of text "
      "is printed with its role: judges see content, links and beside, not menus, footers and "
      "comments.");
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  const Result<Page> page = load_page(place, web);
  if (!page) return fail("inspect page", page.error());
  if (json) {
    print_json(to_json(*page));
  } else {
    print(*page);
  }
  return kDone;
}

}  // namespace dowser
