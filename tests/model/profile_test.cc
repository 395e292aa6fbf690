#include "model/profile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "model/registrable_domain.h"
#include "model/url_rules.h"
#include "tests/support.h"

namespace dowser {
namespace {

Profile computer_science() {
  const Result<Profile> profile = load_profile("computer-science");
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  return *profile;
}

Url url(std::string_view text) { return *Url::parse(text); }

std::string refused(std::string_view toml) {
  const Result<Profile> profile = parse_profile(toml, "p.toml");
  return profile ? "accepted" : profile.error().message;
}

TEST(Profile, of_computer_science_is_built_in_with_the_lists_of_the_thesis) {
  const Profile p = computer_science();
  EXPECT_EQ(p.name, "computer-science");
  EXPECT_EQ(p.addresses.host_keywords.size(), 57u);   // table 4
  EXPECT_EQ(p.seeds.categories.size(), 33u);          // table 2
  EXPECT_EQ(p.seeds.queries.size(), 181u);            // appendix A
  EXPECT_EQ(p.documents.unwelcome_names.size(), 9u);  // table 8
  EXPECT_EQ(p.documents.least_pdf_bytes, 8192u);
  EXPECT_EQ(p.addresses.path_levels, 7u);
  EXPECT_EQ(p.tunnel.bias, 0.75);
  EXPECT_EQ(p.statistics.trap_pages, 200u);
}

TEST(Profile, built_in_profiles_are_the_files_of_the_tree) {
  for (const BuiltInProfile& profile : built_in_profiles()) {
    const auto file = source_dir() / "profiles" / (std::string(profile.name) + ".toml");
    const Result<std::string> text = read_file(file);
    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_EQ(*text, profile.toml);
    EXPECT_TRUE(parse_profile(profile.toml, profile.name).ok());
  }
}

TEST(Profile, without_a_name_has_no_lists_and_the_thresholds_of_the_thesis) {
  const Result<Profile> none = load_profile("");
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, Profile());
  EXPECT_EQ(none->statistics, computer_science().statistics);
  EXPECT_TRUE(none->addresses.host_keywords.empty());
}

TEST(Profile, refuses_what_is_wrong_with_one_sentence) {
  EXPECT_EQ(refused("[addresses]\nhost-keyword = [\"cs\"]"),
            "p.toml, line 2: [addresses] has no key 'host-keyword' (did you mean "
            "'host-keywords'?): it has host-keywords, stop-directories, page-formats, "
            "document-formats, path-levels");
  EXPECT_EQ(refused("[adresses]\n"),
            "p.toml, line 1: a profile has no 'adresses' (did you mean 'addresses'?): it has "
            "addresses, pages, anchors, documents, seeds, judge, layers, tunnel, sites, "
            "statistics, name");
  EXPECT_EQ(refused("[addresses]\nstop-directories = []"),
            "p.toml, line 2: stop-directories is an empty list; leave it out if there is no such "
            "rule");
  EXPECT_EQ(refused("[addresses]\nstop-directories = [\"\"]"),
            "p.toml, line 2: stop-directories must be a list of strings that are not empty");
  EXPECT_EQ(refused("[addresses]\nstop-directories = \"a\""),
            "p.toml, line 2: stop-directories must be a list of strings");
  EXPECT_EQ(refused("[addresses]\nstop-directories = [\"a/b\"]"),
            "p.toml: 'a/b' in stop-directories is a path: give names without '/'");
  EXPECT_EQ(refused("[addresses]\nhost-keywords = [\"cs.edu\"]"),
            "p.toml: 'cs.edu' in host-keywords is not a label of a host name: give one name without "
            "dots");
  EXPECT_EQ(refused("[addresses]\npage-formats=[\"xml\"]\ndocument-formats=[\"pdf\", \"xml\"]"),
            "p.toml: 'xml' is both in page-formats and in document-formats");
  EXPECT_EQ(refused("[tunnel]\nbias = 1.5"), "p.toml, line 2: bias must be a number from 0 to 1");
  EXPECT_EQ(refused("[tunnel]\nbias = \"x\""), "p.toml, line 2: bias must be a number from 0 to 1");
  EXPECT_EQ(refused("[sites]\nopen = 0"),
            "p.toml, line 2: open must be a whole number from 1 to 2147483647");
  EXPECT_EQ(refused("[documents]\nthesis = {\"degree of\" = 0}"),
            "p.toml, line 2: the weight of 'degree of' in thesis must be a number above 0");
  EXPECT_EQ(refused("[pages]\npaper-words = [\"abstract\"]"),
            "p.toml: paper-words-needed is 4, but paper-words has only 1");
  EXPECT_EQ(refused("sites = 3"), "p.toml, line 1: sites must be a table");
  EXPECT_NE(refused("[tunnel").find("p.toml, line 1: "), std::string::npos);
  const Result<Profile> unknown = load_profile("computer-sciense");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message,
            "there is no profile 'computer-sciense' (did you mean 'computer-science'?): give "
            "computer-science or a file");
}

TEST(Profile, weighs_phrases_of_kinds) {
  const Result<Profile> p =
      parse_profile("[documents]\nfaq = {faq = 4, \"asked often\" = 0.5}", "");
  ASSERT_TRUE(p.ok()) << p.error().message;
  ASSERT_EQ(p->documents.faq.size(), 2u);
  EXPECT_EQ(p->documents.faq[0].words, "asked often");
  EXPECT_EQ(p->documents.faq[0].weight, 0.5);
}

TEST(PublicSuffix, is_what_anybody_may_register_under) {
  const std::pair<const char*, const char*> cases[] = {
      {"www.cs.concordia.ca", "ca"},
      {"news.bbc.co.uk", "co.uk"},
      {"unito.it", "it"},
      {"co.uk", "co.uk"},
      {"a.b.unknown-top", "unknown-top"},
      {"10.0.0.1", "10.0.0.1"},
      {"[::1]", "[::1]"},
      {"localhost", "localhost"},
      {"", ""},
  };
  for (const auto& [host, suffix] : cases) EXPECT_EQ(public_suffix(host), suffix) << host;
}

TEST(UrlRules, departments_are_labels_left_of_the_public_suffix) {
  const UrlRules rules(computer_science());
  for (const char* host : {"www.cs.concordia.ca", "cs.example.unknown-top", "informatics.ed.ac.uk",
                           "it.unipi.it", "dept.eecs.mit.edu"}) {
    EXPECT_TRUE(rules.host_keyword(host)) << host;
  }
  // Italy is no department, nor is a part of a label.
  for (const char* host : {"www.unipi.it", "physics.example.edu", "cs-news.example.org", "10.0.0.1",
                           "localhost", "it", ""}) {
    EXPECT_FALSE(rules.host_keyword(host)) << host;
  }
}

TEST(UrlRules, directories_are_the_path_without_the_file) {
  EXPECT_EQ(directory_names("/programs/ugrad/coop/calendar/index.html"),
            (std::vector<std::string_view>{"programs", "ugrad", "coop", "calendar"}));
  EXPECT_EQ(directory_names("/a/b/"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(directory_names("//a///b/c"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(directory_names("/").empty());
  EXPECT_TRUE(directory_names("").empty());
  for (const char* path :
       {"/programs/ugrad/index.html", "/a/b/", "//a///b/c", "/", "", "/x", "x"}) {
    EXPECT_EQ(directory_levels(path), directory_names(path).size()) << path;
  }
  EXPECT_EQ(directory_of("/a/b/c.html"), "/a/b/");
  EXPECT_EQ(file_name_of("/a/b/c.html"), "c.html");
  EXPECT_EQ(file_name_of("/a/"), "");
}

TEST(UrlRules, refuse_by_levels_stop_directories_and_formats_in_the_order_of_figure_12) {
  const UrlRules rules(computer_science());
  const std::pair<const char*, const char*> cases[] = {
      {"http://www.cs.concordia.ca/programs/ugrad/coop/calendar/index.html", "stop-directory"},
      {"http://a.org/Calendar/x.html", "stop-directory"},
      {"http://a.org/c%61lendar/x.html", "stop-directory"},
      {"http://a.org/calendars/x.html", ""},  // whole names only
      {"http://a.org/calendar", ""},          // a file
      {"http://a.org/1/2/3/4/5/6/7/x.html", ""},
      {"http://a.org/1/2/3/4/5/6/7/8/x.html", "levels"},
      {"http://a.org/1/2/3/4/5/6/7/calendar/x.html", "levels"},
      {"http://a.org/index/", ""},
      {"http://a.org/paper.PDF", ""},
      {"http://a.org/photo.jpg", "format"},
      {"ftp://a.org/x.html", "format"},
  };
  for (const auto& [text, rule] : cases) EXPECT_EQ(rules.refusal(url(text)), rule) << text;
  EXPECT_EQ(rules.format(url("http://a.org/paper.PDF?x=1")), AddressFormat::kDocument);
  EXPECT_EQ(rules.format(url("http://a.org/a.html")), AddressFormat::kPage);
  // Without lists nothing but the depth of the path speaks against a link.
  const UrlRules none{Profile()};
  EXPECT_EQ(none.refusal(url("http://a.org/calendar/photo.jpg")), "");
}

TEST(UrlRules, unwelcome_names_are_whole_words) {
  const UrlRules rules(computer_science());
  for (const char* name : {"hw3.pdf", "HW.pdf", "my-cv.pdf", "cv_2004.ps", "lecture12.pdf",
                           "week%201.pdf", "cs101Homework.pdf", "HomeWork1.pdf", "resume"}) {
    EXPECT_TRUE(rules.unwelcome_word(name)) << name;
  }
  for (const char* name :
       {"hwang.pdf", "cvpr.pdf", "weekly.pdf", "paper.pdf", "", ".pdf", "1.2.3", "report.cv"}) {
    EXPECT_FALSE(rules.unwelcome_word(name)) << name;
  }
}

}  // namespace
}  // namespace dowser
