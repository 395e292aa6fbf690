#include "strategy/infospiders/spider_agent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dowser {
namespace {

// The initial weight of each keyword: a keyword near a link speaks for the link until pages show
// otherwise. Twenty occurrences near it make 0.1, which is about the similarity of a page on the
// topic, so net and page have the same influence.
constexpr double kFirstWeight = 0.005;
// The noise by which initial agents differ, and an offspring from its parent.
constexpr double kNoise = 0.005;
// Without a limit, an agent of many generations would have the words of everything it has seen.
constexpr size_t kMostOwnKeywords = 10;

NeuralNet new_net(uint32_t inputs, uint32_t hidden, Random& random) {
  std::vector<uint32_t> layers;
  if (hidden > 0) layers.push_back(hidden);
  NeuralNet::Parts parts =
      NeuralNet(inputs, layers, 1, NeuralNet::Output::kTanh, random, kNoise).parts();
  for (double& w : parts.layers.front().weights) w += kFirstWeight;
  if (hidden > 0) {  // the mean of the hidden units
    for (double& w : parts.layers.back().weights) w += 1.0 / hidden;
  }
  return *NeuralNet::from_parts(std::move(parts));
}

}  // namespace

std::vector<double> choice_probabilities(std::span<const double> scores, double beta) {
  std::vector<double> shares(scores.begin(), scores.end());
  if (shares.empty()) return shares;
  // The factor avoids overflow; it appears in numerator and denominator.
  const double best = *std::max_element(shares.begin(), shares.end());
  double total = 0;
  for (double& s : shares) total += s = std::exp(beta * (s - best));
  for (double& s : shares) s /= total;
  return shares;
}

SpiderAgent::SpiderAgent(uint32_t id, const SpiderKeywords& keywords, const SpiderOptions& options,
                         Random& random)
    : id_(id),
      energy_(options.theta / 2),
      keywords_(keywords.of_topic()),
      of_topic_(keywords.of_topic()),
      net_(new_net(static_cast<uint32_t>(keywords.of_topic()), options.hidden, random)) {
  std::iota(keywords_.begin(), keywords_.end(), 0u);
}

uint32_t SpiderAgent::input_of(uint32_t keyword) const {
  if (keyword < of_topic_) return keyword;
  const auto at =
      std::find(keywords_.begin() + static_cast<ptrdiff_t>(of_topic_), keywords_.end(), keyword);
  return at == keywords_.end() ? kNoKeyword : static_cast<uint32_t>(at - keywords_.begin());
}

double SpiderAgent::similarity(const Page& page, const SpiderKeywords& keywords) const {
  double product = 0, squares = 0, own_squares = 0;
  for (const uint32_t k : keywords_) {
    const double weight = keywords.weight(k);
    own_squares += weight * weight;
    const uint32_t count = keywords.count(k, page.terms);
    if (count > 0) product += weight * (1 + std::log(static_cast<double>(count)));
  }
  if (product == 0) return 0;
  for (const TermCount& t : page.terms) {
    const double value = 1 + std::log(static_cast<double>(t.count));
    squares += value * value;
  }
  return std::min(1.0, product / std::sqrt(squares * own_squares));
}

double SpiderAgent::value(std::span<const KeywordInput> inputs) const {
  // Most inputs are 0, so the lowest layer is summed over the others only; NeuralNet::forward gives
  // the same result. It is computed for each waiting link whenever the agent chooses.
  const NeuralNet::Parts& net = net_.parts();
  const NeuralNet::Layer& first = net.layers.front();
  const auto unit = [&](size_t j) {
    double sum = first.biases[j];
    for (const KeywordInput& in : inputs) {
      const uint32_t i = input_of(in.keyword);
      if (i != kNoKeyword) sum += first.weights[j * first.inputs + i] * in.value;
    }
    return std::tanh(sum);
  };
  if (net.layers.size() == 1) return unit(0);
  const NeuralNet::Layer& last = net.layers.back();
  double sum = last.biases[0];
  for (size_t j = 0; j < first.biases.size(); ++j) sum += last.weights[j] * unit(j);
  return std::tanh(sum);
}

void SpiderAgent::learn(std::span<const KeywordInput> inputs, double target, double rate) {
  std::vector<double> in(keywords_.size());
  for (const KeywordInput& input : inputs) {
    const uint32_t i = input_of(input.keyword);
    if (i != kNoKeyword) in[i] = input.value;
  }
  // A link in a list of keywords has inputs of 20 and more, for which a plain step of
  // back-propagation would overshoot. A normalised step (normalised least mean squares) never does.
  double squares = 1;  // the bias has input 1
  for (const double x : in) squares += x * x;
  net_.learn(in, {&target, 1}, rate / squares);
}

SpiderAgent SpiderAgent::reproduce(uint32_t id, const Page& page, SpiderKeywords& keywords,
                                   const SpiderOptions& options, Random& random) {
  SpiderAgent offspring = *this;
  offspring.id_ = id;
  offspring.links.clear();
  offspring.energy_ = energy_ / 2;
  energy_ -= offspring.energy_;
  offspring.net_.add_noise(random, options.mutation, kNoise);
  if (keywords_.size() >= of_topic_ + kMostOwnKeywords) return offspring;
  const TermCount* most = nullptr;
  for (const TermCount& t : page.terms) {
    if (most && t.count <= most->count) continue;
    const uint32_t k = keywords.number_of(t.term);
    if (k == kNoKeyword || !has_keyword(k)) most = &t;
  }
  if (most) {
    offspring.keywords_.push_back(keywords.add(most->term));
    offspring.net_.add_input(random, kNoise);
  }
  return offspring;
}

void SpiderAgent::save(ByteWriter& out) const {
  out.number(id_);
  out.number(energy_);
  out.number(static_cast<uint32_t>(keywords_.size()));
  for (const uint32_t k : keywords_) out.number(k);
  net_.save(out);
}

Result<SpiderAgent> SpiderAgent::load(ByteReader& in, const SpiderKeywords& keywords) {
  const auto id = in.number<uint32_t>();
  const auto energy = in.number<double>();
  std::vector<uint32_t> own;
  for (uint32_t left = in.number<uint32_t>(); left > 0 && in.ok(); --left) {
    own.push_back(in.number<uint32_t>());
    if (own.back() >= keywords.size()) return Error{"the saved agents are damaged: an agent has a keyword that does not exist"};
  }
  Result<NeuralNet> net = NeuralNet::load(in);
  if (!net) return net.error();
  if (net->inputs() != own.size() || net->outputs() != 1 || net->parts().layers.size() > 2) {
    return Error{"the saved agents are damaged: the net of an agent does not fit its keywords"};
  }
  SpiderAgent agent(id, energy, std::move(own), std::move(*net));
  agent.of_topic_ = std::min(keywords.of_topic(), agent.keywords_.size());
  return agent;
}

}  // namespace dowser
