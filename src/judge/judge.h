#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/spec.h"
#include "model/page.h"
#include "model/topic.h"
#include "model/visit.h"

// Is this page on the topic? A judge is immutable once made and may be used by several threads at
// once; a retrained judge is a new one that replaces the old. It sees the page alone: no links to
// it, no labels.

namespace dowser {

struct HmmFile;
class Trainer;

class Judge {
 public:
  virtual ~Judge() = default;

  // Relevance 0 … 1, whether that is enough, and the words that decided.
  virtual Judgement judge(const Page& page) const = 0;

  // The relevance alone, where that is cheaper.
  virtual Relevance relevance(const Page& page) const { return judge(page).relevance; }

  // Its text form, with every parameter: make(spec()) makes the like.
  virtual Spec spec() const = 0;

  virtual double threshold() const = 0;

  // How much a few words point towards the topic: those of a link, each once. About -1 … 1; 0 where
  // the judge cannot tell.
  virtual double direction_of(std::span<const TermId>) const { return 0; }

  // The words that point to the topic most, for people; as far as it can name them.
  virtual std::vector<Judgement::Reason> strongest_words(size_t) const { return {}; }

  // What makes better judges of it as pages come back; nothing: it stays as it is.
  virtual std::unique_ptr<Trainer> trainer() const { return nullptr; }
};

// Makes better judges as pages come back, on the thread that thinks. What it keeps of them is
// bounded. Two trainers of like judges, given the same visits, make like judges.
class Trainer {
 public:
  virtual ~Trainer() = default;

  // A page has come back, judged by the judge of that moment. A new judge, where this is the time
  // for one; nothing: the old one stays.
  virtual std::unique_ptr<Judge> learn(const Visit& visit) = 0;

  // What it has learned, as Strategy::save() does it. load() is called on a new trainer, before
  // everything else, and gives the newest judge; nothing where there was no other than the first.
  virtual void save(ByteWriter& out) const = 0;
  virtual Result<std::unique_ptr<Judge>> load(ByteReader& in) = 0;
};

// What a judge is given when it is made.
struct JudgeContext {
  const Topic& topic;
  std::optional<double> threshold;  // of the user; the judge's own where not set
  std::string_view model;           // the text of a model file; "" where there is none
  const HmmFile* hmm = nullptr;     // learned from browsing; it outlives the judge
};

using MakeJudge = Result<std::unique_ptr<Judge>>(const Spec&, const JudgeContext&);

MakeJudge make_bayes_judge;
MakeJudge make_cosine_judge;
MakeJudge make_keyword_judge;
MakeJudge make_learned_judge;
MakeJudge make_lsi_judge;
MakeJudge make_neighbours_judge;
MakeJudge make_seeds_judge;
MakeJudge make_svm_judge;

}  // namespace dowser
