#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/new_file.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/learn_links.h"
#include "cli/learn_pages.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/print_json.h"
#include "cli/progress.h"
#include "fetch/archive_web.h"
#include "mine/rank_web.h"
#include "run/topic.h"

namespace dowser {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Given {
  std::string kind, labels, tree, to, weights;
  std::vector<std::string> web, good, good_pages, other_pages, test_on, without;
  size_t folds = 5, features = 0;
  bool links = false, json = false;
};

// What will be learned, and from what; the pages to be asked about where some are kept back.
struct Task {
  ModelPlan plan;
  PagesToLearn learn, test;
  std::vector<Url> learn_urls, test_urls;
  size_t missing = 0;  // labelled pages that the archive does not hold
};

Status check(const Given& given) {
  if (given.to.empty()) return Error{"name the file for the model with --to FILE"};
  if (!given.labels.empty()) {
    if (!given.good_pages.empty() || !given.other_pages.empty()) {
      return Error{"give labels or pages, not both"};
    }
    if (given.web.empty()) return Error{"name the archive that contains the pages with --web FILE"};
    if (given.good.empty()) return Error{"name the relevant classes with --good CLASS"};
  } else {
    if (given.good_pages.empty() || given.other_pages.empty()) {
      return Error{
          "name what to learn from: --labels FILE.tsv, or --good-page PAGE and --other-page PAGE"};
    }
    if (!given.good.empty() || !given.test_on.empty() || !given.without.empty() ||
        !given.tree.empty() || given.links) {
      return Error{"--good, --tree, --test-on, --without and --links need --labels"};
    }
  }
  if (!given.tree.empty() && given.kind != "bayes") {
    return Error{"a tree of classes is for bayes only"};
  }
  if (!given.weights.empty() && given.kind != "rbf-svm") {
    return Error{"--weights is for rbf-svm only"};
  }
  return {};
}

Result<std::vector<LineFilter>> filters_of(const std::vector<std::string>& texts,
                                           const LabelFile& file) {
  std::vector<LineFilter> filters;
  for (const std::string& text : texts) {
    Result<LineFilter> filter = LineFilter::parse(text, file);
    if (!filter) return filter.error();
    filters.push_back(std::move(*filter));
  }
  return filters;
}

bool any_takes(const std::vector<LineFilter>& filters, const LabelLine& line) {
  return std::any_of(filters.begin(), filters.end(),
                     [&](const LineFilter& filter) { return filter.takes(line); });
}

uint32_t class_named(const ModelPlan& plan, const std::string& name) {
  const auto it = std::find_if(plan.classes.begin(), plan.classes.end(),
                               [&](const Model::Class& c) { return c.name == name; });
  return static_cast<uint32_t>(it - plan.classes.begin());
}

Status mark_good(const std::vector<std::string>& good, ModelPlan& plan) {
  for (const std::string& name : good) {
    const uint32_t c = class_named(plan, name);
    if (c == plan.classes.size()) {
      std::vector<std::string> names;
      for (const Model::Class& each : plan.classes) names.push_back(each.name);
      return Error{fmt::format("there is no class '{}'{}: there are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", "))};
    }
    plan.classes[c].good = true;
  }
  return {};
}

// The classifiers of the CINDI Robot tell pages of the good classes from all others.
bool is_of_two_classes(const std::string& kind) {
  return kind == "rbf-svm" || kind == "weighted-bayes";
}

// Joins the classes to two.
void join_classes(Task& task) {
  for (PagesToLearn* pages : {&task.learn, &task.test}) {
    for (LabelledPage& page : pages->pages) page.label = task.plan.classes[page.label].good;
  }
  task.plan.classes = {{"other", "", false, 0}, {"good", "", true, 0}};
}

Status gather_labelled(const Given& given, const Watch& watch, Task& task) {
  Result<LabelFile> file = LabelFile::read(given.labels);
  if (!file) return file.error();
  const auto without = filters_of(given.without, *file);
  if (!without) return without.error();
  const auto test_on = filters_of(given.test_on, *file);
  if (!test_on) return test_on.error();
  std::erase_if(file->lines, [&](const LabelLine& line) { return any_takes(*without, line); });

  std::vector<std::string> names;
  for (const LabelLine& line : file->lines) names.push_back(line.columns[1]);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) task.plan.classes.push_back({name, "", false, 0});
  if (!given.tree.empty()) {
    if (Status s = add_tree(given.tree, task.plan.classes); !s) return s;
  }
  if (Status s = mark_good(given.good, task.plan); !s) return s;

  const std::vector<std::filesystem::path> files(given.web.begin(), given.web.end());
  auto web = ArchiveWeb::open(files);
  if (!web) return web.error();
  for (size_t i = 0; i < file->lines.size(); ++i) {
    const LabelLine& line = file->lines[i];
    if (!watch({"labelled pages", i, file->lines.size()})) return stopped();
    const std::optional<Page> page = page_at(**web, line.columns[0]);
    if (!page) {
      ++task.missing;
    } else {
      const bool kept_back = any_takes(*test_on, line);
      (kept_back ? task.test : task.learn).add(*page, class_named(task.plan, line.columns[1]));
      (kept_back ? task.test_urls : task.learn_urls).push_back(page->url);
    }
  }
  if (task.missing == file->lines.size()) {
    return Error{fmt::format("{} has no label for any page in the archive", given.labels)};
  }
  if (is_of_two_classes(given.kind)) join_classes(task);
  return {};
}

Status gather_named(const Given& given, Task& task) {
  task.plan.classes = {{"other", "", false, 0}, {"good", "", true, 0}};
  for (const auto* places : {&given.other_pages, &given.good_pages}) {
    const Result<Topic> pages = load_topic("", *places, given.web);
    if (!pages) return pages.error();
    for (const Page& page : pages->examples) {
      task.learn.add(page, places == &given.good_pages ? 1 : 0);
    }
  }
  return {};
}

nlohmann::ordered_json to_json(const Model& model, const TestResult& result) {
  nlohmann::ordered_json classes = nlohmann::json::array();
  for (size_t i = 0; i < model.classes.size(); ++i) {
    const TestResult::OfClass& c = result.classes[i];
    classes.push_back({{"name", model.classes[i].name},
                       {"good", model.classes[i].good},
                       {"learned_from", model.classes[i].pages},
                       {"tested_on", c.pages},
                       {"precision", c.precision()},
                       {"recall", c.recall()},
                       {"f1", c.f1()}});
  }
  return {{"kind", model.kind},
          {"test", model.test->how},
          {"accuracy", model.test->accuracy},
          {"macro_f1", model.test->macro_f1},
          {"classes", classes}};
}

void print(const Model& model, const TestResult& result) {
  fmt::print("{:<20}{:>10}{:>10}{:>11}{:>10}{:>8}\n", "class", "learned", "tested", "precision",
             "recall", "F1");
  for (size_t i = 0; i < model.classes.size(); ++i) {
    const TestResult::OfClass& c = result.classes[i];
    fmt::print("{:<20}{:>10}{:>10}{:>11.3f}{:>10.3f}{:>8.3f}{}\n", model.classes[i].name,
               model.classes[i].pages, c.pages, c.precision(), c.recall(), c.f1(),
               model.classes[i].good ? "  good" : "");
  }
  fmt::print("accuracy {:.3f}, macro-F1 {:.3f} ({})\n", model.test->accuracy, model.test->macro_f1,
             model.test->how);
}

Result<TestResult> test(const Given& given, const Task& task, Model& model) {
  const bool kept_back = !task.test.pages.empty();
  const Result<TestResult> result = kept_back
                                        ? test_model(model, task.test.pages)
                                        : cross_validate(task.plan, task.learn.pages, given.folds);
  if (!result) return result;
  model.test =
      Model::Test{kept_back ? fmt::format("on held-out pages: {}", fmt::join(given.test_on, ", "))
                            : fmt::format("{}-fold cross-validation", given.folds),
                  result->pages(), result->accuracy(), result->macro_f1()};
  return result;
}

// The same test with the classes of neighbours.
Result<TestResult> test_links(const Given& given, const Task& task) {
  const auto web = read_linked_pages(given.web, {}, [](std::string_view, double) { return true; });
  if (!web) return web.error();
  const LinkGraph graph = links_without_boilerplate(**web);
  const auto nodes_of = [&](const std::vector<Url>& urls) {
    std::vector<uint32_t> nodes;
    for (const Url& url : urls) nodes.push_back((*web)->find(url.href()).value_or(kNoNode));
    return nodes;
  };
  const std::vector<uint32_t> learn = nodes_of(task.learn_urls), ask = nodes_of(task.test_urls);
  if (task.test.pages.empty()) {
    return cross_validate_with_links(task.plan, graph, {task.learn.pages, learn}, given.folds);
  }
  return test_with_links(task.plan, graph, {task.learn.pages, learn}, {task.test.pages, ask});
}

void print_links(const TestResult& words, const TestResult& links) {
  fmt::print(
      "with the classes of neighbours: accuracy {:.3f}, macro-F1 {:.3f} ({:+.3f} and {:+.3f})\n",
      links.accuracy(), links.macro_f1(), links.accuracy() - words.accuracy(),
      links.macro_f1() - words.macro_f1());
  fmt::print("The model contains only words, since a judge sees one page at a time.\n");
}

int learn(const Given& given) {
  if (Status s = check(given); !s) return fail("learn", s.error(), kUsage);
  Task task;
  task.plan.kind = given.kind;
  task.plan.most_features = given.features;
  if (!given.weights.empty()) task.plan.weights = *weight_kind_named(given.weights);
  ProgressLine line;
  const Watch watch = [&](const Progress& progress) { return line.watch(progress); };
  Status gathered =
      given.labels.empty() ? gather_named(given, task) : gather_labelled(given, watch, task);
  if (!gathered) return fail("learn", gathered.error());
  watch({"training"});
  const SteadyTime start = std::chrono::steady_clock::now();
  Result<Model> model = train_model(task.plan, task.learn.pages);
  if (!model) return fail("learn", model.error());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  watch({"testing"});
  const Result<TestResult> result = test(given, task, *model);
  line.clear();
  if (!result) return fail("learn", result.error());
  std::optional<TestResult> links;
  if (given.links) {
    const Result<TestResult> tested = test_links(given, task);
    if (!tested) return fail("learn", tested.error());
    links = *tested;
  }
  model->date = to_iso8601(SystemClock().now()).substr(0, 10);
  model->languages = task.learn.languages;
  model->words = std::move(task.learn.words);
  if (Status s = write_file(given.to, model_text(*model)); !s) return fail("learn", s.error());

  if (given.json) {
    nlohmann::ordered_json all = to_json(*model, *result);
    if (links) {
      all["with_links"] = {{"accuracy", links->accuracy()}, {"macro_f1", links->macro_f1()}};
    }
    all["pages"] = task.learn.pages.size();
    all["missing"] = task.missing;
    all["seconds"] = seconds.count();
    all["model"] = given.to;
    print_json(all);
    return kDone;
  }
  print(*model, *result);
  if (links) print_links(*result, *links);
  if (task.missing > 0) fmt::print("{} labelled pages are not in the archive\n", task.missing);
  fmt::print("trained on {} pages in {:.2f} s: {}\n", task.learn.pages.size(), seconds.count(),
             given.to);
  return kDone;
}

}  // namespace

int learn_command(CommandLine line) {
  if (!line.empty() && line.front() == "anchors") return learn_anchors_command(line.subspan(1));
  if (!line.empty() && line.front() == "hmm") return learn_hmm_command(line.subspan(1));
  if (!line.empty() && line.front() == "signatures") {
    return learn_signatures_command(line.subspan(1));
  }
  Given given;
  // The kind comes first, as a command of its own, so that lists of pages can follow an option.
  if (!line.empty() && !line.front().starts_with("-")) {
    given.kind = line.front();
    line = line.subspan(1);
  }
  Arguments arguments(
      given.kind.empty() ? "learn bayes|svm|rbf-svm|weighted-bayes|anchors|hmm|signatures"
                         : "learn " + given.kind,
      "Trains a judge on labelled pages and writes a model for dowser crawl --model.",
      "dowser learn bayes --labels webkb-labels.tsv --web webkb.warc.gz --good student "
      "--test-on 3=cornell --to students.json");
  arguments.option("labels", "FILE.tsv",
                   "the class of each page of the archive: lines of URL, tab, class",
                   &given.labels);
  arguments.list("web", "FILE", "the archive that contains the pages", &given.web);
  arguments.list("good", "CLASS", "the classes that are relevant", &given.good);
  arguments.option("tree", "FILE", "a tree of classes: lines of child, tab, parent (bayes only)",
                   &given.tree);
  arguments.list("without", "COLUMN=VALUE",
                 "leave out lines of the labels with this value in a column, such as 3=misc; "
                 "column 1 is the URL",
                 &given.without);
  arguments.list(
      "test-on", "COLUMN=VALUE",
      "do not train on these lines, but test the model on them (default: cross-validation)",
      &given.test_on);
  arguments.list("good-page", "PAGE",
                 "relevant pages, if there are no labels: HTML files or addresses in the archive",
                 &given.good_pages);
  arguments.list("other-page", "PAGE", "pages that are not relevant, if there are no labels",
                 &given.other_pages);
  arguments.option("features", "N", "use only the N most informative words (default 0: all)",
                   whole_number(&given.features, "features", 0));
  const auto weights = weight_kind_names();
  arguments.option(
      "weights", "NAME",
      fmt::format("weights of words in rbf-svm: {} (default tf-idf)", fmt::join(weights, ", ")),
      [&](std::string_view name) -> Status {
        given.weights = name;
        if (weight_kind_named(name)) return {};
        return Error{fmt::format("--weights must be one of {}", fmt::join(weights, ", "))};
      });
  arguments.option("folds", "N", "number of parts of the cross-validation (default 5)",
                   whole_number(&given.folds, "folds", 2));
  arguments.flag("links",
                 "also test how much the classes of neighbouring pages help (needs --labels)",
                 &given.links);
  arguments.option("to", "FILE", "the file for the model (JSON)", output_file(&given.to));
  arguments.flag("json", "print one JSON object", &given.json);
  if (const auto code = parse_or_exit(arguments, line)) return *code;
  if (given.kind != "bayes" && given.kind != "svm" && !is_of_two_classes(given.kind)) {
    return fail("learn",
                Error{fmt::format("name what to train: dowser learn bayes, svm, rbf-svm, "
                                  "weighted-bayes, anchors, hmm or signatures{}",
                                  given.kind.empty() ? "" : ", not '" + given.kind + "'")},
                kUsage);
  }
  return learn(given);
}

}  // namespace dowser
