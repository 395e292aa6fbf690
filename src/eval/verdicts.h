#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

// How good are the verdicts of a judge, by labels that it has not seen? Measured over the pages
// that one crawl fetched.

namespace dowser {

// The verdict on a page, and the truth.
struct PageVerdict {
  double relevance = 0;   // 0 … 1
  bool relevant = false;  // the verdict
  bool on_topic = false;  // by the labels
};

struct VerdictQuality {
  static constexpr size_t kBins = 10;
  // The pages whose relevance is from i / 10 to (i + 1) / 10.
  struct Bin {
    size_t pages = 0, on_topic = 0;
    double relevance = 0;  // the sum

    Bin& operator+=(const Bin& other);
  };

  size_t pages = 0, on_topic = 0;
  double precision = 0, recall = 0, f1 = 0;  // of the verdicts
  double best_f1 = 0;                        // of the best threshold on the same relevance
  double best_threshold = 0;
  // The mean over the pages on the topic of the precision among all pages that are at least as
  // relevant.
  double average_precision = 0;
  // The expected calibration error (Naeini, Cooper and Hauskrecht 2015) with ten bins of equal
  // width: the mean over all pages of |mean relevance - share on the topic| of their bin.
  double calibration_error = 0;
  std::array<Bin, kBins> bins;
};

// Nothing if no page is on the topic: then there is nothing to find, and most measures have no
// value. Pages of equal relevance are never distinguished.
std::optional<VerdictQuality> verdict_quality(std::span<const PageVerdict> verdicts);

}  // namespace dowser
