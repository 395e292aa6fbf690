#pragma once

#include "judge/trained/learned_judge.h"

namespace dowser {

// A judge that begins with the cosine to the topic, and whose trainer makes it the learner's once
// enough pages have come back; the idea is told in the .cc file. The topic must give the cosine
// something to go by.
Result<std::unique_ptr<Judge>> make_sampling_judge(Learner learner, const JudgeContext& context);

}  // namespace dowser
