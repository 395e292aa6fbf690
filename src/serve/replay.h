#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "archive/archive_index.h"
#include "serve/http_message.h"

namespace dowser {

// Archives as a web server: every address answers as it did when it was archived, with its status,
// its header fields and its body byte for byte. Asked as a proxy ("GET http://example.org/a") or as
// if it were the host ("GET /a", Host: example.org). Many threads may ask at once.
class Replay {
 public:
  explicit Replay(ArchiveSet archives) : archives_(std::move(archives)) {}

  Response answer(const HttpRequest& request) const;

  const ArchiveSet& archives() const { return archives_; }

 private:
  std::optional<RecordRef> find(const std::string& url, uint16_t port) const;

  const ArchiveSet archives_;
};

}  // namespace dowser
