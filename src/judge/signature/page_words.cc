#include "judge/signature/page_words.h"

#include "text/analyzer.h"
#include "text/terms.h"

namespace dowser {
namespace {

// For each thread one: analyzers are not shared. Stop words are removed here, after synonyms are
// replaced, so the tokens come with them.
Stemmer& stemmer_for(std::string_view language) {
  thread_local std::map<std::string, Stemmer, std::less<>> stemmers;
  const auto it = stemmers.find(language);
  if (it != stemmers.end()) return it->second;
  return stemmers.emplace(std::string(language), Stemmer(language)).first->second;
}

bool is_blank(char c) { return c == ' ' || c == '\n'; }

}  // namespace

PageWords::PageWords(const SignatureSettings& settings)
    : settings_(settings), synonyms_(settings.synonyms.begin(), settings.synonyms.end()) {}

TermId PageWords::term_of(std::string_view word) { return term_id(word); }

bool PageWords::counts(const Page& page, const Block& block) const {
  // A text file has lines, and nothing but text.
  if (settings_.text == "all" || page.content_type == "text/plain") return true;
  if (block.kind == BlockKind::kParagraph) return true;
  return settings_.text == "text" &&
         (block.kind == BlockKind::kListItem || block.kind == BlockKind::kTableCell);
}

// Calls add(term, word): the word is as it is kept, and valid only during the call. The language is
// an analysed one.
template <class Add>
void PageWords::each_word(std::string_view text, std::string_view language, Add add) const {
  const StopWords& stops = stop_words(language);
  Stemmer* stemmer = settings_.stemming ? &stemmer_for(language) : nullptr;
  for_each_token(text, token_options_for(language), [&](std::string_view token) {
    if (!synonyms_.empty()) {
      if (const auto it = synonyms_.find(token); it != synonyms_.end()) token = it->second;
    }
    if (stops.contains(token)) return;
    if (stemmer) token = stemmer->stem(token);
    add(term_id(token), token);
  });
}

template <class Add>
void PageWords::each_word(const Page& page, Add add) const {
  const std::string_view language = analysed_language(page.language);
  for (const Block& block : page.blocks) {
    if (counts(page, block)) each_word(page.words(block.text), language, add);
  }
}

std::vector<TermId> PageWords::words(const Page& page) const {
  std::vector<TermId> words;
  words.reserve(page.text.size() / 8);
  each_word(page, [&](TermId term, std::string_view) { words.push_back(term); });
  return words;
}

std::vector<TermId> PageWords::words(const Page& page, Spelling& spelling) const {
  std::vector<TermId> words;
  each_word(page, [&](TermId term, std::string_view word) {
    words.push_back(term);
    spelling.try_emplace(term, word);
  });
  return words;
}

void PageWords::add_keywords(const Page& page, Span text, const GroupScanner& scanner,
                             uint32_t& position, std::vector<GroupScanner::Event>& events) const {
  each_word(page.words(text), analysed_language(page.language),
            [&](TermId term, std::string_view) { scanner.add(term, position++, events); });
}

// Piece by piece between blanks: no token reaches over one.
std::vector<PlacedTerm> PageWords::placed_words(const Page& page) const {
  std::vector<PlacedTerm> words;
  const std::string_view language = analysed_language(page.language);
  for (const Block& block : page.blocks) {
    if (!counts(page, block)) continue;
    for (uint32_t at = block.text.begin; at < block.text.end;) {
      if (is_blank(page.text[at])) {
        ++at;
        continue;
      }
      uint32_t end = at;
      while (end < block.text.end && !is_blank(page.text[end])) ++end;
      each_word(page.words({at, end}), language, [&](TermId term, std::string_view) {
        words.push_back({term, at});
      });
      at = end;
    }
  }
  return words;
}

}  // namespace dowser
