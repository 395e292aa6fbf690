// What should judges see of a page? Average precision by the labels of a web, for several weights
// of titles, headings, menus and so on: bench/content runs it.
//
// For each topic: the cosine to its words; the cosine to 10 examples; the model of `learned` from
// 10 examples and 200 other pages drawn at random; the same from the 30 pages that are best by the
// cosine to the words, blended with that cosine as `learned` does. All pages of the web are ranked
// but the examples. A host's template is found on the whole web, which a crawl never sees.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>

#include "background/background.h"
#include "base/hash.h"
#include "base/random.h"
#include "eval/held_web.h"
#include "eval/labels.h"
#include "learn/example_model.h"
#include "text/terms.h"
#include "text/topic_vector.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

struct Weights {
  std::string name;
  int roles[kBlockRoles] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  size_t first = SIZE_MAX;  // so many terms of the text count, and headings behind them
  int title = 1, description = 0, keywords = 0, heading = 1, emphasis = 1, anchors = 0;
};

struct Prepared {
  std::vector<uint8_t> role;  // of each placed term
  std::vector<uint8_t> kind;  // 1 heading, 2 emphasised
  std::vector<TermId> title, description, keywords, anchors;
};

std::vector<TermCount> counted(std::vector<TermId> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<TermCount> counts;
  for (const TermId id : ids) {
    if (counts.empty() || counts.back().term != id) counts.push_back({id, 0});
    ++counts.back().count;
  }
  return counts;
}

std::vector<TermCount> terms_of(const Page& page, const Prepared& p, const Weights& w) {
  std::vector<TermId> ids;
  for (size_t i = 0; i < page.placed_terms.size(); ++i) {
    int n = w.roles[p.role[i]];
    if (ids.size() >= w.first && p.kind[i] != 1) continue;
    if (n > 0 && p.kind[i] == 1) n = w.heading;
    if (n > 0 && p.kind[i] == 2) n = w.emphasis;
    ids.insert(ids.end(), n, page.placed_terms[i].id);
  }
  if (ids.size() < 10) {
    for (const PlacedTerm& t : page.placed_terms) ids.push_back(t.id);
  }
  const auto add = [&](const std::vector<TermId>& field, int weight) {
    for (const TermId id : field) ids.insert(ids.end(), weight, id);
  };
  add(p.title, w.title);
  add(p.description, w.description);
  add(p.keywords, w.keywords);
  add(p.anchors, w.anchors);
  return counted(std::move(ids));
}

std::vector<Prepared> prepare(const HeldWeb& web, double share) {
  struct Host {
    size_t pages = 0;
    absl::flat_hash_map<uint64_t, uint32_t> blocks;
  };
  absl::flat_hash_map<std::string, Host> hosts;
  std::vector<std::vector<uint64_t>> hashes(web.nodes());
  for (Node n = 0; n < web.nodes(); ++n) {
    const Page& page = web.page(n);
    for (const Block& b : page.blocks) hashes[n].push_back(hash64(page.words(b.text)));
    std::vector<uint64_t> once = hashes[n];
    std::sort(once.begin(), once.end());
    once.erase(std::unique(once.begin(), once.end()), once.end());
    Host& host = hosts[std::string(page.url.host())];
    ++host.pages;
    for (const uint64_t h : once) ++host.blocks[h];
  }
  std::vector<Prepared> all(web.nodes());
  for (Node n = 0; n < web.nodes(); ++n) {
    const Page& page = web.page(n);
    Prepared& p = all[n];
    const Host& host = hosts[std::string(page.url.host())];
    size_t block = 0, emphasised = 0;
    for (const PlacedTerm& t : page.placed_terms) {
      while (block + 1 < page.blocks.size() && page.blocks[block].text.end <= t.place) ++block;
      while (emphasised < page.emphasised.size() && page.emphasised[emphasised].end <= t.place)
        ++emphasised;
      const uint32_t seen = host.blocks.at(hashes[n][block]);
      const bool is_template = seen >= 5 && seen >= share * static_cast<double>(host.pages);
      p.role.push_back(
          static_cast<uint8_t>(is_template ? BlockRole::kTemplate : page.blocks[block].role));
      const bool heading = page.blocks[block].kind == BlockKind::kHeading;
      const bool strong =
          emphasised < page.emphasised.size() && page.emphasised[emphasised].begin <= t.place;
      p.kind.push_back(heading ? 1 : strong ? 2 : 0);
    }
    p.title = term_ids(page.title, page.language);
    p.description = term_ids(page.description, page.language);
    p.keywords = term_ids(page.keywords, page.language);
    for (const Link& link : page.links) {
      const Node to = web.node_of(link.url);
      if (to == HeldWeb::kNone || to == n || all[to].anchors.size() > 40) continue;
      for (const PlacedTerm& t : page.terms_in(link.anchor)) all[to].anchors.push_back(t.id);
    }
  }
  return all;
}

double average_precision(const std::vector<double>& values, const std::vector<char>& wanted,
                         const std::vector<char>& left_out) {
  std::vector<Node> order;
  for (Node n = 0; n < values.size(); ++n) {
    if (!left_out[n]) order.push_back(n);
  }
  std::sort(order.begin(), order.end(),
            [&](Node a, Node b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  double sum = 0, found = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (wanted[order[i]]) sum += ++found / static_cast<double>(i + 1);
  }
  return found > 0 ? sum / found : 0;
}

SparseVector counts_of(const std::vector<TermCount>& terms) {
  std::vector<SparseVector::Entry> entries;
  for (const TermCount& t : terms) entries.push_back({t.term, double(t.count)});
  return SparseVector(std::move(entries));
}

struct Scores {
  double words = 0, examples = 0, learned = 0, blended = 0;
};

std::vector<double> model_values(const std::vector<std::vector<TermCount>>& terms,
                                 const std::vector<Node>& examples, Random& random,
                                 const std::vector<double>* order_by) {
  std::vector<SparseVector> positives, others;
  std::vector<char> is_example(terms.size());
  for (const Node n : examples) positives.push_back(counts_of(terms[n])), is_example[n] = true;
  std::vector<double> sorted = order_by ? *order_by : std::vector<double>();
  std::sort(sorted.begin(), sorted.end());
  const double half = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  while (others.size() < 200) {
    const auto n = static_cast<Node>(random.below(terms.size()));
    if (is_example[n] || terms[n].empty()) continue;
    if (order_by && (*order_by)[n] > half) continue;
    others.push_back(counts_of(terms[n]));
  }
  const auto model = ExampleModel::train(positives, others, {.background = background_share});
  std::vector<double> values(terms.size());
  for (size_t n = 0; n < terms.size(); ++n) values[n] = model->relevance(terms[n]);
  return values;
}

Scores scores_of(const HeldWeb& web, const std::vector<std::vector<TermCount>>& terms,
                 const std::vector<Node>& pages, const std::string& words,
                 const std::string& name) {
  constexpr int kDraws = 3;
  Scores scores;
  std::vector<char> wanted(web.nodes()), none(web.nodes());
  for (const Node n : pages) wanted[n] = true;
  Random random(hash64(name));
  std::vector<double> by_words(web.nodes());
  if (!words.empty()) {
    TopicVector topic;
    topic.add_words(words);
    for (Node n = 0; n < web.nodes(); ++n)
      by_words[n] = topic.similarity(terms[n], web.page(n).language);
    scores.words = average_precision(by_words, wanted, none);
    std::vector<Node> best(web.nodes());
    std::iota(best.begin(), best.end(), 0);
    std::sort(best.begin(), best.end(), [&](Node a, Node b) {
      return by_words[a] != by_words[b] ? by_words[a] > by_words[b] : a < b;
    });
    best.resize(30);
    const std::vector<double> learned = model_values(terms, best, random, &by_words);
    std::vector<double> both(web.nodes());
    for (Node n = 0; n < web.nodes(); ++n)
      both[n] = std::sqrt(learned[n] * by_words[n] / (by_words[n] + 0.1));
    scores.blended = average_precision(both, wanted, none);
  }
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Node> shuffled = pages;
    Random drawn(hash64(name, draw));
    for (size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[drawn.below(i)]);
    shuffled.resize(10);
    std::vector<char> left_out(web.nodes());
    TopicVector topic;
    for (const Node n : shuffled) topic.add_example(terms[n]), left_out[n] = true;
    std::vector<double> values(web.nodes());
    for (Node n = 0; n < web.nodes(); ++n)
      values[n] = topic.similarity(terms[n], web.page(n).language);
    scores.examples += average_precision(values, wanted, left_out) / kDraws;
    Random others(hash64(name, draw + 100));
    scores.learned +=
        average_precision(model_values(terms, shuffled, others, nullptr), wanted, left_out) /
        kDraws;
  }
  return scores;
}

// "menu=0 title=3": from all ones.
Weights parse_weights(const std::string& text) {
  Weights w;
  w.name = text;
  std::istringstream in(text);
  for (std::string item; in >> item;) {
    const size_t equals = item.find('=');
    const std::string key = item.substr(0, equals);
    const int value = equals == item.npos ? 1 : std::stoi(item.substr(equals + 1));
    for (size_t r = 0; r < kBlockRoles; ++r) {
      if (key == name_of(static_cast<BlockRole>(r))) w.roles[r] = value;
    }
    if (key == "first") w.first = static_cast<size_t>(value);
    if (key == "title") w.title = value;
    if (key == "description") w.description = value;
    if (key == "keywords") w.keywords = value;
    if (key == "heading") w.heading = value;
    if (key == "emphasis") w.emphasis = value;
    if (key == "anchors") w.anchors = value;
  }
  return w;
}

}  // namespace
}  // namespace dowser

// Usage: content_bench WEB LABELS WORDS SHARE TOPIC,TOPIC… < lines of weights
int main(int argc, char** argv) {
  using namespace dowser;
  if (argc != 6) return 2;
  const std::filesystem::path files[] = {argv[1]};
  const Result<HeldWeb> web = HeldWeb::load(files, 2);
  if (!web) return fmt::print(stderr, "{}\n", web.error().message), 1;
  const Result<Labels> labels = Labels::read(argv[2], *web);
  if (!labels) return fmt::print(stderr, "{}\n", labels.error().message), 1;
  std::map<std::string, std::string> words;
  std::ifstream in(argv[3]);
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.find('\t');
    words[line.substr(0, tab)] = line.substr(tab + 1);
  }
  const std::string only = fmt::format(",{},", argv[5]);
  const std::vector<Prepared> prepared = prepare(*web, std::stod(argv[4]));
  fmt::print("{:6} {:6} {:6} {:6}\n", "words", "blend", "exampl", "learn");
  for (std::string line; std::getline(std::cin, line);) {
    const Weights w = parse_weights(line);
    std::vector<std::vector<TermCount>> terms(web->nodes());
    for (Node n = 0; n < web->nodes(); ++n) terms[n] = terms_of(web->page(n), prepared[n], w);
    Scores mean;
    size_t topics = 0;
    for (const auto& [name, pages] : labels->topics()) {
      if (only != ",all," && only.find("," + name + ",") == only.npos) continue;
      const Scores s = scores_of(*web, terms, pages, words[name], name);
      mean.words += s.words, mean.examples += s.examples;
      mean.learned += s.learned, mean.blended += s.blended;
      ++topics;
    }
    const auto n = static_cast<double>(topics);
    fmt::print("{:.4f} {:.4f} {:.4f} {:.4f}  {}\n", mean.words / n, mean.blended / n,
               mean.examples / n, mean.learned / n, w.name);
    std::fflush(stdout);
  }
}
