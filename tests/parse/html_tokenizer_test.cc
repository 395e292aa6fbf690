#include "parse/html_tokenizer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"
#include "text/utf8.h"

// The html5lib suite: tokens must agree in every case. Three things are as the suite's README has
// them or leaves them to the reader:
// - Parse errors are not compared: the tokenizer does not report them, a crawler has no use for
// them.
// - Lone surrogates, which a few inputs write as \uD800, are the three bytes that UTF-8 would give
//   them, in the input and in the expected output: the tokenizer hands through what it does not
//   know. (A page cannot bring them: decoding makes them U+FFFD.)
// - xmlViolation.test wants the coercions of "Coercing an HTML DOM into an infoset" applied to the
//   tokens. They belong to whoever builds an XML tree; here the test's sink applies them.

namespace dowser {
namespace {

using nlohmann::json;

// \uHHHH becomes the character; pairs of surrogates become one.
std::string unescape(const std::string& in) {
  const auto unit = [&in](size_t at) -> int {
    if (at + 6 > in.size() || in.compare(at, 2, "\\u") != 0) return -1;
    return std::stoi(in.substr(at + 2, 4), nullptr, 16);
  };
  std::string out;
  for (size_t i = 0; i < in.size();) {
    const int high = unit(i);
    if (high < 0) {
      out += in[i++];
      continue;
    }
    const int low = unit(i + 6);
    if (high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      append_utf8(out, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
      i += 12;
    } else {
      append_utf8(out, high);
      i += 6;
    }
  }
  return out;
}

json unescape_all(const json& value) {
  if (value.is_string()) return unescape(value.get<std::string>());
  if (value.is_array()) {
    json out = json::array();
    for (const json& v : value) out.push_back(unescape_all(v));
    return out;
  }
  if (value.is_object()) {
    json out = json::object();
    for (const auto& [name, v] : value.items()) out[unescape(name)] = unescape_all(v);
    return out;
  }
  return value;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Writes tokens as the suite does.
struct JsonSink {
  json tokens = json::array();
  bool coerce_to_xml = false;

  void text(std::string_view piece) {
    std::string s(piece);
    if (coerce_to_xml) {
      replace_all(s, "\xEF\xBF\xBF", "\xEF\xBF\xBD");
      replace_all(s, "\f", " ");
    }
    if (tokens.empty() || tokens.back()[0] != "Character")
      tokens.push_back(json::array({"Character", ""}));
    tokens.back()[1].get_ref<std::string&>() += s;
  }
  TextState start_tag(const Tag& tag) {
    json attributes = json::object();
    for (const Attribute& a : tag.attributes) {
      EXPECT_FALSE(attributes.contains(std::string(a.name)));
      attributes[std::string(a.name)] = std::string(a.value);
    }
    json token = json::array({"StartTag", std::string(tag.name), attributes});
    if (tag.self_closing) token.push_back(true);
    tokens.push_back(token);
    if (tag.id != TagId::kUnknown) {
      EXPECT_EQ(name_of(tag.id), tag.name);
    }
    return TextState::kData;  // the suite tests the tokenizer without tree construction
  }
  void end_tag(const Tag& tag) { tokens.push_back(json::array({"EndTag", std::string(tag.name)})); }
  void comment(std::string_view data) {
    std::string s(data);
    if (coerce_to_xml) replace_all(s, "--", "- -");
    tokens.push_back(json::array({"Comment", s}));
  }
  void doctype(const Doctype& d) {
    const auto value = [](const std::optional<std::string_view>& s) {
      return s ? json(std::string(*s)) : json();
    };
    tokens.push_back(json::array(
        {"DOCTYPE", value(d.name), value(d.public_id), value(d.system_id), !d.force_quirks}));
  }
};

json tokens_of(std::string_view input, TextState state = TextState::kData,
               std::string_view last_start_tag = {}, bool coerce_to_xml = false) {
  std::string buffer;
  JsonSink sink;
  sink.coerce_to_xml = coerce_to_xml;
  HtmlTokenizer<JsonSink>(normalize_newlines(input, buffer), sink).run(state, last_start_tag);
  return sink.tokens;
}

TextState state_named(const std::string& name) {
  static const std::map<std::string, TextState> states = {
      {"Data state", TextState::kData},          {"PLAINTEXT state", TextState::kPlaintext},
      {"RCDATA state", TextState::kRcdata},      {"RAWTEXT state", TextState::kRawtext},
      {"Script data state", TextState::kScript}, {"CDATA section state", TextState::kCdata}};
  return states.at(name);
}

std::string shown(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

// Runs one file and returns the number of cases, each initial state counting.
int run_file(const std::filesystem::path& path) {
  const auto content = read_file(path);
  EXPECT_TRUE(content.ok());
  const json file = json::parse(*content);
  const bool xml = file.contains("xmlViolationTests");
  int cases = 0;
  for (const json& test : file[xml ? "xmlViolationTests" : "tests"]) {
    const bool escaped = test.value("doubleEscaped", false);
    const std::string input = escaped ? unescape(test["input"]) : test["input"].get<std::string>();
    const json expected = escaped ? unescape_all(test["output"]) : test["output"];
    for (const json& state : test.value("initialStates", json::array({"Data state"}))) {
      const json tokens = tokens_of(input, state_named(state), test.value("lastStartTag", ""), xml);
      EXPECT_EQ(tokens, expected) << path.filename() << ": " << test["description"] << " in "
                                  << state << "\n got " << shown(tokens) << "\nwant "
                                  << shown(expected);
      ++cases;
    }
  }
  return cases;
}

TEST(HtmlTokenizer, passes_every_case_of_html5lib) {
  const auto folder = test_data("gold/html5lib-tokenizer");
  if (!folder) GTEST_SKIP() << kNoData;
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".test") continue;
    const int in_file = run_file(entry.path());
    RecordProperty(entry.path().stem().string(), in_file);
    cases += in_file;
  }
  RecordProperty("cases", cases);
  EXPECT_GE(cases, 6800);
}

// A value of a token in quotation marks, or - where it is missing.
std::string json_or_dash(const json& value) {
  return value.is_null() ? "-" : value.dump(-1, ' ', true, json::error_handler_t::replace);
}

// A token as tokenizer_cases.txt writes it.
std::string line_of(const json& token) {
  const std::string kind = token[0];
  if (kind == "Character") return "text " + json_or_dash(token[1]);
  if (kind == "Comment") return "comment " + json_or_dash(token[1]);
  if (kind == "EndTag") return "end " + json_or_dash(token[1]);
  if (kind == "DOCTYPE") {
    return "doctype " + json_or_dash(token[1]) + " " + json_or_dash(token[2]) + " " +
           json_or_dash(token[3]) + (token[4] == true ? "" : " quirks");
  }
  std::string line = "start " + json_or_dash(token[1]);
  for (const auto& [name, value] : token[2].items())
    line += " " + json_or_dash(name) + "=" + json_or_dash(value);
  return line + (token.size() > 3 ? " /" : "");
}

// Our own cases, for those who do not have the html5lib suite: the file says how they are written.
TEST(HtmlTokenizer, follows_the_standard) {
  std::ifstream stream(source_dir() / "tests/parse/tokenizer_cases.txt");
  TextState state = TextState::kData;
  std::string last_start_tag, input, expected;
  int cases = 0;
  const auto finish = [&] {
    if (input.empty()) return;
    std::string actual;
    for (const json& token :
         tokens_of(json::parse(input).get<std::string>(), state, last_start_tag))
      actual += "  " + line_of(token) + "\n";
    EXPECT_EQ(actual, expected) << input;
    ++cases;
    input.clear();
    expected.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("  ")) {
      expected += line + "\n";
      continue;
    }
    finish();
    if (line.starts_with('"')) input = line;
    if (line.starts_with("state ")) {
      const size_t tag = line.find(", after ");
      state = state_named(line.substr(6, tag - 6));
      last_start_tag = tag == line.npos ? "" : line.substr(tag + 8);
    }
  }
  finish();
  EXPECT_GE(cases, 170);
}

TEST(HtmlTokenizer, reads_tags_text_and_comments) {
  EXPECT_EQ(tokens_of("<!doctype html><P Class=x CLASS=y>a&amp;b<!-- c --></p>"),
            json::parse(R"([["DOCTYPE","html",null,null,true],["StartTag","p",{"class":"x"}],
                            ["Character","a&b"],["Comment"," c "],["EndTag","p"]])"));
}

TEST(HtmlTokenizer, reads_character_references_as_the_standard_does) {
  const std::pair<const char*, const char*> rows[] = {
      {"&eacute;&eacute", "éé"},
      {"&notit;", "¬it;"},
      {"&notin;", "∉"},
      {"&nope; & &", "&nope; & &"},
      {"&#233;&#xE9&#XE9;", "ééé"},
      {"&#150;", "–"},
      {"&#0;&#xD800;&#x110000;", "\uFFFD\uFFFD\uFFFD"},
      {"&#; &#x; &#xg;", "&#; &#x; &#xg;"},
      {"&#99999999999999999999;", "\uFFFD"},
      {"&nGt;", "≫⃒"},
      {"&CounterClockwiseContourIntegral;", "∳"},
  };
  for (const auto& [input, expected] : rows)
    EXPECT_EQ(tokens_of(input), json::array({json::array({"Character", expected})})) << input;
}

TEST(HtmlTokenizer, leaves_unfinished_references_of_attributes_alone) {
  EXPECT_EQ(tokens_of("<a href='?a=1&copy=2&lt=3&amp;b&copy'>"),
            json::parse(R"([["StartTag","a",{"href":"?a=1&copy=2&lt=3&b©"}]])"));
}

// A sink as small as can be, that lets tree construction's states apply.
struct StateSink {
  std::string seen;
  void text(std::string_view piece) { seen += piece; }
  TextState start_tag(const Tag& tag) {
    seen += "<" + std::string(tag.name) + ">";
    return state_after(tag.id);
  }
  void end_tag(const Tag& tag) { seen += "</" + std::string(tag.name) + ">"; }
};

TEST(HtmlTokenizer, reads_text_after_a_start_tag_as_the_sink_says) {
  const std::pair<const char*, const char*> rows[] = {
      {"<title><b>&lt;</TITLE ><b>", "<title><b><</title><b>"},
      {"<style><b>&lt;</style><b>", "<style><b>&lt;</style><b>"},
      {"<script>'<b>'<!--<script></script>--></script><b>",
       "<script>'<b>'<!--<script></script>--></script><b>"},
      {"<script><!-- </script><b>", "<script><!-- </script><b>"},
      {"<plaintext></plaintext>", "<plaintext></plaintext>"},
      {"<noscript><b>", "<noscript><b>"},
      {"<!-- <b> --><b>", "<b>"},
      {"<![CDATA[x]]>y", "y"},
      {"a<b", "a"},
      {"1 < 2 <3", "1 < 2 <3"},
  };
  for (const auto& [input, expected] : rows) {
    StateSink sink;
    tokenize_html(input, sink);
    EXPECT_EQ(sink.seen, expected) << input;
  }
}

TEST(HtmlTokenizer, keeps_a_bounded_number_of_attributes) {
  std::string input = "<a";
  for (int i = 0; i < 1000; ++i) input += " a" + std::to_string(i);
  EXPECT_EQ(tokens_of(input + ">")[0][2].size(), HtmlTokenizer<JsonSink>::kMaxAttributes);
}

TEST(HtmlNames, every_name_is_found_in_any_case) {
  const auto key_of = [](std::string_view name) {
    NameKey key = 0;
    for (const char c : name) key = key << 8 | static_cast<uint8_t>(std::tolower(c));
    return key;
  };
  for (int i = 1; i < static_cast<int>(TagId::kCount); ++i) {
    std::string name(name_of(static_cast<TagId>(i)));
    EXPECT_EQ(static_cast<int>(tag_id(key_of(name), name)), i) << name;
    for (char& c : name) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(static_cast<int>(tag_id(key_of(name), name)), i) << name;
    name.insert(0, "X");
    EXPECT_NE(static_cast<int>(tag_id(key_of(name), name)), i) << name;
  }
}

// What the tokenizer promises for any bytes: every byte of plain text comes out, and nothing is
// invented.
TEST(HtmlTokenizer, text_without_markup_comes_through_unchanged) {
  EXPECT_TRUE(rc::check("text is handed through", [](const std::string& any) {
    std::string input = any;
    std::erase_if(input, [](char c) { return c == '<' || c == '&' || c == '\r'; });
    StateSink sink;
    tokenize_html(input, sink);
    RC_ASSERT(sink.seen == input);
  }));
}

}  // namespace
}  // namespace dowser
