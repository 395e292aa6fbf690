#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive/pack.h"
#include "base/file.h"
#include "engine/plugins.h"
#include "eval/course.h"
#include "eval/draw.h"
#include "eval/held_web.h"
#include "parse/parse_page.h"
#include "tests/made_browsing.h"
#include "tests/support.h"

// Webs that tests write out, and a small one about birds and stones. A page is named by its path
// without the slash; its address is http://web.test/NAME.

namespace dowser {

using Node = HeldWeb::Node;
using Nodes = std::vector<Node>;

inline std::string address(std::string_view name) {
  if (name.find("://") != name.npos) return std::string(name);
  return "http://web.test/" + std::string(name);
}

inline HeldWeb::Answer made_answer(std::string_view name, int status) {
  HeldWeb::Answer answer;
  answer.url = *Url::parse(address(name));
  answer.head.url = answer.url;
  answer.head.status = status;
  return answer;
}

inline HeldWeb::Answer made_page(std::string_view name, std::string_view html) {
  HeldWeb::Answer answer = made_answer(name, 200);
  answer.page = parse_html(html, answer.url);
  return answer;
}

inline HeldWeb::Answer made_redirect(std::string_view from, std::string_view to) {
  HeldWeb::Answer answer = made_answer(from, 301);
  answer.head.headers.add("Location", address(to));
  return answer;
}

inline std::string links_to(const std::vector<std::string>& names) {
  std::string html;
  for (const std::string& name : names) {
    html += " <a href='" + address(name) + "'>" + name + "</a>";
  }
  return html;
}

// A page of nothing but links.
inline HeldWeb::Answer made_page_to(std::string_view name, const std::vector<std::string>& links) {
  return made_page(name, "<p>" + links_to(links));
}

inline Node node(const HeldWeb& web, std::string_view name) {
  return web.node_of(*Url::parse(address(name)));
}

inline Nodes nodes(const HeldWeb& web, const std::vector<std::string>& names) {
  Nodes all;
  for (const std::string& name : names) all.push_back(node(web, name));
  return all;
}

// What a course fetched, by name; "-" where no page came back.
inline std::vector<std::string> names(const HeldWeb& web, const Nodes& pages) {
  std::vector<std::string> all;
  for (const Node page : pages) {
    all.emplace_back(page == HeldWeb::kNone ? "-" : web.answer(page).url.path().substr(1));
  }
  return all;
}

// Birds and stones: 30 pages on one host, by name.
//
//   start -> dull0 … dull4
//   dull0 -> bird0 bird1 bird4, dull1 -> stone0 stone1 stone4: the gates
//   dull7 -> bird6, dull8 -> stone6: the back doors
//   dull2 … dull8 -> dull0 dull1, the next dull page, start
//   bird0 -> bird1 bird2 dull0, bird1 -> bird2 bird3 dull1, … bird9; the stones likewise
inline std::map<std::string, std::string> birds_and_stones() {
  const std::vector<std::string> bird = {"feathers", "nests",     "wings",   "eggs",   "beaks",
                                         "songs",    "migration", "plumage", "chicks", "flight"};
  const std::vector<std::string> stone = {"granite", "basalt",  "marble", "slate",  "quartz",
                                          "gravel",  "crystal", "quarry", "chisel", "mason"};
  const auto file = [](const std::string& name, int i) {
    return name + std::to_string(i) + ".html";
  };
  std::map<std::string, std::string> site;
  site["start.html"] =
      "<title>Start</title><p>Welcome to the village and its many pages." +
      links_to({"dull0.html", "dull1.html", "dull2.html", "dull3.html", "dull4.html"});
  for (int i = 0; i < 10; ++i) {
    for (const auto& [kind, words] : {std::pair{"bird", &bird}, std::pair{"stone", &stone}}) {
      std::string html = "<title>A " + std::string(kind) + "</title><p>Every " + kind + " has";
      for (int k = 0; k < 5; ++k) html += " " + (*words)[(i + k * k) % 10] + " and";
      html += " more of the " + std::string(kind) + " kind.";
      std::vector<std::string> links;
      for (int next = i + 1; next < std::min(i + 3, 10); ++next) links.push_back(file(kind, next));
      links.push_back(file("dull", i % 9));
      site[file(kind, i)] = html + links_to(links);
    }
    if (i == 9) continue;
    const std::string gate = i == 0 || i == 7 ? "bird" : "stone";
    std::vector<std::string> links = {"dull0.html", "dull1.html", file("dull", (i + 1) % 9),
                                      "start.html"};
    if (i < 2) links = {file(gate, 0), file(gate, 1), file(gate, 4)};
    if (i > 6) links.push_back(file(gate, 6));
    site[file("dull", i)] = "<title>Notice</title><p>Notice " + std::to_string(i) +
                            " about opening hours, parking and the committee meeting." +
                            links_to(links);
  }
  return site;
}

inline HeldWeb bird_web() {
  std::vector<HeldWeb::Answer> answers;
  for (const auto& [name, html] : birds_and_stones()) answers.push_back(made_page(name, html));
  return HeldWeb(std::move(answers));
}

// bird0 … bird9 or stone0 … stone9
inline Nodes pages_about(const HeldWeb& web, const std::string& kind) {
  Nodes pages;
  for (int i = 0; i < 10; ++i) pages.push_back(node(web, kind + std::to_string(i) + ".html"));
  return pages;
}

// The same web as an archive with labels, as `dowser compare` takes them.
struct PackedWeb {
  TempDir dir;
  std::string web = dir / "web.warc.gz", labels = dir / "labels.tsv";

  PackedWeb() {
    std::filesystem::create_directories(dir.path() / "site");
    std::string lines = "url\ttopic\n";
    for (const auto& [name, html] : birds_and_stones()) {
      EXPECT_TRUE(put_file(dir.path() / "site" / name, html).ok());
      if (name.starts_with("bird")) lines += address(name) + "\tbird\n";
      if (name.starts_with("stone")) lines += address(name) + "\tstone\n";
    }
    EXPECT_TRUE(put_file(labels, lines).ok());
    PackOptions options;
    options.folders = {{dir.path() / "site", "web.test"}};
    options.to = web;
    EXPECT_TRUE(pack(options).ok());
  }
};

// What somebody might have learned who looked for birds there.
inline const HmmFile& bird_browsing() {
  static const HmmFile file =
      made_browsing({{"bird feathers eggs", "bird nests wings", "notice parking committee",
                      "village welcome pages", "stone granite slate"},
                     {{2, 0}, {2, 1}, {3, 2}, {4, 2}, {0, 1}},
                     2});
  return file;
}

inline Course run_made_course(const HeldWeb& web, const Nodes& seeds, Strategy& strategy,
                              const CourseOptions& options) {
  Topic topic;
  topic.words = "bird feathers nests wings";
  JudgeInUse judge(std::move(*make_judge("cosine", {topic})));
  HeldJudgements judgements(web, judge);
  const Result<Course> course = run_course(web, seeds, strategy, judge, &judgements, options);
  EXPECT_TRUE(course.ok());
  return *course;
}

inline Course run_made_course(const HeldWeb& web, const Nodes& seeds, std::string_view strategy,
                              const CourseOptions& options) {
  Topic topic;
  topic.words = "bird feathers nests wings";
  StrategyContext context{topic};
  context.hmm = &bird_browsing();
  return run_made_course(web, seeds, **make_strategy(strategy, context), options);
}

}  // namespace dowser
