#pragma once

#include "judge/judge.h"

namespace dowser {

// A judge that was trained before, from the text of a model file. The kind of the model must be the
// name of the spec.
MakeJudge make_model_judge;

}  // namespace dowser
