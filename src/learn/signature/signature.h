#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Semantic signatures (Pinnamaneni 2013, after the SSMInT tools of Barnes, Eschen, Para, Peddada
// and Kota): how three keywords occur together in the texts of a topic. The stages of the
// tool-chain, one file each:
//
//   keyword_groups      texts                -> groups of three keywords
//   group_scanner       a text, groups       -> a vector of nine for each place of a group
//   learn_signatures    vectors of a group   -> signatures: centroid and angle
//   signature_scanner   a text, signatures   -> hits
//   hits_array          texts × signatures, counts of hits
//   refine_signatures   hits array           -> which signatures are strong, weak or redundant
//   cluster_hits        hits array           -> groups of texts

namespace dowser {

// How texts become words, and words become vectors: the same for learning and for finding.
struct SignatureSettings {
  uint32_t window = 10;       // words on either side of the head
  double decay = 5;           // c of the window function f(d) = exp(-(d - 1) / c)
  std::string text = "text";  // paragraphs, text or all: which parts of a page are read
  bool stemming = false;
  // Words and what they are replaced by before anything else; sorted.
  std::vector<std::pair<std::string, std::string>> synonyms;

  friend bool operator==(const SignatureSettings&, const SignatureSettings&) = default;
};

// Head first, then the two that often occur near it, the stronger one first.
using KeywordTriple = std::array<std::string, 3>;

struct KeywordGroup {
  KeywordTriple words;
  std::array<double, 3> weights = {};  // of the head in its best document; of the others near it
  std::string weighting = "tf-idf";    // or "tf"
  SignatureSettings settings;

  friend bool operator==(const KeywordGroup&, const KeywordGroup&) = default;
};

// How a group stands around one occurrence of its head:
//
//   0 1 2   1 + ln n for each of the three words, n its number in the window; 0 if it is not there
//   3 … 8   for each ordered pair (1,2) (1,3) (2,1) (2,3) (3,1) (3,2) the largest f(d) of two
//           occurrences in the window with the first word before the second; 0 if there are none
inline constexpr size_t kSignatureDimensions = 9;
using SignatureVector = std::array<double, kSignatureDimensions>;

// On how many texts of the training and of the background set a signature has a hit, or a keyword
// stands.
struct SignatureEvidence {
  uint32_t training = 0, training_of = 0;
  uint32_t background = 0, background_of = 0;

  // The share of these texts that are on the topic. The 1 below the line keeps what was seen on few
  // texts from being certain.
  double precision() const { return training / (1.0 + training + background); }
  friend bool operator==(const SignatureEvidence&, const SignatureEvidence&) = default;
};

struct Signature {
  std::string name;  // tr_w1_w2_w3_n
  KeywordTriple words;
  SignatureSettings settings;
  SignatureVector centroid = {};  // length 1
  double angle = 0;               // in radians: what is not farther from the centroid is a hit
  uint32_t documents = 0;         // the training texts that its vectors come from
  SignatureEvidence evidence;
  std::array<SignatureEvidence, 3> of_words = {};  // each of 0 texts where it is not known
  // From which relevance on a page is relevant: the same in a whole library. 0: from any hit on.
  double least_relevance = 0;
  std::vector<SignatureVector> vectors;  // that it was learned from; may be left out
  uint32_t support = 0;                  // how many those are

  friend bool operator==(const Signature&, const Signature&) = default;
};

}  // namespace dowser
