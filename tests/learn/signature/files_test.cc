#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/random.h"
#include "learn/signature/cluster_hits.h"
#include "learn/signature/hits_array.h"
#include "learn/signature/refine_signatures.h"
#include "learn/signature/signature_files.h"
#include "tests/support.h"

namespace dowser {
namespace {

Signature made_signature() {
  Signature s;
  s.words = {"owl", "nest", "œuf & <egg>"};
  s.name = group_name(s.words) + "_1";
  s.settings.synonyms = {{"eggs", "egg"}};
  s.centroid = {0.1, 0.2, 1.0 / 3, 0.4, 0.5, 0, 0.7, 1e-17, 0};
  s.angle = 0.123456789012345678;
  s.vectors = {s.centroid, s.centroid, s.centroid};
  s.support = 3;
  s.documents = 2;
  s.evidence = {8, 15, 4, 402};
  s.of_words[0] = {9, 15, 40, 402};
  return s;
}

TEST(SignatureFiles, are_read_and_written_again_to_the_same_bytes) {
  const std::string ssd = ssd_text(made_signature());
  const auto signature = read_ssd(ssd, "a.ssd");
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(*signature, made_signature());
  EXPECT_EQ(ssd_text(*signature), ssd);

  KeywordGroup group;
  group.words = {"a", "b", "c"};
  group.weights = {0.1, 2.0 / 3, 3};
  const std::string kdf = kdf_text(group);
  const auto read = read_kdf(kdf, "a.kdf");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, group);
  EXPECT_EQ(kdf_text(*read), kdf);
}

TEST(SignatureFiles, wrong_ones_are_refused_with_a_sentence) {
  const auto error = [](std::string text) { return read_ssd(text, "a.ssd").error().message; };
  EXPECT_EQ(error("<KeywordDescriptorFile version='2.0'/>"),
            "a.ssd, line 1: this is a <KeywordDescriptorFile>, not a "
            "<SemanticSignatureDescriptorFile>: is it the right kind of file?");
  EXPECT_NE(error("<SemanticSignatureDescriptorFile version='9'/>").find("version '9'"),
            std::string::npos);
  const std::string good = ssd_text(made_signature());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"<angle>0.12", "<angle>x0.12"},
                                                        {"<angle>0.12", "<angle>-0.12"},
                                                        {"0.1 0.2 0.3", "0.1 0.3"},
                                                        {"0.1 0.2 0.3", "nan 0.2 0.3"},
                                                        {"window=\"10\"", "window=\"0\""},
                                                        {"training=\"8\"", "training=\"80\""},
                                                        {"<keyword>nest</keyword>", ""},
                                                        {"training=\"9\"", "training=\"90\""},
                                                        {"<support", "<strange/><support"}}) {
    std::string bad = good;
    const size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    EXPECT_FALSE(read_ssd(bad, "a.ssd")) << from << " -> " << to;
  }
}

TEST(SignatureFiles, a_library_is_a_folder_or_one_text) {
  TempDir folder;
  EXPECT_NE(read_library(folder / "none").error().message.find("dowser learn signatures"),
            std::string::npos);
  EXPECT_NE(read_library(folder.path()).error().message.find("no .ssd file"), std::string::npos);
  Signature other = made_signature();
  other.name = "tr_other_1";
  ASSERT_TRUE(write_library(folder.path(), {made_signature(), other}));
  const auto library = read_library(folder.path());
  ASSERT_TRUE(library) << library.error().message;
  ASSERT_EQ(library->size(), 2u);
  const auto again = read_library_text(library_text(*library));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->size(), 2u);
  EXPECT_TRUE((*again)[0].vectors.empty());
  EXPECT_EQ((*again)[0].centroid, (*library)[0].centroid);
  EXPECT_FALSE(read_library_text("{}"));
  EXPECT_FALSE(read_library_text("{\"dowser_model\": 1, \"kind\": \"svm\", \"version\": 1}"));
  EXPECT_FALSE(read_library_text(library_text({})));
  other.settings.window = 3;
  ASSERT_TRUE(write_library(folder.path(), {made_signature(), other}));
  EXPECT_NE(read_library(folder.path()).error().message.find("different settings"),
            std::string::npos);
}

// Learning into a folder once removed every .ssd file in it, whoever had written it.
TEST(SignatureFiles, a_library_takes_the_place_of_our_own_files_only) {
  TempDir folder;
  Signature other = made_signature();
  other.name = "tr_other_1";
  ASSERT_TRUE(write_library(folder.path(), {made_signature(), other}));
  ASSERT_TRUE(write_library(folder.path(), {other}));  // those of an earlier run
  EXPECT_EQ(read_library(folder.path())->size(), 1u);
  std::ofstream(folder / "mine.ssd") << "years of work";
  const Status refused = write_library(folder.path(), {made_signature()});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("mine.ssd exists already"), std::string::npos);
  EXPECT_EQ(*read_file(folder / "mine.ssd"), "years of work");
  EXPECT_TRUE(std::filesystem::exists(folder / "tr_other_1.ssd"));
  std::filesystem::remove(folder / "mine.ssd");
  std::filesystem::create_symlink(folder / "elsewhere", folder / "mine.ssd");
  EXPECT_FALSE(write_library(folder.path(), {made_signature()}).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "mine.ssd"));
  // A crawl keeps its own library in its folder.
  std::filesystem::remove(folder / "mine.ssd");
  std::ofstream(folder / "tr_other_1.ssd") << "copied without the mark";
  EXPECT_TRUE(write_library(folder.path(), {other}, Owner::kCrawl));
  EXPECT_TRUE(read_library(folder.path()).ok());
}

HitsArray made_array() {
  return {{"tr_a_b_c_1", "tr_d_e_f_1", "100% \"weird\" 'name', {x}"},
          {{"http://a.test/?a=1&b=2", "Title, \"quoted\" 'so' % {x}\\", {{0, 3}, {2, 1}}},
           {"http://b.test/", "", {{1, 12}}},
           {"file with spaces.html", "=1+1", {{0, 1}, {1, 1}, {2, 7}}}}};
}

// A short form of fuzz/signature_fuzz.cc: bytes of good files changed, cut out and repeated.
TEST(SignatureFiles, damaged_ones_are_refused_or_read_but_never_break_anything) {
  Random random(11);
  const std::string good[] = {
      ssd_text(made_signature()), kdf_text(KeywordGroup{{"a", "b", "c"}}),
      "<HitsArrayDescriptorFile version=\"2.0\"><ssds><ssd name=\"a\"/></ssds>"
      "<HitsArray><row document=\"d\" title=\"t\">0:3</row></HitsArray>"
      "</HitsArrayDescriptorFile>"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = good[round % 3];
    for (uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
      const size_t at = random.below(bytes.size()), size = 1 + random.below(20);
      switch (random.below(3)) {
        case 0:
          bytes[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          bytes.erase(at, size);
          break;
        default:
          bytes.insert(at, bytes.substr(random.below(bytes.size()), size));
      }
      if (bytes.empty()) bytes = "<";
    }
    if (const auto signature = read_ssd(bytes, "x")) {
      EXPECT_EQ(ssd_text(*read_ssd(ssd_text(*signature), "y")), ssd_text(*signature));
    }
    if (const auto group = read_kdf(bytes, "x")) {
      EXPECT_EQ(kdf_text(*read_kdf(kdf_text(*group), "y")), kdf_text(*group));
    }
    (void)read_hadf_text(bytes, "x",
                         {[](auto) -> Status { return {}; },
                          [](const HitsRow& row) -> Status {
                            for (const HitCount& h : row.hits) EXPECT_LT(h.signature, 10u);
                            return {};
                          }});
  }
}

TEST(HitsArray, is_read_and_written_again_to_the_same_bytes) {
  TempDir folder;
  const std::string text = hadf_text(made_array());
  ASSERT_TRUE(put_file(folder / "a.hadf", text));
  const auto array = read_hits({folder / "a.hadf"});
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(*array, made_array());
  EXPECT_EQ(hadf_text(*array), text);
}

TEST(HitsArray, several_files_are_merged_by_the_names_of_columns_and_documents) {
  TempDir folder;
  const HitsArray one = {{"x", "y"}, {{"d1", "", {{0, 1}}}, {"d2", "", {{1, 2}}}}};
  const HitsArray two = {{"y", "z"}, {{"d2", "", {{0, 5}, {1, 7}}}, {"d3", "", {{0, 1}}}}};
  ASSERT_TRUE(put_file(folder / "1.hadf", hadf_text(one)));
  ASSERT_TRUE(put_file(folder / "2.hadf", hadf_text(two)));
  const auto both = read_hits({folder / "1.hadf", folder / "2.hadf"});
  ASSERT_TRUE(both) << both.error().message;
  const HitsArray expected = {
      {"x", "y", "z"}, {{"d1", "", {{0, 1}}}, {"d2", "", {{1, 5}, {2, 7}}}, {"d3", "", {{1, 1}}}}};
  EXPECT_EQ(*both, expected);
}

TEST(HitsArray, version_1_1_is_read_where_its_counts_are_separated) {
  const auto read = [](const std::string& counts) -> std::pair<std::string, HitsArray> {
    const std::string xml =
        "<HitsArrayDescriptorFile version=\"1.1\">\n<ssdSource folder=\"yes\" file=\"no\">"
        "</ssdSource>\n<link>\nhttp://a.test/\n</link>\n<ssds>\nE:\\lib\\tr_a_b_c_1.ssd\n"
        "E:\\lib\\tr_a_b_c_2.ssd\n</ssds>\n<HitsArray>\n" +
        counts + "\n</HitsArray>\n</HitsArrayDescriptorFile>";
    HitsArray array;
    const Status s = read_hadf_text(xml, "old.hadf",
                                    {[&](std::vector<std::string> names) -> Status {
                                       array.signatures = std::move(names);
                                       return {};
                                     },
                                     [&](HitsRow row) -> Status {
                                       array.rows.push_back(std::move(row));
                                       return {};
                                     }});
    return {s ? "" : s.error().message, array};
  };
  const auto [error, array] = read("0 12");
  EXPECT_EQ(error, "");
  EXPECT_EQ(array.signatures, (std::vector<std::string>{"tr_a_b_c_1", "tr_a_b_c_2"}));
  ASSERT_EQ(array.rows.size(), 1u);
  EXPECT_EQ(array.rows[0].document, "http://a.test/");
  EXPECT_EQ(array.rows[0].hits, (std::vector<HitCount>{{1, 12}}));
  EXPECT_NE(read("012").first.find("cannot be assigned to signatures"), std::string::npos);
}

TEST(HitsArray, wrong_files_are_refused_with_the_line) {
  const auto error = [](const std::string& rows) {
    const std::string xml =
        "<HitsArrayDescriptorFile version=\"2.0\"><ssds><ssd name=\"a\"/>"
        "</ssds>\n<HitsArray>" +
        rows + "</HitsArray></HitsArrayDescriptorFile>";
    const Status s = read_hadf_text(
        xml, "x.hadf", {[](auto) -> Status { return {}; }, [](auto) -> Status { return {}; }});
    return s ? "" : s.error().message;
  };
  EXPECT_EQ(error("<row document=\"d\" title=\"\">0:1</row>"), "");
  EXPECT_EQ(error("<row document=\"d\" title=\"\">1:1</row>"),
            "x.hadf, line 2: a hit of signature 1, but there are only 1");
  EXPECT_EQ(error("<row document=\"d\" title=\"\">0:x</row>"),
            "x.hadf, line 2: '0:x' is not a hit: it must be SIGNATURE:COUNT");
  EXPECT_EQ(error("<row document=\"d\" title=\"\">0:1 0:2</row>"),
            "x.hadf, line 2: the signatures of a row must be in ascending order");
  EXPECT_EQ(error("<what/>"), "x.hadf, line 2: <what> is not known");
}

TEST(HitsArray, csv_and_arff_quote_what_strangers_wrote) {
  const std::string csv = csv_text(made_array());
  EXPECT_NE(csv.find("\"Title, \"\"quoted\"\" 'so' % {x}\\\""), std::string::npos) << csv;
  EXPECT_NE(csv.find(",'=1+1,1,1,7"), std::string::npos) << csv;
  const std::string arff = arff_text(made_array(), {0, 1, 0});
  EXPECT_NE(arff.find("{0 'http://a.test/?a=1&b=2',1 'Title, \\\"quoted\\\" \\'so\\' \\% {x}\\\\'"),
            std::string::npos)
      << arff;
  EXPECT_NE(arff.find("@attribute cluster {none,c1,c2}"), std::string::npos) << arff;
}

TEST(RefineSignatures, drops_what_is_redundant_weak_or_never_hits) {
  // The example of the essay and a column without hits.
  const HitsArray array = {
      {"a", "b", "c", "none"},
      {{"1", "", {{0, 2}, {1, 4}}}, {"2", "", {{0, 1}, {1, 2}}}, {"3", "", {{2, 3}}}}};
  const auto refined = refine_signatures(array);
  ASSERT_TRUE(refined) << refined.error().message;
  EXPECT_FALSE(refined->signatures[0].kept);
  EXPECT_NE(refined->signatures[0].reason.find("redundant: hits like b"), std::string::npos);
  EXPECT_TRUE(refined->signatures[1].kept);
  EXPECT_TRUE(refined->signatures[2].kept);
  EXPECT_EQ(refined->signatures[3].reason, "no hit in any training document");
  EXPECT_FALSE(refine_signatures({{"a"}, {}}));
}

TEST(ClusterHits, groups_rows_and_describes_them) {
  HitsArray array = {{"a", "b"}, {}};
  for (uint32_t i = 0; i < 10; ++i) {
    array.rows.push_back({"d" + std::to_string(i), "", {{i % 2, 1 + i}}});
  }
  const auto clusters = cluster_hits(array, {.clusters = 2});
  ASSERT_TRUE(clusters) << clusters.error().message;
  ASSERT_EQ(clusters->clusters.size(), 2u);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(clusters->cluster_of[i], clusters->cluster_of[i % 2]);
  ASSERT_EQ(clusters->clusters[0].marks.size(), 1u);
  EXPECT_EQ(clusters->clusters[0].marks[0].share, 1);
  EXPECT_FALSE(cluster_hits({{"a"}, {}}));
}

TEST(ClusterHits, purity_and_rand_index_are_as_computed_by_hand) {
  const std::vector<uint32_t> clusters = {0, 0, 0, 1, 1, 1}, labels = {0, 0, 1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(purity(clusters, labels), 5.0 / 6);
  // Pairs together in both: 1 + 3; in clusters 6, in labels 1 + 6 = 7, of 15: expected 2.8.
  EXPECT_DOUBLE_EQ(adjusted_rand_index(clusters, labels), (4 - 2.8) / (6.5 - 2.8));
  EXPECT_DOUBLE_EQ(adjusted_rand_index(clusters, clusters), 1);
}

}  // namespace
}  // namespace dowser
