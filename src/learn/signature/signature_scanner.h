#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "learn/signature/group_scanner.h"
#include "learn/signature/signature.h"

namespace dowser {

// Counts the hits of signatures in texts: the vectors whose angle to the centroid is not greater
// than the signature's. (Pinnamaneni 2013 writes that a hit is a "cosine similarity less than the
// angle", which mixes up a similarity and an angle.) Immutable; any thread may use one.
class SignatureScanner {
 public:
  SignatureScanner() = default;
  // All signatures have the same settings. `term_of` is how a keyword's word becomes a term.
  SignatureScanner(std::span<const Signature> signatures,
                   const std::function<TermId(std::string_view)>& term_of);

  struct Hit {
    uint32_t signature;
    uint32_t position;  // of the head
  };
  // In order of the text.
  std::vector<Hit> hits(std::span<const GroupScanner::Event> events) const;
  std::vector<Hit> hits(std::span<const TermId> words) const;

  const GroupScanner& groups() const { return groups_; }
  size_t signatures() const { return count_; }

 private:
  struct Target {
    uint32_t signature;
    SignatureVector centroid;
    double angle;
    double least_cosine;  // a little below the cosine of the angle
  };
  void match(const SignatureVector& vector, uint32_t group, uint32_t position,
             std::vector<Hit>& hits) const;

  GroupScanner groups_;
  std::vector<std::vector<Target>> targets_;  // by group
  size_t count_ = 0;
};

// The hits of each signature, in ascending order of number; those without any are left out.
struct HitCount {
  uint32_t signature;
  uint32_t count;
  friend bool operator==(const HitCount&, const HitCount&) = default;
};
std::vector<HitCount> count_hits(std::span<const SignatureScanner::Hit> hits);

}  // namespace dowser
