#include "tests/hostile/exhibits.h"

#include <algorithm>
#include <iterator>

namespace dowser {

std::vector<Exhibit> make_exhibits() {
  std::vector<Exhibit> all;
  for (const auto make :
       {connection_exhibits, message_exhibits, encoding_exhibits, redirect_exhibits, trap_exhibits,
        overload_exhibits, robots_exhibits, content_exhibits, odd_exhibits}) {
    std::ranges::move(make(), std::back_inserter(all));
  }
  return all;
}

Handler ordinary_site(std::vector<std::string> paths) {
  return [paths = std::move(paths)](Exchange& e) {
    const std::vector<std::string> home = {"/"};
    if (e.request().target == "/") {
      e.page("Home of " + e.request().host, paths);
    } else if (std::ranges::find(paths, e.request().target) != paths.end()) {
      e.page("A page of " + e.request().host, home);
    } else {
      e.not_found();
    }
  };
}

}  // namespace dowser
