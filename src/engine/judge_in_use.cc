#include "engine/judge_in_use.h"

namespace dowser {

JudgeInUse::JudgeInUse(std::unique_ptr<Judge> first, const FieldWeights& fields)
    : trainer_(trainer_of(*first)), fields_(fields.text()) {
  replace(std::move(first));
}

Spec JudgeInUse::spec() const {
  Spec spec = current()->spec();
  if (!fields_.empty()) spec.parameters["fields"] = fields_;
  return spec;
}

void JudgeInUse::replace(std::unique_ptr<Judge> newest) {
  words_ = dynamic_cast<const JudgesWords*>(newest.get());
  std::shared_ptr<const Judge> next(std::move(newest));
  const std::lock_guard lock(mutex_);
  current_.swap(next);  // the old one is destroyed when the lock is released
}

void JudgeInUse::learn(const Visit& visit) {
  if (!trainer_) return;
  if (std::unique_ptr<Judge> better = trainer_->learn(visit)) {
    replace(std::move(better));
    ++generation_;
  }
}

void JudgeInUse::save(ByteWriter& out) const {
  if (!trainer_) return;
  out.number(generation_);
  trainer_->save(out);
}

Status JudgeInUse::load(ByteReader& in) {
  if (!trainer_) return {};
  generation_ = in.number<uint64_t>();
  Result<std::unique_ptr<Judge>> newest = trainer_->load(in);
  if (!newest) return newest.error();
  if (*newest) replace(std::move(*newest));
  return {};
}

}  // namespace dowser
