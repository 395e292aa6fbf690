#include "strategy/cindi/cindi_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dowser {
namespace {

struct Part {
  const char* name;
  bool CindiOptions::*is_left_out;
};
constexpr Part kCindiParts[] = {
    {"url", &CindiOptions::without_url},
    {"anchors", &CindiOptions::without_anchors},
    {"graph", &CindiOptions::without_graph},
    {"tunnel", &CindiOptions::without_tunnel},
    {"statistics", &CindiOptions::without_statistics},
    {"keywords", &CindiOptions::without_keywords},
};
const std::vector<std::string> kOrders = {"relevance", "layers",
                                          "found"};  // as CindiOptions::Order

}  // namespace

Result<CindiOptions> CindiOptions::parse(const Spec& spec, const Profile& profile) {
  Parameters p(spec);
  CindiOptions o;
  const int64_t sites = p.integer("sites", profile.sites.open);
  o.sites.by_domain = p.choice("site", {"host", "domain"}) == "domain";
  o.sites.reopens = p.choice("reopen", {"yes", "no"}) == "yes";
  o.others_last = p.choice("others", {"last", "drop"}) == "last";
  const std::string order = p.choice("order", kOrders);
  o.order = static_cast<Order>(std::find(kOrders.begin(), kOrders.end(), order) - kOrders.begin());
  o.sites.take_turns = o.order == Order::kFound;
  const int64_t steps = p.integer("steps", profile.layers.back_link_steps);
  o.layer_two.bias = p.number("bias", profile.tunnel.bias);
  const bool by_odds = p.choice("tunnel", {"factor", "odds"}) == "odds";
  o.layer_two.tunnel_by = by_odds ? LayerTwo::TunnelBy::kOdds : LayerTwo::TunnelBy::kFactor;
  const int64_t new_sites = p.integer("new_sites", profile.tunnel.new_sites);
  std::vector<std::string> names;
  for (const Part& part : kCindiParts) names.emplace_back(part.name);
  for (const std::string& name : p.several("without", names)) {
    for (const Part& part : kCindiParts) o.*part.is_left_out |= name == part.name;
  }
  if (auto bad = p.finish()) return *bad;
  if (sites < 1) return Error{"sites of cindi must be at least 1"};
  if (steps < 1 || steps > 100) return Error{"steps of cindi must be from 1 to 100"};
  if (!(o.layer_two.bias > 0 && o.layer_two.bias <= 1)) {
    return Error{"bias of cindi must be above 0 and at most 1"};
  }
  if (new_sites < 1) return Error{"new_sites of cindi must be at least 1"};
  o.sites.most_open = static_cast<size_t>(sites);
  o.layer_two.steps = static_cast<uint32_t>(steps);
  o.new_sites = static_cast<uint32_t>(new_sites);
  return o;
}

Spec CindiOptions::spec() const {
  Spec spec{"cindi",
            {{"sites", std::to_string(sites.most_open)},
             {"site", sites.by_domain ? "domain" : "host"},
             {"reopen", sites.reopens ? "yes" : "no"},
             {"others", others_last ? "last" : "drop"},
             {"order", kOrders[static_cast<size_t>(order)]},
             {"steps", std::to_string(layer_two.steps)},
             {"bias", fmt::format("{}", layer_two.bias)},
             {"tunnel", layer_two.tunnel_by == LayerTwo::TunnelBy::kOdds ? "odds" : "factor"},
             {"new_sites", std::to_string(new_sites)}}};
  std::vector<std::string_view> left_out;
  for (const Part& part : kCindiParts) {
    if (this->*part.is_left_out) left_out.push_back(part.name);
  }
  if (!left_out.empty()) {
    spec.parameters["without"] = fmt::format("{}", fmt::join(left_out, "+"));
  }
  return spec;
}

}  // namespace dowser
