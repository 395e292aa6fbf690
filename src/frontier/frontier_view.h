#pragma once

#include "frontier/frontier.h"

namespace dowser {

// What a strategy may do with the frontier: take waiting links, and change their scores. It cannot
// offer links, mark them as visited, or change when a host may be asked.
class FrontierView {
 public:
  explicit FrontierView(Frontier& frontier) : frontier_(frontier) {}

  // To choose what to fetch. A link that was taken counts as visited.
  //
  // The best waiting link whose host may be asked now, if there is one.
  std::optional<Candidate> take() { return frontier_.take(); }
  // The score of the link that take() would take.
  std::optional<Score> best_score() const { return frontier_.best_score(); }
  // The `n` best waiting links, also of hosts that may not be asked yet; each is then fetched when
  // its host may be asked. For strategies that choose in batches.
  std::vector<Candidate> take_best(size_t n) { return frontier_.take_best(n); }
  // This link, also if its host may not be asked yet; nothing if it does not wait. For strategies
  // with lists of their own.
  std::optional<Candidate> take(const Url& url) { return frontier_.take(url); }

  // For strategies that crawl site by site. Hosts are named as name_without_dot() does it.
  //
  HostView host(std::string_view name) const { return frontier_.host(name); }
  // The best waiting link of this host, if it may be asked now.
  std::optional<Candidate> take_from(std::string_view host) { return frontier_.take_from(host); }
  // Forgets all links that wait at the host, and accepts none to it any more.
  void leave(std::string_view host) { frontier_.leave(host); }

  // To change scores.
  //
  // Sets the score of the link that waits under this fingerprint (seen_fingerprint() of its
  // address), higher or lower. False if no such link waits, it is a seed, or has this score.
  bool set_score(uint64_t fingerprint, const Score& score) {
    return frontier_.set_score(fingerprint, score);
  }
  // Gives every waiting link a new score, in the order of offers; nullopt drops the link, which may
  // be offered again.
  void rescore(const std::function<std::optional<Score>(const Candidate&)>& score) {
    frontier_.rescore(score);
  }
  // Loads what is known about links whose scores will be set soon into the processor's cache.
  void prefetch(std::span<const uint64_t> fingerprints) const { frontier_.prefetch(fingerprints); }

 private:
  Frontier& frontier_;
};

}  // namespace dowser
