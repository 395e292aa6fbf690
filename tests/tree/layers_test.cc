#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/file.h"
#include "tests/support.h"

// The rules of this tree that no compiler enforces: which folder may include which, as the table in
// ARCHITECTURE.md says, and a few rules of form. TreeCheck finds what breaks them. The tests run it
// on a made-up tree with one broken rule at a time, and then on the real tree.

namespace dowser {
namespace {

namespace fs = std::filesystem;

struct Layer {
  int number = 0;
  std::set<std::string> may_include;
};
using Layers = std::map<std::string, Layer>;  // by folder

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

// The rows below "| layer | folder | …": "| 2 | `fetch/` | address in, bytes out | base, model |".
Layers read_layers(std::string_view document) {
  Layers layers;
  std::map<std::string, std::string> permissions;
  bool in_table = false;
  for (const std::string& line : split(document, '\n')) {
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() == 6 && cells[1] == "layer" && cells[2] == "folder") {
      in_table = true;
    } else if (cells.size() < 6) {
      in_table = false;
    } else if (in_table && !cells[1].starts_with('-')) {
      std::string folder = cells[2];
      std::erase_if(folder, [](char c) { return c == '`' || c == '/'; });
      layers[folder].number = std::atoi(cells[1].c_str());
      permissions[folder] = cells[4];
    }
  }
  for (auto& [folder, layer] : layers) {
    const std::string& text = permissions[folder];
    for (const auto& [other, below] : layers) {
      if (text == "everything" || (text == "everything above" && below.number < layer.number)) {
        layer.may_include.insert(other);
      }
    }
    if (text == "–" || text.starts_with("everything")) continue;
    for (const std::string& other : split(text, ',')) layer.may_include.insert(other);
  }
  return layers;
}

bool is_heavy(std::string_view header) {
  if (header == "nlohmann/json_fwd.hpp") return false;  // declarations only
  for (const std::string_view heavy : {"httplib.h", "CLI/", "nlohmann/", "toml++/", "sqlite3.h",
                                       "unicode/", "rocksdb/", "Eigen/", "Spectra/"}) {
    if (header.starts_with(heavy)) return true;
  }
  return false;
}

// "fetch/web.h" of `#include "fetch/web.h"` and of `#include <fetch/web.h>`; "" of other lines.
std::string included(std::string_view line) {
  const auto skip = [&](std::string_view text) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool found = line.starts_with(text);
    if (found) line.remove_prefix(text.size());
    return found;
  };
  if (!skip("#") || !skip("include") || !(skip("\"") || skip("<"))) return "";
  return std::string(line.substr(0, line.find_first_of("\">")));
}

// "learned" of strategy/learned/link_model.h; "" of strategy/strategy.h.
std::string subfolder_of(const fs::path& path) {
  const auto parts = std::distance(path.begin(), path.end());
  return parts > 2 ? std::next(path.begin())->string() : "";
}

// Characters, not bytes: a byte of the form 10xxxxxx continues a character.
size_t columns(std::string_view line) {
  return static_cast<size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class TreeCheck {
 public:
  explicit TreeCheck(fs::path root) : root_(std::move(root)) {}

  // One line for each broken rule: file, line, rule.
  std::vector<std::string> run() {
    const Result<std::string> document = read_file(root_ / "ARCHITECTURE.md");
    if (document) layers_ = read_layers(*document);
    if (layers_.empty()) report("ARCHITECTURE.md", 1, "has no table of layers");
    check_table();
    for (const char* top : {"src", "tests", "bench", "fuzz", "examples"}) {
      if (!fs::exists(root_ / top)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root_ / top)) check(entry);
    }
    std::sort(broken_.begin(), broken_.end());
    return std::move(broken_);
  }

 private:
  void report(const std::string& where, size_t line, const std::string& rule) {
    broken_.push_back(fmt::format("{}:{}: {}", where, line, rule));
  }

  void check_table() {
    for (const auto& [folder, layer] : layers_) {
      for (const std::string& other : layer.may_include) {
        const auto it = layers_.find(other);
        if (it == layers_.end()) {
          report("ARCHITECTURE.md", 1,
                 fmt::format("{}/ may include {}/, which has no row", folder, other));
        } else if (it->second.number > layer.number) {
          report("ARCHITECTURE.md", 1,
                 fmt::format("{}/ may include {}/ of a higher layer", folder, other));
        }
      }
    }
  }

  void check(const fs::directory_entry& entry) {
    const fs::path path = fs::relative(entry.path(), root_);
    const std::string name = path.generic_string(), file = path.filename().string();
    const bool in_src = *path.begin() == "src";
    if (entry.is_directory()) {
      if (file == "util" || file == "utils" || file == "common" || file == "misc" ||
          file == "helpers") {
        report(name, 1, "a thing lives where it is used, or in base/");
      }
      if (in_src && path.parent_path() == "src" && !layers_.contains(file)) {
        report(name, 1, "the folder is not in the table of ARCHITECTURE.md");
      }
      return;
    }
    const bool header = path.extension() == ".h";
    if (!header && path.extension() != ".cc") return;
    const Result<std::string> text = read_file(entry.path());
    if (!text) return report(name, 1, text.error().message);
    check_form(name, *text, header);
    if (in_src) check_includes(path.lexically_relative("src"), *text, header);
  }

  void check_form(const std::string& name, const std::string& text, bool header) {
    if (!text.ends_with('\n')) report(name, 1, "no newline at the end");
    if (header && text.find("#pragma once\n") == text.npos) report(name, 1, "no #pragma once");
    size_t number = 0;
    for (const std::string& line : split(text, '\n')) {
      ++number;
      if (columns(line) > 100) report(name, number, "more than 100 columns");
    }
  }

  // `path` begins below src/.
  void check_includes(const fs::path& path, const std::string& text, bool header) {
    const std::string name = ("src" / path).generic_string(), folder = path.begin()->string();
    const std::string subfolder = subfolder_of(path);
    const auto layer = layers_.find(folder);
    size_t number = 0;
    for (const std::string& line : split(text, '\n')) {
      ++number;
      const std::string target = included(line);
      if (header && is_heavy(target)) {
        report(name, number, fmt::format("{} belongs into a .cc file", target));
      }
      if (target.starts_with('.')) report(name, number, "an include begins at src/");
      const std::string other = target.substr(0, target.find('/'));
      if (layer != layers_.end() && layers_.contains(other) && other != folder &&
          !layer->second.may_include.contains(other)) {
        report(name, number, fmt::format("{}/ may not include {}/", folder, other));
      }
      const std::string other_subfolder = subfolder_of(target);
      if (other == folder && !subfolder.empty() && !other_subfolder.empty() &&
          subfolder != other_subfolder) {
        report(name, number,
               fmt::format("{0}/{1}/ may not include {0}/{2}/: what both need belongs into {0}/",
                           folder, subfolder, other_subfolder));
      }
    }
  }

  const fs::path root_;
  Layers layers_;
  std::vector<std::string> broken_;
};

constexpr std::string_view kTable =
    "# A house\n\n"
    "| layer | folder | the question it answers | may include (besides itself) |\n"
    "|---|---|---|---|\n"
    "| 0 | `base/` | what all need | – |\n"
    "| 1 | `model/` | the nouns | base |\n"
    "| 2 | `fetch/` | bytes | base, model |\n"
    "| 2 | `parse/` | text | base, model |\n"
    "| 3 | `engine/` | all of it | everything above |\n"
    "| 4 | `cli/` | commands | everything |\n\n"
    "| not | a | layer | row |\n";

struct Tree {
  TempDir folder;

  Tree() {
    put("ARCHITECTURE.md", kTable);
    put("src/base/clock.h", "#pragma once\n#include <vector>\n");
    put("src/model/url.h", "#pragma once\n#include \"base/clock.h\"\n#include \"model/score.h\"\n");
    put("src/fetch/web.cc", "#include \"model/url.h\"\n#include <nlohmann/json.hpp>\n");
    put("src/engine/crawl.cc", "#include \"fetch/web.h\"\n#include \"parse/html.h\"\n");
    put("src/cli/crawl.cc", "#include \"engine/crawl.h\"\n#include \"base/clock.h\"\n");
    put("tests/model/url_test.cc", "#include \"cli/crawl.h\"\n// " + umlauts(97) + "\n");
  }

  static std::string umlauts(int n) {
    std::string text;
    while (n-- > 0) text += "ä";
    return text;
  }

  void put(const std::string& name, std::string_view content) {
    fs::create_directories(fs::path(folder / name).parent_path());
    ASSERT_TRUE(put_file(folder / name, content));
  }

  std::vector<std::string> broken() const { return TreeCheck(folder.path()).run(); }
};

TEST(Layers, a_tidy_tree_breaks_no_rule) { EXPECT_EQ(Tree().broken(), std::vector<std::string>{}); }

TEST(Layers, each_broken_rule_is_found) {
  struct Row {
    std::string file, content, broken;
  };
  const std::string wide = "// " + Tree::umlauts(98) + "\n";
  for (const Row& row : std::vector<Row>{
           {"src/base/x.cc", "\n#include \"model/url.h\"\n",
            "src/base/x.cc:2: base/ may not include model/"},
           {"src/fetch/x.cc", "# include <parse/html.h>\n",
            "src/fetch/x.cc:1: fetch/ may not include parse/"},
           {"src/engine/deep/x.cc", "#include \"cli/crawl.h\"\n",
            "src/engine/deep/x.cc:1: engine/ may not include cli/"},
           {"src/fetch/live/x.cc", "#include \"fetch/x.h\"\n#include \"parse/deep/html.h\"\n",
            "src/fetch/live/x.cc:2: fetch/ may not include parse/"},
           {"src/fetch/live/x.cc", "#include \"fetch/live/x.h\"\n#include \"fetch/test/x.h\"\n",
            "src/fetch/live/x.cc:2: fetch/live/ may not include fetch/test/: what both need "
            "belongs "
            "into fetch/"},
           {"src/fetch/x.cc", "#include \"../parse/html.h\"\n",
            "src/fetch/x.cc:1: an include begins at src/"},
           {"src/magic/x.cc", "\n",
            "src/magic:1: the folder is not in the table of ARCHITECTURE.md"},
           {"src/base/util/x.cc", "\n",
            "src/base/util:1: a thing lives where it is used, or in base/"},
           {"src/base/x.h", "\n", "src/base/x.h:1: no #pragma once"},
           {"tests/x.h", "\n", "tests/x.h:1: no #pragma once"},
           {"src/base/x.h", "#pragma once\n#include <sqlite3.h>\n",
            "src/base/x.h:2: sqlite3.h belongs into a .cc file"},
           {"src/base/x.h", "#pragma once\n#include <unicode/uidna.h>\n",
            "src/base/x.h:2: unicode/uidna.h belongs into a .cc file"},
           {"src/base/x.cc", "\n" + wide, "src/base/x.cc:2: more than 100 columns"},
           {"tests/base/x_test.cc", wide, "tests/base/x_test.cc:1: more than 100 columns"},
           {"fuzz/x_fuzz.cc", "int x;", "fuzz/x_fuzz.cc:1: no newline at the end"},
           {"ARCHITECTURE.md", "A house.\n", "ARCHITECTURE.md:1: has no table of layers"}}) {
    Tree tree;
    tree.put(row.file, row.content);
    const std::vector<std::string> broken = tree.broken();
    ASSERT_FALSE(broken.empty()) << row.broken;
    EXPECT_EQ(broken.front(), row.broken);
    // Without the table no folder has a row either.
    const size_t expected = row.file == "ARCHITECTURE.md" ? 6 : 1;
    EXPECT_EQ(broken.size(), expected) << broken.back();
  }
}

TEST(Layers, a_table_that_contradicts_itself_is_found) {
  for (const auto& [row, rule] : std::vector<std::pair<std::string, std::string>>{
           {"| 0 | `odd/` | up | cli |\n", "odd/ may include cli/ of a higher layer"},
           {"| 3 | `odd/` | void | base, vault |\n",
            "odd/ may include vault/, which has no row"}}) {
    Tree tree;
    std::string table(kTable);
    table.insert(table.find("| 1 |"), row);
    tree.put("ARCHITECTURE.md", table);
    EXPECT_EQ(tree.broken(), std::vector<std::string>{"ARCHITECTURE.md:1: " + rule});
  }
}

TEST(Layers, this_tree_breaks_no_rule) {
  const std::vector<std::string> broken = TreeCheck(source_dir()).run();
  EXPECT_TRUE(broken.empty()) << fmt::format("{}", fmt::join(broken, "\n"));
}

}  // namespace
}  // namespace dowser
