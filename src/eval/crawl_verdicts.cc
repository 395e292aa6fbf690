#include "eval/crawl_verdicts.h"

#include <utility>
#include <vector>

#include "base/hash.h"
#include "guard/host_templates.h"
#include "judge/trained/final_judge.h"
#include "parse/weighed_terms.h"

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
  std::vector<PageVerdict> verdicts;
  std::vector<double> relevances;
  each_page(course, draw, [&](size_t, Node node) {
    relevances.push_back(model->relevance(terms[relevances.size()]));
    verdicts.push_back({relevances.back(), false, draw.is_on_topic[node] != 0});
  });
  const double threshold = threshold_of_best_f1(relevances);
  for (PageVerdict& v : verdicts) v.relevant = v.relevance > 0 && v.relevance >= threshold;
  return verdict_quality(verdicts);
}

}  // namespace dowser
