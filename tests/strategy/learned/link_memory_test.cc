#include "strategy/learned/link_memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace dowser {
namespace {

// A random web of pages with up to 20 links among 60 addresses, some of which have been visited.
class LinkMemoryTest : public testing::Test {
 protected:
  void grow(LinkMemory& memory, int pages) {
    for (int p = 0; p < pages; ++p) {
      memory.add_page(random_.uniform());
      const size_t links = random_.below(20);
      for (size_t i = 0; i < links; ++i) {
        const uint64_t target = random_.below(60);
        const std::vector<TermId> words = {static_cast<TermId>(target), 1000};
        const std::string name = std::to_string(target % 7);
        const uint32_t directory = memory.number_of_directory(name, NamedYields::hash_of(name));
        const uint32_t address = memory.add_address(target, directory, words);
        const uint32_t path = memory.number_of_tag_path(std::to_string(random_.below(3)));
        memory.add_link(address, path, words, 1);
      }
      if (const auto visited = memory.find(random_.below(60))) {
        memory.set_relevance(*visited, random_.uniform());
      }
    }
  }

  // Every sum, from the rows alone.
  static void check(const LinkMemory& memory) {
    const auto links = memory.links();
    for (uint32_t i = 0; i < links.size(); ++i) {
      const auto& page = memory.pages()[links[i].page];
      double near_sum = 0, near_weight = 0;
      Yield hub, group;
      for (uint32_t k = page.first_link; k < page.first_link + page.links; ++k) {
        const auto& other = memory.addresses()[links[k].address];
        if (!other.visited) continue;
        hub.sum += other.relevance;
        ++hub.count;
        if (links[k].tag_path == links[i].tag_path) {
          group.sum += other.relevance;
          ++group.count;
        }
        const int distance = std::abs(static_cast<int>(k) - static_cast<int>(i));
        if (distance == 0 || distance > LinkMemory::kReach) continue;
        near_sum += std::pow(LinkMemory::kFade, distance) * other.relevance;
        near_weight += std::pow(LinkMemory::kFade, distance);
      }
      EXPECT_NEAR(links[i].near_sum, near_sum, 1e-5);
      EXPECT_NEAR(links[i].near_weight, near_weight, 1e-5);
      EXPECT_NEAR(page.children.sum, hub.sum, 1e-6);
      EXPECT_EQ(page.children.count, hub.count);
      EXPECT_NEAR(memory.group(links[i]).sum, group.sum, 1e-6);
      EXPECT_EQ(memory.group(links[i]).count, group.count);
    }
  }

  Random random_{5};
};

TEST_F(LinkMemoryTest, sums_are_those_of_the_rows_whatever_the_order_of_events) {
  LinkMemory memory(1'000'000);
  grow(memory, 80);
  check(memory);
}

TEST_F(LinkMemoryTest, links_to_an_address_are_found_from_it_the_newest_first) {
  LinkMemory memory(1'000'000);
  grow(memory, 40);
  size_t found = 0;
  for (uint32_t a = 0; a < memory.addresses().size(); ++a) {
    uint32_t before = LinkMemory::kNone;
    for (const uint32_t newest : {memory.addresses()[a].last_late, memory.addresses()[a].last_in}) {
      before = LinkMemory::kNone;
      for (uint32_t i = newest; i != LinkMemory::kNone; i = memory.links()[i].next_in) {
        EXPECT_EQ(memory.links()[i].address, a);
        EXPECT_LT(i, before);
        before = i;
        ++found;
      }
    }
  }
  EXPECT_EQ(found, memory.links().size());
}

TEST_F(LinkMemoryTest, forgetting_keeps_the_newer_half_and_goes_on) {
  LinkMemory memory(500);
  uint32_t moved = 0;
  grow(memory, 20);
  EXPECT_FALSE(memory.forget(moved));
  grow(memory, 80);
  const size_t before = memory.links().size();
  ASSERT_TRUE(memory.forget(moved));
  EXPECT_GT(moved, 0u);
  EXPECT_LE(memory.links().size(), before / 2);
  EXPECT_GE(memory.links().size(), before / 2 - 20);
  check(memory);
  grow(memory, 20);
  check(memory);
}

TEST_F(LinkMemoryTest, comes_back_from_its_bytes_and_goes_on_alike) {
  LinkMemory memory(1'000'000), again(1'000'000);
  grow(memory, 30);
  ByteWriter out;
  memory.save(out);
  ByteReader in(out.bytes());
  ASSERT_TRUE(again.load(in).ok());
  Random then = random_;
  grow(memory, 20);
  random_ = then;
  grow(again, 20);
  check(again);
  ASSERT_EQ(again.links().size(), memory.links().size());
  for (size_t i = 0; i < memory.links().size(); ++i) {
    EXPECT_EQ(again.links()[i].address, memory.links()[i].address);
    EXPECT_EQ(again.links()[i].near_sum, memory.links()[i].near_sum);
    EXPECT_EQ(again.tag_path(again.links()[i]).sum, memory.tag_path(memory.links()[i]).sum);
  }
  for (size_t i = 0; i < memory.addresses().size(); ++i) {
    EXPECT_EQ(again.directory(again.addresses()[i]).sum,
              memory.directory(memory.addresses()[i]).sum);
  }
  EXPECT_EQ(again.all().sum, memory.all().sum);
  ByteReader cut(std::string_view(out.bytes()).substr(0, out.bytes().size() / 2));
  LinkMemory broken(1'000'000);
  EXPECT_FALSE(broken.load(cut).ok());
}

}  // namespace
}  // namespace dowser
