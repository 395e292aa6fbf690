#include "report/session_svg.h"

#include <gtest/gtest.h>

namespace dowser {
namespace {

TEST(GraphSvg, draws_pages_by_state_and_rings_targets) {
  GraphPicture picture;
  picture.nodes = {{"a<b", "http://a/?x=1&y=2", 1, false}, {"goal", "http://g/", 0, true}};
  picture.links = {{0, 1}};
  const std::string svg = graph_svg(picture);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_NE(svg.find("x=1&amp;y=2"), std::string::npos);
  EXPECT_NE(svg.find("<path"), std::string::npos);
  EXPECT_NE(svg.find("stroke=\"#c1272d\""), std::string::npos);
  EXPECT_NE(graph_svg(picture, 1).find("1 pages with fewer links are not drawn"),
            std::string::npos);
}

}  // namespace
}  // namespace dowser
