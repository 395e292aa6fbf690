#pragma once

#include <memory>
#include <optional>

#include "base/spec.h"
#include "model/page.h"
#include "model/topic.h"
#include "model/visit.h"

// Is this page on the topic? A judge is immutable once made and may be used by several threads at
// once; a retrained judge is a new one that replaces the old. It sees the page alone: no links to
// it, no labels.

namespace dowser {

class Judge {
 public:
  virtual ~Judge() = default;

  // Relevance 0 … 1, whether that is enough, and the words that decided.
  virtual Judgement judge(const Page& page) const = 0;

  // Its text form, with every parameter: make(spec()) makes the like.
  virtual Spec spec() const = 0;

  virtual double threshold() const = 0;
};

// What a judge is given when it is made.
struct JudgeContext {
  const Topic& topic;
  std::optional<double> threshold;  // of the user; the judge's own where not set
};

using MakeJudge = Result<std::unique_ptr<Judge>>(const Spec&, const JudgeContext&);

MakeJudge make_cosine_judge;
MakeJudge make_keyword_judge;

}  // namespace dowser
