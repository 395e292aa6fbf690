#include "store/visit_metadata.h"

#include <gtest/gtest.h>

#include <limits>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "tests/support.h"

namespace dowser {
namespace {

// The visit as it comes back from an archive.
Visit through_an_archive(const Visit& visit) {
  TempDir dir;
  WarcWriter writer({.folder = dir.path()});
  const Headers fields = metadata_fields(visit, {"cosine", "best-first", "http://parent.test/"});
  const auto written =
      writer.write(metadata_record(visit.response.url, visit.response.fetched_at, fields));
  EXPECT_TRUE(written.ok());
  auto reader = WarcReader::open(dir.path() / written->file);
  std::optional<WarcRecord> record = reader->next();
  while (record && record->type != RecordType::kMetadata) record = reader->next();
  Result<Visit> back = visit_of(*record);
  EXPECT_TRUE(back.ok());
  return *back;
}

Visit some_visit() {
  Visit visit;
  visit.id = VisitId{17};
  visit.candidate.url = *Url::parse("http://a.test/old");
  visit.candidate.score = Score(0.1, 1.0 / 3, -2, std::numeric_limits<double>::min());
  visit.candidate.trail = {VisitId{4}, 3, 12};
  visit.response.url = *Url::parse("http://a.test/new");
  visit.response.status = 200;
  visit.judgement = {{2.0 / 3}, true, "bird", {{"n\"est: x", 0.1 + 0.2}, {"ö", -1e-300}}};
  visit.near_duplicate_of = VisitId{9};
  visit.soft_404 = true;
  return visit;
}

TEST(VisitMetadata, says_all_that_the_answer_does_not_and_exactly) {
  const Visit visit = some_visit();
  const Visit back = through_an_archive(visit);
  EXPECT_EQ(back.id, visit.id);
  EXPECT_EQ(back.candidate.url.href(), visit.candidate.url.href());
  EXPECT_EQ(back.candidate.score, visit.candidate.score);
  EXPECT_EQ(back.candidate.trail.parent, visit.candidate.trail.parent);
  EXPECT_EQ(back.candidate.trail.depth, 3u);
  EXPECT_EQ(back.candidate.trail.position, 12u);
  EXPECT_EQ(back.response.url.href(), visit.response.url.href());
  EXPECT_EQ(back.response.failure, Failure::kNone);
  EXPECT_EQ(back.judgement.relevance, visit.judgement.relevance);
  EXPECT_TRUE(back.judgement.relevant);
  EXPECT_EQ(back.judgement.label, "bird");
  EXPECT_EQ(reasons_json(back.judgement), reasons_json(visit.judgement));
  EXPECT_EQ(back.near_duplicate_of, visit.near_duplicate_of);
  EXPECT_TRUE(back.soft_404);
}

TEST(VisitMetadata, knows_seeds_and_links_that_go_last) {
  Visit visit = some_visit();
  for (const Score& score : {Score::seed(), Score::last(), Score(0)}) {
    visit.candidate.score = score;
    EXPECT_EQ(through_an_archive(visit).candidate.score, score);
  }
}

TEST(VisitMetadata, says_what_came_before_an_answer_failed) {
  Visit visit = some_visit();
  visit.response.failure = Failure::kUnwantedType;
  visit.response.headers.add("Content-Type", "image/png");
  visit.page.charset = "utf-8";
  const Visit back = through_an_archive(visit);
  EXPECT_EQ(back.response.failure, Failure::kUnwantedType);
  EXPECT_EQ(back.response.content_type(), "image/png");
  EXPECT_EQ(back.page.charset, "utf-8");
}

TEST(VisitMetadata, a_record_of_an_older_version_does_not_say_which_visit_it_is_of) {
  WarcRecord record;
  record.type = RecordType::kMetadata;
  record.target = "http://a.test/";
  record.block = "relevance: 0.5\r\nrelevant: yes\r\nscore: 0.25\r\ndepth: 2\r\n";
  EXPECT_FALSE(visit_of(record).ok());
  const Result<Visit> visit = visit_of(record, VisitId{3});
  ASSERT_TRUE(visit.ok());
  EXPECT_EQ(visit->judgement.relevance.value, 0.5);
}

}  // namespace
}  // namespace dowser
