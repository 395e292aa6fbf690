#include <memory>

#include "model/crawl_statistics.h"
#include "model/url_rules.h"
#include "strategy/cindi/anchor_lists.h"
#include "strategy/cindi/cindi_options.h"
#include "strategy/strategy.h"

// The CINDI Robot (Chen 2008, chapters 3 and 4), a crawler that fills a digital library with papers
// in computer science. It crawls sites as units and looks at a link three times: at its address,
// at its words, and at the page it is on.
//
// clang-format off
//   layer of a page   1: the judge calls it relevant
//                     2: it is not, but looks like pages that lead to relevant ones (layer_two.cc)
//                     none of both otherwise: its links are dropped (4.3.6)
//   by the address    dropped: too many directories, a stop directory, another format; in the next
//                     crawl also directories to be avoided and sites not to be crawled again
//                     (4.2.1; the lists are those of the profile and of the statistics)
//   by the words      on layer 1 dropped if on the pruning list, on layer 2 if not on the
//                     extracting list (4.2.2, anchor_lists.h)
//   within the site   the link waits there
//   to another site   the site waits with high priority if the page is in layer 1 or the host looks
//                     like a department's, otherwise with low priority
// clang-format on
//
// 75 sites are open at a time; a new one is opened when another is finished, first those with high
// priority (site_queue.cc). A site with less than 5 % relevant pages after 200 is left
// (model/crawl_statistics.cc). A link to a document is followed from layer 1 only (4.6).
//
// Tunnelling (4.3.5). When no site with high priority waits, more pages count as layer 2, until 30
// new sites with relevant pages have been found.
//
// Example. A relevant page of x.edu links to x.edu/b, to y.org and to x.edu/images/c. b waits in
// x.edu; y.org waits with high priority; c is dropped, since `images` is a stop directory. A page
// of layer 2 links to z.org and to cs.z.edu: cs.z.edu waits with high priority, z.org with low one
// if the link's words are on the extracting list.
//
// Parameters. sites = 75, bias = 0.75, new_sites = 30 and steps = 5 are those of the thesis, or of
// the profile. site=host|domain: what a site is. reopen=no drops links into finished sites, as
// printed; others=drop drops the links of pages in no layer, as printed. By default both are
// followed, others after everything else: with fewer seeds than the 200 of the thesis a crawl
// would often end after a few pages.
//
// order: which link of the open sites is next. The thesis says in 4.3.5 that no page of low
// priority is fetched before all of high priority, and in 4.3.6 that ideally the most relevant
// pages come first, but its algorithm (4.6) has one list for each site, first found, first fetched.
// order=relevance, the default, does what 4.3 says: links of layer 1 go before those of layer 2,
// each by the relevance of their page. order=layers goes by the layer alone. order=found is the
// algorithm as printed; on sites of thousands of pages it is no better than breadth-first
// (docs/cindi.md).
//
// tunnel=factor|odds: layer_two.cc. without=url|anchors|graph|tunnel|statistics|keywords leaves
// parts out, several joined by '+': `graph` means that there is no layer 2, `keywords` that no host
// looks like a department's.
//
// What differs from the thesis:
//  - An empty list means that there is no such rule: without an extracting list every link of a
//    page in layer 2 is followed. Without a profile the subject is that of the topic alone.
//  - Host keywords are compared with the labels left of the public suffix, so `.it` is none.
//  - robots.txt is obeyed for seeds too; 4.6 does not check them.
//  - Seeds go before all other links, as in every crawl.
//  - In figure 12 a department's page goes to high priority wherever the link is; 4.3.6 names
//    that an exception to the rule of layer 2, and 4.6 extracts no links from pages in no layer.
//    Here it holds for layers 1 and 2.
//
// The tests are in tests/strategy/cindi/ and tests/scenarios/cindi_*.txt. docs/cindi.md has the
// figures.

namespace dowser {
namespace {

// Endings of documents where the profile names none (4.2.1).
const std::vector<std::string>& usual_document_formats() {
  static const std::vector<std::string> formats = {"pdf", "ps",  "doc", "docx",  "odt",
                                                   "rtf", "tex", "txt", "latex", "xml"};
  return formats;
}

Profile with_document_formats(Profile profile) {
  if (profile.addresses.document_formats.empty()) {
    profile.addresses.document_formats = usual_document_formats();
  }
  return profile;
}

constexpr uint32_t kHighIsExhausted = 1;  // mark of a candidate

class Cindi final : public Strategy, public ExplainsScores, public SavesState {
 public:
  // Without statistics of the crawl it keeps its own.
  Cindi(const CindiOptions& options, const Profile& profile, LayerTwo layer_two,
        const CrawlStatistics* statistics)
      : options_(options),
        rules_(with_document_formats(profile)),
        anchors_(profile.anchors),
        own_statistics_(statistics ? nullptr
                                   : std::make_unique<CrawlStatistics>(profile.statistics)),
        statistics_(statistics ? *statistics : *own_statistics_),
        layer_two_(std::move(layer_two)),
        sites_(options.sites) {}

  void learn(const Visit& visit) override {
    ++visits_;
    if (own_statistics_) own_statistics_->learn(visit);
    sites_.note_visit(visit.candidate.url, visit.id);
    if (visit.candidate.mark == kHighIsExhausted && !is_tunnelling_ && !options_.without_tunnel) {
      is_tunnelling_ = true;
      new_sites_ = 0;
    }
    const bool is_relevant = visit.judgement.relevant && visit.response.ok();
    layer_two_.learn(visit, is_relevant);
    const bool in_layer_two = !is_relevant && visit.response.ok() && !options_.without_graph &&
                              layer_two_.contains(visit.page, is_tunnelling_);
    layer_ = is_relevant ? 1 : in_layer_two ? 2 : 0;
    if (is_relevant && sites_.note_layer_one(visit.response.url) && is_tunnelling_) {
      is_tunnelling_ = ++new_sites_ < options_.new_sites;
    }
    if (!options_.without_statistics && statistics_.is_trap(visit.response.url)) {
      sites_.note_trap(visit.response.url);
    }
  }

  std::optional<Score> score(const Visit& visit, const Link& link) override {
    const bool is_document = rules_.format(link.url) == AddressFormat::kDocument;
    if (is_refused(link.url) || (is_document && layer_ != 1)) return std::nullopt;
    if (layer_ == 0) {
      rule_ = "outside";
      score_ = score_of(visit, kOthers);
      return options_.others_last ? std::optional(score_) : std::nullopt;
    }
    const bool is_inside = sites_.is_same_site(visit.response.url, link.url);
    const bool is_department = !is_inside && !options_.without_keywords && !options_.without_url &&
                               rules_.host_keyword(link.url.hostname());
    if (!is_department && !options_.without_anchors && is_refused(visit.page, link)) {
      return std::nullopt;
    }
    const bool is_high = layer_ == 1 || is_department;
    sites_.note_offer(link.url, is_high ? SiteQueue::Priority::kHigh : SiteQueue::Priority::kLow);
    rule_ = is_inside ? "same site" : is_department ? "department" : is_high ? "high" : "low";
    const bool goes_first = is_high || (is_inside && options_.order == CindiOptions::Order::kFound);
    score_ = score_of(visit, goes_first ? kHigh : kLow);
    return score_;
  }

  std::vector<Candidate> select(FrontierView& frontier) override {
    std::optional<SiteQueue::Choice> choice = sites_.choose(frontier);
    if (!choice) return {};
    choice->candidate.mark = choice->high_is_exhausted ? kHighIsExhausted : 0;
    return {std::move(choice->candidate)};
  }

  // Names the rule that decided, with the score.
  std::vector<ScorePart> explain(const Visit&, const Link&) const override {
    std::vector<ScorePart> parts = {{rule_, score_.value()},
                                    {"layer", static_cast<double>(layer_), ScorePart::kFact}};
    if (is_tunnelling_) parts.push_back({"tunnelling", 1, ScorePart::kFact});
    return parts;
  }

  void save(ByteWriter& out) const override {
    if (visits_ == 0) return;
    out.number(visits_);
    out.number(static_cast<uint8_t>(is_tunnelling_));
    out.number(new_sites_);
    sites_.save(out);
    layer_two_.save(out);
    if (!own_statistics_) return;
    ByteWriter statistics;
    own_statistics_->save(statistics);
    out.text(statistics.bytes());
  }

  Status load(ByteReader& in) override {
    visits_ = in.number<uint32_t>();
    is_tunnelling_ = in.number<uint8_t>() != 0;
    new_sites_ = in.number<uint32_t>();
    if (Status s = sites_.load(in); !s) return s;
    if (Status s = layer_two_.load(in); !s) return s;
    if (!own_statistics_) return {};
    const std::string_view saved = in.text();
    if (!in.ok()) return Error{"the saved statistics of sites are cut short"};
    ByteReader statistics(saved);
    return saved.empty() ? Status{} : own_statistics_->load(statistics);
  }

  Spec spec() const override { return options_.spec(); }

 private:
  static constexpr double kHigh = 1, kLow = 0, kOthers = -1;

  Score score_of(const Visit& visit, double priority) const {
    const bool by_relevance = options_.order == CindiOptions::Order::kRelevance;
    return Score(priority, by_relevance ? visit.judgement.relevance.value : 0);
  }

  // By its address, as in figure 12, and by what is known about its directories and site.
  bool is_refused(const Url& url) const {
    if (!options_.without_url && !rules_.refusal(url).empty()) return true;
    return !options_.without_statistics &&
           (statistics_.is_trap(url) || statistics_.is_not_again(url) ||
            statistics_.is_to_avoid(url) || statistics_.stop_directory(url.path()));
  }

  // By its words.
  bool is_refused(const Page& page, const Link& link) const {
    if (layer_ == 1) return anchors_.prunes(page, link);
    return anchors_.has_extracting() && !anchors_.extracts(page, link);
  }

  const CindiOptions options_;
  const UrlRules rules_;
  const AnchorLists anchors_;
  const std::unique_ptr<CrawlStatistics> own_statistics_;
  const CrawlStatistics& statistics_;
  LayerTwo layer_two_;
  SiteQueue sites_;
  uint32_t visits_ = 0;
  bool is_tunnelling_ = false;
  uint32_t new_sites_ = 0;  // with relevant pages, since tunnelling began

  int layer_ = 0;          // of the page that was learned last
  std::string_view rule_;  // by which the last link was scored,
  Score score_;            // and how
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_cindi(const Spec& spec, const StrategyContext& context) {
  static const Profile none;
  const Profile& profile = context.profile ? *context.profile : none;
  const Result<CindiOptions> options = CindiOptions::parse(spec, profile);
  if (!options) return options.error();
  Result<LayerTwo> layer_two = LayerTwo::make(options->layer_two, context);
  if (!layer_two) return layer_two.error();
  return std::unique_ptr<Strategy>(
      std::make_unique<Cindi>(*options, profile, std::move(*layer_two), context.statistics));
}

}  // namespace dowser
