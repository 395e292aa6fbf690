#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "engine/plugins.h"
#include "judge/trained/model_judge.h"
#include "learn/hmm_file.h"
#include "learn/model_container.h"
#include "run/config.h"
#include "run/crawl_model.h"
#include "run/final_judgement.h"
#include "run/topic.h"
#include "text/printable.h"

namespace dowser {
namespace {

void print(const std::string& place, const Page& page, const Judgement& judgement,
           double threshold) {
  fmt::print("{}\n  title       {}\n  relevance   {:.4f}: {} (from {:.4g} on)\n", place,
             printable(page.title), judgement.relevance.value,
             judgement.relevant ? "relevant" : "not relevant", threshold);
  if (!judgement.label.empty()) fmt::print("  class       {}\n", judgement.label);
  for (const auto& reason : judgement.reasons) {
    fmt::print("              {:+.4f}  {}\n", reason.weight, printable(reason.word));
  }
}

nlohmann::ordered_json to_json(const std::string& place, const Page& page,
                               const Judgement& judgement) {
  nlohmann::ordered_json reasons = nlohmann::json::array();
  for (const auto& reason : judgement.reasons) reasons.push_back({reason.word, reason.weight});
  return {{"page", place},
          {"title", page.title},
          {"language", page.language},
          {"relevance", judgement.relevance.value},
          {"relevant", judgement.relevant},
          {"label", judgement.label},
          {"reasons", reasons}};
}

int judge_pages(const Judge& judge, const std::vector<std::string>& places,
                const std::vector<std::string>& web, const ParseOptions& options, bool json) {
  nlohmann::ordered_json all = nlohmann::json::array();
  for (const std::string& place : places) {
    const Result<Page> page = load_page(place, web, options);
    if (!page) return fail("judge", page.error());
    const Judgement judgement = judge.judge(*page);
    if (json) {
      all.push_back(to_json(place, *page, judgement));
    } else {
      print(place, *page, judgement, judge.threshold());
    }
  }
  if (json) {
    const nlohmann::ordered_json result = {
        {"judge", judge.spec().text()}, {"threshold", judge.threshold()}, {"pages", all}};
    print_json(result);
  }
  return kDone;
}

}  // namespace

int judge_command(CommandLine line) {
  Arguments arguments("judge", "Computes how relevant pages are, and shows which words decided it.",
                      "dowser judge page.html --topic \"bird species feather nest wing\"");
  std::vector<std::string> places, examples, web;
  std::string topic_words, spec, model_file, threshold_text, crawl;
  bool json = false;
  arguments.words("PAGE", "HTML files, or addresses in the archive of --web", &places);
  arguments.option("topic", "WORDS", "words that describe the topic", &topic_words);
  arguments.list("example", "PAGE", "a page on the topic: an address in the web, or an HTML file",
                 &examples);
  arguments.list("web", "FILE", "the archive that contains the pages", &web);
  arguments.option("judge", "SPEC",
                   "how relevance is computed; dowser crawl --help lists the judges (default "
                   "cosine, or the judge of the model)",
                   &spec);
  arguments.option("model", "FILE",
                   "a model that dowser learn has trained, instead of words and examples",
                   &model_file);
  arguments.option("threshold", "R", "relevance from which a page counts as relevant, 0 to 1",
                   &threshold_text);
  arguments.option("crawl", "DIR",
                   "use the judge that this crawl has learned, on the words of the page alone",
                   &crawl);
  arguments.flag("json", "print one JSON object", &json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;

  std::optional<double> threshold;
  if (!threshold_text.empty()) {
    CrawlConfig scratch;
    for (const Setting& setting : settings()) {
      if (setting.name != "threshold") continue;
      if (Status s = setting.set(scratch, threshold_text); !s)
        return fail("judge", s.error(), kUsage);
    }
    threshold = scratch.threshold;
  }
  const bool has_topic = !topic_words.empty() || !examples.empty() || !model_file.empty();
  if (!crawl.empty() && (has_topic || !spec.empty() || threshold)) {
    return fail("judge",
                Error{"--crawl DIR uses the topic and judge of the crawl: leave out --topic, "
                      "--example, --judge, --model and --threshold"},
                kUsage);
  }
  if (!crawl.empty()) {
    const Result<CrawlJudge> learned = judge_of_crawl(crawl);
    if (!learned) return fail("judge", learned.error());
    return judge_pages(*learned->judge, places, web, learned->parse_options(), json);
  }
  if (!has_topic) {
    return fail("judge",
                Error{"name the topic with --topic \"words\", --example PAGE, --model FILE or "
                      "--crawl DIR"},
                kUsage);
  }
  std::string model;
  std::optional<HmmFile> hmm;
  if (!model_file.empty()) {
    Result<std::string> text = read_model(model_file);
    if (!text) return fail("judge", text.error());
    model = std::move(*text);
    const Result<ModelHeader> header = read_model_header(model);
    if (!header) return fail("judge", header.error());
    if (header->kind == HmmFile::kKind) {
      Result<HmmFile> file = read_hmm_file(model);
      if (!file) return fail("judge", file.error());
      hmm = std::move(*file);
      model.clear();
    }
    if (spec.empty()) spec = hmm ? "lsi" : judge_of_kind(header->kind);
  }
  if (spec.empty()) spec = "cosine";
  const Result<FieldWeights> fields = fields_of(spec);
  if (!fields) return fail("judge", fields.error(), kUsage);
  const Result<Topic> topic = load_topic(topic_words, examples, web, *fields);
  if (!topic) return fail("judge", topic.error());
  const auto judge = make_judge(spec, {*topic, threshold, model, hmm ? &*hmm : nullptr});
  if (!judge) return fail("judge", judge.error(), kUsage);
  ParseOptions options;
  options.fields = *fields;
  return judge_pages(**judge, places, web, options, json);
}

}  // namespace dowser
