#include "store/annotations.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

class AnnotationsTest : public testing::Test {
 protected:
  std::string path() const { return folder_ / "annotations.sqlite"; }
  TempDir folder_;
};

TEST_F(AnnotationsTest, notes_are_kept_listed_and_removed) {
  {
    Result<Annotations> notes = Annotations::create(path());
    ASSERT_TRUE(notes.ok());
    EXPECT_EQ(*notes->add({0, "http://a.org/", "Ada", "one", "2026-01-01T00:00:00Z"}), 1);
    EXPECT_EQ(*notes->add({0, "http://b.org/", "", "two", "2026-01-02T00:00:00Z"}), 2);
  }
  Result<Annotations> notes = Annotations::create(path());
  ASSERT_TRUE(notes.ok());
  ASSERT_EQ(notes->list()->size(), 2u);
  const Annotation first = notes->list("http://a.org/")->at(0);
  EXPECT_EQ(first.author, "Ada");
  EXPECT_EQ(first.text, "one");
  EXPECT_TRUE(*notes->remove(2));
  EXPECT_FALSE(*notes->remove(2));
  EXPECT_EQ(notes->list()->size(), 1u);
  EXPECT_TRUE(notes->urls_with({"two"}, false)->empty());
  // A number is never used again: a script may have noted it.
  EXPECT_EQ(*notes->add({0, "http://b.org/", "", "three", ""}), 3);
}

TEST_F(AnnotationsTest, words_are_found_side_by_side_within_a_note) {
  Result<Annotations> notes = Annotations::create(path());
  ASSERT_TRUE(notes->add({0, "u1", "Ada", "Very good", ""}).ok());
  ASSERT_TRUE(notes->add({0, "u1", "Bob", "pictures", ""}).ok());
  ASSERT_TRUE(notes->add({0, "u2", "Eve", "good, ÜBER-good pictures", ""}).ok());
  using Urls = std::vector<std::string>;
  EXPECT_EQ(*notes->urls_with({"good", "pictures"}, false), Urls{"u2"});
  EXPECT_EQ(*notes->urls_with({"uber"}, false), Urls{"u2"});
  EXPECT_EQ(*notes->urls_with({"pict"}, true), (Urls{"u1", "u2"}));
  EXPECT_TRUE(notes->urls_with({"good", "ada"}, false)->empty());
}

TEST_F(AnnotationsTest, no_file_means_no_notes_and_a_broken_one_is_an_error) {
  EXPECT_FALSE(Annotations::open(path())->has_value());
  ASSERT_TRUE(put_file(path(), "this is no database, and long enough to be one").ok());
  const auto broken = Annotations::open(path());
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message.find("annotations.sqlite"), std::string::npos);
  EXPECT_FALSE(Annotations::create(path()).ok());
}

TEST_F(AnnotationsTest, several_may_write_at_once) {
  const auto write = [&] {
    for (int i = 0; i < 20; ++i) {
      Result<Annotations> notes = Annotations::create(path());
      ASSERT_TRUE(notes.ok()) << notes.error().message;
      const auto added = notes->add({0, "u", "", "text", ""});
      ASSERT_TRUE(added.ok()) << added.error().message;
    }
  };
  std::thread one(write), two(write);
  one.join(), two.join();
  EXPECT_EQ((*Annotations::open(path()))->list()->size(), 40u);
}

}  // namespace
}  // namespace dowser
