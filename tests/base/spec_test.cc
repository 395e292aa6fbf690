#include "base/spec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dowser {
namespace {

Spec spec(std::string_view text) {
  Result<Spec> parsed = Spec::parse(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : Spec{};
}

TEST(Spec, a_name_may_stand_alone) {
  for (const char* text : {"best-first", "  best-first\n", "best-first()", "best-first( )"}) {
    EXPECT_EQ(spec(text), (Spec{"best-first", {}})) << text;
  }
}

TEST(Spec, parameters_are_read_with_any_spacing_and_order) {
  const Spec expected{"shark-search", {{"beta", "0.8"}, {"delta", "0.5"}}};
  for (const char* text : {"shark-search(delta=0.5, beta=0.8)", "shark-search(beta=0.8,delta=0.5)",
                           " shark-search ( delta = 0.5 ,\n beta = 0.8 ) "}) {
    EXPECT_EQ(spec(text), expected) << text;
  }
  EXPECT_EQ(spec("a(b=c=d)").parameters.at("b"), "c=d");
}

TEST(Spec, what_is_of_another_form_is_refused) {
  for (const char* text :
       {"", " ", "(", "()", "a b", "a(", "a)", "a(b", "a(b)", "a(b=)", "a(=1)", "a(b=1", "a(b=1)c",
        "a(b=(1))", "a(b=1, b=2)", "a(,b=1)", "a(b c=1)", "\xC3\xA4"}) {
    const Result<Spec> parsed = Spec::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().message.find(text), std::string::npos);
  }
}

TEST(Spec, its_text_has_the_parameters_in_order_of_name) {
  EXPECT_EQ(spec("a").text(), "a");
  EXPECT_EQ(spec("a(z=1,b=2)").text(), "a(b=2, z=1)");
}

RC_GTEST_PROP(Spec, its_text_reads_back_as_the_same, ()) {
  const auto name = rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcXYZ019-_"))));
  const auto value = rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc019.-+:=/"))));
  const Spec original{*name, *rc::gen::container<std::map<std::string, std::string>>(name, value)};
  const Result<Spec> back = Spec::parse(original.text());
  RC_ASSERT(back.ok());
  RC_ASSERT(*back == original);
}

TEST(Parameters, values_replace_defaults) {
  const Spec s = spec("x(delta=0.25, n=-7, order=last)");
  Parameters p(s);
  EXPECT_EQ(p.number("delta", 0.5), 0.25);
  EXPECT_EQ(p.number("beta", 0.8), 0.8);
  EXPECT_EQ(p.integer("n", 10), -7);
  EXPECT_EQ(p.integer("m", 11), 11);
  EXPECT_EQ(p.choice("order", {"first", "last"}), "last");
  EXPECT_EQ(p.choice("ties", {"old", "new"}), "old");
  EXPECT_FALSE(p.finish().has_value());
}

TEST(Parameters, a_value_of_the_wrong_kind_is_refused) {
  for (const char* text : {"x(d=half)", "x(d=0.5x)", "x(d=nan)", "x(d=inf)", "x(d=1e999)",
                           "x(n=1.5)", "x(n=99999999999999999999)", "x(o=middle)"}) {
    const Spec s = spec(text);
    Parameters p(s);
    EXPECT_EQ(p.number("d", 3), 3) << text;
    EXPECT_EQ(p.integer("n", 4), 4) << text;
    EXPECT_EQ(p.choice("o", {"first", "last"}), "first") << text;
    ASSERT_TRUE(p.finish().has_value()) << text;
    EXPECT_NE(p.finish()->message.find("of x must be"), std::string::npos) << text;
  }
}

TEST(Parameters, a_parameter_nobody_asked_for_is_refused_with_the_nearest) {
  const Spec s = spec("x(dleta=1)");
  Parameters p(s);
  p.number("beta", 0);
  p.number("delta", 0);
  EXPECT_EQ(p.finish()->message,
            "x has no parameter 'dleta' (did you mean 'delta'?): it takes beta, delta");
  EXPECT_EQ(Parameters(s).finish()->message, "x takes no parameters");
}

}  // namespace
}  // namespace dowser
