#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "base/random.h"
#include "base/state.h"
#include "guard/document_copies.h"
#include "guard/host_templates.h"
#include "guard/near_duplicates.h"
#include "guard/scope.h"
#include "guard/soft_404.h"
#include "guard/traps.h"
#include "model/visit.h"

// The guards of a crawl together: which links may be followed, and whether a fetched page is new.

namespace dowser {

struct GuardOptions {
  ScopeRules scope;
  bool traps = true;
  bool near_duplicates = true;
  bool soft_404 = false;  // needs a web that answers any address
};

// For the thread of the crawl alone.
class Guards {
 public:
  static Result<Guards> make(GuardOptions options);

  // Called before a link is offered, and again before it is fetched: by then its address may have
  // turned out to belong to a trap.
  Verdict may_follow(const Url& url, uint32_t depth) const;
  // The target of a redirect must obey the rules that the user set.
  Verdict may_redirect_to(const Url& url, uint32_t depth) const { return scope_.check(url, depth); }

  // What the guards say about a fetched page.
  struct Opinion {
    std::optional<VisitId> near_duplicate_of;
    bool soft_404 = false;
  };
  // `canonical` is the visit of the address that the page names by rel=canonical, if there is one.
  // Of a document: a copy of the same bytes is a duplicate, the same document in another format is
  // none. What is found is noted in it.
  Opinion judge(VisitId id, const Url& asked, const Response& response, const Page& page,
                const TextSketch& sketch, std::optional<VisitId> canonical,
                std::optional<Document>& document);
  // The same page as a visit, with the verdicts of the guards and the judge.
  void learn(const Visit& visit);

  // An address on the host of `url` that cannot exist, if it is time to request one: once per host.
  std::optional<Url> probe(const Url& url, const Response& response);
  void learn_probe(const Url& asked, const Response& response, const Page& page) {
    soft_404_.learn_probe(asked, response, page);
  }

  // The templates of hosts, as far as they are known; learn() adds to them.
  HostTemplates& templates() { return *templates_; }
  // What templates() of the crawl knew after this number of visits.
  static Status load_templates(const State& state, uint32_t visits, HostTemplates& templates);
  // Gives the page of an earlier visit the marks that it had.
  static Status mark_template(const State& state, VisitId visit, Page& page);

  // Adds what judge() and learn() have just learned of this visit to the pending changes of the
  // state. Probes are not saved: a resumed crawl asks again.
  void save(const Visit& visit, State& state) const;
  Status load(const State& state, uint32_t visits);

 private:
  explicit Guards(GuardOptions options, Scope scope);
  static Worth worth_of(const Visit& visit);

  GuardOptions options_;
  Scope scope_;
  TrapGuard traps_;
  NearDuplicates near_duplicates_;
  DocumentCopies copies_;
  TextSketch last_sketch_;  // of the page that was judged last
  Soft404 soft_404_;
  std::unique_ptr<HostTemplates> templates_ = std::make_unique<HostTemplates>();
  absl::flat_hash_map<uint64_t, uint8_t> pages_of_host_;  // by fingerprint, as far as kProbeAfter
  Random random_{1};
};

}  // namespace dowser
