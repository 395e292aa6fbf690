#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "archive/archive_index.h"
#include "base/random.h"
#include "engine/plugins.h"
#include "judge/signature/train_library.h"
#include "learn/signature/signature_relevance.h"
#include "parse/parse_page.h"

// How well signatures judge single pages: of each topic of a labelled archive some pages are drawn
// as training pages and 402 others as background, and every other page is judged. Beside them
// judges that are given the same training pages as examples, and the bag of words.
//
//   bench_signature_judging ARCHIVE LABELS.tsv [key=value …]
//
// Keys: draws (10), first (1: the number of the first draw), examples (10,15), background (402),
// judges (a list), topics (a list), and the settings spread, heads, correlates, near, window,
// decay, quantile, least_support, redundant, weak, stemming, text, refine.

namespace {

using namespace dowser;

using Settings = std::map<std::string, std::string>;

struct Collection {
  std::vector<std::string> urls;
  std::vector<Page> pages;  // without their text
  std::vector<std::vector<TermId>> words;
  std::vector<std::string> topic;  // "" where there is none
  PageWords::Spelling spelling;
  ArchiveSet archive;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

double number(const Settings& s, const std::string& key, double otherwise) {
  const auto it = s.find(key);
  return it == s.end() ? otherwise : std::stod(it->second);
}
std::string text(const Settings& s, const std::string& key, const std::string& otherwise) {
  const auto it = s.find(key);
  return it == s.end() ? otherwise : it->second;
}

SignatureLibraryOptions library_options(const Settings& s) {
  SignatureLibraryOptions o;
  o.settings.window = static_cast<uint32_t>(number(s, "window", o.settings.window));
  o.settings.decay = number(s, "decay", o.settings.decay);
  o.settings.stemming = text(s, "stemming", "no") == "yes";
  o.settings.text = text(s, "text", "text");
  o.keywords.heads = static_cast<uint32_t>(number(s, "heads", o.keywords.heads));
  o.keywords.correlates = static_cast<uint32_t>(number(s, "correlates", o.keywords.correlates));
  o.keywords.spread = number(s, "spread", o.keywords.spread);
  o.keywords.near_spread = number(s, "near_spread", o.keywords.near_spread);
  o.keywords.per_document = text(s, "near", "set") == "document";
  o.weighting = text(s, "weighting", "tf-idf");
  o.learn.quantile = number(s, "quantile", o.learn.quantile);
  o.learn.least_support = static_cast<uint32_t>(number(s, "least_support", o.learn.least_support));
  o.refine.redundant = number(s, "redundant", o.refine.redundant);
  o.refine.weak = number(s, "weak", o.refine.weak);
  o.least_precision = number(s, "least_precision", o.least_precision);
  o.recall_weight = number(s, "recall_weight", o.recall_weight);
  return o;
}

Collection read(const std::string& archive, const std::string& labels,
                const SignatureLibraryOptions& options) {
  const std::vector<std::filesystem::path> files = {archive};
  Result<ArchiveSet> set = ArchiveSet::open(files);
  if (!set) throw std::runtime_error(set.error().message);
  std::map<std::string, std::string> topics;
  std::ifstream in(labels);
  for (std::string line; std::getline(in, line);) {
    std::istringstream columns(line);
    std::string url, topic;
    if (std::getline(columns, url, '\t') && std::getline(columns, topic, '\t')) topics[url] = topic;
  }
  Collection c{{}, {}, {}, {}, {}, std::move(*set)};
  const PageWords reader(options.settings);
  for (const std::string& url : c.archive.urls()) {
    const Result<Response> response = c.archive.load(*c.archive.find(url));
    if (!response || !response->ok()) continue;
    Page page = parse_page(*response);
    c.words.push_back(reader.words(page, c.spelling));
    page.text = {}, page.blocks = {}, page.links = {}, page.placed_terms = {}, page.tag_paths = {};
    page.emphasised = {};
    c.pages.push_back(std::move(page));
    c.urls.push_back(url);
    c.topic.push_back(topics.contains(url) ? topics[url] : "");
  }
  return c;
}

struct Verdict {
  double relevance = 0;
  bool relevant = false;
};

struct Quality {
  double precision = 0, recall = 0, average_precision = 0, lift = 0;
};

Quality quality(const std::vector<Verdict>& verdicts, const std::vector<bool>& right) {
  double hits = 0, good = 0, all = 0;
  std::vector<size_t> order(verdicts.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    hits += verdicts[i].relevant, good += verdicts[i].relevant && right[i], all += right[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return verdicts[a].relevance > verdicts[b].relevance;
  });
  Quality q;
  q.precision = hits > 0 ? good / hits : 0;
  q.recall = good / all;
  q.lift = q.precision / (all / static_cast<double>(right.size()));
  // Pages of equal relevance count as in the mean of all their orders: each has the precision at
  // the end of its group, as an approximation from below.
  double seen = 0;
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    double found = 0;
    while (end < order.size() && verdicts[order[end]].relevance == verdicts[order[i]].relevance) {
      found += right[order[end++]];
    }
    seen += found;
    if (verdicts[order[i]].relevance > 0) {
      q.average_precision += found / all * seen / static_cast<double>(end);
    }
    i = end;
  }
  return q;
}

struct Draw {
  std::vector<size_t> training, background, rest;
};

Draw draw(const Collection& c, const std::string& topic, size_t examples, size_t background,
          uint64_t seed) {
  Random random(seed);
  std::vector<size_t> on, off;
  for (size_t i = 0; i < c.urls.size(); ++i) (c.topic[i] == topic ? on : off).push_back(i);
  const auto shuffle = [&](std::vector<size_t>& v) {
    for (size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[random.below(i)]);
  };
  shuffle(on), shuffle(off);
  Draw d;
  d.training.assign(on.begin(), on.begin() + static_cast<ptrdiff_t>(std::min(examples, on.size())));
  d.background.assign(off.begin(),
                      off.begin() + static_cast<ptrdiff_t>(std::min(background, off.size())));
  d.rest.assign(on.begin() + static_cast<ptrdiff_t>(d.training.size()), on.end());
  d.rest.insert(d.rest.end(), off.begin() + static_cast<ptrdiff_t>(d.background.size()), off.end());
  return d;
}

SignatureDocuments documents(const Collection& c, const std::vector<size_t>& pages) {
  SignatureDocuments d;
  for (const size_t i : pages) {
    d.names.push_back(c.urls[i]);
    d.titles.push_back(c.pages[i].title);
    d.words.push_back(c.words[i]);
  }
  return d;
}

// Relevance as the noisy-or of the precisions of the columns that hit.
std::vector<Verdict> judge_by_hits(const HitsArray& array, const std::vector<double>& precision,
                                   const std::vector<std::string>& names) {
  std::map<std::string, Verdict> by_name;
  for (const HitsRow& row : array.rows) {
    double none = 1;
    for (const HitCount& hit : row.hits) none *= 1 - precision[hit.signature];
    by_name[row.document] = {1 - none, true};
  }
  std::vector<Verdict> verdicts;
  for (const std::string& name : names) verdicts.push_back(by_name[name]);
  return verdicts;
}

// As the judge orders them (learn/signature/signature_relevance.cc).
std::vector<Verdict> judge_by_relevance(const std::vector<Signature>& library,
                                        const std::vector<std::vector<TermId>>& documents,
                                        double least) {
  const SignatureScanner scanner(library, PageWords::term_of);
  const SignatureRelevance relevance(library, scanner.groups(), PageWords::term_of,
                                     built_in_idf(library.front().settings.stemming));
  std::vector<Verdict> verdicts;
  for (const std::vector<TermId>& words : documents) {
    std::vector<GroupScanner::Event> events;
    for (uint32_t i = 0; i < words.size(); ++i) scanner.groups().add(words[i], i, events);
    const std::vector<HitCount> hits = count_hits(scanner.hits(events));
    const double value = relevance(hits, events, words.size());
    verdicts.push_back({value, !hits.empty() && value >= least});
  }
  return verdicts;
}

// Each word of the library with the share of training pages among the pages that have it.
std::vector<double> word_precision(const HitsArray& training, const HitsArray& background) {
  std::vector<double> t(training.signatures.size()), b(t), p(t);
  for (const HitsRow& row : training.rows) {
    for (const HitCount& hit : row.hits) ++t[hit.signature];
  }
  for (const HitsRow& row : background.rows) {
    for (const HitCount& hit : row.hits) ++b[hit.signature];
  }
  for (size_t i = 0; i < p.size(); ++i) p[i] = t[i] / (1 + t[i] + b[i]);
  return p;
}

using Sums = std::map<std::string, std::vector<Quality>>;  // by judge

void measure(const Collection& c, const Settings& s, const Draw& d,
             const SignatureLibraryOptions& options, Sums& sums) {
  std::vector<bool> right;
  const std::string topic = c.topic[d.training.front()];
  for (const size_t i : d.rest) right.push_back(c.topic[i] == topic);
  SignatureDocuments training = documents(c, d.training), background = documents(c, d.background);
  training.spelling = c.spelling;
  const SignatureDocuments rest = documents(c, d.rest);
  const auto trained = train_library(training, &background, options);
  const bool refine = text(s, "refine", "yes") == "yes";
  if (trained) {
    const auto& library = refine ? trained->library : trained->all;
    std::vector<double> precision;
    for (const Signature& signature : library) precision.push_back(signature.evidence.precision());
    sums["signatures"].push_back(
        quality(judge_by_relevance(library, rest.words, library.front().least_relevance), right));
    sums["signatures, any hit"].push_back(
        quality(judge_by_relevance(library, rest.words, 0), right));
    sums["signatures, noisy-or"].push_back(
        quality(judge_by_hits(hits_of(library, rest), precision, rest.names), right));
    sums["bag of words"].push_back(quality(
        judge_by_hits(
            hits_of(library, rest, true),
            word_precision(hits_of(library, training, true), hits_of(library, background, true)),
            rest.names),
        right));
    sums["(signatures kept)"].push_back({static_cast<double>(library.size()), 0, 0, 0});
  } else {
    sums["signatures"].push_back({});
  }
  Topic examples;
  for (const size_t i : d.training) {
    const Result<Response> response = c.archive.load(*c.archive.find(c.urls[i]));
    examples.examples.push_back(parse_page(*response));
  }
  for (const std::string& name : split(text(s, "judges", "cosine,bayes,learned"))) {
    const auto judge = make_judge(name, JudgeContext{examples, {}, {}, nullptr});
    if (!judge) continue;
    std::vector<Verdict> verdicts;
    for (const size_t i : d.rest) {
      const Judgement j = (*judge)->judge(c.pages[i]);
      verdicts.push_back({j.relevance.value, j.relevant});
    }
    sums[name].push_back(quality(verdicts, right));
  }
}

void print(const std::string& title, const Sums& sums) {
  for (const auto& [judge, all] : sums) {
    Quality mean;
    double square = 0;
    const double n = static_cast<double>(all.size());
    for (const Quality& q : all) {
      mean.precision += q.precision / n, mean.recall += q.recall / n;
      mean.average_precision += q.average_precision / n, mean.lift += q.lift / n;
    }
    for (const Quality& q : all)
      square += std::pow(q.average_precision - mean.average_precision, 2);
    fmt::print("{:<24} {:<20} {:>9.3f} {:>7.1f} {:>7.3f} {:>7.3f} ± {:.3f}\n", title, judge,
               mean.precision, mean.lift, mean.recall, mean.average_precision,
               n > 1 ? 1.96 * std::sqrt(square / (n - 1) / n) : 0);
  }
}

int run(const std::string& archive, const std::string& labels, const Settings& s) {
  const SignatureLibraryOptions options = library_options(s);
  const Collection c = read(archive, labels, options);
  std::vector<std::string> topics = split(text(s, "topics", ""));
  if (topics.empty()) {
    topics = c.topic;
    std::sort(topics.begin(), topics.end());
    topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
    std::erase(topics, "");
  }
  fmt::print("{:<24} {:<20} {:>9} {:>7} {:>7} {:>7}\n", "", "judge", "precision", "× share",
             "recall", "average precision");
  for (const std::string& n : split(text(s, "examples", "10,15"))) {
    Sums all;
    for (const std::string& topic : topics) {
      Sums sums;
      for (int i = 0; i < static_cast<int>(number(s, "draws", 10)); ++i) {
        measure(c, s,
                draw(c, topic, std::stoul(n), static_cast<size_t>(number(s, "background", 402)),
                     static_cast<uint64_t>(i) + static_cast<uint64_t>(number(s, "first", 1))),
                options, sums);
      }
      print(topic + ", " + n, sums);
      for (const auto& [judge, values] : sums) {
        all[judge].insert(all[judge].end(), values.begin(), values.end());
      }
    }
    print("all topics, " + n, all);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_signature_judging ARCHIVE LABELS.tsv [key=value …]\n");
    return 2;
  }
  Settings settings;
  for (int i = 3; i < argc; ++i) {
    const std::string pair = argv[i];
    const size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      fmt::print(stderr, "bench_signature_judging: '{}' is no key=value\n", pair);
      return 2;
    }
    settings[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return run(argv[1], argv[2], settings);
}
