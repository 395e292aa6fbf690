#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/random.h"
#include "learn/neural_net.h"
#include "model/page.h"
#include "strategy/infospiders/link_distances.h"
#include "strategy/infospiders/spider_keywords.h"

// One agent of InfoSpiders; infospiders.cc describes the idea.

namespace dowser {

struct SpiderOptions {
  double alpha = 0.5;      // weight of the net, against the similarity of the page around the link
  double beta = 200;       // greediness of the choice
  uint32_t rho = 5;        // keywords are counted up to this many links away
  double theta = 2;        // energy at which an agent has an offspring
  double cost = 0.2;       // energy that a page costs, and that an average page gives
  double discount = 0.5;   // mu: weight of the links of a page beside the page itself
  double rate = 0.5;       // of back-propagation
  double mutation = 0.25;  // fraction of an offspring's weights that get noise
  uint32_t hidden = 0;     // hidden units of a net
  uint32_t agents = 10;    // at most this many are founded at start pages or after extinction
  uint32_t more_agents = 0;  // further agents for start pages that earlier crawls found
  uint32_t keywords = 20;    // of a topic with examples
};

// Küçük 2009, equations 3-7 and 4-3: e^(beta s) / sum of e^(beta s') for each of the scores.
std::vector<double> choice_probabilities(std::span<const double> scores, double beta);

// The estimate of a link: alpha net + (1 - alpha) page (Küçük 2009, section 3.1.3.5).
inline double link_estimate(double alpha, double net, double page) {
  return alpha * net + (1 - alpha) * page;
}

class SpiderAgent {
 public:
  // A new agent with the keywords of the topic and the energy theta / 2.
  SpiderAgent(uint32_t id, const SpiderKeywords& keywords, const SpiderOptions& options,
              Random& random);
  static Result<SpiderAgent> load(ByteReader& in, const SpiderKeywords& keywords);
  void save(ByteWriter& out) const;

  uint32_t id() const { return id_; }
  double energy() const { return energy_; }
  bool is_dead() const { return energy_ <= 0; }
  const std::vector<uint32_t>& keywords() const { return keywords_; }
  const NeuralNet& net() const { return net_; }
  bool has_keyword(uint32_t keyword) const { return input_of(keyword) != kNoKeyword; }

  // The cosine between its keywords and a page, 0 … 1.
  double similarity(const Page& page, const SpiderKeywords& keywords) const;
  // Lambda, the output of the net for a link with these inputs (equation 4-2). Inputs of keywords
  // that it does not have are ignored.
  double value(std::span<const KeywordInput> inputs) const;

  // One step of back-propagation towards `target` for a link with these inputs. Without hidden
  // units, and away from the ends of tanh, the output moves by `rate` of the difference.
  void learn(std::span<const KeywordInput> inputs, double target, double rate);
  void feed(double energy) { energy_ += energy; }
  // Makes an offspring with half of its energy, its net with noise, and, as an additional keyword,
  // the most frequent term of the page that it does not have yet.
  SpiderAgent reproduce(uint32_t id, const Page& page, SpiderKeywords& keywords,
                        const SpiderOptions& options, Random& random);

  // Fingerprints of the links that it may choose from.
  std::vector<uint64_t> links;

 private:
  SpiderAgent(uint32_t id, double energy, std::vector<uint32_t> keywords, NeuralNet net)
      : id_(id), energy_(energy), keywords_(std::move(keywords)), net_(std::move(net)) {}
  uint32_t input_of(
      uint32_t keyword) const;  // its index among the inputs of the net, or kNoKeyword

  uint32_t id_ = 0;
  double energy_ = 0;
  std::vector<uint32_t> keywords_;  // those of the topic, then its own; in the order of the inputs
  size_t of_topic_ = 0;
  NeuralNet net_;
};

}  // namespace dowser
