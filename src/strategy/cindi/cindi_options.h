#pragma once

#include "base/result.h"
#include "base/spec.h"
#include "model/profile.h"
#include "strategy/cindi/layer_two.h"
#include "strategy/cindi/site_queue.h"

namespace dowser {

// The parameters of the strategy cindi; cindi.cc describes them.
struct CindiOptions {
  // Of links that may be fetched now, in all open sites.
  enum class Order : uint8_t {
    kRelevance,  // those of layer 1 first, then those of layer 2; each by the page's relevance
    kLayers,     // those of layer 1 first, then those of layer 2
    kFound,      // one site after the other; in a site first found, first fetched
  };
  SiteQueue::Options sites;
  LayerTwo::Options layer_two;
  uint32_t new_sites = 30;  // with relevant pages, after which tunnelling ends
  bool others_last = true;  // links of pages in no layer wait behind all others; or are dropped
  Order order = Order::kRelevance;
  // Parts that are left out.
  bool without_url = false, without_anchors = false, without_graph = false, without_tunnel = false,
       without_statistics = false, without_keywords = false;

  static Result<CindiOptions> parse(const Spec& spec, const Profile& profile);
  Spec spec() const;
};

}  // namespace dowser
