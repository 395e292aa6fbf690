#pragma once

#include "base/result.h"
#include "base/spec.h"
#include "model/profile.h"
#include "strategy/cindi/layer_two.h"
#include "strategy/cindi/site_queue.h"

namespace dowser {

// The parameters of the strategy cindi; cindi.cc describes them.
struct CindiOptions {
  SiteQueue::Options sites;
  LayerTwo::Options layer_two;
  uint32_t new_sites = 30;  // with relevant pages, after which tunnelling ends
  bool others_last = true;  // links of pages in no layer wait behind all others; or are dropped
  bool inside_by_layer = false;  // inside a site, links of layer 1 go before those of layer 2
  // Parts that are left out.
  bool without_url = false, without_anchors = false, without_graph = false, without_tunnel = false,
       without_statistics = false, without_keywords = false;

  static Result<CindiOptions> parse(const Spec& spec, const Profile& profile);
  Spec spec() const;
};

}  // namespace dowser
