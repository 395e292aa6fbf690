#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "judge/signature/page_words.h"
#include "learn/signature/hits_array.h"
#include "learn/signature/keyword_groups.h"
#include "learn/signature/learn_signatures.h"
#include "learn/signature/refine_signatures.h"

// The tool-chain of signatures on pages: from training pages and a background set to a library.

namespace dowser {

// Texts to learn from, or to look for signatures in.
struct SignatureDocuments {
  std::vector<std::string> names, titles;
  std::vector<std::vector<TermId>> words;
  PageWords::Spelling spelling;

  size_t size() const { return words.size(); }
  void add(const PageWords& reader, const Page& page, std::string name);
};

struct SignatureLibraryOptions {
  SignatureSettings settings;
  KeywordOptions keywords;  // window and decay are those of the settings
  std::string weighting = "tf-idf";
  LearnSignatureOptions learn;
  RefineOptions refine;
  // With a background set, signatures of a smaller precision are dropped.
  double least_precision = 0.2;
  // With a background set: whether the least relevance of a relevant page is chosen (held_out.h).
  bool chooses_limit = true;
  double recall_weight = 2;  // β of the F measure that the limit is chosen by
};

// How rare a word is in the program's own background vocabulary, which knows stems.
std::function<double(std::string_view)> built_in_idf(bool stemmed);

// Removes training texts that repeat others, and background texts that are training texts, and says
// in a sentence why nothing can be learned from what is left, if that is so.
Status prepare_documents(SignatureDocuments& training, SignatureDocuments* background);

// With a background set its documents and the training documents count for idf; without one the
// program's own background vocabulary does.
Result<std::vector<KeywordGroup>> find_groups(const SignatureDocuments& training,
                                              const SignatureDocuments* background,
                                              const SignatureLibraryOptions& options);

// Named, not refined, without evidence.
Result<std::vector<Signature>> learn_library(std::span<const KeywordGroup> groups,
                                             const SignatureDocuments& training,
                                             const LearnSignatureOptions& options);

// Counts hits document by document. `words`: each keyword of the library is a column of its own,
// and each occurrence a hit (the "bag of words" of Pinnamaneni 2013).
HitsArray hits_of(std::span<const Signature> library, const SignatureDocuments& documents,
                  bool words = false);

// Without a background set precision is judged on the training documents alone.
void add_evidence(std::vector<Signature>& library, const HitsArray& training, size_t training_of,
                  const HitsArray& background, size_t background_of);
// The same of each keyword.
void add_keyword_evidence(std::vector<Signature>& library, const SignatureDocuments& training,
                          const SignatureDocuments& background);

struct TrainedLibrary {
  std::vector<KeywordGroup> groups;
  std::vector<Signature> all;      // with evidence
  HitsArray training;              // of `all`
  Refinement refinement;           // of `all`
  std::vector<Signature> library;  // those that were kept
};
// All in one.
Result<TrainedLibrary> train_library(const SignatureDocuments& training,
                                     const SignatureDocuments* background,
                                     const SignatureLibraryOptions& options);

}  // namespace dowser
