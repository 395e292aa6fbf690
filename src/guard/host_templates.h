#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/bytes.h"
#include "model/page.h"

namespace dowser {

// Which blocks of a host's pages are its template: menus, banners and notices that appear on most
// of them, whatever the page is about. The idea and the limits are described in the .cc file.
class HostTemplates {
 public:
  // Gives the role kTemplate to the blocks of the page that are its host's, and returns how many
  // they are. Any thread.
  size_t mark(Page& page) const;

  // A page has come back. One thread, in the order of visits.
  void learn(const Page& page);

  // What learn() takes from the page (nothing unless `learned`), and the marks that it carries, as
  // bytes; and back. The same bytes in the same order make the same templates.
  static std::string saved(const Page& page, bool learned);
  void learn(std::string_view saved);
  static void mark(Page& page, std::string_view saved);

  // The blocks of a marked page that are template or could become it, as bytes; and whether mark()
  // would still mark just those of them that are marked.
  static std::string candidates(const Page& page);
  bool still_marks(std::string_view candidates) const;

  // Only what mark() needs: the blocks that are template. A loaded object marks as the saved one.
  void save(ByteWriter& out) const;
  bool load(ByteReader& in);  // false: the bytes are damaged

  size_t hosts() const { return hosts_.size(); }
  size_t blocks() const { return blocks_; }  // that are remembered

  static constexpr size_t kMostBlocks = 1'000'000, kMostBlocksOfHost = 2048;

 private:
  struct Host {
    uint32_t pages = 0;
    uint64_t last = 0;                                   // when it was learned from
    absl::flat_hash_map<uint32_t, uint32_t> pages_with;  // by the hash of a block's text
  };

  static bool is_template(const Host& host, uint32_t pages);
  void learn(uint64_t host, const std::vector<uint32_t>& blocks);
  void forget_rare(Host& host);
  void forget_old_hosts();

  mutable std::shared_mutex mutex_;
  absl::flat_hash_map<uint64_t, Host> hosts_;  // by the hash of the name
  size_t blocks_ = 0;
  uint64_t learned_ = 0;
};

}  // namespace dowser
