#include "run/final_judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "absl/container/flat_hash_map.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/new_file.h"
#include "base/packed_terms.h"
#include "engine/make_page.h"
#include "guard/host_templates.h"
#include "judge/senses.h"
#include "judge/trained/final_judge.h"
#include "model/url_canonical.h"
#include "parse/weighed_terms.h"
#include "run/archived_pages.h"
#include "run/kept_terms.h"
#include "run/run.h"
#include "store/catalogue_reader.h"
#include "store/link_rows.h"
#include "store/verdicts.h"
#include "store/visit_metadata.h"
#include "text/shell_word.h"
#include "text/topic_coverage.h"

namespace dowser {
namespace {

constexpr size_t kPagesOfWords = 100;  // the best, whose words explain verdicts
constexpr size_t kMostWords = 10'000;
constexpr size_t kSuggestedExamples = 3;
constexpr size_t kPagesOfSense = 5;  // the most typical, whose words name it
constexpr size_t kPagesPerThread = 500, kProgressStep = 50;
// A page of the catalogue, and what is found out about it.
struct JudgedPage {
  uint32_t id = 0;
  std::string url, final_url, title, language;
  std::string file;  // of the archive; "" if it holds no answer
  uint64_t offset = 0;
  bool is_new = false;  // neither a copy of another page nor "not found"
  bool was_relevant = false;
  double at_fetch = 0;   // relevance
  std::string terms;     // packed
  bool is_read = false;  // terms or verdict are there, or cannot be had
  std::optional<FinalVerdict> verdict;
};

class Judging {
 public:
  explicit Judging(const FinalJudgementTask& task)
      : task_(task), catalogue_(task.folder / "catalogue.sqlite") {}

  Result<FinalJudgement> run() {
    if (Status s = list_pages(); !s) return s.error();
    if (Status s = read_pages(); !s) return s.error();
    std::optional<JudgedBy> by;
    if (task_.learns) {
      Result<std::optional<JudgedBy>> judged = judge_by_all();
      if (!judged) return judged.error();
      by = std::move(*judged);
    }
    apply_marks();
    size_t at = 0;
    const auto verdict_of = [&](uint32_t id) -> std::optional<FinalVerdict> {
      while (at < pages_.size() && pages_[at].id < id) ++at;
      return at < pages_.size() && pages_[at].id == id ? pages_[at].verdict : std::nullopt;
    };
    const std::vector<StoredSense> senses = senses_of_finds();
    if (Status s = write_verdicts(catalogue_, verdict_of, by, senses, task_.configuration); !s)
      return s.error();
    Result<FinalJudgement> judged = result(by);
    if (judged && by) judged->doubts = doubts_about_finds();
    if (judged) judged->has_senses = !senses.empty();
    return judged;
  }

 private:
  Status list_pages() {
    Result<CatalogueReader> catalogue = CatalogueReader::open(catalogue_);
    if (!catalogue) return catalogue.error();
    return catalogue->for_each_answer([&](const CataloguePage& row) {
      JudgedPage& page = pages_.emplace_back();
      page.id = row.id;
      page.url = row.url;
      page.final_url = row.final_url;
      page.title = row.title;
      page.language = row.language;
      page.file = row.archive_file;
      page.offset = row.archive_offset;
      page.is_new = !row.near_duplicate_of && !row.soft_404;
      page.was_relevant = row.relevant;
      page.at_fetch = row.relevance_at_fetch;
    });
  }

  // The terms of all pages, or their verdicts if the judge does not learn. A page whose record is
  // damaged keeps its verdict; a file of the archive that cannot be opened is an error.
  Status read_pages() {
    if (Status s = learn_templates(); !s) return s;
    if (task_.learns && task_.saved) {
      if (Status s = take_kept_terms(); !s) return s;
    }
    return on_threads(1, [&](ArchivedPages& archive, size_t i) {
      if (pages_[i].is_read) return;
      const auto page = page_of(archive, pages_[i], parse_options());
      if (!page) return;
      if (task_.learns) {
        pages_[i].terms = packed_terms(page->terms);
      } else {
        pages_[i].verdict = verdict_of(task_.judge.judge(*page));
      }
    });
  }

  // Without a state all pages are parsed for it.
  Status learn_templates() {
    if (task_.saved) return task_.saved->restore(templates_);
    std::vector<std::string> blocks(pages_.size());
    Status read = on_threads(0, [&](ArchivedPages& archive, size_t i) {
      if (!pages_[i].is_new) return;
      ParseOptions options;
      options.count_terms = false;
      options.detect_language = false;
      if (const auto page = page_of(archive, pages_[i], options)) {
        blocks[i] = HostTemplates::saved(*page, true);
      }
    });
    if (!read) return read;
    for (const std::string& of_page : blocks) templates_.learn(of_page);
    return {};
  }

  Status take_kept_terms() {
    size_t at = 0;
    return task_.saved->for_each_kept_terms([&](VisitId visit, std::string_view kept) {
      while (at < pages_.size() && pages_[at].id < visit.value) ++at;
      if (at == pages_.size() || pages_[at].id != visit.value) return;
      const auto terms = terms_in(kept, task_.fields, templates_);
      if (!terms) return;
      pages_[at].terms = *terms;
      pages_[at].is_read = true;
    });
  }

  // Calls work(archive, i) for each page, on several threads. This is pass number `pass` over the
  // pages, 0 or 1.
  template <class Work>
  Status on_threads(size_t pass, const Work& work) {
    std::atomic<size_t> next = 0, done = pass * pages_.size();
    std::atomic<bool> is_stopped = false;
    std::mutex mutex;
    Status failed;
    const auto run = [&](const std::function<void()>& report) {
      ArchivedPages archive(task_.folder / "archive");
      for (size_t i; !is_stopped && (i = next++) < pages_.size();) {
        work(archive, i);
        if (!archive.status()) {
          const std::lock_guard lock(mutex);
          failed = archive.status();
          is_stopped = true;
        }
        ++done;
        report();
      }
    };
    const size_t threads =
        task_.threads > 0 ? task_.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < std::min(threads, pages_.size() / kPagesPerThread + 1); ++i) {
      helpers.emplace_back(run, [] {});
    }
    size_t own = 0;
    run([&] {
      if (++own % kProgressStep != 0) return;
      if (!task_.watch({"pages judged again", done / 2, pages_.size()})) is_stopped = true;
    });
    for (std::thread& helper : helpers) helper.join();
    if (!failed) return failed;
    return is_stopped ? stopped() : Status{};
  }

  ParseOptions parse_options() const {
    ParseOptions options;
    options.fields = task_.fields;
    options.mark_blocks = [this](Page& page) { templates_.mark(page); };
    return options;
  }

  std::optional<Page> page_of(ArchivedPages& archive, const JudgedPage& page,
                              const ParseOptions& options) const {
    if (page.file.empty()) return std::nullopt;
    const Result<ArchivedPages::Answer> answer = archive.answer(page.file, page.offset);
    if (!answer || !answer->response.ok()) return std::nullopt;
    // Of a page that had not changed, the archive of an earlier crawl holds the body.
    if (answer->response.body.empty()) return std::nullopt;
    return answer->page(task_.config.sitemaps, options);
  }

  static FinalVerdict verdict_of(const Judgement& judgement) {
    return {judgement.relevance.value, judgement.relevant, judgement.label,
            reasons_json(judgement)};
  }

  // Examples are read as the pages of the crawl are.
  Topic without_templates(Topic topic) const {
    for (std::vector<Page>* pages : {&topic.examples, &topic.counter_examples}) {
      for (Page& page : *pages) {
        if (templates_.mark(page) > 0) page.terms = weighed_terms(page, task_.fields);
      }
    }
    return topic;
  }

  // Nothing if there is too little to learn from: then the verdict at fetch stays.
  Result<std::optional<JudgedBy>> judge_by_all() {
    const Topic topic = without_templates(task_.topic);
    FinalTrainer trainer(topic);
    Page page;
    for (const JudgedPage& one : pages_) {
      if (!one.is_new || one.terms.empty()) continue;
      unpack_terms(one.terms, page.terms);
      trainer.add(hash64(one.final_url), page.terms);
    }
    const Result<FinalModel> model = trainer.train();
    const std::filesystem::path file = task_.folder / kJudgeFile;
    if (!model) {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
      return std::optional<JudgedBy>();
    }
    TopicCoverage coverage{TopicWords(topic.words)};
    std::vector<FinalEvidence> evidence;
    for (const JudgedPage& one : pages_) {
      unpack_terms(one.terms, page.terms);
      evidence.push_back({log_odds_of(model->relevance(page.terms)), one.at_fetch, 0, one.is_new,
                          !one.terms.empty()});
      if (one.is_new && !one.terms.empty()) coverage.add_page(coverage.words().in(page.terms));
    }
    const TitleShare titles(topic.words, coverage.rarities());
    for (size_t i = 0; i < pages_.size(); ++i) {
      evidence[i].in_title = titles.of(pages_[i].title, pages_[i].language);
    }
    const Result<PageLists> lists = lists_of_pages();
    if (!lists) return lists.error();
    const std::vector<FinalRelevance> relevances =
        final_relevances(evidence, *lists, trainer.weights());
    std::vector<double> of_new;
    for (size_t i = 0; i < pages_.size(); ++i) {
      if (pages_[i].is_new && evidence[i].is_known) {
        of_new.push_back(relevance_of(relevances[i].log_odds));
      }
    }
    FinalThresholds thresholds = final_thresholds(of_new);
    if (task_.config.threshold) {
      thresholds = {*task_.config.threshold, *task_.config.threshold};
    }
    const FinalJudge judge(task_.judge.spec(), model->with_threshold(thresholds.relevant),
                           trainer.weights(), titles, words_of_best(relevances));
    for (size_t i = 0; i < pages_.size(); ++i) {
      JudgedPage& one = pages_[i];
      if (one.terms.empty()) continue;
      unpack_terms(one.terms, page.terms);
      one.verdict = verdict_of(judge.judge(page, relevances[i]));
      if (!one.verdict->relevant && one.verdict->relevance >= thresholds.doubtful) {
        one.verdict->label = kDoubtful;
      }
    }
    ByteWriter out;
    out.text(judge.bytes());
    out.text(task_.fields.text());
    templates_.save(out);
    if (Status s = replace_own_file(file, out.bytes()); !s) return s.error();
    return std::optional(
        JudgedBy{judge.spec().text(), judge.threshold(), static_cast<uint32_t>(pages_.size())});
  }

  // Which pages are listed beside each other on the pages of the crawl.
  Result<PageLists> lists_of_pages() const {
    PageLists lists(pages_.size());
    absl::flat_hash_map<uint64_t, uint32_t> numbers;  // by hash of the address
    absl::flat_hash_map<int64_t, uint32_t> by_id;
    for (uint32_t i = 0; i < pages_.size(); ++i) {
      numbers.try_emplace(hash64(pages_[i].url), i);
      numbers.try_emplace(hash64(pages_[i].final_url), i);
      by_id.emplace(pages_[i].id, i);
    }
    std::map<std::string, std::vector<uint32_t>, std::less<>> of_page;  // by tag path
    int64_t page = -1;
    const auto add = [&] {
      const auto from = by_id.find(page);
      for (const auto& [tag_path, list] : of_page) {
        if (from != by_id.end()) lists.add(from->second, list);
      }
      of_page.clear();
    };
    Status read = for_each_link(catalogue_, [&](const CatalogueLink& link) {
      if (link.page != page) add();
      page = link.page;
      const auto to = numbers.find(hash64(link.url));
      auto list = of_page.find(link.tag_path);
      if (list == of_page.end()) list = of_page.try_emplace(std::string(link.tag_path)).first;
      list->second.push_back(to == numbers.end() ? PageLists::kNone : to->second);
      return true;
    });
    if (!read) return read.error();
    add();
    return lists;
  }

  // Terms are hashes: the words that they stand for are read from the topic and the best pages.
  TermWords words_of_best(const std::vector<FinalRelevance>& relevances) const {
    TermWords words;
    add_words(task_.topic.words, words);
    for (const Page& example : task_.topic.examples) add_words(example, words, kMostWords);
    std::vector<size_t> order;
    for (size_t i = 0; i < pages_.size(); ++i) {
      if (pages_[i].is_new && !pages_[i].terms.empty()) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return relevances[a].log_odds > relevances[b].log_odds;
    });
    order.resize(std::min(order.size(), kPagesOfWords));
    ArchivedPages archive(task_.folder / "archive");
    for (const size_t i : order) {
      if (const auto page = page_of(archive, pages_[i], parse_options()))
        add_words(*page, words, kMostWords);
    }
    return words;
  }

  // What a person says about a page is true.
  void apply_marks() {
    const auto addresses = [](const std::vector<std::string>& places) {
      std::set<std::string, std::less<>> all;
      for (const std::string& place : places) {
        if (const Result<Url> url = Url::parse(place)) {
          all.emplace(url->href());
          all.emplace(canonical(*url).href());
        }
      }
      return all;
    };
    const auto useful = addresses(task_.config.examples);
    const auto useless = addresses(task_.config.not_examples);
    for (JudgedPage& page : pages_) {
      const bool is_useless = useless.contains(page.url) || useless.contains(page.final_url);
      const bool is_useful = useful.contains(page.url) || useful.contains(page.final_url);
      if (!is_useless && !is_useful) continue;
      if (!page.verdict) page.verdict.emplace();
      page.verdict->relevant = !is_useless;
      page.verdict->relevance = is_useless ? 0 : 1;
      page.verdict->label = is_useless ? kUseless : kUseful;
      page.verdict->reasons = is_useless ? "" : R"json([["(marked as useful)",1.0]])json";
    }
  }

  // A crawl may follow another subject to its end, and then its finds resemble each other as those
  // of a good one do; but they lack words of the topic.
  std::vector<std::string> doubts_about_finds() const {
    TopicCoverage coverage{TopicWords(task_.topic.words)};
    std::vector<WordSet> words_of_finds;
    std::vector<std::pair<WordSet, const JudgedPage*>> pages;
    Page page;
    for (const JudgedPage& one : pages_) {
      if (!one.is_new || one.terms.empty()) continue;
      unpack_terms(one.terms, page.terms);
      const WordSet words = coverage.words().in(page.terms);
      coverage.add_page(words);
      pages.emplace_back(words, &one);
      if (one.verdict && one.verdict->relevant) words_of_finds.push_back(words);
    }
    const TopicCoverage::Finds finds = coverage.finds(words_of_finds);
    if (!finds.is_suspicious() || !task_.topic.examples.empty()) return {};
    std::string doubt = fmt::format(
        "Hardly any of the {} relevant pages has {}: they may be about another subject.",
        words_of_finds.size(), coverage.names(finds.lacking));
    // Those with most of what the finds lack.
    WordSet lacking = 0;
    for (const size_t word : finds.lacking) lacking |= static_cast<WordSet>(1u << word);
    const auto lacked = [&](WordSet words) {
      double sum = 0;
      for (const size_t word : finds.lacking) sum += words >> word & 1 ? coverage.rarity(word) : 0;
      return sum;
    };
    std::erase_if(pages, [&](const auto& one) { return (one.first & lacking) == 0; });
    std::stable_sort(pages.begin(), pages.end(), [&](const auto& a, const auto& b) {
      return lacked(a.first) > lacked(b.first);
    });
    if (pages.empty()) {
      doubt += " No page that was fetched has these words: try other seeds or other words.";
    } else {
      doubt += " If these pages are what you are looking for, continue with  dowser resume " +
               shell_word(task_.config.out) +
               fmt::format(" --max-pages {}", 2 * task_.config.max_pages);
      for (size_t i = 0; i < std::min(pages.size(), kSuggestedExamples); ++i) {
        doubt += " --example " + shell_word(pages[i].second->final_url);
      }
    }
    return {std::move(doubt)};
  }

  // Only if nothing but words says what is meant. Examples have one meaning.
  std::vector<StoredSense> senses_of_finds() const {
    const Topic& topic = task_.topic;
    if (!topic.examples.empty() || !topic.counter_examples.empty() || !task_.learns) return {};
    std::vector<const JudgedPage*> pages;
    for (const JudgedPage& one : pages_) {
      if (one.is_new && !one.terms.empty() && one.verdict) pages.push_back(&one);
    }
    std::stable_sort(pages.begin(), pages.end(), [](const JudgedPage* a, const JudgedPage* b) {
      return a->verdict->relevance > b->verdict->relevance;
    });
    std::vector<std::vector<TermCount>> finds, others;
    for (const JudgedPage* one : pages) {
      unpack_terms(one->terms, (one->verdict->relevant ? finds : others).emplace_back());
    }
    std::vector<StoredSense> named;
    for (const Sense& sense : senses_of(finds, others, TopicWords(topic.words))) {
      StoredSense& stored = named.emplace_back();
      for (const uint32_t find : sense.pages) stored.pages.push_back(pages[find]->id);
      stored.words = words_of_sense(sense, pages);
    }
    return named;
  }

  std::string words_of_sense(const Sense& sense, std::span<const JudgedPage* const> finds) const {
    TermWords words;
    ArchivedPages archive(task_.folder / "archive");
    for (size_t i = 0; i < std::min(sense.pages.size(), kPagesOfSense); ++i) {
      if (const auto page = page_of(archive, *finds[sense.pages[i]], parse_options())) {
        add_words(*page, words);
      }
    }
    std::string text;
    for (const TermId term : sense.words) {
      const auto word = words.find(term);
      if (word != words.end()) text += (text.empty() ? "" : " ") + word->second;
    }
    return text;
  }

  Result<FinalJudgement> result(const std::optional<JudgedBy>& by) const {
    FinalJudgement judged;
    judged.threshold = by ? by->threshold : task_.judge.threshold();
    judged.pages = pages_.size();
    for (const JudgedPage& page : pages_) {
      const bool relevant = page.verdict ? page.verdict->relevant : page.was_relevant;
      judged.relevant += relevant && page.is_new;
      judged.doubtful += page.is_new && page.verdict && page.verdict->label == kDoubtful;
      judged.changed += relevant != page.was_relevant;
    }
    return judged;
  }

  const FinalJudgementTask& task_;
  const std::filesystem::path catalogue_;
  HostTemplates templates_;
  std::vector<JudgedPage> pages_;  // that were answered with success, by id
};

}  // namespace

Result<FinalJudgement> judge_again(const FinalJudgementTask& task) { return Judging(task).run(); }

Result<FinalJudgement> final_judgement_at_fetch(const std::filesystem::path& folder,
                                                double threshold) {
  Result<CatalogueReader> catalogue = CatalogueReader::open(folder);
  if (!catalogue) return catalogue.error();
  const Result<CatalogueCounts> counts = catalogue->page_counts();
  if (!counts) return counts.error();
  FinalJudgement judged;
  judged.threshold = threshold;
  judged.relevant = counts->relevant;
  return judged;
}

ParseOptions CrawlJudge::parse_options() const {
  ParseOptions options;
  options.fields = fields;
  options.mark_blocks = [known = templates](Page& page) { known->mark(page); };
  return options;
}

Result<CrawlJudge> judge_of_crawl(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kJudgeFile;
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    return Error{fmt::format(
        "{} has no learned judge: its crawl has not ended yet, or its judge does not learn",
        folder.string())};
  }
  const Result<std::string> bytes = read_file(file, kLargestData);
  if (!bytes) return bytes.error();
  ByteReader in(*bytes);
  Result<std::unique_ptr<FinalJudge>> judge = FinalJudge::from_bytes(in.text());
  const auto damaged = [&](std::string_view what) {
    return Error{fmt::format("{}: {}; make it again with  dowser rejudge {}", file.string(), what,
                             folder.string())};
  };
  if (!judge) return damaged(judge.error().message);
  const Result<FieldWeights> fields = FieldWeights::parse(in.text());
  auto templates = std::make_shared<HostTemplates>();
  if (!fields || !templates->load(in) || !in.at_end()) return damaged("the file is damaged");
  return CrawlJudge{std::move(*judge), *fields, std::move(templates)};
}

Result<std::optional<std::vector<Judgement::Reason>>> reasons_on_page(
    const std::filesystem::path& folder, const CataloguePage& row) {
  using Reasons = std::optional<std::vector<Judgement::Reason>>;
  std::error_code failed;
  const bool was_judged = std::filesystem::exists(folder / kJudgeFile, failed);
  if (row.archive_file.empty() || (!row.label.empty() && row.label != kDoubtful) ||
      (!was_judged && !failed))
    return Reasons();
  const Result<CrawlJudge> judge = judge_of_crawl(folder);
  if (!judge) return judge.error();
  const Result<CrawlConfig> config = config_of(folder);
  if (!config) return config.error();
  ArchivedPages archive(folder / "archive");
  const auto answer = archive.answer(row.archive_file, row.archive_offset);
  if (!archive.status()) return archive.status().error();
  if (!answer || !answer->response.ok() || answer->response.body.empty()) return Reasons();
  const Page page = answer->page(config->sitemaps, judge->parse_options());
  return Reasons(judge->judge->judge(page, row.relevance_at_fetch, row.relevance).reasons);
}

}  // namespace dowser
