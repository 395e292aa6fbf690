#include "library/query.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

// What a query means, as text_of() writes it.
std::string meaning(std::string_view text) {
  const ParsedQuery parsed = parse_query(text);
  return parsed.query ? text_of(*parsed.query) : "error: " + parsed.error.message;
}

// Where an error is: the query with a caret in front of the place.
std::string error_at(std::string_view text) {
  const ParsedQuery parsed = parse_query(text);
  if (parsed.query) return "no error";
  EXPECT_FALSE(parsed.error.message.empty());
  EXPECT_LE(parsed.error.at, text.size());
  std::string shown(text);
  return shown.insert(parsed.error.at, "^");
}

TEST(Query, bare_words_are_some_of_which_at_least_one_must_be_there) {
  EXPECT_EQ(meaning("crawler"), "any:crawler");
  EXPECT_EQ(meaning("focused crawler"), "(focused crawler)");
  EXPECT_EQ(meaning("  Focused\tCRAWLER "), "(focused crawler)");
}

TEST(Query, a_word_in_quotation_marks_is_that_word_alone) {
  EXPECT_EQ(meaning("\"nest\""), "any:\"nest\"");
  EXPECT_EQ(meaning("title:\"nest\""), "title:\"nest\"");
  EXPECT_TRUE(parse_query("nest").query->any_form);
  EXPECT_TRUE(parse_query("title:nest").query->any_form);
  for (const char* exact : {"\"nest\"", "nest*", "url:nest", "note:nest", "e-mail"}) {
    EXPECT_FALSE(parse_query(exact).query->any_form) << exact;
  }
}

TEST(Query, operators_are_capitals_and_or_binds_loosest) {
  EXPECT_EQ(meaning("a AND b OR c"), "((any:a AND any:b) OR any:c)");
  EXPECT_EQ(meaning("a AND (b OR c)"), "(any:a AND (any:b OR any:c))");
  EXPECT_EQ(meaning("black and white"), "(black and white)");
  EXPECT_EQ(meaning("ANDROID ORACLE NOTE"), "(android oracle note)");
}

TEST(Query, the_example_of_the_manual) {
  EXPECT_EQ(meaning("title:crawler AND (focused OR topical) NOT \"deep web\""),
            "(title:crawler AND ((any:focused OR any:topical) AND (NOT any:\"deep "
            "web\")))");
}

TEST(Query, phrases_and_fields_beside_bare_words_must_be_there) {
  EXPECT_EQ(meaning("swan \"swan lake\" duck"), "((swan duck) AND any:\"swan lake\")");
  EXPECT_EQ(meaning("author:smith crawler"), "(any:crawler AND author:smith)");
}

TEST(Query, not_and_minus_take_away) {
  EXPECT_EQ(meaning("jaguar -car"), "(any:jaguar AND (NOT any:car))");
  EXPECT_EQ(meaning("jaguar NOT car cat"), "((jaguar cat) AND (NOT any:car))");
  EXPECT_EQ(meaning("NOT car"), "(NOT any:car)");
  EXPECT_EQ(meaning("jaguar AND NOT (car OR title:boat)"),
            "(any:jaguar AND (NOT (any:car OR title:boat)))");
  EXPECT_EQ(meaning("e-mail"), "any:\"e mail\"");
}

TEST(Query, a_field_holds_for_its_word_phrase_or_group) {
  EXPECT_EQ(meaning("title:(a OR b)"), "(title:a OR title:b)");
  EXPECT_EQ(meaning("title:(swan lake)"), "title:(swan lake)");
  EXPECT_EQ(meaning("title: swan"), "title:swan");
  EXPECT_EQ(meaning("title:(a AND note:b)"), "(title:a AND note:\"b\")");
  EXPECT_EQ(meaning("title:\"swan lake\""), "title:\"swan lake\"");
}

TEST(Query, a_star_stands_for_any_end_of_a_word) {
  EXPECT_EQ(meaning("crawl*"), "any:\"crawl\"*");
  EXPECT_EQ(meaning("\"focused crawl\"*"), "any:\"focused crawl\"*");
  EXPECT_EQ(meaning("focus* crawl*"), "(focus* crawl*)");
}

TEST(Query, hosts_are_names) {
  EXPECT_EQ(meaning("host:WWW.Example.org"), "host:\"www.example.org\"");
  EXPECT_EQ(meaning("host:.edu"), "host:\"edu\"");
  EXPECT_EQ(error_at("host:http://a.org"), "^host:http://a.org");
  EXPECT_EQ(error_at("host:exam*"), "host:exam^*");
}

TEST(Query, addresses_and_words_with_colons_are_no_fields) {
  EXPECT_EQ(meaning("http://a.org/b.htm"), "url:\"http a org b htm\"");
  EXPECT_EQ(meaning("std::vector"), "any:\"std vector\"");
  EXPECT_EQ(meaning("12:30"), "any:\"12 30\"");
}

TEST(Query, words_of_all_languages) {
  EXPECT_EQ(meaning("東京都"), "any:\"東 京 都\"");
  EXPECT_EQ(meaning("東京　大阪"), "(東-京 大-阪)");  // an ideographic space between them
  EXPECT_EQ(meaning("İstanbul ISTANBUL ısparta"), "(istanbul istanbul isparta)");
  EXPECT_EQ(meaning("“Zürich Straße”"), "any:\"zurich strasse\"");
  EXPECT_EQ(meaning("l'homme"), "any:\"l homme\"");
}

TEST(Query, signs_without_letters_are_passed_over_beside_words) {
  EXPECT_EQ(meaning("birds & bees"), "(birds bees)");
  EXPECT_EQ(meaning("- birds"), "any:birds");
  EXPECT_EQ(error_at("birds AND &"), "birds AND ^&");
  EXPECT_EQ(error_at("\"...\""), "^\"...\"");
}

TEST(Query, nonsense_is_refused_with_its_place) {
  EXPECT_EQ(error_at(""), "^");
  EXPECT_EQ(error_at("   "), "   ^");
  EXPECT_EQ(error_at("(a OR b"), "^(a OR b");
  EXPECT_EQ(error_at("a OR b)"), "a OR b^)");
  EXPECT_EQ(error_at("a ()"), "a ^()");
  EXPECT_EQ(error_at("AND a"), "^AND a");
  EXPECT_EQ(error_at("a AND OR b"), "a AND ^OR b");
  EXPECT_EQ(error_at("a AND"), "a AND^");
  EXPECT_EQ(error_at("a NOT"), "a NOT^");
  EXPECT_EQ(error_at("a NOT OR b"), "a NOT ^OR b");
  EXPECT_EQ(error_at("titel:a"), "^titel:a");
  EXPECT_EQ(error_at("title:"), "title:^");
  EXPECT_EQ(error_at("title: AND a"), "title: ^AND a");
  EXPECT_EQ(error_at("a \"b c"), "a ^\"b c");
  EXPECT_EQ(error_at("cr*er"), "cr^*er");
  EXPECT_EQ(error_at("*"), "^*");
  EXPECT_EQ(error_at("(a AND )"), "(a AND ^)");
}

TEST(Query, an_unknown_field_names_the_nearest_one) {
  EXPECT_NE(meaning("titel:a").find("did you mean 'title'?"), std::string::npos);
}

TEST(Query, length_depth_and_words_are_bounded) {
  EXPECT_EQ(meaning(std::string(kLongestQuery + 1, 'a')).find("error: the query is longer"), 0u);
  const std::string open(kDeepestQuery + 5, '('), close(kDeepestQuery + 5, ')');
  EXPECT_EQ(meaning(open + "a" + close).find("error: parentheses are nested more than"), 0u);
  std::string words;
  for (size_t i = 0; i <= kMostQueryWords; ++i) words += "w ";
  EXPECT_EQ(meaning(words).find("error: the query has more than"), 0u);
}

TEST(Query, its_text_form_means_the_same) {
  for (const std::string_view text :
       {"a", "a b", "a b* \"c d\"* -e", "title:(a b OR c) AND NOT host:x.org",
        "note:\"a b\" OR 東京", "NOT a", "a AND (b c) AND (d NOT e)"}) {
    const std::string first = meaning(text);
    EXPECT_EQ(meaning(first), first) << text;
  }
}

TEST(Query, the_caret_stands_under_the_place) {
  EXPECT_EQ(caret_lines("a OR b)", 6), "  a OR b)\n        ^\n");
  EXPECT_EQ(caret_lines("東京)", 6), "  東京)\n      ^\n");  // two columns for each character
  EXPECT_EQ(caret_lines("", 0), "  \n  ^\n");
  const std::string longest = std::string(500, 'x') + ")" + std::string(100, 'y');
  EXPECT_EQ(caret_lines(longest, 500), "  …" + std::string(60, 'x') + ")" + std::string(14, 'y') +
                                           "…\n  " + std::string(61, ' ') + "^\n");
}

}  // namespace
}  // namespace dowser
