#include "store/index_text.h"

#include <algorithm>

#include "text/search_words.h"

namespace dowser {
namespace {

constexpr std::string_view kBlockMark = "\u00b6 ";

bool is_content(BlockRole role) {
  return role == BlockRole::kContent || role == BlockRole::kLinks || role == BlockRole::kBeside ||
         role == BlockRole::kMenu || role == BlockRole::kAside;
}

// The end of the block at the start of `text`: after it stands an empty line or a form feed.
size_t block_end(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\f') return at;
    if (text[at] != '\n') continue;
    const size_t next = text.find_first_not_of(" \t\r", at + 1);
    if (next == text.npos || text[next] == '\n' || text[next] == '\f') return at;
  }
  return text.size();
}

// Returns how many words it has.
uint32_t append_block(std::string_view block, std::string& to) {
  const uint32_t words = append_search_words(block, to);
  if (words > 0) to += kBlockMark;
  return words;
}

}  // namespace

IndexText index_text(const Page& page) {
  IndexText text;
  text.item.url = page.url.href();
  text.item.host = page.url.hostname();
  text.item.title = page.title;
  append_search_words(page.description, text.abstract);
  append_search_words(page.keywords, text.keywords);
  append_search_words(page.url.href(), text.url);
  text.text.reserve(page.text.size() + page.blocks.size() * kBlockMark.size());
  text.item.length = append_search_words(page.title, text.title);
  for (const Block& block : page.blocks) {
    const bool content = is_content(block.role);
    const uint32_t words = append_block(page.words(block.text), content ? text.text : text.other);
    if (content) text.item.length += words;
  }
  return text;
}

IndexText index_text(LibraryItem item, std::string_view body) {
  IndexText text;
  text.item = std::move(item);
  text.item.length = append_search_words(text.item.title, text.title);
  append_search_words(text.item.authors, text.author);
  append_search_words(text.item.abstract, text.abstract);
  append_search_words(text.item.keywords, text.keywords);
  append_search_words(text.item.url, text.url);
  while (!body.empty()) {
    const size_t end = block_end(body);
    text.item.length += append_block(body.substr(0, end), text.text);
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return text;
}

std::string shown_text(const Page& page) {
  std::string text;
  for (const Block& block : page.blocks) {
    if (!is_content(block.role)) continue;
    text += page.words(block.text);
    text += '\n';
  }
  return text;
}

std::string shown_text(std::string_view document) {
  std::string text;
  while (!document.empty()) {
    const size_t end = block_end(document);
    bool is_space = true;  // what was appended last
    const size_t begin = text.size();
    for (const char c : document.substr(0, end)) {
      const bool space = static_cast<unsigned char>(c) <= ' ';
      if (!space) text += c;
      if (space && !is_space) text += ' ';
      is_space = space;
    }
    if (text.size() > begin) text += '\n';
    document.remove_prefix(std::min(end + 1, document.size()));
  }
  return text;
}

}  // namespace dowser
