#include "strategy/infospiders/topic_community.h"

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"
#include "text/terms.h"

namespace dowser {
namespace {

constexpr uint64_t kFirstTraining = 20;
constexpr size_t kMostSamples = 200;
constexpr size_t kMostBest = 10;
constexpr size_t kMostTerms = 100;  // kept of a page in the sample: its strongest

SparseVector page_vector(const Page& page) {
  std::vector<TermCount> terms = page.terms;
  if (terms.size() > kMostTerms) {
    const auto end = terms.begin() + kMostTerms;
    std::nth_element(terms.begin(), end, terms.end(), [](const TermCount& a, const TermCount& b) {
      return a.count != b.count ? a.count > b.count : a.term < b.term;
    });
    terms.erase(end, terms.end());
  }
  return log_vector(terms).normalised();
}

void save_vector(const SparseVector& vector, ByteWriter& out) {
  out.number(static_cast<uint32_t>(vector.size()));
  for (const auto& e : vector.entries()) {
    out.number(e.index);
    out.number(e.value);
  }
}

SparseVector load_vector(ByteReader& in) {
  std::vector<SparseVector::Entry> entries;
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    const auto index = in.number<uint32_t>();
    entries.push_back({index, in.number<double>()});
  }
  return SparseVector(std::move(entries));
}

}  // namespace

TopicCommunity::TopicCommunity(const Topic& topic, uint64_t random_seed)
    : random_seed_(random_seed) {
  for (const Page& page : topic.examples) examples_.push_back(page_vector(page));
}

bool TopicCommunity::admit(const Visit& visit) {
  ++visits_;
  SparseVector vector = page_vector(visit.page);
  const bool is_member = svm_ && !vector.empty() && svm_->decisions(vector)[1] > 0;
  if (is_member) ++members_;
  if (!vector.empty()) remember({visit.judgement.relevance.value, std::move(vector)});
  // After 20, 40, 80 … visits.
  if (visits_ % kFirstTraining == 0 &&
      ((visits_ / kFirstTraining) & (visits_ / kFirstTraining - 1)) == 0) {
    train();
  }
  return is_member;
}

void TopicCommunity::remember(Sample sample) {
  if (examples_.empty()) {
    const auto at = std::upper_bound(
        best_.begin(), best_.end(), sample.relevance,
        [](double relevance, const Sample& other) { return relevance > other.relevance; });
    best_.insert(at, sample);
    if (best_.size() > kMostBest) best_.pop_back();
  }
  if (sample_.size() < kMostSamples) {
    sample_.push_back(std::move(sample));
    return;
  }
  const uint64_t place = Random(hash64(sortable(visits_), random_seed_)).below(visits_);
  if (place < kMostSamples) sample_[place] = std::move(sample);
}

void TopicCommunity::train() {
  std::vector<const Sample*> worst;
  for (const Sample& s : sample_) worst.push_back(&s);
  std::stable_sort(worst.begin(), worst.end(),
                   [](const Sample* a, const Sample* b) { return a->relevance < b->relevance; });
  std::vector<Example> examples;
  for (size_t i = 0; i < worst.size() / 2; ++i) examples.push_back({worst[i]->vector, 0});
  for (const SparseVector& v : examples_) examples.push_back({v, 1});
  for (const Sample& s : best_) examples.push_back({s.vector, 1});
  LinearSvmOptions options;
  options.folds = 0;
  // Without pages of both classes it stays as it was.
  if (Result<LinearSvm> svm = LinearSvm::train(examples, options)) svm_ = std::move(*svm);
}

void TopicCommunity::save(ByteWriter& out) const {
  out.number(visits_);
  out.number(members_);
  for (const std::vector<Sample>* samples : {&sample_, &best_}) {
    out.number(static_cast<uint32_t>(samples->size()));
    for (const Sample& s : *samples) {
      out.number(s.relevance);
      save_vector(s.vector, out);
    }
  }
  out.number(static_cast<uint8_t>(svm_.has_value()));
  if (svm_) svm_->save(out);
}

Status TopicCommunity::load(ByteReader& in) {
  visits_ = in.number<uint64_t>();
  members_ = in.number<uint64_t>();
  for (std::vector<Sample>* samples : {&sample_, &best_}) {
    for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
      const auto relevance = in.number<double>();
      samples->push_back({relevance, load_vector(in)});
    }
  }
  if (in.number<uint8_t>() != 0) {
    Result<LinearSvm> svm = LinearSvm::load(in);
    if (!svm) return svm.error();
    svm_ = std::move(*svm);
  }
  if (!in.ok()) return Error{"the saved topic community of infospiders-db is cut short"};
  return {};
}

}  // namespace dowser
