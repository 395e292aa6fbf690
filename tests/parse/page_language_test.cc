#include <gtest/gtest.h>

#include "parse/parse_page.h"

namespace dowser {
namespace {

std::string language_of(const std::string& html, const std::string& content_language) {
  Response response;
  response.url = *Url::parse("http://example.org/");
  response.status = 200;
  response.headers.add("Content-Type", "text/html");
  if (!content_language.empty()) response.headers.add("Content-Language", content_language);
  response.body = html;
  return parse_page(response).language;
}

TEST(PageLanguage, is_what_page_or_server_say_where_the_text_tells_nothing) {
  EXPECT_EQ(language_of("<p>Menu", ""), "");
  EXPECT_EQ(language_of("<p>Menu", "fr"), "fr");
  EXPECT_EQ(language_of("<html lang=de-AT><p>Menu", "fr"), "de");
}

TEST(PageLanguage, several_languages_of_the_header_say_nothing) {
  EXPECT_EQ(language_of("<p>Menu", "de, en"), "");
}

TEST(PageLanguage, text_that_is_clearly_in_another_language_wins) {
  std::string german;
  for (int i = 0; i < 12; ++i) {
    german +=
        "<p>Die Stadt ist die Hauptstadt der Region und eine der größten des Landes, bekannt "
        "für ihre Oper und ihren Dom.";
  }
  EXPECT_EQ(language_of("<html lang=en>" + german, "en"), "de");
}

}  // namespace
}  // namespace dowser
