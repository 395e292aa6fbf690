#include "frontier/link_record.h"

#include <bit>

#include "base/bytes.h"

namespace dowser {
namespace {

void append_varint(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}

void append_score(std::string& out, const Score& score) {
  size_t n = Score::kParts;
  while (n > 0 && score.parts()[n - 1] == 0) --n;
  out.push_back(static_cast<char>(n));
  for (size_t i = 0; i < n; ++i) out += sortable(std::bit_cast<uint64_t>(score.parts()[i]));
}

void append_standing(std::string& out, const Score& score, const Trail& trail) {
  append_score(out, score);
  append_varint(out, trail.parent ? uint64_t{trail.parent->value} + 1 : 0);
  append_varint(out, trail.depth);
  append_varint(out, trail.position);
}

// Reads from the front. What is missing reads as 0 and makes the whole record bad.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint8_t byte() {
    if (!need(1)) return 0;
    const auto value = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  uint64_t number() {
    if (!need(8)) return 0;
    const uint64_t value = from_sortable(rest_);
    rest_.remove_prefix(8);
    return value;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= uint64_t{next & 0x7fu} << shift;
      if (next < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  Score score() {
    const size_t n = byte();
    if (n > Score::kParts) ok_ = false;
    double parts[Score::kParts] = {};
    for (size_t i = 0; ok_ && i < n; ++i) parts[i] = std::bit_cast<double>(number());
    return Score(parts[0], parts[1], parts[2], parts[3]);
  }
  Trail trail() {
    Trail trail;
    if (const uint64_t parent = varint()) trail.parent = VisitId{static_cast<uint32_t>(parent - 1)};
    trail.depth = static_cast<uint32_t>(varint());
    trail.position = static_cast<uint32_t>(varint());
    return trail;
  }
  std::string_view rest() const { return rest_; }
  bool ok() const { return ok_; }

 private:
  bool need(size_t n) {
    if (rest_.size() < n) ok_ = false;
    return ok_;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::string encode_link(uint64_t fingerprint, std::string_view href, const Score& score,
                        const Trail& trail) {
  std::string out;
  out.reserve(href.size() + 28);
  out += sortable(fingerprint);
  append_standing(out, score, trail);
  out.append(href);
  return out;
}

std::string encode_standing(const Score& score, const Trail& trail) {
  std::string out;
  append_standing(out, score, trail);
  return out;
}

std::string encode_score(const Score& score) {
  std::string out;
  append_score(out, score);
  return out;
}

std::string encode_host(const HostRecord& record) {
  std::string out;
  append_varint(out, record.taken);
  out.push_back(record.abandoned ? 1 : 0);
  out += sortable(static_cast<uint64_t>(record.ready_at.micros));
  out += sortable(static_cast<uint64_t>(record.delay.count()));
  if (record.rests_until > 0 || record.fatigue != 0) append_varint(out, record.rests_until);
  if (record.fatigue != 0) out += sortable(std::bit_cast<uint64_t>(record.fatigue));
  return out;
}

std::optional<LinkRecord> decode_link(std::string_view bytes) {
  Reader in(bytes);
  LinkRecord record;
  record.fingerprint = in.number();
  record.score = in.score();
  record.trail = in.trail();
  record.href = in.rest();
  if (!in.ok()) return std::nullopt;
  return record;
}

std::optional<std::pair<Score, Trail>> decode_standing(std::string_view bytes) {
  Reader in(bytes);
  const Score score = in.score();
  const Trail trail = in.trail();
  if (!in.ok()) return std::nullopt;
  return std::pair(score, trail);
}

std::optional<Score> decode_score(std::string_view bytes) {
  Reader in(bytes);
  const Score score = in.score();
  if (!in.ok()) return std::nullopt;
  return score;
}

std::optional<HostRecord> decode_host(std::string_view bytes) {
  Reader in(bytes);
  HostRecord record;
  record.taken = static_cast<uint32_t>(in.varint());
  record.abandoned = in.byte() != 0;
  record.ready_at.micros = static_cast<int64_t>(in.number());
  record.delay = Duration(static_cast<int64_t>(in.number()));
  if (!in.rest().empty()) record.rests_until = in.varint();
  if (!in.rest().empty()) record.fatigue = std::bit_cast<double>(in.number());
  if (!in.ok()) return std::nullopt;
  return record;
}

}  // namespace dowser
