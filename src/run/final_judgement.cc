#include "run/final_judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/hash.h"
#include "engine/make_page.h"
#include "judge/trained/final_judge.h"
#include "model/url_canonical.h"
#include "run/archived_pages.h"
#include "store/verdicts.h"
#include "store/visit_metadata.h"

namespace dowser {
namespace {

constexpr size_t kPagesOfWords = 100;  // the best, whose words explain verdicts
constexpr size_t kMostWords = 10'000;
constexpr size_t kProgressStep = 500;

// The terms of a page in few bytes: differences of the sorted numbers and counts, seven bits each.
std::string packed(std::span<const TermCount> terms) {
  std::string bytes;
  const auto add = [&](uint32_t number) {
    for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
    bytes += static_cast<char>(number);
  };
  TermId last = 0;
  for (const TermCount& t : terms) {
    add(t.term - last);
    add(t.count);
    last = t.term;
  }
  bytes.shrink_to_fit();
  return bytes;
}

void unpack(std::string_view bytes, std::vector<TermCount>& terms) {
  terms.clear();
  size_t at = 0;
  const auto next = [&] {
    uint32_t number = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes[at++]);
      number |= uint32_t{byte & 127u} << shift;
      if (byte < 128) break;
    }
    return number;
  };
  TermId last = 0;
  while (at < bytes.size()) {
    last += next();
    terms.push_back({last, next()});
  }
}

// A page of the catalogue, and what is found out about it.
struct JudgedPage {
  uint32_t id = 0;
  std::string url, final_url;
  std::string file;  // of the archive; "" if it holds no answer
  uint64_t offset = 0;
  bool is_new = false;  // neither a copy of another page nor "not found"
  bool was_relevant = false;
  std::string terms;  // packed
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
    if (Status s = write_verdicts(catalogue_, verdict_of, by, task_.configuration); !s)
      return s.error();
    return result(by);
  }

 private:
  Status list_pages() {
    Result<Database> database = Database::open(catalogue_);
    if (!database) return database.error();
    Result<Statement> rows = database->prepare(
        "SELECT id, url, final_url, archive_file, archive_offset, near_duplicate_of IS NULL AND "
        "NOT soft_404, relevant FROM pages WHERE status BETWEEN 200 AND 299 ORDER BY id");
    if (!rows) return rows.error();
    while (true) {
      const Result<bool> row = rows->step();
      if (!row) return row.error();
      if (!*row) return {};
      JudgedPage& page = pages_.emplace_back();
      page.id = static_cast<uint32_t>(rows->integer(0));
      page.url = rows->text(1);
      page.final_url = rows->text(2);
      page.file = rows->text(3);
      page.offset = static_cast<uint64_t>(rows->integer(4));
      page.is_new = rows->integer(5) != 0;
      page.was_relevant = rows->integer(6) != 0;
    }
  }

  // Parses all pages again, on several threads. A page that cannot be read keeps its verdict.
  Status read_pages() {
    std::atomic<size_t> next = 0, done = 0;
    const auto work = [&] {
      ArchivedPages archive(task_.folder / "archive");
      for (size_t i; (i = next++) < pages_.size();) {
        read(archive, pages_[i]);
        if (++done % kProgressStep == 0) task_.progress(done, pages_.size());
      }
    };
    const size_t threads =
        task_.threads > 0 ? task_.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < std::min(threads, pages_.size() / kProgressStep + 1); ++i) {
      helpers.emplace_back(work);
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    task_.progress(pages_.size(), pages_.size());
    return {};
  }

  std::optional<Page> page_of(ArchivedPages& archive, const JudgedPage& page) const {
    if (page.file.empty()) return std::nullopt;
    const Result<Response> response = archive.response(page.file, page.offset);
    if (!response || !response->ok()) return std::nullopt;
    // Of a page that had not changed, the archive of an earlier crawl holds the body.
    if (response->body.empty()) return std::nullopt;
    return make_page(*response, {}, task_.config.sitemaps);
  }

  void read(ArchivedPages& archive, JudgedPage& judged) const {
    const std::optional<Page> page = page_of(archive, judged);
    if (!page) return;
    if (task_.learns) {
      judged.terms = packed(page->terms);
    } else {
      judged.verdict = verdict_of(task_.judge.judge(*page));
    }
  }

  static FinalVerdict verdict_of(const Judgement& judgement) {
    return {judgement.relevance.value, judgement.relevant, judgement.label,
            reasons_json(judgement)};
  }

  // Nothing if there is too little to learn from: then what was said at fetch stays.
  Result<std::optional<JudgedBy>> judge_by_all() {
    FinalTrainer trainer(task_.topic);
    Page page;
    for (const JudgedPage& one : pages_) {
      if (!one.is_new || one.terms.empty()) continue;
      unpack(one.terms, page.terms);
      trainer.add(hash64(one.final_url), page.terms);
    }
    const Result<FinalModel> model = trainer.train();
    const std::filesystem::path file = task_.folder / kJudgeFile;
    if (!model) {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
      return std::optional<JudgedBy>();
    }
    std::vector<double> relevances(pages_.size());
    std::vector<double> of_new;
    for (size_t i = 0; i < pages_.size(); ++i) {
      unpack(pages_[i].terms, page.terms);
      relevances[i] = model->relevance(page.terms);
      if (pages_[i].is_new && relevances[i] > 0) of_new.push_back(relevances[i]);
    }
    const FinalJudge judge(task_.judge.spec(),
                           task_.config.threshold ? model->with_threshold(*task_.config.threshold)
                                                  : model->with_best_threshold(of_new),
                           words_of_best(relevances));
    for (JudgedPage& one : pages_) {
      if (one.terms.empty()) continue;
      unpack(one.terms, page.terms);
      one.verdict = verdict_of(judge.judge(page));
    }
    if (Status s = write_file(file, judge.bytes()); !s) return s.error();
    return std::optional(
        JudgedBy{judge.spec().text(), judge.threshold(), static_cast<uint32_t>(pages_.size())});
  }

  // Terms are hashes: the words that they stand for are read from the topic and the best pages.
  TermWords words_of_best(const std::vector<double>& relevances) const {
    TermWords words;
    add_words(task_.topic.words, words);
    for (const Page& example : task_.topic.examples) add_words(example, words, kMostWords);
    std::vector<size_t> order;
    for (size_t i = 0; i < pages_.size(); ++i) {
      if (pages_[i].is_new && !pages_[i].terms.empty()) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return relevances[a] > relevances[b]; });
    order.resize(std::min(order.size(), kPagesOfWords));
    ArchivedPages archive(task_.folder / "archive");
    for (const size_t i : order) {
      if (const auto page = page_of(archive, pages_[i])) add_words(*page, words, kMostWords);
    }
    return words;
  }

  // What a person says of a page is true.
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
    }
  }

  Result<FinalJudgement> result(const std::optional<JudgedBy>& by) const {
    FinalJudgement judged;
    judged.threshold = by ? by->threshold : task_.judge.threshold();
    judged.pages = pages_.size();
    for (const JudgedPage& page : pages_) {
      const bool relevant = page.verdict ? page.verdict->relevant : page.was_relevant;
      judged.relevant += relevant && page.is_new;
      judged.changed += relevant != page.was_relevant;
    }
    return judged;
  }

  const FinalJudgementTask& task_;
  const std::filesystem::path catalogue_;
  std::vector<JudgedPage> pages_;  // that were answered with success, by id
};

}  // namespace

Result<FinalJudgement> judge_again(const FinalJudgementTask& task) { return Judging(task).run(); }

Result<FinalJudgement> final_judgement_at_fetch(const std::filesystem::path& folder,
                                                double threshold) {
  Result<Database> database = Database::open(folder / "catalogue.sqlite");
  if (!database) return database.error();
  Result<Statement> row = database->prepare("SELECT COUNT(*) FROM found");
  if (!row) return row.error();
  const Result<bool> there = row->step();
  if (!there) return there.error();
  FinalJudgement judged;
  judged.threshold = threshold;
  judged.relevant = static_cast<size_t>(row->integer(0));
  return judged;
}

Result<std::unique_ptr<Judge>> judge_of_crawl(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kJudgeFile;
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    return Error{fmt::format(
        "{} holds no judge: the crawl has not come to its end, or its judge does not learn; see "
        "with  dowser rejudge {}",
        folder.string(), folder.string())};
  }
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.error();
  Result<std::unique_ptr<FinalJudge>> judge = FinalJudge::from_bytes(*bytes);
  if (!judge) {
    return Error{fmt::format("{}: {}; make it again with  dowser rejudge {}", file.string(),
                             judge.error().message, folder.string())};
  }
  return std::unique_ptr<Judge>(std::move(*judge));
}

}  // namespace dowser
