#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The links of a page as one row of the catalogue (table `link_lists`): with a row for each link a
// catalogue would be half as large again (bench/catalogue). It is JSON, so that SQLite alone can
// read it: the view `links` shows a row for each link to other programs. Dowser itself reads it
// through link_table.h, which is faster and gives back every bit of a score.
//
//   base   http://a.test/wp/b/Bird.htm          the address of the page
//   paths  ["div>p>a","ul>li>a"]                the different tag paths of its links
//   links  [[17,"Nest.htm",0,1,0.25,"nests","page=0.25"],[14,"i/1.jpg",1,0,"missing"]]
//
// A link is [how many bytes of its address are those of `base`, the rest of it, its tag path
// (null: none), won + 2 x nofollow, its score (or why it was refused, or null), anchor, parts].
// Nulls at the end are left out. Its place in the list is its position.

namespace dowser {

// A row of `links`. An empty text stands for NULL.
struct LinkRow {
  std::string_view url, anchor, tag_path;
  bool nofollow = false;
  std::string_view refused;     // a link that was refused has no score
  std::optional<double> score;  // never NaN
  bool won = false;
  std::string_view parts;

  friend bool operator==(const LinkRow&, const LinkRow&) = default;
};

// Packs links, in the order of their positions. It can be used for one page after the other.
class LinkListWriter {
 public:
  // `base` must live as long as links of the page are added, and so must their tag paths.
  void begin(std::string_view base);
  void add(const LinkRow& link);
  // The cells; good until begin() is called again.
  bool empty() const { return links_.empty(); }
  std::string_view base() const { return base_; }
  std::string_view paths();
  std::string_view links();

 private:
  uint32_t path_number(std::string_view path);

  std::string_view base_;
  std::string paths_, links_;
  absl::flat_hash_map<std::string_view, uint32_t> path_numbers_;
  std::string_view last_path_;  // neighbours often share one
  uint32_t last_number_ = 0;
};

// Unpacks them. Accepts only what LinkListWriter writes.
class LinkListReader {
 public:
  // Copies the cells. False if they are damaged.
  bool open(std::string_view base, std::string_view paths, std::string_view links);
  // False at the end, and where the list is damaged.
  bool next();
  bool damaged() const { return damaged_; }
  const LinkRow& link() const { return link_; }  // good until next()

 private:
  bool fail();
  bool take(char c);
  bool take_null();
  bool number(uint64_t& value);
  bool real(double& value);
  bool text(std::string& unescaped, std::string_view& value);
  bool read_link();

  std::string base_, paths_, links_;
  std::vector<std::string> path_texts_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool ended_ = true, damaged_ = false;
  std::string url_, rest_, anchor_, parts_, refused_;
  LinkRow link_;
};

}  // namespace dowser
