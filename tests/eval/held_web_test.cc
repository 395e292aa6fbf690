#include "eval/held_web.h"

#include "tests/eval/made_web.h"

namespace dowser {
namespace {

std::vector<std::string> linked_from(const HeldWeb& web, std::string_view name) {
  const auto out = web.links().out().of(node(web, name));
  return names(web, Nodes(out.begin(), out.end()));
}

TEST(HeldWeb, spellings_of_an_address_are_one_node) {
  const HeldWeb web({made_page("a/", "<p>one"), made_page("a", "<p>two"),
                     made_page("a/index.html", "<p>three"), made_page("b", "<p>other")});
  EXPECT_EQ(web.nodes(), 2u);
  EXPECT_EQ(node(web, "a/"), node(web, "a"));
  EXPECT_EQ(node(web, "a/"), node(web, "a/index.html"));
  EXPECT_NE(node(web, "a/"), node(web, "b"));
  EXPECT_EQ(web.page(node(web, "a")).text, "one") << "the first spelling stands for the page";
  EXPECT_EQ(web.find(*Url::parse(address("a")))->page.text, "two") << "each answers for itself";
}

TEST(HeldWeb, an_address_is_found_by_its_canonical_form) {
  const HeldWeb web({made_page("a", "<p>a")});
  EXPECT_EQ(node(web, "a#part"), 0u);
  EXPECT_EQ(node(web, "a?utm_source=x"), 0u);
  EXPECT_EQ(node(web, "b"), HeldWeb::kNone);
}

TEST(HeldWeb, a_page_goes_before_a_not_found_of_the_same_canonical_address) {
  const HeldWeb web({made_answer("a", 404), made_page("a", "<p>here")});
  ASSERT_EQ(web.nodes(), 1u);
  EXPECT_EQ(node(web, "a"), 0u);
  EXPECT_TRUE(web.find(web.answer(0).url)->head.ok());
}

TEST(HeldWeb, links_follow_redirects_also_two_hops) {
  const HeldWeb web({made_page_to("a", {"once", "twice"}), made_redirect("once", "b"),
                     made_redirect("twice", "again"), made_redirect("again", "c#part"),
                     made_page_to("b", {}), made_page_to("c", {})});
  EXPECT_EQ(web.nodes(), 3u);
  EXPECT_EQ(linked_from(web, "a"), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(node(web, "twice"), node(web, "c"));
}

TEST(HeldWeb, redirects_in_a_circle_lead_nowhere) {
  const HeldWeb web({made_page_to("a", {"x", "self", "out"}), made_redirect("x", "y"),
                     made_redirect("y", "x"), made_redirect("self", "self"),
                     made_redirect("out", "http://elsewhere.test/")});
  EXPECT_EQ(linked_from(web, "a"), std::vector<std::string>{});
  EXPECT_EQ(node(web, "x"), HeldWeb::kNone);
  EXPECT_EQ(node(web, "self"), HeldWeb::kNone);
}

TEST(HeldWeb, nofollow_missing_and_failed_pages_are_no_links) {
  const HeldWeb web({made_page("a",
                               "<a rel=nofollow href=b>b</a> <a href=none>none</a> "
                               "<a href=gone>gone</a> <a href=c>c</a> <a href=c>again</a>"),
                     made_page_to("b", {}), made_answer("gone", 404), made_page_to("c", {})});
  EXPECT_EQ(web.nodes(), 3u) << "a 404 is no page";
  EXPECT_EQ(linked_from(web, "a"), std::vector<std::string>{"c"});
  EXPECT_EQ(web.links().edges(), 1u);
}

// a -> b -> c -> d, e -> c, d -> a, f alone
const HeldWeb& small_web() {
  static const HeldWeb web({made_page_to("a", {"b"}), made_page_to("b", {"c"}),
                            made_page_to("c", {"d"}), made_page_to("d", {"a"}),
                            made_page_to("e", {"c"}), made_page_to("f", {})});
  return web;
}

TEST(Distances, are_the_number_of_links_to_the_nearest_target) {
  const uint32_t none = HeldWeb::kNone;
  const LinkGraph& links = small_web().links();  // nodes are numbered as above
  EXPECT_EQ(distances_to(links, Nodes{3}), (std::vector<uint32_t>{3, 2, 1, 0, 2, none}));
  EXPECT_EQ(distances_to(links, Nodes{3, 1}), (std::vector<uint32_t>{1, 0, 1, 0, 2, none}));
  EXPECT_EQ(distances_to(links, Nodes{4, 4}),
            (std::vector<uint32_t>{none, none, none, none, 0, none}));
  EXPECT_EQ(distances_to(links, {}), std::vector<uint32_t>(6, none));
}

TEST(Distances, what_can_be_reached_includes_the_starts) {
  const LinkGraph& links = small_web().links();
  EXPECT_EQ(reachable_from(links, Nodes{4}), (std::vector<char>{1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(reachable_from(links, Nodes{5}), (std::vector<char>{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(reachable_from(links, {}), std::vector<char>(6, 0));
}

TEST(HeldWeb, loads_an_archive_alike_on_one_and_on_more_threads_than_there_are_pages) {
  const PackedWeb packed;
  const std::vector<std::filesystem::path> files = {packed.web};
  const Result<HeldWeb> one = HeldWeb::load(files, 1), many = HeldWeb::load(files, 40);
  ASSERT_TRUE(one.ok() && many.ok());
  ASSERT_EQ(one->nodes(), 30u);
  ASSERT_EQ(many->nodes(), 30u);
  EXPECT_EQ(one->links().edges(), bird_web().links().edges());
  for (Node i = 0; i < 30; ++i) {
    EXPECT_EQ(one->answer(i).url, many->answer(i).url);
    EXPECT_EQ(one->page(i).terms, many->page(i).terms);
  }
  const std::vector<std::filesystem::path> nothing = {packed.dir / "none.warc.gz"};
  EXPECT_FALSE(HeldWeb::load(nothing, 1).ok());
}

}  // namespace
}  // namespace dowser
