#include "text/printable.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dowser {
namespace {

TEST(Printable, text_stays_and_what_a_terminal_obeys_does_not) {
  for (const auto& [text, shown] : std::initializer_list<std::pair<std::string, std::string>>{
           {"plain", "plain"},
           {"Größe 大きさ \u200Fאב", "Größe 大きさ \u200Fאב"},
           {"two\nlines\tand\ra tab", "two lines and a tab"},
           {"\033[31mred\007", "\uFFFD[31mred\uFFFD"},
           {"\u009B31m", "\uFFFD31m"},
           {"a\u202Egnp.exe", "a\uFFFDgnp.exe"},
           {"\u2066x\u2069", "\uFFFDx\uFFFD"},
           {"broken \xC3", "broken \uFFFD"},
           {std::string("a\0b", 3), "a\uFFFDb"},
           {"", ""}}) {
    EXPECT_EQ(printable(text), shown);
  }
}

TEST(PrintableJson, has_escapes_and_means_the_same) {
  const std::string title = "a\u202Eb \u2067c \u0085d \u007Fe Größe \033[0m";
  const std::string json = nlohmann::json{{"title", title}}.dump();
  const std::string shown = printable_json(json);
  EXPECT_NE(shown.find("a\\u202eb \\u2067c \\u0085d \\u007fe Größe"), std::string::npos) << shown;
  EXPECT_EQ(printable(shown), shown);
  EXPECT_EQ(nlohmann::json::parse(shown)["title"], title);
  EXPECT_EQ(printable_json("{\"a\":1}"), "{\"a\":1}");
}

}  // namespace
}  // namespace dowser
