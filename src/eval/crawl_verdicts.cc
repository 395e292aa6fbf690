#include "eval/crawl_verdicts.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/hash.h"
#include "guard/host_templates.h"
#include "judge/trained/final_judge.h"
#include "parse/weighed_terms.h"
#include "text/topic_coverage.h"

namespace dowser {
namespace {

using Node = HeldWeb::Node;

// Calls back for each page that counts, with its index among the fetches.
template <class Callback>
void each_page(const Course& course, const Draw& draw, Callback callback) {
  std::vector<char> is_counted(draw.is_on_topic.size());
  if (!draw.topic.examples.empty()) {
    for (const Node node : draw.examples) is_counted[node] = true;
  }
  for (size_t i = 0; i < course.pages.size(); ++i) {
    const Node node = course.pages[i];
    if (node == HeldWeb::kNone || std::exchange(is_counted[node], true)) continue;
    callback(i, node);
  }
}

// The lists in which the pages that the crawl fetched stand. `number_of` is by node.
PageLists lists_of(const HeldWeb& web, std::span<const Node> pages,
                   const absl::flat_hash_map<Node, uint32_t>& number_of) {
  PageLists lists(pages.size());
  std::map<uint16_t, std::vector<uint32_t>> of_page;
  for (uint32_t from = 0; from < pages.size(); ++from) {
    of_page.clear();
    for (const Link& link : web.page(pages[from]).links) {
      const auto to = number_of.find(web.node_of(link.url));
      of_page[link.tag_path].push_back(to == number_of.end() ? PageLists::kNone : to->second);
    }
    for (const auto& [tag_path, list] : of_page) lists.add(from, list);
  }
  return lists;
}

}  // namespace

std::optional<VerdictQuality> quality_at_fetch(const Course& course, const Draw& draw) {
  std::vector<PageVerdict> verdicts;
  each_page(course, draw, [&](size_t i, Node node) {
    const Course::Said& said = course.said[i];
    verdicts.push_back({said.relevance, said.relevant, draw.is_on_topic[node] != 0});
  });
  return verdict_quality(verdicts);
}

std::optional<VerdictQuality> final_quality(const HeldWeb& web, const Course& course,
                                            const Draw& draw) {
  HostTemplates templates;
  each_page(course, draw, [&](size_t, Node node) { templates.learn(web.page(node)); });
  std::vector<std::vector<TermCount>> terms;  // of each page
  Topic topic = draw.topic;
  for (Page& page : topic.examples) {
    if (templates.mark(page) > 0) page.terms = weighed_terms(page, FieldWeights());
  }
  FinalTrainer trainer(topic);
  each_page(course, draw, [&](size_t, Node node) {
    Page page = web.page(node);
    if (templates.mark(page) > 0) page.terms = weighed_terms(page, FieldWeights());
    trainer.add(hash64(page.url.href()), page.terms);
    terms.push_back(std::move(page.terms));
  });
  const Result<FinalModel> model = trainer.train();
  if (!model) return quality_at_fetch(course, draw);  // too little is known to judge again
  TopicCoverage coverage{TopicWords(draw.topic.words)};
  std::vector<Node> pages;
  absl::flat_hash_map<Node, uint32_t> number_of;
  std::vector<FinalEvidence> evidence;
  each_page(course, draw, [&](size_t i, Node node) {
    number_of[node] = static_cast<uint32_t>(pages.size());
    evidence.push_back(
        {log_odds_of(model->relevance(terms[pages.size()])), course.said[i].relevance});
    coverage.add_page(coverage.words().in(terms[pages.size()]));
    pages.push_back(node);
  });
  const TitleShare titles(draw.topic.words, coverage.rarities());
  for (size_t i = 0; i < pages.size(); ++i) {
    evidence[i].in_title = titles.of(web.page(pages[i]).title, web.page(pages[i]).language);
  }
  std::vector<double> relevances;
  for (const FinalRelevance& r :
       final_relevances(evidence, lists_of(web, pages, number_of), trainer.weights())) {
    relevances.push_back(relevance_of(r.log_odds));
  }
  const double threshold = final_thresholds(relevances).relevant;
  std::vector<PageVerdict> verdicts;
  for (size_t i = 0; i < pages.size(); ++i) {
    verdicts.push_back(
        {relevances[i], relevances[i] >= threshold, draw.is_on_topic[pages[i]] != 0});
  }
  return verdict_quality(verdicts);
}

}  // namespace dowser
