#pragma once

#include <vector>

#include "judge/judge.h"
#include "learn/signature/signature.h"

namespace dowser {

MakeJudge make_signatures_judge;

// The signatures that the judge of this text form and context uses: those of the model, or learned
// from the examples of the topic.
Result<std::vector<Signature>> signatures_of(const Spec& spec, const JudgeContext& context);

// Where signatures occur in a page, for people: each signature that hits, with its number of hits
// and the words around the first one.
struct SignaturePassage {
  uint32_t signature;
  uint32_t count;
  std::string passage;
};
std::vector<SignaturePassage> passages(const std::vector<Signature>& library, const Page& page);

}  // namespace dowser
