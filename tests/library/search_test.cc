#include "library/search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/random.h"
#include "library/similar.h"
#include "library/word_forms.h"
#include "tests/support.h"
#include "text/search_words.h"

namespace dowser {
namespace {

// A page as the slow reference sees it. Blocks are words with a blank around each.
struct MadePage {
  std::string url, host, title;
  std::vector<std::string> blocks;
  std::vector<std::string> footers;
};

IndexText index_of(const MadePage& made) {
  Page page;
  page.url = *Url::parse(made.url);
  page.title = made.title;
  const auto add = [&](const std::string& text, BlockRole role) {
    Block block;
    block.role = role;
    block.text.begin = static_cast<uint32_t>(page.text.size());
    page.text += text;
    block.text.end = static_cast<uint32_t>(page.text.size());
    page.text += '\n';
    page.blocks.push_back(block);
  };
  for (const std::string& block : made.blocks) add(block, BlockRole::kContent);
  for (const std::string& block : made.footers) add(block, BlockRole::kFooter);
  IndexText text = index_text(page);
  text.item.kind = "page", text.item.format = "html";
  return text;
}

class SearchTest : public testing::Test {
 protected:
  LibraryReader build(const std::vector<MadePage>& pages) {
    std::vector<IndexText> texts;
    for (const MadePage& page : pages) texts.push_back(index_of(page));
    return build(texts);
  }
  LibraryReader build(const std::vector<IndexText>& texts) {
    Result<LibraryWriter> writer = LibraryWriter::create(path());
    EXPECT_TRUE(writer.ok());
    for (const IndexText& text : texts) EXPECT_TRUE(writer->add(text).ok());
    EXPECT_TRUE(writer->finish().ok());
    Result<LibraryReader> library = LibraryReader::open(path());
    EXPECT_TRUE(library.ok()) << library.error().message;
    return std::move(*library);
  }
  std::string path() const { return folder_ / "library.sqlite"; }

  // Addresses of the hits in their order, without "http://a.org/".
  std::vector<std::string> found(LibraryReader& library, std::string_view text,
                                 const SearchOptions& options = {}, Annotations* notes = nullptr) {
    const ParsedQuery parsed = parse_query(text);
    EXPECT_TRUE(parsed.query) << text << ": " << parsed.error.message;
    const Result<LibraryHits> hits = search(library, notes, *parsed.query, options);
    EXPECT_TRUE(hits.ok()) << hits.error().message;
    return names(library, *hits);
  }
  std::vector<std::string> names(LibraryReader& library, const LibraryHits& hits) {
    std::vector<std::string> names;
    for (const LibraryHit& hit : hits.hits) {
      const std::string url = (*library.item(hit.id))->url;
      names.push_back(url.substr(url.rfind('/') + 1));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  TempDir folder_;
};

MadePage page(const std::string& name, const std::string& title,
              const std::vector<std::string>& blocks) {
  return {"http://a.org/" + name, "a.org", title, blocks, {}};
}

TEST_F(SearchTest, items_with_all_words_come_before_items_with_some) {
  std::vector<MadePage> pages = {page("some", "swan swan swan", {"swan swan swan swan"}),
                                 page("all", "a page", {"one swan on a big big lake"}),
                                 page("none", "a duck", {"a duck on a pond"}),
                                 page("other", "the lake", {"only a lake"})};
  for (int i = 0; i < 20; ++i) pages.push_back(page(std::to_string(i), "x", {"some words"}));
  LibraryReader library = build(pages);
  const Names names = found(library, "swan lake");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], "all");
  const Result<LibraryHits> hits = search(library, nullptr, *parse_query("swan lake").query, {});
  EXPECT_EQ(hits->total, 3u);
  EXPECT_EQ(hits->with_all, 1u);
  EXPECT_TRUE(hits->hits[0].has_all);
  EXPECT_FALSE(hits->hits[1].has_all);
}

// As `dowser search` looks for it.
std::set<std::string> found_by_forms(LibraryReader& library, std::string_view text) {
  Query query = std::move(*parse_query(text).query);
  EXPECT_TRUE(find_forms(library, query).ok());
  const Result<LibraryHits> hits = search(library, nullptr, query, {});
  EXPECT_TRUE(hits.ok()) << hits.error().message;
  std::set<std::string> titles;
  for (const LibraryHit& hit : hits->hits) titles.insert((*library.item(hit.id))->title);
  return titles;
}

TEST_F(SearchTest, a_word_finds_its_other_forms_and_in_quotation_marks_itself_alone) {
  const auto item = [](const std::string& title, const std::string& text) {
    LibraryItem item;
    item.url = "http://a.org/" + title;
    item.host = "a.org", item.title = title, item.language = "en";
    return index_text(item, text);
  };
  LibraryReader library = build({item("one", "she builds a nest"), item("two", "there are nests"),
                                 item("three", "nesting flies"), item("four", "a fly and a bed")});
  using Titles = std::set<std::string>;
  EXPECT_EQ(found_by_forms(library, "nest"), (Titles{"one", "two", "three"}));
  EXPECT_EQ(found_by_forms(library, "text:Nests"), (Titles{"one", "two", "three"}));
  EXPECT_EQ(found_by_forms(library, "\"nest\""), Titles{"one"});
  EXPECT_EQ(found_by_forms(library, "nest AND fly"), Titles{"three"});
  EXPECT_EQ(found_by_forms(library, "fly NOT nests"), Titles{"four"});
  EXPECT_EQ(found_by_forms(library, "two OR nested NOT \"nest\""), (Titles{"two", "three"}));
}

TEST_F(SearchTest, a_word_in_the_title_counts_more_and_so_does_a_rare_word) {
  std::vector<MadePage> pages = {page("text", "birds", {"the swan and other birds are here"}),
                                 page("title", "swan", {"some other birds are here now too"})};
  for (int i = 0; i < 30; ++i) pages.push_back(page(std::to_string(i), "x", {"birds and words"}));
  LibraryReader library = build(pages);
  EXPECT_EQ(found(library, "text:swan OR title:swan")[0], "title");
  EXPECT_EQ(found(library, "swan")[0], "title");
  EXPECT_EQ(found(library, "words OR swan")[0], "title");
}

TEST_F(SearchTest, fields_phrases_prefixes_and_not) {
  LibraryReader library = build({page("1", "Focused crawler", {"a topical crawler", "deep web"}),
                                 page("2", "Crawling", {"focused on the deep", "web pages"}),
                                 page("3", "Crawlers", {"other things"})});
  EXPECT_EQ(found(library, "title:crawler AND (focused OR topical) NOT \"deep sea\""), Names{"1"});
  EXPECT_EQ(found(library, "\"deep web\""), Names{"1"});  // never across two blocks
  EXPECT_EQ(found(library, "focused NOT \"deep web\""), Names{"2"});
  EXPECT_EQ(found(library, "title:crawl*").size(), 3u);
  EXPECT_EQ(found(library, "text:focused"), Names{"2"});
  EXPECT_EQ(found(library, "url:3"), Names{"3"});
  EXPECT_EQ(found(library, "\"focused crawl\"*"), Names{"1"});
}

TEST_F(SearchTest, a_host_holds_those_below_it) {
  LibraryReader library = build(
      std::vector<MadePage>{{"http://cs.cmu.edu/1", "cs.cmu.edu", "word", {"text"}, {}},
                            {"http://notcs.cmu.edu/2", "notcs.cmu.edu", "word", {"text"}, {}},
                            {"http://www.cs.cmu.edu/3", "www.cs.cmu.edu", "other", {"text"}, {}}});
  EXPECT_EQ(found(library, "host:cs.cmu.edu").size(), 2u);
  EXPECT_EQ(found(library, "word host:cs.cmu.edu"), Names{"1"});
  EXPECT_EQ(found(library, "word AND NOT host:cs.cmu.edu"), Names{"2"});
  EXPECT_EQ(found(library, "host:cmu.com").size(), 0u);
  SearchOptions options;
  options.filter.hosts = {"cs.cmu.edu"};
  EXPECT_EQ(found(library, "text", options).size(), 2u);
}

TEST_F(SearchTest, pages_in_all_languages_are_found) {
  LibraryReader library =
      build({page("ja", "東京都の図書館",
                  {"国立国会図書館は東京都千代田区永田町にある日本の図書館である。"}),
             page("tr", "İstanbul", {"İSTANBUL'da kütüphane, Ankara'da üniversite; ILICA"}),
             page("de", "Zürich", {"Die Straße nach Zürich"}),
             page("fr", "L'homme", {"l'homme et la bibliothèque d'Orléans"}),
             page("ru", "Библиотека", {"Российская государственная библиотека"}),
             page("ar", "مكتبة", {"مكتبة الإسكندرية"}), page("ko", "도서관", {"국립 도서관"})});
  for (const auto& [query, name] : std::vector<std::pair<std::string, std::string>>{
           {"東京", "ja"},         {"国会図書館", "ja"}, {"\"東京都 千代田区\"", "ja"},
           {"title:図書館", "ja"}, {"istanbul", "tr"},   {"ISTANBUL", "tr"},
           {"İstanbul", "tr"},     {"ankara", "tr"},     {"Ankara'da", "tr"},
           {"kütüphane", "tr"},    {"kutuphane", "tr"},  {"KÜTÜPHANE", "tr"},
           {"ılıca", "tr"},        {"zurich", "de"},     {"STRASSE", "de"},
           {"homme", "fr"},        {"l'homme", "fr"},    {"orleans", "fr"},
           {"БИБЛИОТЕКА", "ru"},   {"الإسكندرية", "ar"}, {"도서관", "ko"}}) {
    EXPECT_EQ(found(library, query), Names{name}) << query;
  }
  EXPECT_EQ(found(library, "京東").size(), 0u);
}

TEST_F(SearchTest, filters_and_orders) {
  std::vector<IndexText> texts;
  const auto add = [&](const std::string& name, const std::string& kind, std::optional<int> year,
                       double relevance, uint64_t references, bool copy) {
    LibraryItem item;
    item.url = "http://a.org/" + name, item.host = "a.org", item.kind = kind;
    item.format = kind == "page" ? "html" : "pdf";
    item.language = name == "b" ? "de" : "en";
    item.year = year, item.relevance = relevance, item.relevant = relevance >= 0.5;
    item.references = references, item.is_copy = copy;
    texts.push_back(index_text(item, "the same words"));
  };
  add("a", "page", {}, 0.9, 1, false);
  add("b", "paper", 1999, 0.2, 7, false);
  add("c", "thesis", 2004, 0.6, 3, false);
  add("d", "paper", 2010, 0.5, 0, true);
  LibraryReader library = build(texts);
  const auto with = [&](const std::function<void(SearchOptions&)>& set) {
    SearchOptions options;
    set(options);
    return found(library, "words", options);
  };
  EXPECT_EQ(with([](auto&) {}), (Names{"a", "b", "c"}));
  EXPECT_EQ(with([](auto& o) { o.filter.copies = true; }), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(with([](auto& o) { o.filter.kinds = {"paper", "thesis"}; }), (Names{"b", "c"}));
  EXPECT_EQ(with([](auto& o) { o.filter.formats = {"html"}; }), Names{"a"});
  EXPECT_EQ(with([](auto& o) { o.filter.languages = {"de"}; }), Names{"b"});
  EXPECT_EQ(with([](auto& o) { o.filter.year_from = 2000; }), Names{"c"});
  EXPECT_EQ(with([](auto& o) { o.filter.year_to = 2000; }), Names{"b"});
  EXPECT_EQ(with([](auto& o) { o.filter.only_relevant = true; }), (Names{"a", "c"}));
  EXPECT_EQ(with([](auto& o) { o.filter.relevance_from = 0.7; }), Names{"a"});
  EXPECT_EQ(with([](auto& o) { o.order = SearchOrder::kRelevance; }), (Names{"a", "c", "b"}));
  EXPECT_EQ(with([](auto& o) { o.order = SearchOrder::kReferences; }), (Names{"b", "c", "a"}));
  EXPECT_EQ(with([](auto& o) { o.order = SearchOrder::kYear; }), (Names{"c", "b", "a"}));
  EXPECT_EQ(with([](auto& o) { o.limit = 1, o.offset = 1; }), Names{"b"});
  EXPECT_EQ(with([](auto& o) { o.offset = 9; }), Names{});
}

TEST_F(SearchTest, notes_are_searched_in_their_own_file) {
  LibraryReader library = build({page("1", "swans", {"x"}), page("2", "ducks", {"swans"})});
  Result<Annotations> notes = Annotations::create(folder_ / "annotations.sqlite");
  ASSERT_TRUE(notes.ok());
  ASSERT_TRUE(notes->add({0, "http://a.org/2", "Ada", "very good pictures", "2026-01-01"}).ok());
  ASSERT_TRUE(notes->add({0, "http://a.org/gone", "Ada", "good too", "2026-01-01"}).ok());
  EXPECT_EQ(found(library, "note:\"good pictures\"", {}, &*notes), Names{"2"});
  EXPECT_EQ(found(library, "note:pic*", {}, &*notes), Names{"2"});
  EXPECT_EQ(found(library, "note:ada", {}, &*notes), Names{"2"});
  EXPECT_EQ(found(library, "swans NOT note:good", {}, &*notes), Names{"1"});
  EXPECT_EQ(found(library, "title:swans AND note:good", {}, &*notes), Names{});
  EXPECT_EQ(found(library, "title:swans OR note:good", {}, &*notes), (Names{"1", "2"}));
  EXPECT_EQ(found(library, "note:good", {}, nullptr), Names{});
}

TEST_F(SearchTest, what_is_missing_is_named_with_a_word_like_it) {
  LibraryReader library = build({page("1", "penguins", {"penguins and pelicans"})});
  const auto missing = missing_words(library, *parse_query("pengiuns pelicans NOT zzz").query);
  ASSERT_TRUE(missing.ok());
  ASSERT_EQ(missing->size(), 1u);
  EXPECT_EQ(missing->front().word, "pengiuns");
  EXPECT_EQ(missing->front().similar, "penguins");
}

TEST_F(SearchTest, similar_items_share_rare_words) {
  std::vector<MadePage> pages;
  for (int i = 0; i < 40; ++i) {
    const bool birds = i % 4 == 0;
    pages.push_back(page(std::to_string(i), birds ? "penguins" : "engines",
                         {birds ? "penguins breed on antarctic ice with their feathers"
                                : "engines burn fuel in their cylinders with oil"}));
  }
  LibraryReader library = build(pages);
  SearchOptions options;
  options.limit = 100;
  const LibraryItem first = **library.item_at("http://a.org/0");
  const auto similar = search_similar(library, first, pages[0].blocks[0], options);
  ASSERT_TRUE(similar.ok());
  EXPECT_EQ(similar->found.total, 9u);
  for (const std::string& name : names(library, similar->found)) {
    EXPECT_EQ(std::stoi(name) % 4, 0);
    EXPECT_NE(name, "0");
  }
  EXPECT_EQ(similar->words.front(), "penguins");  // of the title
}

// --- Hits equal brute force ----------------------------------------------------------------------

// Whether a text with blanks around its words holds a phrase.
bool holds(const std::string& text, const Query& phrase) {
  std::string words = " ";
  for (const std::string& word : phrase.words) words += word + " ";
  if (phrase.is_prefix) words.pop_back();
  return text.find(words) != std::string::npos;
}

bool matches(const MadePage& page, const Query& query) {
  const auto any_of = [&](const std::vector<std::string>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const std::string& block) { return holds(block, query); });
  };
  switch (query.kind) {
    case Query::Kind::kPhrase:
      switch (query.field) {
        case QueryField::kAny:
          return holds(" " + page.title + " ", query) || any_of(page.blocks);
        case QueryField::kTitle:
          return holds(" " + page.title + " ", query);
        case QueryField::kText:
          return any_of(page.blocks);
        case QueryField::kOther:
          return any_of(page.footers);
        default:
          return false;
      }
    case Query::Kind::kHost:
      return page.host == query.words[0] || page.host.ends_with("." + query.words[0]);
    case Query::Kind::kNot:
      return !matches(page, query.parts[0]);
    case Query::Kind::kAll:
      return std::all_of(query.parts.begin(), query.parts.end(),
                         [&](const Query& part) { return matches(page, part); });
    case Query::Kind::kSome:
    case Query::Kind::kAny:
      return std::any_of(query.parts.begin(), query.parts.end(),
                         [&](const Query& part) { return matches(page, part); });
  }
  return false;
}

// --- Scores equal brute force --------------------------------------------------------------------

size_t places_of(const std::string& text, const Query& phrase) {
  std::string words = " ";
  for (const std::string& word : phrase.words) words += word + " ";
  if (phrase.is_prefix) words.pop_back();
  size_t places = 0;
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++places;
  return places;
}

double weighted_count(const MadePage& page, const Query& phrase) {
  const bool any = phrase.field == QueryField::kAny;
  double count = 0;
  if (any || phrase.field == QueryField::kTitle)
    count += 5 * places_of(" " + page.title + " ", phrase);
  if (any || phrase.field == QueryField::kText) {
    for (const std::string& block : page.blocks) count += places_of(block, phrase);
  }
  if (phrase.field == QueryField::kOther) {
    for (const std::string& block : page.footers) count += 0.5 * places_of(block, phrase);
  }
  return count;
}

double length_of(const MadePage& page) {
  const auto words = [](const std::string& text) { return search_words(text).size(); };
  size_t length = words(page.title);
  for (const std::string& block : page.blocks) length += words(block);
  return static_cast<double>(length);
}

// BM25 of all pages, as the books have it.
std::vector<double> scores_of(const std::vector<MadePage>& pages, const Query& query) {
  std::vector<const Query*> phrases;
  collect_wanted(query, phrases);
  const auto all = static_cast<double>(pages.size());
  double average = 0;
  for (const MadePage& page : pages) average += length_of(page) / all;
  std::vector<double> scores(pages.size());
  for (const Query* phrase : phrases) {
    std::vector<double> counts;
    for (const MadePage& page : pages) counts.push_back(weighted_count(page, *phrase));
    const auto with = static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](double count) { return count > 0; }));
    const double idf = std::max(1e-6, std::log((all - with + 0.5) / (with + 0.5)));
    for (size_t i = 0; i < pages.size(); ++i) {
      const double norm = 1.2 * (0.25 + 0.75 * length_of(pages[i]) / average);
      scores[i] += idf * counts[i] * 2.2 / (counts[i] + norm);
    }
  }
  return scores;
}

// -------------------------------------------------------------------------------------------------

class RandomQueries {
 public:
  explicit RandomQueries(uint64_t seed) : random_(seed) {}

  std::string word() {
    std::string word(1, static_cast<char>('a' + random_.below(4)));
    if (random_.below(2) == 0) word += static_cast<char>('a' + random_.below(3));
    return word;
  }
  std::string words(size_t most) {
    std::string words = " ";
    for (size_t n = 1 + random_.below(most); n > 0; --n) words += word() + " ";
    return words;
  }
  std::string term(int depth) {
    static constexpr const char* kFields[] = {"", "", "", "title:", "text:", "other:"};
    std::string text = kFields[random_.below(6)];
    switch (random_.below(depth > 0 ? 7 : 5)) {
      case 0:
        return text + "\"" + words(3) + "\"" + (random_.below(3) == 0 ? "*" : "");
      case 1:
        return random_.below(2) == 0 ? "host:a.org" : "host:b.org";
      case 2:
        return text + word() + "*";
      case 3:
      case 4:
        return text + word();
      default:
        return text + "(" + query(depth - 1) + ")";
    }
  }
  std::string query(int depth) {
    std::string text = random_.below(8) == 0 ? "NOT " + term(depth) : term(depth);
    for (size_t n = random_.below(3); n > 0; --n) {
      static constexpr const char* kJoins[] = {" ",     " ",         " AND ", " OR ",
                                               " NOT ", " AND NOT ", " -"};
      text += kJoins[random_.below(7)] + term(depth);
    }
    return text;
  }
  Random& random() { return random_; }

 private:
  Random random_;
};

std::vector<MadePage> random_pages(RandomQueries& made, int count) {
  static constexpr const char* kHosts[] = {"a.org", "www.a.org", "b.org", "nota.org"};
  std::vector<MadePage> pages;
  for (int i = 0; i < count; ++i) {
    MadePage page;
    page.host = kHosts[made.random().below(4)];
    page.url = "http://" + page.host + "/p" + std::to_string(i);
    page.title = made.word() + " " + made.word();
    for (size_t n = made.random().below(4); n > 0; --n) page.blocks.push_back(made.words(5));
    for (size_t n = made.random().below(2); n > 0; --n) page.footers.push_back(made.words(3));
    pages.push_back(page);
  }
  return pages;
}

TEST_F(SearchTest, hits_and_scores_equal_brute_force_on_a_thousand_random_queries) {
  RandomQueries made(20);
  const std::vector<MadePage> pages = random_pages(made, 80);
  LibraryReader library = build(pages);
  SearchOptions options;
  options.limit = 1000;
  size_t all_hits = 0, with_hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = made.query(2);
    const ParsedQuery parsed = parse_query(text);
    ASSERT_TRUE(parsed.query) << text << ": " << parsed.error.message;
    std::map<std::string, double> expected;
    const std::vector<double> scores = scores_of(pages, *parsed.query);
    for (size_t p = 0; p < pages.size(); ++p) {
      if (matches(pages[p], *parsed.query)) expected[pages[p].url] = scores[p];
    }
    const Result<LibraryHits> hits = search(library, nullptr, *parsed.query, options);
    ASSERT_TRUE(hits.ok()) << text << ": " << hits.error().message;
    ASSERT_EQ(hits->total, expected.size()) << text;
    ASSERT_EQ(hits->hits.size(), expected.size()) << text;
    bool may_have_all = true;
    for (const LibraryHit& hit : hits->hits) {
      const auto page = expected.find((*library.item(hit.id))->url);
      ASSERT_NE(page, expected.end()) << text;
      ASSERT_NEAR(hit.score, page->second, 1e-9) << text << " in " << page->first;
      EXPECT_TRUE(may_have_all || !hit.has_all) << text;  // in front
      may_have_all = hit.has_all;
    }
    all_hits += expected.size();
    with_hits += !expected.empty();
  }
  EXPECT_GT(with_hits, 700u);  // the queries say something
  EXPECT_LT(all_hits, 60'000u);
}

TEST_F(SearchTest, a_library_that_grew_finds_what_one_built_at_once_finds) {
  RandomQueries made(21);
  const std::vector<MadePage> pages = random_pages(made, 90);
  const auto grow = [&](size_t from, size_t to) {
    Result<LibraryWriter> writer =
        from == 0 ? LibraryWriter::create(path()) : LibraryWriter::append(path());
    ASSERT_TRUE(writer.ok());
    for (size_t i = from; i < to; ++i) ASSERT_TRUE(writer->add(index_of(pages[i])).ok());
    ASSERT_TRUE(writer->finish().ok());
  };
  SearchOptions options;
  options.limit = 1000;
  // The same hits and scores of the same queries, as text.
  std::vector<std::string> queries;
  for (int i = 0; i < 200; ++i) queries.push_back(made.query(1));
  const auto answers = [&](size_t count) {
    Result<LibraryReader> library = LibraryReader::open(path());
    EXPECT_TRUE(library.ok());
    EXPECT_EQ(library->items(), count);
    std::string all;
    for (const std::string& query : queries) {
      const auto hits = search(*library, nullptr, *parse_query(query).query, options);
      EXPECT_TRUE(hits.ok());
      for (const LibraryHit& hit : hits->hits) all += fmt::format("{} {:.9f}\n", hit.id, hit.score);
    }
    return all;
  };
  grow(0, pages.size());
  const std::string at_once = answers(pages.size());
  size_t done = 0;
  for (const size_t step : {10, 1, 1, 30, 1, 2, 3, 40, 1, 1}) {
    grow(done, done + step);
    done += step;
  }
  ASSERT_EQ(done, pages.size());
  EXPECT_EQ(answers(pages.size()), at_once);
}

TEST_F(SearchTest, an_item_that_was_taken_out_is_not_found) {
  build({page("1", "swan", {"lake"}), page("2", "swan", {"pond"}), page("3", "duck", {"pond"})});
  Result<LibraryWriter> writer = LibraryWriter::append(path());
  ASSERT_TRUE(writer->remove("http://a.org/1").ok());
  ASSERT_TRUE(writer->add(index_of(page("4", "duck", {"swan"}))).ok());
  ASSERT_TRUE(writer->finish().ok());
  Result<LibraryReader> library = LibraryReader::open(path());
  ASSERT_TRUE(library.ok());
  EXPECT_EQ(found(*library, "swan"), (Names{"2", "4"}));
  EXPECT_EQ(found(*library, "swa*"), (Names{"2", "4"}));
  EXPECT_EQ(found(*library, "lake"), Names{});
  EXPECT_EQ(found(*library, "duck NOT \"a swan\""), (Names{"3", "4"}));
}

}  // namespace
}  // namespace dowser
