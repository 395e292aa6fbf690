#pragma once

#include "judge/judge.h"

namespace dowser {

// The judge that uses models of this kind: cindi for rbf-svm and weighted-bayes, otherwise the one
// that is called like it.
std::string judge_of_kind(std::string_view kind);

// A judge that was trained before, from the text of a model file. The spec must name the judge of
// the model's kind.
MakeJudge make_model_judge;

}  // namespace dowser
