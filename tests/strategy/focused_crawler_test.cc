#include <gtest/gtest.h>

#include "strategy/hub_finder.h"
#include "strategy/strategy.h"
#include "tests/strategy/contracts.h"
#include "tests/strategy/written_visit.h"

namespace dowser {
namespace {

Url url(const std::string& path) { return *Url::parse("http://w.test/" + path); }

// A page with links to these paths.
Visit visit(uint32_t id, const std::string& path, double relevance,
            const std::vector<std::string>& links) {
  std::string text = "words";
  for (const std::string& link : links) text += " [on|http://w.test/" + link + "]";
  return written_visit(id, {}, relevance, written_page("http://w.test/" + path, text));
}

std::unique_ptr<Strategy> make(const std::string& text) {
  const Spec spec = *Spec::parse(text);
  auto made = spec.name == "soft-focus" ? make_soft_focus(spec, {Topic{}})
                                        : make_hard_focus(spec, {Topic{}});
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

// What the engine does for a page that has come back.
void show(Strategy& strategy, Frontier& frontier, const Visit& visit) {
  frontier.finish(visit.candidate.url, visit.id);
  strategy.learn(visit);
  for (const Link& link : visit.page.links) {
    if (const auto score = strategy.score(visit, link)) {
      frontier.offer(link.url, *score, {visit.id, 1, link.position});
    }
  }
  FrontierView view(frontier);
  strategy.revise(view);
}

std::string taken(Frontier& frontier) {
  std::string paths;
  while (const auto next = FrontierView(frontier).take()) paths += next->url.path();
  return paths;
}

// Pages a, b and c are relevant, list and other are not, so nothing flows forward from them. a is
// the one relevant page that links to others: authorities b = c = h(a), and a = 0. Hubs: h(list) =
// 1 · 0 + 0.9 b + 0.6 c, h(a) = 0.9 b + 0.6 c, as much; other, b and c are none.
//
// What the links of list were worth: (1 + 0.9 + 0.6) / 3; those of a: (0.9 + 0.6) / 2 = 0.75.
constexpr double kOfList = 2.5 / 3;

const std::vector<Visit>& little_web() {
  static const std::vector<Visit> visits = {
      visit(0, "list", 0.2, {"a", "b", "c", "from-list", "from-both"}),
      visit(1, "other", 0.3, {"a", "from-other"}),
      visit(2, "a", 1, {"b", "c", "from-a", "from-both"}),
      visit(3, "b", 0.9, {"from-b"}),
      visit(4, "c", 0.6, {}),
  };
  return visits;
}

TEST(SoftFocus, a_link_is_as_good_as_its_page) {
  auto soft = make("soft-focus");
  for (const double relevance : {0.0, 0.25, 1.0}) {
    const Visit page = visit(0, "page", relevance, {"on"});
    soft->learn(page);
    EXPECT_EQ(soft->score(page, page.page.links[0])->value(), relevance);
    EXPECT_EQ(explains(*soft).explain(page, page.page.links[0])[0].value, relevance);
  }
}

TEST(HardFocus, ignores_links_of_bad_pages) {
  auto hard = make("hard-focus");
  const Visit bad = visit(0, "bad", 0.4, {"on"}), good = visit(1, "good", 0.6, {"on"});
  hard->learn(bad);
  EXPECT_FALSE(hard->score(bad, bad.page.links[0]).has_value());
  hard->learn(good);
  EXPECT_EQ(hard->score(good, good.page.links[0])->value(), 0.6);
  // What decides is what the judge said, not a number: the best class may be good at 0.4.
  Visit narrow = visit(2, "narrow", 0.4, {"on"});
  narrow.judgement.relevant = true;
  hard->learn(narrow);
  EXPECT_EQ(hard->score(narrow, narrow.page.links[0])->value(), 0.4);
}

TEST(HubFinder, a_link_of_a_best_hub_is_worth_what_its_other_links_were) {
  HubFinder finder(100);
  for (const Visit& v : little_web()) finder.add(v);
  const auto worth = [&](size_t hubs, const std::string& path) {
    const HubFinder::Worths worths = finder.worths(hubs);
    const auto it = worths.find(seen_fingerprint(url(path)));
    return it == worths.end() ? 0.0 : it->second;
  };
  EXPECT_NEAR(worth(10, "from-list"), kOfList, 1e-9);
  EXPECT_NEAR(worth(10, "from-a"), 0.75, 1e-9);
  EXPECT_NEAR(worth(10, "from-both"), kOfList, 1e-9);
  EXPECT_EQ(worth(10, "from-other"), 0);
  EXPECT_EQ(worth(10, "from-b"), 0);
  EXPECT_NEAR(worth(1, "from-list"), kOfList, 1e-9);  // of equal hubs the first
  EXPECT_EQ(worth(1, "from-a"), 0);
}

TEST(HubFinder, a_redirect_leads_to_the_same_page) {
  HubFinder finder(100);
  Visit moved = visit(0, "old", 1, {"second"});
  moved.response.url = url("new");
  finder.add(moved);
  finder.add(visit(1, "second", 1, {"new", "x"}));  // links to where the page is
  finder.add(visit(2, "list", 0.1, {"old", "y"}));  // and to where it was
  const HubFinder::Worths worths = finder.worths(3);
  EXPECT_TRUE(worths.contains(seen_fingerprint(url("x"))));
  EXPECT_TRUE(worths.contains(seen_fingerprint(url("y"))));
}

TEST(HubFinder, forgets_the_oldest_pages_and_pages_that_repeat_others) {
  HubFinder finder(4);
  for (const Visit& v : little_web()) finder.add(v);
  EXPECT_FALSE(finder.worths(10).contains(seen_fingerprint(url("from-list"))));
  EXPECT_TRUE(finder.worths(10).contains(seen_fingerprint(url("from-a"))));
  Visit twin = visit(5, "twin", 1, {"b", "c", "from-twin"});
  twin.near_duplicate_of = VisitId{2};
  finder.add(twin);
  EXPECT_FALSE(finder.worths(10).contains(seen_fingerprint(url("from-twin"))));
}

TEST(SoftFocus, the_distiller_moves_the_links_of_the_best_hubs_ahead) {
  Frontier plain({}), distilled({});
  auto without = make("soft-focus(distil=0)"), with = make("soft-focus(distil=5)");
  for (const Visit& v : little_web()) {
    show(*without, plain, v);
    show(*with, distilled, v);
  }
  // By relevance alone: 1, 1 (in the order of offers), 0.9, 0.3, 0.2.
  EXPECT_EQ(taken(plain), "/from-both/from-a/from-b/from-other/from-list");
  // from-list is raised from 0.2 to 0.83; the others are worth more already, or on no hub.
  EXPECT_EQ(taken(distilled), "/from-both/from-a/from-b/from-list/from-other");
}

TEST(SoftFocus, what_is_no_longer_on_a_hub_falls_back_and_seeds_and_copies_stay_where_they_are) {
  Frontier frontier({});
  auto soft = make("soft-focus(distil=5, hubs=1, pages=5)");
  frontier.offer(url("seed"), Score::seed(), {});
  frontier.offer(url("from-list?copy"), Score::last(), {});
  for (const Visit& v : little_web()) show(*soft, frontier, v);
  // Five further pages: the old ones are forgotten, and the new hub is "next", whose links were
  // worth 1. Behind those that have 1 of their own.
  show(*soft, frontier, visit(5, "next", 0.2, {"d", "e", "from-next"}));
  show(*soft, frontier, visit(6, "d", 1, {"e", "f"}));
  show(*soft, frontier, visit(7, "e", 1, {"d", "f"}));
  show(*soft, frontier, visit(8, "f", 0, {}));
  show(*soft, frontier, visit(9, "g", 0, {}));
  EXPECT_EQ(taken(frontier),
            "/seed/from-both/from-a/from-next/from-b/from-other/from-list/from-list");
}

TEST(SoftFocus, goes_on_with_what_was_saved) {
  const std::string text = "soft-focus(distil=5)";
  auto before = make(text);
  Frontier first({}), second({});
  for (size_t i = 0; i < 3; ++i) show(*before, first, little_web()[i]);
  ByteWriter saved;
  saves(*before).save(saved);
  auto after = make(text);
  ByteReader in(saved.bytes());
  ASSERT_TRUE(saves(*after).load(in).ok());
  EXPECT_TRUE(in.at_end());
  auto other = make(text);  // the frontier of `second`, as though it had been saved itself
  for (size_t i = 0; i < 3; ++i) show(*other, second, little_web()[i]);
  for (size_t i = 3; i < 5; ++i) {
    show(*before, first, little_web()[i]);
    show(*after, second, little_web()[i]);
  }
  EXPECT_EQ(taken(first), taken(second));
  ByteReader cut(std::string_view(saved.bytes()).substr(0, saved.bytes().size() - 1));
  EXPECT_FALSE(saves(*make(text)).load(cut).ok());
}

TEST(SoftFocus, refuses_parameters_that_mean_nothing) {
  for (const char* text : {"soft-focus(distil=-1)", "soft-focus(hubs=0)", "soft-focus(pages=0)"}) {
    EXPECT_FALSE(make_soft_focus(*Spec::parse(text), {Topic{}}).ok()) << text;
  }
}

}  // namespace
}  // namespace dowser
