#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>

#include "archive/warc_reader.h"
#include "archive/warc_writer.h"
#include "base/compress.h"
#include "base/file.h"
#include "run/check.h"
#include "run/run.h"
#include "store/database.h"
#include "tests/made_documents.h"
#include "tests/store/older_catalogue.h"
#include "tests/support.h"

// Whole crawls of a small archived web with documents of many formats, good ones and hostile ones.

namespace dowser {
namespace {

constexpr char kHost[] = "http://docs.test";

class DocumentsTest : public testing::Test {
 protected:
  void add(std::string_view path, std::string_view type, std::string body) {
    Response response;
    response.url = *Url::parse(kHost + std::string(path));
    response.status = 200;
    response.reason = "OK";
    response.headers.add("Content-Type", std::string(type));
    response.fetched_at = Time{1'000'000'000'000'000};
    response.body = std::move(body);
    ASSERT_TRUE(writer_.write(response_record(response)).ok());
    links_ += fmt::format("<li><a href='{}'>lighthouse document</a>", path);
  }

  CrawlConfig config(const std::string& name) {
    CrawlConfig config;
    config.web = {dir_ / "web/web-00000.warc.gz"};
    config.seeds = {std::string(kHost) + "/"};
    config.topic = "lighthouse lamp keeper";
    config.strategy = "breadth-first";
    config.documents = true;
    config.min_pdf = 0;
    config.converter_program = dowser_program();
    config.out = dir_ / name;
    return config;
  }

  CrawlCounters crawl(const CrawlConfig& config) {
    if (!links_.empty()) {
      add("/", "text/html", "<title>all</title>" + links_);
      links_.clear();
    }
    warnings_.clear();
    CrawlEvents events;
    events.subscribe([&](const CrawlEvent& event) {
      if (const auto* warning = std::get_if<CrawlWarning>(&event)) warnings_ += warning->text;
    });
    const Result<RunResult> result = run_crawl(config, events, [] { return false; });
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? result->counters : CrawlCounters();
  }

  // The rows of a query, cells joined by '|'.
  std::vector<std::string> rows(const std::string& folder, const std::string& sql) {
    std::vector<std::string> all;
    Result<Database> db = Database::open(folder + "/catalogue.sqlite");
    if (!db) return all;
    Result<Statement> select = db->prepare(sql);
    EXPECT_TRUE(select.ok()) << select.error().message;
    while (select && *select->step()) {
      std::string& row = all.emplace_back();
      for (int i = 0; i < select->columns(); ++i) row += (i ? "|" : "") + select->text(i);
    }
    return all;
  }
  std::string cell(const std::string& folder, const std::string& sql) {
    const auto all = rows(folder, sql);
    return all.empty() ? "(none)" : all.front();
  }
  std::string outcome(const std::string& folder, std::string_view path) {
    return cell(folder,
                fmt::format("SELECT format || ' ' || COALESCE(failure, kind) FROM documents "
                            "WHERE url = '{}{}'",
                            kHost, path));
  }

  TempDir dir_;
  WarcWriter writer_{{.folder = dir_.path() / "web", .prefix = "web"}};
  std::string links_, warnings_;
};

TEST_F(DocumentsTest, every_format_is_fetched_converted_and_recorded) {
  add("/paper.pdf", "application/octet-stream", made_pdf("The lamp of the lighthouse in the fog"));
  add("/letter.doc", "application/msword",
      "A letter, in plain text, about the keeper of the lamp.");
  add("/thesis.tex", "text/plain",
      "\\documentclass{book}\\begin{document}A dissertation submitted in partial fulfillment of "
      "the "
      "requirements for the degree of Doctor of Philosophy. The lighthouse.\\end{document}");
  add("/notes.txt", "text/plain", "Notes on lamps that keepers of lighthouses write at night.");
  add("/data.xml", "application/xml",
      "<?xml version='1.0'?><a><b>The lighthouse and its lamp</b></a>");
  add("/letter.rtf", "application/rtf",
      "{\\rtf1\\ansi A letter about {\\b lighthouses} and their lamps.}");
  add("/packed.txt.gz", "application/gzip",
      gzip("Packed notes about the keeper of the lighthouse."));
  add("/page.html", "text/html", "<title>a page</title><p>The lamp of the lighthouse.");
  const CrawlConfig c = config("all");
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.fetched, 9U);
  EXPECT_EQ(counters.documents, 7U);
  EXPECT_EQ(counters.documents_failed, 0U) << outcome(c.out, "/paper.pdf");
  EXPECT_EQ(outcome(c.out, "/paper.pdf"), "pdf other");
  EXPECT_EQ(outcome(c.out, "/letter.doc"), "text other");
  EXPECT_EQ(outcome(c.out, "/thesis.tex"), "tex thesis");
  EXPECT_EQ(outcome(c.out, "/data.xml"), "xml other");
  EXPECT_EQ(outcome(c.out, "/letter.rtf"), "rtf other");
  EXPECT_EQ(outcome(c.out, "/packed.txt.gz"), "text other");
  EXPECT_EQ(outcome(c.out, "/page.html"), "(none)") << "an ordinary page is no document";
  EXPECT_EQ(cell(c.out, "SELECT COUNT(*) FROM documents JOIN pages ON id = page WHERE relevant"),
            "7")
      << "documents are judged by their text";
  EXPECT_EQ(cell(c.out,
                 "SELECT d.found_on || ' ' || p.url FROM documents d JOIN pages p ON "
                 "p.id = d.found_on WHERE d.format = 'pdf'"),
            "0 http://docs.test/");
}

TEST_F(DocumentsTest, without_the_setting_they_are_not_fetched) {
  add("/paper.pdf", "application/pdf", made_pdf("The lamp of the lighthouse"));
  CrawlConfig c = config("none");
  c.documents = false;
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.fetched, 1U);
  EXPECT_EQ(counters.documents, 0U);
}

TEST_F(DocumentsTest, unwelcome_names_and_sizes_are_not_read) {
  add("/hw3.pdf", "application/pdf", made_pdf("The lamp of the lighthouse"));
  add("/hwang.pdf", "application/pdf", made_pdf("The lamp of the lighthouse, again"));
  add("/large.txt.gz", "application/gzip",
      gzip(std::string(20'000, 'x')) + std::string(4'000, 'y'));
  CrawlConfig c = config("names");
  c.min_pdf = 8 << 10;
  c.max_document = 2'000;
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.fetched, 3U) << "not hw3";
  EXPECT_EQ(counters.documents, 0U);
  EXPECT_EQ(counters.failures.at("unwanted-size"), 2U);
  EXPECT_EQ(counters.refused.at("unwelcome-name"), 1U);
}

TEST_F(DocumentsTest, copies_and_other_formats_are_one_document) {
  const std::string text =
      "On the lamp of the lighthouse and what its keeper writes about it every night in winter "
      "when "
      "the fog comes in from the sea and no ship can be seen from the gallery above the rocks.";
  add("/a/lamp.txt", "text/plain", text);
  add("/b/other.txt", "text/plain", text);
  add("/a/lamp.tex", "text/plain",
      "\\documentclass{article}\\begin{document}" + text + "\\end{document}");
  const CrawlConfig c = config("copies");
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.documents, 3U);
  EXPECT_EQ(counters.document_copies, 1U);
  EXPECT_EQ(counters.document_formats, 1U);
  EXPECT_EQ(counters.near_duplicates, 1U) << "the copy; the other format is none";
  const std::string first = cell(c.out, "SELECT page FROM documents WHERE url LIKE '%/a/lamp.txt'");
  EXPECT_EQ(cell(c.out, "SELECT same_bytes_as FROM documents WHERE url LIKE '%other.txt'"), first);
  EXPECT_EQ(cell(c.out, "SELECT other_format_of FROM documents WHERE url LIKE '%lamp.tex'"), first);
  EXPECT_EQ(cell(c.out, "SELECT links FROM document_references WHERE page = " + first), "2")
      << "a link to each of its addresses";
}

TEST_F(DocumentsTest, web_pages_that_are_papers_are_documents_and_their_links_are_followed) {
  std::string paper =
      "<meta name=citation_author content='Ann Lee'><title>x</title><h1>The lamp in the fog</h1>"
      "<h2>Abstract</h2><p>We measure how far the lamp of a lighthouse is seen."
      "<h2>1 Introduction</h2><p>Lamps are old [1]. Fog is older [2]. Keepers know [3], [4], [5]."
      "<h2>Conclusion</h2><p>It is seen. <a href=/next.html>next</a><h2>References</h2>";
  for (int i = 1; i <= 6; ++i) paper += fmt::format("<p>[{}] A. Lee. On lamps. 19{}0.", i, i);
  add("/paper.html", "text/html", paper);
  add("/next.html", "text/html", "<title>n</title>The keeper of the lamp of the lighthouse");
  const CrawlConfig c = config("html");
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.documents, 1U);
  EXPECT_EQ(cell(c.out, "SELECT format, kind, title, authors FROM documents"),
            "html|paper|The lamp in the fog|[\"Ann Lee\"]");
  EXPECT_EQ(counters.fetched, 3U);
}

TEST_F(DocumentsTest, the_catalogue_is_the_same_when_it_is_rebuilt_from_the_archive) {
  add("/a.tex", "text/plain",
      "\\documentclass{article}\\title{The lamp of the lighthouse}\\author{Ann Lee}"
      "\\begin{document}\\maketitle The keeper of the lamp writes of fog and of "
      "ships.\\end{document}");
  add("/bad.docx", "application/octet-stream", "PK\x03\x04 word/document.xml");
  add("/copy.tex", "text/plain",
      "\\documentclass{article} The keeper of the lamp again and again.");
  const CrawlConfig c = config("rebuilt");
  crawl(c);
  const std::string all = "SELECT * FROM documents ORDER BY page";
  const auto before = rows(c.out, all);
  ASSERT_EQ(before.size(), 3U);
  const auto pages = rows(c.out, "SELECT id, title, language, digest FROM pages ORDER BY id");
  std::filesystem::remove(c.out + "/catalogue.sqlite");
  ASSERT_EQ(run_dowser({"check", c.out, "--repair"}).code, 0);
  EXPECT_EQ(rows(c.out, all), before);
  EXPECT_EQ(rows(c.out, "SELECT id, title, language, digest FROM pages ORDER BY id"), pages);
  EXPECT_EQ(run_dowser({"check", c.out}).code, 0);
}

TEST_F(DocumentsTest, the_archive_holds_the_text_as_a_conversion_of_the_answer) {
  add("/a.tex", "text/plain",
      "\\documentclass{article} The \\emph{keeper} of the lamp of the lighthouse.");
  const CrawlConfig c = config("warc");
  crawl(c);
  Result<WarcReader> reader = WarcReader::open(c.out + "/archive/crawl-00000.warc.gz");
  ASSERT_TRUE(reader.ok());
  std::map<std::string, std::string> responses;
  size_t conversions = 0;
  while (const auto record = reader->next()) {
    if (record->type == RecordType::kResponse) responses[record->id] = record->target;
    if (record->type != RecordType::kConversion) continue;
    ++conversions;
    EXPECT_NE(record->block.find("The keeper of the lamp"), std::string::npos);
    EXPECT_EQ(responses[std::string(record->headers.get("WARC-Refers-To").value_or(""))],
              record->target);
  }
  EXPECT_EQ(conversions, 1U);
}

TEST_F(DocumentsTest, a_crawl_that_began_before_there_were_documents_resumes) {
  add("/a.txt", "text/plain", "The keeper of the lamp of the lighthouse, one.");
  add("/b.txt", "text/plain", "Another keeper of another lamp in the other lighthouse.");
  CrawlConfig c = config("older");
  c.max_pages = 2;
  crawl(c);
  {
    Result<Database> db = Database::open_for_writing(c.out + "/catalogue.sqlite");
    ASSERT_TRUE(db.ok());
    ASSERT_TRUE(make_links_a_table(*db).ok());
    ASSERT_TRUE(db->execute("DROP VIEW main.document_references; DROP TABLE documents; "
                            "PRAGMA user_version = 3;")
                    .ok());
  }
  CrawlConfig more = *config_of(c.out);
  more.converter_program = dowser_program();
  more.max_pages = 10;
  const auto result = resume_crawl(more, {}, [] { return false; });
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->counters.fetched, 3U);
  EXPECT_EQ(cell(c.out, "SELECT COUNT(*) FROM documents"), "1");
}

TEST_F(DocumentsTest, hostile_documents_fail_by_name_and_the_crawl_goes_on) {
  const std::string good = made_pdf("The lamp of the lighthouse");
  add("/truncated.pdf", "application/pdf", good.substr(0, good.size() / 3));
  add("/locked.pdf", "application/pdf", made_locked_pdf());
  add("/empty.pdf", "application/pdf", made_pdf(""));
  add("/pages.pdf", "application/pdf", made_page_bomb());
  add("/endless.pdf", "application/pdf", made_endless_pdf());
  add("/zip.docx", "application/octet-stream", made_docx(std::string(200 << 20, ' ')));
  add("/loop.ps", "application/postscript", "%!PS\n{ } loop");
  add("/thief.ps", "application/postscript",
      "%!PS\n/Helvetica findfont 20 scalefont setfont 72 700 moveto (/etc/passwd) (r) file 4000 "
      "string readstring pop show showpage");
  add("/entity.docx", "application/octet-stream",
      made_docx("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><w:document><w:body><w:p>"
                "<w:t>The lamp of the lighthouse &x;</w:t></w:p></w:body></w:document>",
                true));
  add("/input.tex", "text/plain",
      "\\documentclass{article}\\begin{document}\\input{/etc/passwd}\\include{/etc/shadow} The "
      "lamp of "
      "the lighthouse and its keeper.\\end{document}");
  add("/nothing.pdf", "application/pdf", std::string("\0\1\2\3\4\5", 6));
  add("/..%2F..%2Fetc%2Fpasswd.txt", "text/plain",
      "The lamp of the lighthouse, out of its folder.");
  add("/nul%00l.txt", "text/plain", "The lamp of the lighthouse, with a hole in its name.");
  add("/" + std::string(300, 'n') + ".txt", "text/plain",
      "The lamp of the lighthouse, with a long name.");
  add("/con.txt", "text/plain", "The lamp of the lighthouse, as a device of some system.");
  add("/two%0Alines.txt", "text/plain", "The lamp of the lighthouse, on two lines of a list.");
  add("/evil%E2%80%AEtxt.exe.txt", "text/plain",
      "The lamp of the lighthouse, written from the right.");
  add("/last.txt", "text/plain", "The last lamp of the last lighthouse.");
  CrawlConfig c = config("hostile");
  c.conversion_time = std::chrono::seconds(2);  // of work that never ends
  prctl(PR_SET_CHILD_SUBREAPER, 1);             // a process that lost its parent becomes ours
  const CrawlCounters counters = crawl(c);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
  EXPECT_EQ(counters.documents, 18U);
  EXPECT_EQ(outcome(c.out, "/truncated.pdf"), "pdf damaged");
  EXPECT_EQ(outcome(c.out, "/locked.pdf"), "pdf encrypted");
  EXPECT_EQ(outcome(c.out, "/pages.pdf"), "pdf damaged");
  EXPECT_EQ(outcome(c.out, "/endless.pdf"), "pdf time");
  EXPECT_EQ(outcome(c.out, "/thief.ps"), "postscript damaged");
  EXPECT_EQ(outcome(c.out, "/empty.pdf"), "pdf no-text");
  EXPECT_EQ(outcome(c.out, "/zip.docx"), "docx memory");
  EXPECT_EQ(outcome(c.out, "/loop.ps"), "postscript time");
  EXPECT_EQ(outcome(c.out, "/entity.docx"), "docx damaged");
  EXPECT_EQ(outcome(c.out, "/nothing.pdf"), "unknown unknown-format");
  EXPECT_EQ(outcome(c.out, "/input.tex"), "tex other");
  EXPECT_EQ(outcome(c.out, "/last.txt"), "text other");
  for (const std::string& name : rows(c.out, "SELECT name FROM documents")) {
    EXPECT_EQ(name.find_first_of(std::string_view("/\\\0\n\r", 5)), std::string::npos) << name;
    EXPECT_LE(name.size(), 64U) << name;
  }
  const std::string archive = *read_file(c.out + "/archive/crawl-00000.warc.gz");
  Result<WarcReader> reader = WarcReader::open(c.out + "/archive/crawl-00000.warc.gz");
  ASSERT_TRUE(reader.ok());
  while (const auto record = reader->next()) {
    EXPECT_EQ(record->block.find("root:x:0"), std::string::npos)
        << "a file of this machine was read";
  }
  const Ran checked = run_dowser({"check", c.out});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
}

TEST_F(DocumentsTest, converters_that_are_not_installed_are_named_at_the_start_and_counted) {
  add("/paper.pdf", "application/pdf", made_pdf("The lamp of the lighthouse"));
  add("/lamp.ps", "application/postscript", "%!PS\nshowpage");
  add("/page.html", "text/html", "<title>a page</title><p>The lamp of the lighthouse.");
  const CrawlConfig c = config("missing");
  crawl(config("all"));
  // Where the programs are, there are files now that cannot be executed.
  const std::string script = fmt::format(
      "unshare -rm sh -c 'mount --bind /dev/null /usr/bin/pdftotext && mount --bind /dev/null "
      "/usr/bin/gs && exec {} crawl --web {} --seed {}/ --topic \"lighthouse lamp\" --strategy "
      "breadth-first --documents yes --min-pdf 0 --out {} --json' > {} 2> {}",
      dowser_program().string(), c.web[0], kHost, c.out, dir_ / "json", dir_ / "errors");
  const int code = std::system(script.c_str());
  const std::string errors = *read_file(dir_ / "errors");
  if (errors.find("unshare") != std::string::npos || errors.find("mount:") != std::string::npos) {
    GTEST_SKIP() << "this machine allows no mount namespace: " << errors;
  }
  EXPECT_EQ(code, 0) << errors;
  const std::string sentence =
      "converters are not installed, so documents of these formats cannot be converted: ";
  const size_t at = errors.find(sentence);
  ASSERT_NE(at, std::string::npos) << errors;
  EXPECT_EQ(errors.find(sentence, at + 1), std::string::npos) << "it is said once";
  EXPECT_NE(errors.find("pdftotext (pdf)"), std::string::npos) << errors;
  EXPECT_NE(errors.find("gs (postscript)"), std::string::npos) << errors;
  EXPECT_NE(read_file(dir_ / "json")->find("\"document_failures\":{\"converter-missing\":2}"),
            std::string::npos);
  EXPECT_EQ(cell(c.out, "SELECT COUNT(*) FROM pages WHERE status = 200"), "4");
  EXPECT_EQ(outcome(c.out, "/paper.pdf"), "pdf converter-missing");
}

TEST_F(DocumentsTest, kinds_follow_the_words_of_the_profile) {
  add("/notes.txt", "text/plain", "Field notes of the keeper of the lamp of the lighthouse.");
  ASSERT_TRUE(put_file(dir_ / "p.toml", "[documents]\nreport = {\"Field Notes\" = 9}\n").ok());
  CrawlConfig c = config("usual");
  crawl(c);
  EXPECT_EQ(cell(c.out, "SELECT kind FROM documents"), "other");
  c = config("profile");
  c.profile = dir_ / "p.toml";
  crawl(c);
  EXPECT_EQ(cell(c.out, "SELECT kind FROM documents"), "report");
}

TEST_F(DocumentsTest, if_no_converter_starts_pages_are_crawled_all_the_same) {
  add("/paper.pdf", "application/pdf", made_pdf("The lamp of the lighthouse"));
  add("/page.html", "text/html", "<title>a page</title><p>The lamp of the lighthouse.");
  add("/notes.txt", "text/plain", "The keeper of the lamp of the lighthouse.");
  CrawlConfig c = config("none");
  c.converter_program = "/bin/true";
  const CrawlCounters counters = crawl(c);
  EXPECT_EQ(counters.fetched, 4U);
  EXPECT_EQ(counters.documents, 2U);
  EXPECT_EQ(counters.document_failures.at("not-confined"), 1U);
  EXPECT_NE(warnings_.find("documents cannot be converted"), std::string::npos) << warnings_;
}

}  // namespace
}  // namespace dowser
