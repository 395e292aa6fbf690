#include "strategy/hmm/mean_predictions.h"

namespace dowser {

void MeanPredictions::add(uint64_t address, uint32_t page, std::span<const double> prediction) {
  Entry& entry = entries_[address];
  if (entry.count == 0) {
    entry.index = static_cast<uint32_t>(sums_.size() / states_);
    sums_.resize(sums_.size() + states_);
  } else if (entry.last_page == page) {
    return;
  }
  ++entry.count;
  entry.last_page = page;
  for (size_t i = 0; i < states_; ++i) sums_[entry.index * states_ + i] += prediction[i];
}

std::vector<double> MeanPredictions::mean(uint64_t address) const {
  const auto it = entries_.find(address);
  if (it == entries_.end()) return {};
  std::vector<double> mean(states_);
  for (size_t i = 0; i < states_; ++i) {
    mean[i] = sums_[it->second.index * states_ + i] / it->second.count;
  }
  return mean;
}

void MeanPredictions::save(ByteWriter& out) const {
  out.number(static_cast<uint64_t>(entries_.size()));
  for (const auto& [address, entry] : entries_) {
    out.number(address);
    out.number(entry.index);
    out.number(entry.count);
    out.number(entry.last_page);
  }
  for (const double sum : sums_) out.number(sum);
}

Status MeanPredictions::load(ByteReader& in) {
  const auto count = in.number<uint64_t>();
  for (uint64_t left = count; left > 0 && in.ok(); --left) {
    Entry& entry = entries_[in.number<uint64_t>()];
    entry.index = in.number<uint32_t>();
    entry.count = in.number<uint32_t>();
    entry.last_page = in.number<uint32_t>();
    if (entry.index >= count || entry.count == 0) {
      return Error{"the saved predictions of hmm contradict themselves"};
    }
  }
  for (uint64_t left = count * states_; left > 0 && in.ok(); --left) {
    sums_.push_back(in.number<double>());
  }
  if (!in.ok()) return Error{"the saved predictions of hmm are cut short"};
  return {};
}

}  // namespace dowser
