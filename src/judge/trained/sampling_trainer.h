#pragma once

#include "judge/trained/learned_judge.h"

namespace dowser {

// Makes a judge that begins with the cosine to the topic and is replaced by the learner's
// classifiers as pages are fetched; sampling_trainer.cc describes how. The topic must have words or
// examples.
Result<std::unique_ptr<Judge>> make_sampling_judge(Learner learner, const JudgeContext& context);

}  // namespace dowser
