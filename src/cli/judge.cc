#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "engine/plugins.h"
#include "judge/trained/model_file.h"
#include "learn/hmm_file.h"
#include "learn/model_container.h"
#include "run/config.h"
#include "run/topic.h"

namespace dowser {
namespace {

void print(const std::string& place, const Page& page, const Judgement& judgement,
           double threshold) {
  fmt::print("{}\n  title       {}\n  relevance   {:.4f}: {} (from {:.4g} on)\n", place, page.title,
             judgement.relevance.value, judgement.relevant ? "relevant" : "not relevant",
             threshold);
  if (!judgement.label.empty()) fmt::print("  class       {}\n", judgement.label);
  for (const auto& reason : judgement.reasons) {
    fmt::print("              {:+.4f}  {}\n", reason.weight, reason.word);
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

}  // namespace

int judge_command(CommandLine line) {
  Arguments arguments("judge", "Tells how relevant a page is, and which words decided it.",
                      "dowser judge page.html --topic \"bird species feather nest wing\"");
  std::vector<std::string> places, examples, web;
  std::string topic_words, spec, model_file, threshold_text;
  bool json = false;
  arguments.words("PAGE", "HTML files, or addresses in the archive of --web", &places);
  arguments.option("topic", "WORDS", "words that describe what is wanted", &topic_words);
  arguments.list("example", "PAGE", "a page on the topic: an address in the web, or an HTML file",
                 &examples);
  arguments.list("web", "FILE", "the archive that holds the pages", &web);
  arguments.option("judge", "SPEC", "what counts as relevant (default cosine, or the model's)",
                   &spec);
  arguments.option("model", "FILE", "a judge that dowser learn has trained", &model_file);
  arguments.option("threshold", "R", "relevance from which a page counts as relevant",
                   &threshold_text);
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
  if (topic_words.empty() && examples.empty() && model_file.empty()) {
    return fail("judge",
                Error{"name the topic with --topic \"words\", --example PAGE or --model FILE"},
                kUsage);
  }
  std::string model;
  std::optional<HmmFile> hmm;
  if (!model_file.empty()) {
    Result<std::string> text = read_file(model_file);
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
    if (spec.empty()) spec = hmm ? "lsi" : header->kind;
  }
  if (spec.empty()) spec = "cosine";
  const Result<FieldWeights> fields = fields_of(spec);
  if (!fields) return fail("judge", fields.error(), kUsage);
  const Result<Topic> topic = load_topic(topic_words, examples, web, *fields);
  if (!topic) return fail("judge", topic.error());
  const auto judge = make_judge(spec, {*topic, threshold, model, hmm ? &*hmm : nullptr});
  if (!judge) return fail("judge", judge.error(), kUsage);

  nlohmann::ordered_json all = nlohmann::json::array();
  for (const std::string& place : places) {
    const Result<Page> page = load_page(place, web, *fields);
    if (!page) return fail("judge", page.error());
    const Judgement judgement = (*judge)->judge(*page);
    if (json) {
      all.push_back(to_json(place, *page, judgement));
    } else {
      print(place, *page, judgement, (*judge)->threshold());
    }
  }
  if (json) {
    const nlohmann::ordered_json result = {
        {"judge", (*judge)->spec().text()}, {"threshold", (*judge)->threshold()}, {"pages", all}};
    fmt::print("{}\n", result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return kDone;
}

}  // namespace dowser
