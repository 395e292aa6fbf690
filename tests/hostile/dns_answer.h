#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dowser {

// What a name server makes of a name.
struct DnsReply {
  enum class Kind { kAddress, kNoSuchName, kFails, kSaysNothing };
  Kind kind = Kind::kNoSuchName;
  std::string address = {};  // IPv4
};

struct DnsQuestion {
  std::string name;  // lower case, without the final dot
  uint16_t type = 0;

  static constexpr uint16_t kTypeA = 1, kTypeAaaa = 28;
};

// The question of a packet (RFC 1035, 4.1); nothing where it is no question of one name.
std::optional<DnsQuestion> dns_question(std::string_view packet);

// The packet that answers the question of `packet`, "" where nothing should be said. Names have
// IPv4 addresses only, good for a minute.
std::string dns_answer(std::string_view packet, const DnsReply& reply);

}  // namespace dowser
