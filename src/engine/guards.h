#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "base/random.h"
#include "base/state.h"
#include "guard/host_templates.h"
#include "guard/near_duplicates.h"
#include "guard/scope.h"
#include "guard/soft_404.h"
#include "guard/traps.h"
#include "model/visit.h"

// The guards of a crawl together: what may be followed, and what a page was worth that came back.

namespace dowser {

struct GuardOptions {
  ScopeRules scope;
  bool traps = true;
  bool near_duplicates = true;
  bool soft_404 = false;  // needs a web that can be asked
};

// One thread: the one that thinks.
class Guards {
 public:
  static Result<Guards> make(GuardOptions options);

  // Before a link is offered, and again before it is fetched: what waits may have been found out.
  Verdict may_follow(const Url& url, uint32_t depth) const;
  // The target of a redirect: the rules that a person set.
  Verdict may_redirect_to(const Url& url, uint32_t depth) const { return scope_.check(url, depth); }

  // What there is to say of a page that has come back.
  struct Opinion {
    std::optional<VisitId> near_duplicate_of;
    bool soft_404 = false;
  };
  // `canonical`: the visit that the page's rel=canonical became, where there is one.
  Opinion judge(VisitId id, const Url& asked, const Response& response, const Page& page,
                const TextSketch& sketch, std::optional<VisitId> canonical);
  // The same visit, with what the guards and the judge said of it.
  void learn(const Visit& visit);

  // An address to ask the host of `url` for, which cannot exist, where it is time to; once a host.
  std::optional<Url> probe(const Url& url, const Response& response);
  void learn_probe(const Url& asked, const Response& response, const Page& page) {
    soft_404_.learn_probe(asked, response, page);
  }

  // The templates of hosts, as far as they are known; learn() adds to them.
  HostTemplates& templates() { return *templates_; }
  // Gives the page of an earlier visit the marks that it had.
  static Status mark_template(const State& state, VisitId visit, Page& page);

  // What learn() has just learned is put with the other changes of the page. Probes are not saved:
  // a resumed crawl asks again.
  void save(const Visit& visit, const TextSketch& sketch, State& state) const;
  Status load(const State& state, uint32_t visits);

 private:
  explicit Guards(GuardOptions options, Scope scope);
  static Worth worth_of(const Visit& visit);

  GuardOptions options_;
  Scope scope_;
  TrapGuard traps_;
  NearDuplicates near_duplicates_;
  Soft404 soft_404_;
  std::unique_ptr<HostTemplates> templates_ = std::make_unique<HostTemplates>();
  absl::flat_hash_map<uint64_t, uint8_t> pages_of_host_;  // by fingerprint, as far as kProbeAfter
  Random random_{1};
};

}  // namespace dowser
