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

TEST(GraphSvg, a_target_is_on_the_first_screen_beside_hundreds_of_pages) {
  GraphPicture picture;
  picture.nodes = {{"goal", "http://g/", 0, true}};
  for (int i = 0; i < 200; ++i) picture.nodes.push_back({"far", "http://f/", 3, false});
  const std::string svg = graph_svg(picture, 300);
  const size_t ring = svg.find("stroke=\"#c1272d\"");
  const size_t y = svg.rfind("cy=\"", ring);
  ASSERT_NE(y, std::string::npos) << svg.substr(0, 2000);
  EXPECT_LT(std::stod(svg.substr(y + 4, 8)), 700);
}

}  // namespace
}  // namespace dowser
