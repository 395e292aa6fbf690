#include "engine/guards.h"

#include <cstring>

#include "base/bytes.h"

namespace dowser {
namespace {

// A host of one or two pages is not worth a probe, which costs as much as a page.
constexpr uint8_t kProbeAfter = 5;

// A page that names another as its canonical form is believed if it is at least so similar to it:
// sites that name their home page on every page are common.
constexpr double kCanonicalSimilarity = 0.5;

constexpr std::string_view kPrefix = "g";
constexpr std::string_view kTemplatePrefix = "k";
std::string key_of(std::string_view prefix, uint32_t visit) {
  return std::string(prefix) + sortable(visit);
}

constexpr uint8_t kIsDocument = 0x80;  // beside the worth of a page: what tells copies follows

}  // namespace

Result<Guards> Guards::make(GuardOptions options) {
  Result<Scope> scope = Scope::make(options.scope);
  if (!scope) return scope.error();
  return Guards(std::move(options), std::move(*scope));
}

Guards::Guards(GuardOptions options, Scope scope)
    : options_(std::move(options)), scope_(std::move(scope)) {}

Verdict Guards::may_follow(const Url& url, uint32_t depth) const {
  const Verdict verdict = scope_.check(url, depth);
  return verdict && options_.traps ? traps_.may_follow(url) : verdict;
}

Guards::Opinion Guards::judge(VisitId id, const Url& asked, const Response& response,
                              const Page& page, const TextSketch& sketch,
                              std::optional<VisitId> canonical, std::optional<Document>& document) {
  Opinion opinion;
  last_sketch_ = sketch;
  if (!response.ok()) return opinion;
  if (document) {
    const DocumentCopies::Opinion copies = copies_.add(id, response.url, *document);
    document->same_bytes_as = copies.same_bytes_as;
    document->other_format_of = copies.other_format_of;
    if (copies.same_bytes_as) {
      opinion.near_duplicate_of = copies.same_bytes_as;
      return opinion;
    }
  }
  opinion.soft_404 = options_.soft_404 && soft_404_.is_soft_404(asked, response, page);
  if (!options_.near_duplicates || opinion.soft_404) return opinion;
  if (canonical && *canonical != id &&
      near_duplicates_.similarity_to(*canonical, sketch).value_or(0) >= kCanonicalSimilarity) {
    opinion.near_duplicate_of = canonical;
  } else if (const auto repeat = near_duplicates_.add(id, sketch)) {
    const bool is_linked = document && document->other_format_of;
    if (!is_linked) opinion.near_duplicate_of = repeat->of;
  }
  return opinion;
}

Worth Guards::worth_of(const Visit& visit) {
  if (!visit.is_new_page()) return Worth::kNothing;
  return visit.judgement.relevant ? Worth::kRelevant : Worth::kNew;
}

void Guards::learn(const Visit& visit) {
  if (!visit.response.was_asked_for()) return;
  traps_.learn(visit.candidate.url, worth_of(visit));
  // A page that repeats another would make its content look like a template.
  if (visit.is_new_page()) templates_->learn(visit.page);
}

std::optional<Url> Guards::probe(const Url& url, const Response& response) {
  if (!options_.soft_404 || !response.ok()) return std::nullopt;
  uint8_t& pages = pages_of_host_[hash64(url.host())];
  if (pages >= kProbeAfter || ++pages < kProbeAfter) return std::nullopt;
  return probe_address(url, random_);
}

// Address, worth, and the sketch if the page is new; of a document what tells its copies.
void Guards::save(const Visit& visit, State& state) const {
  if (!visit.response.was_asked_for()) return;
  ByteWriter out;
  out.text(visit.candidate.url.href());
  const auto worth = static_cast<uint8_t>(worth_of(visit));
  out.number(static_cast<uint8_t>(visit.document ? worth | kIsDocument : worth));
  if (visit.document) {
    out.number(DocumentCopies::digest(*visit.document));
    out.number(DocumentCopies::stem(visit.response.url));
    out.number(static_cast<uint8_t>(visit.document->format));
  }
  if (visit.is_new_page() && options_.near_duplicates && !last_sketch_.empty()) {
    out.raw({reinterpret_cast<const char*>(&last_sketch_), sizeof last_sketch_});
  }
  state.put(key_of(kPrefix, visit.id.value), out.bytes());
  if (!visit.page.blocks.empty()) {
    state.put(key_of(kTemplatePrefix, visit.id.value),
              HostTemplates::saved(visit.page, visit.is_new_page()));
  }
}

Status Guards::mark_template(const State& state, VisitId visit, Page& page) {
  const auto saved = state.get(key_of(kTemplatePrefix, visit.value));
  if (!saved) return saved.error();
  if (*saved) HostTemplates::mark(page, **saved);
  return {};
}

Status Guards::load_templates(const State& state, uint32_t visits, HostTemplates& templates) {
  return state.scan(kTemplatePrefix, [&](std::string_view key, std::string_view value) {
    if (from_sortable(key.substr(kTemplatePrefix.size())) < visits) templates.learn(value);
  });
}

Status Guards::load(const State& state, uint32_t visits) {
  if (Status s = load_templates(state, visits, *templates_); !s) return s;
  return state.scan(kPrefix, [&](std::string_view key, std::string_view value) {
    const auto id = static_cast<uint32_t>(from_sortable(key.substr(kPrefix.size())));
    if (id >= visits) return;
    ByteReader in(value);
    const Result<Url> url = Url::parse(in.text());
    const auto worth = in.number<uint8_t>();
    if (url) traps_.learn(*url, static_cast<Worth>(worth & ~kIsDocument));
    if (worth & kIsDocument) {
      const auto digest = in.number<uint64_t>();
      const auto stem = in.number<uint64_t>();
      const auto format = static_cast<DocumentFormat>(in.number<uint8_t>());
      if (in.ok()) copies_.add(VisitId{id}, digest, stem, format);
    }
    if (in.at_end()) return;
    TextSketch sketch;
    const std::string_view raw = in.raw(sizeof sketch);
    if (!in.ok()) return;
    std::memcpy(&sketch, raw.data(), sizeof sketch);
    near_duplicates_.add(VisitId{id}, sketch);
  });
}

}  // namespace dowser
