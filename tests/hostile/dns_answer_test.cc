#include "tests/hostile/dns_answer.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

using namespace std::string_literals;
using Kind = DnsReply::Kind;

// Asks for H1.test, recursion desired.
std::string question(char type) {
  return "\xAB\xCD\x01\0\0\1\0\0\0\0\0\0\2H1\4test\0\0"s + type + "\0\1"s;
}

TEST(DnsAnswer, a_name_is_answered_with_its_address) {
  EXPECT_EQ(dns_question(question(1))->name, "h1.test");
  EXPECT_EQ(dns_answer(question(1), {Kind::kAddress, "127.0.0.2"}),
            "\xAB\xCD\x85\0\0\1\0\1\0\0\0\0\2H1\4test\0\0\1\0\1"s
            "\xC0\x0C\0\1\0\1\0\0\0\x3C\0\4\x7F\0\0\2"s);
}

TEST(DnsAnswer, a_name_has_no_address_of_another_kind) {
  EXPECT_EQ(dns_answer(question(28), {Kind::kAddress, "127.0.0.2"}),
            "\xAB\xCD\x85\0\0\1\0\0\0\0\0\0\2H1\4test\0\0\x1C\0\1"s);
}

TEST(DnsAnswer, names_fail_in_three_ways) {
  EXPECT_EQ(dns_answer(question(1), {Kind::kNoSuchName})[3], 3);
  EXPECT_EQ(dns_answer(question(1), {Kind::kFails})[3], 2);
  EXPECT_EQ(dns_answer(question(1), {Kind::kSaysNothing}), "");
}

TEST(DnsAnswer, broken_questions_are_not_answered) {
  const std::string whole = question(1);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(dns_answer(std::string_view(whole).substr(0, size), {Kind::kFails}), "") << size;
  }
  std::string is_answer = whole, no_question = whole, pointer = whole;
  is_answer[2] = '\x81';
  no_question[5] = 0;
  pointer[12] = '\xC0';
  for (const std::string& broken : {is_answer, no_question, pointer}) {
    EXPECT_EQ(dns_answer(broken, {Kind::kFails}), "");
  }
}

}  // namespace
}  // namespace dowser
