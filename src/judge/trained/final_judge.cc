#include "judge/trained/final_judge.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "background/background.h"
#include "text/terms.h"

namespace dowser {
namespace {

// Of a large crawl a part is enough to learn from, if those pages are among it that may be on the
// topic: there are a few hundred of them however many pages were fetched.
constexpr size_t kSample = 4000, kNearest = 400;
constexpr char kFormat[] = "dowser final judge 2";
constexpr double kNothing = 1e-9;

double rarity_of(TermId term) { return std::log(1 + 1 / (0.1 * background_share(term) + 2e-4)); }

}  // namespace

void TitleShare::save(ByteWriter& out) const {
  out.text(topic_);
  out.number(static_cast<uint32_t>(rarities_.size()));
  for (const double rarity : rarities_) out.number(rarity);
}

TitleShare TitleShare::load(ByteReader& in) {
  std::string topic(in.text());
  std::vector<double> rarities;
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    rarities.push_back(in.number<double>());
  }
  return {std::move(topic), std::move(rarities)};
}

Judgement FinalJudge::judge(const Page& page) const {
  FinalRelevance alone;
  alone.title = weights_.title * titles_.of(page.title, page.language);
  alone.log_odds = weights_.log_odds(log_odds_of(model_.relevance(page.terms))) + alone.title;
  return judge(page, alone);
}

Judgement FinalJudge::judge(const Page& page, double at_fetch, double relevance) const {
  FinalRelevance known;
  known.at_fetch = weights_.at_fetch * log_odds_of(at_fetch);
  known.title = weights_.title * titles_.of(page.title, page.language);
  known.log_odds = log_odds_of(relevance);
  known.neighbours = known.log_odds - known.at_fetch - known.title - weights_.offset -
                     weights_.words * log_odds_of(model_.relevance(page.terms));
  return judge(page, known);
}

Judgement FinalJudge::judge(const Page& page, const FinalRelevance& relevance) const {
  Judgement judgement;
  if (page.terms.empty()) return judgement;
  judgement.relevance.value = relevance_of(relevance.log_odds);
  judgement.relevant = judgement.relevance.value >= model_.threshold();
  Reasons others;
  if (std::abs(relevance.at_fetch) > kNothing) {
    others.push_back({"(when it was fetched)", relevance.at_fetch});
  }
  if (std::abs(relevance.title) > kNothing) {
    others.push_back({"(words of the topic in its title)", relevance.title});
  }
  if (std::abs(relevance.neighbours) > kNothing) {
    others.push_back({"(pages listed beside it)", relevance.neighbours});
  }
  judgement.reasons =
      reasons_of_log_odds(page, model_.contributions(page.terms).scaled(weights_.words),
                          judgement.relevance.value, &words_, std::move(others));
  return judgement;
}

std::string FinalJudge::bytes() const {
  ByteWriter out;
  out.text(kFormat);
  out.text(spec_.text());
  model_.save(out);
  for (const double weight :
       {weights_.words, weights_.at_fetch, weights_.title, weights_.neighbours, weights_.offset}) {
    out.number(weight);
  }
  titles_.save(out);
  save_words(words_, out);
  return out.bytes();
}

Result<std::unique_ptr<FinalJudge>> FinalJudge::from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  const std::string_view format = in.text();
  if (format != kFormat) return Error{"it is not a judge that this version of dowser has saved"};
  Result<Spec> spec = Spec::parse(in.text());
  if (!spec) return spec.error();
  Result<FinalModel> model = FinalModel::load(in, background_share);
  if (!model) return model.error();
  FinalWeights weights;
  for (double* weight :
       {&weights.words, &weights.at_fetch, &weights.title, &weights.neighbours, &weights.offset}) {
    *weight = in.number<double>();
  }
  TitleShare titles = TitleShare::load(in);
  TermWords words;
  load_words(in, words);
  if (!in.ok() || !in.at_end()) return Error{"the saved judge is damaged"};
  return std::make_unique<FinalJudge>(std::move(*spec), std::move(*model), weights,
                                      std::move(titles), std::move(words));
}

FinalTrainer::FinalTrainer(const Topic& topic) {
  for (const Page& page : topic.examples) {
    if (!page.terms.empty()) examples_.push_back(count_vector(page.terms));
  }
  for (const Page& page : topic.counter_examples) {
    if (!page.terms.empty()) counter_examples_.push_back(count_vector(page.terms));
  }
  std::set<TermId> ids;
  for (const std::string& language : analysed_languages()) {
    for (const TermId id : term_ids(topic.words, language)) ids.insert(id);
  }
  words_.assign(ids.begin(), ids.end());
  std::vector<SparseVector::Entry> words;
  for (const TermId id : words_) words.push_back({id, rarity_of(id)});
  topic_ = SparseVector(std::move(words)).normalised();
  for (const SparseVector& example : examples_) {
    std::vector<SparseVector::Entry> entries;
    for (const auto& e : example.entries()) {
      entries.push_back({e.index, (1 + std::log(e.value)) * rarity_of(e.index)});
    }
    topic_ = sum(topic_, SparseVector(std::move(entries)).normalised());
  }
}

double FinalTrainer::similarity(std::span<const TermCount> terms) const {
  const auto topic = topic_.entries();
  double squares = 0, sum = 0;
  auto at = topic.begin();
  for (const TermCount& t : terms) {
    const double value = (1 + std::log(t.count)) * rarity_of(t.term);
    squares += value * value;
    while (at != topic.end() && at->index < t.term) ++at;
    if (at != topic.end() && at->index == t.term) sum += value * at->value;
  }
  return squares > 0 ? sum / std::sqrt(squares) : 0;
}

void FinalTrainer::keep(std::vector<Kept>& heap, size_t most, double key, uint64_t hash,
                        std::span<const TermCount> terms) {
  const auto before = [](const Kept& a, const Kept& b) {
    return a.key != b.key ? a.key < b.key : a.hash < b.hash;
  };
  const Kept page{key, hash, {}};
  if (heap.size() == most) {
    if (!before(page, heap.front())) return;
    std::pop_heap(heap.begin(), heap.end(), before);
    heap.pop_back();
  }
  heap.push_back({key, hash, {terms.begin(), terms.end()}});
  std::push_heap(heap.begin(), heap.end(), before);
}

void FinalTrainer::add(uint64_t hash, std::span<const TermCount> terms) {
  if (terms.empty()) return;
  keep(sample_, kSample, static_cast<double>(hash >> 11), hash, terms);
  keep(nearest_, kNearest, -similarity(terms), hash, terms);
}

Result<FinalModel> FinalTrainer::train() const {
  std::vector<const Kept*> kept;
  for (const auto* part : {&sample_, &nearest_}) {
    for (const Kept& page : *part) kept.push_back(&page);
  }
  std::sort(kept.begin(), kept.end(),
            [](const Kept* a, const Kept* b) { return a->hash < b->hash; });
  const auto same = [](const Kept* a, const Kept* b) { return a->hash == b->hash; };
  kept.erase(std::unique(kept.begin(), kept.end(), same), kept.end());
  std::vector<SparseVector> pages;
  for (const Kept* page : kept) pages.push_back(count_vector(page->terms));
  return FinalModel::train({pages, examples_, counter_examples_, words_, background_share});
}

}  // namespace dowser
