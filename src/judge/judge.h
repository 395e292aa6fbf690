#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/spec.h"
#include "model/page_terms.h"
#include "model/topic.h"
#include "model/visit.h"

// Decides whether a page is on the topic. A judge never changes once it is made, and several
// threads may use it at the same time; a retrained judge is a new object that replaces the old one.
// A judge sees the page alone: no links to it, no labels.
//
// What else a judge may have are contracts of their own: it can judge words (JudgesWords) and learn
// from the pages of the crawl (Learns). It inherits from those that it has.

namespace dowser {

struct HmmFile;
struct Profile;
class Trainer;

class Judge {
 public:
  virtual ~Judge() = default;

  // The relevance from 0 to 1, whether the page counts as relevant, and the words that decided.
  virtual Judgement judge(const Page& page) const = 0;

  // The same relevance from the terms of the page alone: for pages that were judged before and of
  // which only the terms were kept.
  virtual Relevance relevance(const PageTerms& page) const = 0;

  // The relevance from which a page counts as relevant.
  virtual double threshold() const = 0;

  // Its text form with all parameters: make(spec()) makes an equal judge.
  virtual Spec spec() const = 0;
};

// For judges that can tell what single words say about the topic.
class JudgesWords {
 public:
  virtual ~JudgesWords() = default;

  // How much a few words, such as those of a link, point towards the topic; each word is given
  // once. About -1 … 1, and 0 if the judge cannot tell.
  virtual double direction_of(std::span<const TermId> terms) const = 0;

  // The words that point to the topic most, for people to read.
  virtual std::vector<Judgement::Reason> strongest_words(size_t /*most*/) const { return {}; }
};

// For judges that learn from the pages of the crawl.
class Learns {
 public:
  virtual ~Learns() = default;
  virtual std::unique_ptr<Trainer> trainer() const = 0;
};

// Makes better judges as pages are fetched. It is called on the engine's thread and keeps a bounded
// amount of data. Two trainers of equal judges that are given the same visits make equal judges.
class Trainer {
 public:
  virtual ~Trainer() = default;

  // Called for every fetched page, with the judgement of the judge in use. Returns a new judge if
  // it is time for one, otherwise null.
  virtual std::unique_ptr<Judge> learn(const Visit& visit) = 0;

  // Writes and reads what it has learned, as SavesState of a strategy does. load() is called on a
  // new trainer before any other function, and returns the newest judge, or null if the first one
  // is in use.
  virtual void save(ByteWriter& out) const = 0;
  virtual Result<std::unique_ptr<Judge>> load(ByteReader& in) = 0;

  // Whether load() made a judge that was never in use, because the topic has changed since save().
  virtual bool is_renewed() const { return false; }
};

// The judge's trainer; null if it does not learn.
inline std::unique_ptr<Trainer> trainer_of(const Judge& judge) {
  const auto* learns = dynamic_cast<const Learns*>(&judge);
  return learns ? learns->trainer() : nullptr;
}

// What a judge is given when it is made.
struct JudgeContext {
  const Topic& topic;
  std::optional<double> threshold;   // the user's; if not set, the judge has its own
  std::string_view model;            // the text of a model file, or empty
  const HmmFile* hmm = nullptr;      // learned from browsing; it outlives the judge
  const Profile* profile = nullptr;  // of --profile; null: nothing is known about the subject
};

using MakeJudge = Result<std::unique_ptr<Judge>>(const Spec&, const JudgeContext&);

MakeJudge make_bayes_judge;
MakeJudge make_cindi_judge;
MakeJudge make_cosine_judge;
MakeJudge make_keyword_judge;
MakeJudge make_learned_judge;
MakeJudge make_lsi_judge;
MakeJudge make_neighbours_judge;
MakeJudge make_seeds_judge;
MakeJudge make_svm_judge;

}  // namespace dowser
