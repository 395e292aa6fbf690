#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support.h"

// dowser signature and dowser learn signatures, through the real program.

namespace dowser {
namespace {

namespace fs = std::filesystem;

std::string page(const std::string& title, const std::string& text) {
  return "<html><head><title>" + title + "</title></head><body><p>" + text + "</p></body></html>";
}

// A token with a digit is no word, so texts differ by these.
std::string tree(int i) {
  static const char* const kTrees[] = {"alder", "birch", "cedar", "hazel", "maple", "willow"};
  return kTrees[i % 6];
}

// Owls build nests for their eggs; stones are cut in quarries.
std::string owls(int i) {
  const std::string n = tree(i);
  return "The owl nest held several eggs near " + n +
         " valley. Every owl nest has eggs and the "
         "owl guards the nest with her eggs at night. Observers of " +
         n + " saw the owl nest.";
}
std::string stones(int i) {
  const std::string n = tree(i);
  return "Granite and marble come from the quarry near " + n +
         " where workers cut the stone "
         "every day. The quarry sold slate to builders of " +
         n + ".";
}

struct Texts {
  TempDir folder;
  std::string training = folder / "training", background = folder / "background";
  std::string library = folder / "library";

  Texts() {
    fs::create_directories(training);
    fs::create_directories(background);
    for (int i = 0; i < 6; ++i) {
      const std::string n = std::to_string(i);
      EXPECT_TRUE(put_file(training + "/owl" + n + ".html", page("Owl " + n, owls(i))));
      EXPECT_TRUE(put_file(background + "/stone" + n + ".html", page("Stone " + n, stones(i))));
    }
  }
  Ran learn(std::vector<std::string> more = {}) const {
    std::vector<std::string> line = {"learn",        "signatures", "--training", training,
                                     "--background", background,   "--to",       library};
    line.insert(line.end(), more.begin(), more.end());
    return run_dowser(line);
  }
};

TEST(SignatureCommand, the_whole_chain_runs_and_its_files_are_as_the_schemas_say) {
  const Texts t;
  const std::string groups = t.folder / "groups", raw = t.folder / "raw";
  const std::string hits = t.folder / "hits.hadf", refined = t.folder / "refined";
  Ran ran = run_dowser({"signature", "keywords", "--training", t.training, "--background",
                        t.background, "--to", groups});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ran = run_dowser({"signature", "learn", "--keywords", groups, "--training", t.training,
                    "--background", t.background, "--to", raw, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(nlohmann::json::parse(ran.out)["signatures"].size(), 0u);
  ran = run_dowser({"signature", "hits", "--library", raw, "--documents", t.training, t.background,
                    "--to", hits, t.folder / "hits.csv", t.folder / "hits.arff", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["with_hits"], 6);  // the owls, and no stone
  ran = run_dowser({"signature", "refine", "--library", raw, "--hits", hits, "--to", refined});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("kept"), std::string::npos);
  ran = run_dowser(
      {"signature", "cluster", hits, "--clusters", "2", "--svg", t.folder / "a.svg", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["documents"], 6);
  EXPECT_TRUE(fs::exists(t.folder / "a.svg"));

  if (std::system("command -v xmllint > /dev/null 2>&1") != 0) GTEST_SKIP() << "no xmllint";
  for (const auto& [kind, place] : std::vector<std::pair<std::string, std::string>>{
           {"kdf", groups + "/*.kdf"}, {"ssd", raw + "/*.ssd"}, {"hadf", hits}}) {
    const std::string check = "xmllint --noout --relaxng " +
                              (source_dir() / "docs/schemas" / (kind + ".rng")).string() + " " +
                              place + " 2> /dev/null";
    EXPECT_EQ(std::system(check.c_str()), 0) << kind;
  }
}

TEST(SignatureCommand, addresses_of_a_list_that_cannot_be_read_are_left_out_and_said) {
  const Texts t;
  const std::string web = t.folder / "web.warc.gz", list = t.folder / "list.txt";
  const Ran packed = run_dowser({"pack", t.background, "--host", "stones.test", "--to", web});
  ASSERT_EQ(packed.code, 0) << packed.err;
  std::string addresses = "# stones\nhttp://stones.test/missing.html\nhttp://[no address\n";
  for (int i = 0; i < 6; ++i) {
    addresses += "http://stones.test/stone" + std::to_string(i) + ".html\n";
  }
  ASSERT_TRUE(put_file(list, addresses));
  const auto keywords = [&](const std::string& background, const char* to) {
    return run_dowser({"signature", "keywords", "--training", t.training, "--background",
                       background, "--web", web, "--to", t.folder / to});
  };
  Ran ran = keywords(list, "groups");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("dowser: 2 addresses of a list were left out; the first one: " + list +
                         ": http://stones.test/missing.html is not in the archive"),
            std::string::npos)
      << ran.err;
  ran = keywords("http://stones.test/missing.html", "none");
  EXPECT_EQ(ran.code, 1) << "named by itself";
  ASSERT_TRUE(put_file(list, "http://stones.test/missing.html\n"));
  EXPECT_EQ(keywords(list, "none").code, 1) << "nothing is left of the list";
}

TEST(SignatureCommand, learn_signatures_does_it_in_one) {
  const Texts t;
  const Ran ran = t.learn({"--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["training"], 6);
  EXPECT_EQ(json["background"], 6);
  EXPECT_GT(json["kept"], 0);
  for (const auto& s : json["signatures"]) EXPECT_EQ(s["background_documents"], 0);
  EXPECT_TRUE(fs::exists(t.library + "/training.hadf"));
  const Ran words = run_dowser({"signature", "hits", "--library", t.library, "--documents",
                                t.training, "--words", "--to", t.folder / "w.hadf", "--json"});
  ASSERT_EQ(words.code, 0) << words.err;
  EXPECT_EQ(nlohmann::json::parse(words.out)["with_hits"], 6);
  const Ran judged =
      run_dowser({"judge", t.training + "/owl1.html", "--model", t.library, "--json"});
  ASSERT_EQ(judged.code, 0) << judged.err;
  EXPECT_EQ(nlohmann::json::parse(judged.out)["pages"][0]["relevant"], true) << judged.out;
}

TEST(SignatureCommand, synonyms_are_replaced_and_wrong_ones_named_with_their_line) {
  const Texts t;
  ASSERT_TRUE(put_file(t.folder / "s.tsv", "eggs\tegg\nowl\tbird\n"));
  ASSERT_EQ(t.learn({"--synonyms", t.folder / "s.tsv"}).code, 0);
  bool has_bird = false;
  for (const auto& file : fs::directory_iterator(t.library)) {
    has_bird |= file.path().string().find("_bird_") != std::string::npos;
    EXPECT_EQ(file.path().string().find("_owl_"), std::string::npos);
  }
  EXPECT_TRUE(has_bird);
  ASSERT_TRUE(put_file(t.folder / "s.tsv", "eggs\tegg\nowl bird\n"));
  const Ran ran = t.learn({"--synonyms", t.folder / "s.tsv"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("line 2: a synonym is a word, a tab and its replacement"),
            std::string::npos)
      << ran.err;
}

// The real WEKA, whose exit code says nothing: its counts do.
TEST(SignatureCommand, weka_loads_the_arff_with_hostile_titles) {
  if (!fs::exists("/usr/share/java/weka.jar")) GTEST_SKIP() << "WEKA is not installed";
  const Texts t;
  ASSERT_EQ(t.learn().code, 0);
  const std::string odd = t.folder / "odd";
  fs::create_directories(odd);
  const char* const titles[] = {
      "It's \"quoted\", {x} %y \\back", "?", "@data", "'", "% comment", "日本 &#10; ü", "\\"};
  for (size_t i = 0; i < std::size(titles); ++i) {
    ASSERT_TRUE(put_file(odd + "/it's " + std::to_string(i) + ".html", page(titles[i], owls(1))));
  }
  ASSERT_EQ(run_dowser({"signature", "hits", "--library", t.library, "--documents", odd, "--to",
                        t.folder / "h.hadf"})
                .code,
            0);
  const std::string arff = t.folder / "h.arff", out = t.folder / "weka.txt";
  ASSERT_EQ(run_dowser({"signature", "cluster", t.folder / "h.hadf", "--arff", arff}).code, 0);
  const std::string weka = "java -cp /usr/share/java/weka.jar weka.";
  (void)!std::system((weka + "core.Instances " + arff + " > " + out + " 2>&1").c_str());
  const auto summary = read_file(out);
  ASSERT_TRUE(summary);
  EXPECT_NE(summary->find("Num Instances:  7"), std::string::npos) << *summary;
  const std::string numbers = t.folder / "numbers.arff";
  (void)!std::system((weka + "filters.unsupervised.attribute.RemoveType -T string -i " + arff +
                      " -o " + numbers + " && " + weka + "clusterers.SimpleKMeans -N 2 -t " +
                      numbers + " > " + out + " 2>&1")
                         .c_str());
  EXPECT_NE(read_file(out)->find("Clustered Instances"), std::string::npos) << *read_file(out);
}

// What goes wrong, and what the sentence must say.
TEST(SignatureCommand, every_bad_input_gets_a_sentence_that_says_what_to_do) {
  const Texts t;
  const auto learn = [&](const std::string& training, const std::string& background) {
    return run_dowser({"learn", "signatures", "--training", training, "--background", background,
                       "--to", t.library});
  };
  const auto expect = [](const Ran& ran, int code, const std::string& says) {
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  expect(run_dowser({"learn", "signatures", "--to", t.library}), 2, "--training");
  expect(learn(t.folder / "none", t.background), 1, "there is no ");
  fs::create_directories(t.folder / "empty");
  expect(learn(t.folder / "empty", t.background), 1, "contains no document");

  // One document, fifteen copies of one, only stop words, background equal to training.
  expect(learn(t.training + "/owl1.html", t.background), 1, "only one training document");
  const std::string copies = t.folder / "copies", stops = t.folder / "stops";
  fs::create_directories(copies), fs::create_directories(stops);
  for (int i = 0; i < 15; ++i) {
    ASSERT_TRUE(put_file(copies + "/" + std::to_string(i) + ".html", page("", owls(1))));
    ASSERT_TRUE(
        put_file(stops + "/" + std::to_string(i) + ".html", page("", "the and of to in")));
  }
  expect(learn(copies, t.background), 1, "the 15 training documents all have the same text");
  expect(learn(stops, t.background), 1, "no training document has a usable word");
  expect(learn(t.training, t.training), 1, "give pages on other topics as --background");

  // An address without --web, a library that is none, files of another kind.
  expect(learn("http://a.test/", t.background), 1, "name the archive that contains it with --web");
  const auto hits = [&](const std::string& library) {
    return run_dowser({"signature", "hits", "--library", library, "--documents", t.training, "--to",
                       t.folder / "h.hadf"});
  };
  expect(hits(t.folder / "none"), 1, "dowser learn signatures makes it");
  expect(hits(t.folder / "empty"), 1, "contains no .ssd file");
  ASSERT_TRUE(put_file(t.folder / "empty/a.ssd", "<html><body/></html>"));
  expect(hits(t.folder / "empty"), 1, "is it the right kind of file?");
  ASSERT_TRUE(put_file(t.folder / "empty/a.ssd", "<!DOCTYPE a><a/>"));
  expect(hits(t.folder / "empty"), 1, "document type");
  expect(run_dowser({"signature", "cluster", t.training + "/owl1.html"}), 1,
         "HitsArrayDescriptorFile");

  // No keyword present: not an error, but said.
  ASSERT_EQ(t.learn().code, 0);
  const Ran none = run_dowser({"signature", "hits", "--library", t.library, "--documents",
                               t.background, "--to", t.folder / "h.hadf"});
  EXPECT_EQ(none.code, 0);
  EXPECT_NE(
      none.out.find("no document has a hit: are the documents in the language of the library"),
      std::string::npos);
  expect(run_dowser({"signature", "cluster", t.folder / "h.hadf"}), 1, "no document has a hit");
}

// Each kind of hostile XML, as each kind of file. (fuzz/xml_fuzz.cc and fuzz/signature_fuzz.cc try
// any bytes.)
TEST(SignatureCommand, hostile_xml_is_refused_with_the_file_and_the_line) {
  const Texts t;
  ASSERT_EQ(t.learn().code, 0);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  const std::pair<std::string, std::string> hostile[] = {
      {"", "not well-formed"},
      {"no markup at all", "not well-formed"},
      {"<?xml version=\"1.0\" encoding=\"klingon\"?><ROOT/>", "unknown encoding"},
      {"<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><ROOT>&x;</ROOT>", "document type"},
      {"<!DOCTYPE a [<!ENTITY x \"xx\"><!ENTITY y \"&x;&x;\">]><ROOT>&y;</ROOT>", "document type"},
      {std::string("<ROOT version=\"2.0\">\0</ROOT>", 28), "line 1"},
      {"<ROOT version=\"2.0\"><b></ROOT>", "line 1"},
      {"<ROOT version=\"2.0\">\n<b", "line"},
      {"<ROOT version=\"2.0\">\xC3\x28</ROOT>", "line 1"},
      {"<ROOT version=\"2.0\">&undefined;</ROOT>", "line 1"},
      {"<ROOT version=\"2.0\">" + deep, "line 1"},
      {"<ROOT version=\"2.0\" " + std::string(1 << 20, 'x') + "=\"\"/>", "line 1"},
  };
  const std::string library = t.folder / "foreign", groups = t.folder / "groups";
  fs::create_directories(library), fs::create_directories(groups);
  for (const auto& [xml, says] : hostile) {
    const std::string shown = xml.substr(0, 60);
    const auto write = [&, xml = xml](const std::string& file, const std::string& root) {
      std::string text = xml;
      for (size_t at; (at = text.find("ROOT")) != text.npos;) text.replace(at, 4, root);
      ASSERT_TRUE(put_file(file, text));
    };
    write(library + "/a.ssd", "SemanticSignatureDescriptorFile");
    write(groups + "/a.kdf", "KeywordDescriptorFile");
    write(t.folder / "a.hadf", "HitsArrayDescriptorFile");
    for (const Ran& ran : {run_dowser({"signature", "hits", "--library", library, "--documents",
                                       t.training, "--to", t.folder / "h.hadf"}),
                           run_dowser({"signature", "learn", "--keywords", groups, "--training",
                                       t.training, "--to", t.folder / "lib"}),
                           run_dowser({"signature", "cluster", t.folder / "a.hadf"})}) {
      EXPECT_EQ(ran.code, 1) << shown;
      EXPECT_NE(ran.err.find("/a."), std::string::npos) << shown << ": " << ran.err;
      EXPECT_NE(ran.err.find(says), std::string::npos) << shown << ": " << ran.err;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      EXPECT_LT(ran.err.size(), 1000u) << shown;
    }
  }
}

TEST(SignatureCommand, spanish_and_japanese_texts_have_signatures_too) {
  const Texts t;
  const std::string spanish = t.folder / "es", japanese = t.folder / "ja";
  fs::create_directories(spanish), fs::create_directories(japanese);
  for (int i = 0; i < 4; ++i) {
    const std::string n = tree(i);
    ASSERT_TRUE(put_file(
        spanish + "/" + n + ".html",
        page("",
             "El nido del búho contiene huevos en el bosque. Cada búho cuida el nido y los "
             "huevos durante la noche, porque el nido del búho con huevos es frágil. Lugar " +
                 n)));
    ASSERT_TRUE(put_file(
        japanese + "/" + n + ".html",
        page("",
             "梟の巣には卵があります。梟は夜に巣の卵を守ります。梟の巣と卵は森にあります。観察" +
                 n + "回目の記録です。")));
  }
  for (const std::string& training : {spanish, japanese}) {
    const Ran ran = run_dowser({"learn", "signatures", "--training", training, "--background",
                                t.background, "--to", t.library, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    if (ran.code != 0) continue;
    EXPECT_GT(nlohmann::json::parse(ran.out)["kept"], 0);
  }
}

}  // namespace
}  // namespace dowser
