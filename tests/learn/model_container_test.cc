#include "learn/model_container.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dowser {
namespace {

TEST(ModelContainer, holds_the_members_of_any_kind) {
  const std::string text =
      model_container({"hmm", 3}, "\"states\": " + json_list(std::vector<double>{0.1, 1.0 / 3}) +
                                      ", \"name\": " + json_string("a \"quoted\" name"));
  const Result<ModelHeader> header = read_model_header(text);
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->kind, "hmm");
  EXPECT_EQ(header->version, 3u);
  ModelHeader same;
  const Result<nlohmann::json> root = read_model_container(text, &same);
  ASSERT_TRUE(root.ok());
  ModelFields fields;
  EXPECT_EQ(fields.numbers(*root, "states"), (std::vector<double>{0.1, 1.0 / 3}));
  EXPECT_EQ(fields.text(*root, "name"), "a \"quoted\" name");
  EXPECT_FALSE(fields.error());
}

TEST(ModelContainer, may_have_no_members) {
  EXPECT_EQ(model_container({"empty", 1}, ""),
            "{\"dowser_model\": 1, \"kind\": \"empty\", \"version\": 1}\n");
  EXPECT_EQ(read_model_header(model_container({"empty", 1}, ""))->kind, "empty");
}

TEST(ModelContainer, refuses_what_it_cannot_read_in_one_sentence) {
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "this is not a model file: make one with dowser learn"},
           {"{}", "this is not a model file: make one with dowser learn"},
           {"{\"dowser_model\": 9}",
            "the model file has the form 9, and this program reads form 1: train the model again"},
           {"{\"dowser_model\": 1, \"kind\": 5}",
            "the model file is broken: 'kind' is not a string"},
           {"{\"dowser_model\": 1, \"kind\": \"hmm\"}",
            "the model file is broken: 'version' is missing"}}) {
    const Result<ModelHeader> header = read_model_header(text);
    ASSERT_FALSE(header.ok()) << text;
    EXPECT_EQ(header.error().message, error);
  }
}

TEST(ModelContainer, a_kind_refuses_versions_that_are_newer_than_it_knows) {
  EXPECT_TRUE(check_model_version({"hmm", 2}, 2).ok());
  EXPECT_EQ(check_model_version({"hmm", 3}, 2).error().message,
            "the model of the kind hmm has version 3, and this program reads versions up to 2: "
            "train the model again");
}

TEST(ModelFields, remember_the_first_error) {
  const nlohmann::json root = {{"list", {1, "two"}}, {"big", 1e10}};
  ModelFields fields;
  EXPECT_EQ(fields.numbers(root, "list"), (std::vector<double>{1, 0}));
  EXPECT_EQ(fields.natural(root, "big"), 0u);
  EXPECT_EQ(fields.error()->message, "the model file is broken: 'list' is not a number");
}

}  // namespace
}  // namespace dowser
