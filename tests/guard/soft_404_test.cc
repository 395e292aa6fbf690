#include "guard/soft_404.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace dowser {
namespace {

Url url(std::string_view text) { return *Url::parse(text); }

struct Answer {
  Response response;
  Page page;
};

Answer answer(std::string_view final_address, int status, std::string title, std::string text) {
  Answer a;
  a.response.url = url(final_address);
  a.response.status = status;
  a.page.url = a.response.url;
  a.page.title = std::move(title);
  a.page.text = std::move(text);
  return a;
}

constexpr std::string_view kProbe = "http://a.test/no-such-page-abcdefghijklmnop.html";

Soft404 probed(const Answer& a) {
  Soft404 guard;
  guard.learn_probe(url(kProbe), a.response, a.page);
  return guard;
}

bool is_soft(const Soft404& guard, std::string_view asked, const Answer& a) {
  return guard.is_soft_404(url(asked), a.response, a.page);
}

std::string not_found(std::string_view path) {
  return fmt::format(
      "Welcome to our site. Home Products About Contact. We are sorry, but the page {} could not "
      "be "
      "found on this server. Please use the search or go back to where you came from.",
      path);
}

// `n` words that no other call with another `seed` has.
std::string words(std::string_view seed, int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text +=
        fmt::format("{}{} ", seed, char('a' + i % 26) + std::string(1, char('a' + i / 26 % 26)));
  return text;
}

TEST(Soft404, the_probe_stands_beside_the_page_under_a_name_that_explains_itself) {
  Random random(1);
  const Url a = probe_address(url("http://a.test:81/x/y.php?id=3#z"), random);
  EXPECT_TRUE(a.href().starts_with("http://a.test:81/x/no-such-page-")) << a.href();
  EXPECT_TRUE(a.href().ends_with(".php")) << a.href();
  EXPECT_FALSE(a.has_query());
  const Url b = probe_address(url("http://a.test/"), random);
  EXPECT_EQ(b.path().size(), std::string_view("/no-such-page-").size() + 16);
  EXPECT_NE(probe_address(url("http://a.test/"), random), b);
}

TEST(Soft404, a_host_that_says_404_needs_nothing) {
  for (const int status : {404, 410, 403, 500}) {
    const Soft404 guard = probed(answer(kProbe, status, "Sorry", not_found("/x")));
    EXPECT_FALSE(is_soft(guard, "http://a.test/y.html",
                         answer("http://a.test/y.html", 200, "Sorry", not_found("/x"))));
  }
  Answer failed;
  failed.response.failure = Failure::kRobots;
  EXPECT_FALSE(is_soft(probed(failed), "http://a.test/", answer("http://a.test/", 200, "A", "b")));
}

TEST(Soft404, the_same_error_page_is_found_though_it_repeats_the_address) {
  const Soft404 guard = probed(answer(kProbe, 200, "Not found: no-such-page-abcdefghijklmnop.html",
                                      not_found("/no-such-page-abcdefghijklmnop.html")));
  EXPECT_TRUE(
      is_soft(guard, "http://a.test/old/price-list_2003.html",
              answer("http://a.test/old/price-list_2003.html", 200,
                     "Not found: price-list_2003.html", not_found("/old/price-list_2003.html"))));
  EXPECT_TRUE(is_soft(
      guard, "http://a.test/caf%C3%A9?q=1",
      answer("http://a.test/caf%C3%A9?q=1", 200, "Not found: café", not_found("/café?q=1"))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/birds.html",
                       answer("http://a.test/birds.html", 200, "Birds", words("bird", 60))));
  EXPECT_FALSE(is_soft(guard, "http://b.test/x",
                       answer("http://b.test/x", 200, "Not found: x", not_found("/x"))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/x",
                       answer("http://a.test/x", 404, "Not found: x", not_found("/x"))));
}

TEST(Soft404, a_date_in_the_error_page_does_not_hide_it) {
  const Soft404 guard =
      probed(answer(kProbe, 200, "Oops", not_found("") + " Monday 15 November 2004 10:31"));
  EXPECT_TRUE(is_soft(guard, "http://a.test/x.html",
                      answer("http://a.test/x.html", 200, "Oops",
                             not_found("") + " Tuesday 16 November 2004 11:48")));
}

TEST(Soft404, pages_alike_but_for_their_main_text_are_not_flagged) {
  // The same title everywhere, a template of 2,000 words, and 40 words of its own: 98 % the same.
  const std::string frame = words("frame", 600) + words("menu", 600) + words("foot", 600);
  const Soft404 guard = probed(answer(kProbe, 200, "ACME", frame + "no such page, sorry"));
  for (const char* name : {"one", "two", "three"}) {
    const std::string address = fmt::format("http://a.test/{}.html", name);
    EXPECT_FALSE(is_soft(guard, address, answer(address, 200, "ACME", frame + words(name, 40))));
    EXPECT_TRUE(
        is_soft(guard, address, answer(address, 200, "ACME", frame + "no such page, sorry")));
  }
}

TEST(Soft404, a_short_page_is_told_from_a_short_error_page) {
  const Soft404 guard =
      probed(answer(kProbe, 200, "", "This page does not exist, sorry about that"));
  const std::string a = "http://a.test/x.html";
  EXPECT_TRUE(is_soft(guard, a, answer(a, 200, "", "This page does not exist, sorry about that.")));
  EXPECT_FALSE(is_soft(guard, a, answer(a, 200, "", "This page does list our dogs and cats.")));
  EXPECT_FALSE(is_soft(guard, a, answer(a, 200, "", "")));
}

TEST(Soft404, an_error_page_without_any_words_says_nothing) {
  const Soft404 guard = probed(answer(kProbe, 200, "", ""));
  EXPECT_FALSE(is_soft(guard, "http://a.test/frames.html",
                       answer("http://a.test/frames.html", 200, "", "")));
}

TEST(Soft404, a_redirect_to_where_the_probe_was_sent_is_one) {
  const Soft404 guard = probed(answer("http://a.test/", 200, "ACME", words("home", 50)));
  // The home page has changed since: the place alone tells.
  EXPECT_TRUE(is_soft(guard, "http://a.test/old.html",
                      answer("http://a.test/", 200, "ACME", words("news", 50))));
  EXPECT_TRUE(is_soft(guard, "http://a.test/old.html",
                      answer("https://www.a.test/index.html", 200, "ACME", words("news", 50))));
  EXPECT_FALSE(
      is_soft(guard, "http://a.test/", answer("http://a.test/", 200, "ACME", words("home", 50))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/index.html",
                       answer("http://a.test/index.html", 200, "ACME", words("home", 50))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/old.html",
                       answer("http://a.test/new.html", 200, "New", words("new", 50))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/x.html",
                       answer("http://a.test/x.html", 200, "X", words("x", 50))));
}

TEST(Soft404, a_redirect_into_a_program_is_one_only_if_it_says_the_same) {
  const Soft404 guard =
      probed(answer("http://a.test/show.php?page=error&from=no-such-page-abcdefghijklmnop.html",
                    200, "ACME", not_found("/no-such-page-abcdefghijklmnop.html")));
  EXPECT_TRUE(is_soft(guard, "http://a.test/old.html",
                      answer("http://a.test/show.php?page=error&from=old.html", 200, "ACME",
                             not_found("/old.html"))));
  EXPECT_FALSE(is_soft(guard, "http://a.test/new.html",
                       answer("http://a.test/show.php?page=7", 200, "ACME", words("seven", 60))));
}

TEST(Soft404, the_home_page_of_a_host_that_says_the_same_everywhere_is_not_one) {
  const Soft404 guard =
      probed(answer(kProbe, 200, "App", "You need to enable JavaScript to run this app"));
  const auto shell = [](std::string_view address) {
    return answer(address, 200, "App", "You need to enable JavaScript to run this app");
  };
  EXPECT_FALSE(is_soft(guard, "http://a.test/", shell("http://a.test/")));
  EXPECT_TRUE(is_soft(guard, "http://a.test/page", shell("http://a.test/page")));
}

}  // namespace
}  // namespace dowser
