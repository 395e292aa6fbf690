#include "report/graph_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/file.h"
#include "tests/support.h"

namespace dowser {
namespace {

using Type = GraphColumn::Type;

// Debian's python with networkx, which reads both formats.
bool has_networkx() {
  return std::system("/usr/bin/python3 -c 'import networkx' 2> /dev/null") == 0;
}

void write_graph(const std::string& path, GraphFormat format, bool dynamic) {
  GraphFile::Columns columns{{{"title", Type::kText}, {"rank", Type::kReal}},
                             {{"weight", Type::kReal}, {"menu", Type::kBoolean}},
                             dynamic};
  Result<GraphFile> file = GraphFile::create(path, format, columns);
  ASSERT_TRUE(file.ok()) << file.error().message;
  const std::string hostile("<a & \"b\">\x01\xff\n]]> \xEF\xBF\xBE");
  const auto days = dynamic ? std::optional(GraphDays{"2026-01-01", "2026-02-01"}) : std::nullopt;
  using Values = std::vector<GraphValue>;
  ASSERT_TRUE(file->node(7, hostile, Values{std::string_view(hostile), 0.25}, days).ok());
  ASSERT_TRUE(
      file->node(9, "", Values{std::monostate(), std::numeric_limits<double>::infinity()}, days)
          .ok());
  ASSERT_TRUE(file->edge(7, 9, Values{1.5, true}, days).ok());
  EXPECT_FALSE(std::filesystem::exists(path));  // not before it is whole
  ASSERT_TRUE(file->finish().ok());
}

TEST(GraphFile, networkx_reads_what_was_written) {
  if (!has_networkx()) GTEST_SKIP() << "no python3-networkx: tools/install test brings it";
  TempDir folder;
  for (const bool graphml : {true, false}) {
    for (const bool dynamic : {false, true}) {
      const std::string path =
          folder / ((dynamic ? "d" : "g") + std::string(graphml ? ".graphml" : ".gexf"));
      write_graph(path, graphml ? GraphFormat::kGraphMl : GraphFormat::kGexf, dynamic);
      const std::string script =
          "import networkx as n; g = n.read_" + std::string(graphml ? "graphml" : "gexf") + "('" +
          path +
          "'); e = g.edges['7', '9']; assert g.is_directed() and len(g) == 2 and "
          "g.number_of_edges() == 1, g; assert g.nodes['7']['title'] == "
          "'<a & \"b\">\\ufffd\\ufffd\\n]]> \\ufffd\\ufffd\\ufffd', g.nodes['7']; "
          "assert g.nodes['7']['rank'] == 0.25 and e['weight'] == 1.5 and e['menu'] is True; "
          "assert g.nodes['9']['rank'] == float('inf') and 'title' not in g.nodes['9']";
      ASSERT_TRUE(put_file(folder / "check.py", script).ok());
      EXPECT_EQ(std::system(("/usr/bin/python3 " + (folder / "check.py")).c_str()), 0)
          << path << dynamic;
    }
  }
}

TEST(GraphFile, an_unfinished_file_leaves_nothing) {
  TempDir folder;
  const std::string path = folder / "g.graphml";
  {
    Result<GraphFile> file = GraphFile::create(path, GraphFormat::kGraphMl, {});
    ASSERT_TRUE(file.ok() && file->node(1, "a", {}).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(GraphFile, a_folder_that_is_not_there_is_an_error) {
  TempDir folder;
  const Result<GraphFile> file =
      GraphFile::create(folder / "missing/g.graphml", GraphFormat::kGraphMl, {});
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("missing/g.graphml"), std::string::npos);
}

}  // namespace
}  // namespace dowser
