#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "fetch/web.h"

namespace dowser {

// A web that consists of the answers that were added to it, for tests and generated webs. Any other
// address is a 404.
class MemoryWeb final : public Web {
 public:
  void add_html(std::string_view url, std::string html);
  void add_redirect(std::string_view url, std::string_view location, int status = 301);
  void add(std::string_view url, Response response);
  // Another answer of the address: each but the last is given once, in order.
  void then(std::string_view url, Response response);
  // For all addresses that begin like this and were not added.
  void answer_all(std::string beginning, std::function<Response(const Url&)> answer);

  Response get(const Url& url) override;

  size_t requests() const { return requests_; }

 private:
  Response answer(const Url& url);

  absl::flat_hash_map<std::string, std::deque<Response>> answers_;  // the last one stays
  std::vector<std::pair<std::string, std::function<Response(const Url&)>>> made_up_;
  size_t requests_ = 0;
};

}  // namespace dowser
