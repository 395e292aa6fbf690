#include "tests/hostile/dns_answer.h"

#include <arpa/inet.h>

namespace dowser {
namespace {

constexpr size_t kHeader = 12;

uint16_t read16(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[at]) << 8 |
                               static_cast<uint8_t>(bytes[at + 1]));
}

// Where the name that begins behind the header ends; npos where it does not. Its labels go to
// `name`.
size_t read_name(std::string_view packet, std::string& name) {
  size_t at = kHeader;
  while (at < packet.size()) {
    const size_t size = static_cast<uint8_t>(packet[at++]);
    if (size == 0) return at;
    if (size > 63 || at + size > packet.size()) break;
    if (!name.empty()) name += '.';
    // Resolvers mix the cases of letters at random to make answers harder to forge.
    for (const char c : packet.substr(at, size)) {
      name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    at += size;
  }
  return packet.npos;
}

}  // namespace

std::optional<DnsQuestion> dns_question(std::string_view packet) {
  DnsQuestion question;
  if (packet.size() < kHeader || (packet[2] & 0x80) != 0 || read16(packet, 4) != 1) {
    return std::nullopt;
  }
  const size_t end = read_name(packet, question.name);
  if (end == packet.npos || end + 4 > packet.size()) return std::nullopt;
  question.type = read16(packet, end);
  return question;
}

std::string dns_answer(std::string_view packet, const DnsReply& reply) {
  const std::optional<DnsQuestion> question = dns_question(packet);
  in_addr address{};
  if (!question || reply.kind == DnsReply::Kind::kSaysNothing) return "";
  const bool has_answer = reply.kind == DnsReply::Kind::kAddress &&
                          question->type == DnsQuestion::kTypeA &&
                          inet_pton(AF_INET, reply.address.c_str(), &address) == 1;
  const char code = reply.kind == DnsReply::Kind::kFails        ? 2
                    : reply.kind == DnsReply::Kind::kNoSuchName ? 3
                                                                : 0;
  std::string name;
  const size_t end = read_name(packet, name) + 4;
  std::string out(packet.substr(0, 2));
  out += static_cast<char>(0x84 | (packet[2] & 0x01));  // an answer, and we are the authority
  out += code;
  out += std::string_view("\0\1\0", 3);
  out += has_answer ? '\1' : '\0';
  out.append(4, '\0');
  out += packet.substr(kHeader, end - kHeader);
  if (has_answer) {
    // The name of the question, type A, class IN, 60 s, four bytes.
    out += std::string_view("\xC0\x0C\0\1\0\1\0\0\0\x3C\0\4", 12);
    out.append(reinterpret_cast<const char*>(&address), sizeof address);
  }
  return out;
}

}  // namespace dowser
