#pragma once

#include <span>
#include <vector>

#include "judge/signature/train_library.h"

namespace dowser {

// The relevance that the judge `signatures` gives documents with this library.
std::vector<double> relevance_of(std::span<const Signature> library,
                                 const SignatureDocuments& documents);

// The relevance from which a page counts as relevant, chosen on pages that were not learned from;
// see held_out.cc. 0: nothing could be learned from a part of the pages.
double least_relevance(const SignatureDocuments& training, const SignatureDocuments& background,
                       const SignatureLibraryOptions& options);

}  // namespace dowser
