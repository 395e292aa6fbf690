#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "document/document_text.h"

// The lines of a page from the output of pdftohtml -xml: pieces of text with their position and
// font, such as
//
//   <page number="1" position="absolute" top="0" left="0" height="1188" width="918">
//     <fontspec id="0" size="22" family="Times" color="#000000"/>
//   <text top="177" left="111" width="435" height="29" font="0">An <b>Introduction</b></text>
//
// Pieces whose middles are at the same height form a line. The output has a document type and need
// not be well-formed, so it is searched for these three tags and not read as XML.

namespace dowser {
namespace {

struct Piece {
  float top, left, width, height, size;
  bool bold;
  std::string text;
};

float number_of(std::string_view tag, std::string_view name) {
  const std::string mark = " " + std::string(name) + "=\"";
  const size_t at = tag.find(mark);
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = tag.substr(at + mark.size());
  float value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return std::isfinite(value) ? value : 0;
}

// Without tags, entities resolved, blanks folded.
std::string text_in(std::string_view inner) {
  std::string text;
  const auto add = [&](char c) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  };
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '<') {
      i = std::min(inner.find('>', i), inner.size());
    } else if (inner[i] == '&') {
      const std::string_view rest = inner.substr(i);
      const size_t end = rest.find(';');
      if (end == std::string_view::npos || end > 7) {
        add('&');
        continue;
      }
      const std::string_view name = rest.substr(0, end + 1);
      add(name == "&lt;"     ? '<'
          : name == "&gt;"   ? '>'
          : name == "&quot;" ? '"'
          : name == "&amp;"  ? '&'
          : name == "&#39;"  ? '\''
                             : ' ');
      i += end;
    } else {
      add(inner[i]);
    }
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Of the letters of a line, the size that half of them do not exceed.
float usual_size(const std::vector<Piece>& pieces) {
  std::map<float, size_t> letters;
  size_t all = 0;
  for (const Piece& piece : pieces)
    letters[piece.size] += piece.text.size(), all += piece.text.size();
  size_t so_far = 0;
  for (const auto& [size, count] : letters) {
    so_far += count;
    if (so_far * 2 >= all) return size;
  }
  return 0;
}

PrintedLine line_of(std::vector<Piece> pieces, uint32_t page, float page_height) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.left < b.left; });
  PrintedLine line;
  line.page = page;
  line.size = usual_size(pieces) / page_height;
  line.top = pieces.front().top / page_height;
  size_t bold = 0, all = 0;
  float end = 0;
  for (const Piece& piece : pieces) {
    const float gap = piece.left - end;
    // A gap wider than two letters separates columns; a tiny one is inside a word.
    if (!line.text.empty()) {
      if (gap > 2.2F * piece.size) {
        line.text += '\t';
      } else if (gap > 0.12F * piece.size && line.text.back() != ' ') {
        line.text += ' ';
      }
    }
    line.text += piece.text;
    end = piece.left + piece.width;
    all += piece.text.size();
    bold += piece.bold ? piece.text.size() : 0;
  }
  line.bold = bold * 2 > all;
  return line;
}

// The pieces of a page become lines, from top to bottom.
void add_lines(std::vector<Piece>& pieces, uint32_t page, float page_height,
               std::vector<PrintedLine>& lines) {
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return a.top + a.height / 2 < b.top + b.height / 2;
  });
  for (size_t i = 0; i < pieces.size();) {
    const float middle = pieces[i].top + pieces[i].height / 2;
    size_t end = i + 1;
    while (end < pieces.size() &&
           pieces[end].top + pieces[end].height / 2 - middle < pieces[i].height * 0.4F) {
      ++end;
    }
    lines.push_back(line_of(
        {pieces.begin() + static_cast<ptrdiff_t>(i), pieces.begin() + static_cast<ptrdiff_t>(end)},
        page, page_height));
    i = end;
  }
  pieces.clear();
}

}  // namespace

std::vector<PrintedLine> read_pdf_layout(std::string_view xml) {
  std::vector<PrintedLine> lines;
  std::vector<Piece> pieces;
  std::map<int, float> sizes;  // of fonts
  uint32_t page = 0;
  float page_height = 1;
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const size_t close = xml.find('>', at);
    if (close == std::string_view::npos) break;
    const std::string_view tag = xml.substr(at, close - at);
    if (tag.starts_with("<page ")) {
      add_lines(pieces, page, page_height, lines);
      page = static_cast<uint32_t>(std::max(0.0F, number_of(tag, "number")));
      page_height = std::max(1.0F, number_of(tag, "height"));
    } else if (tag.starts_with("<fontspec ")) {
      sizes[static_cast<int>(number_of(tag, "id"))] = number_of(tag, "size");
    } else if (tag.starts_with("<text ")) {
      const size_t end = xml.find("</text>", close);
      if (end == std::string_view::npos) break;
      const std::string_view inner = xml.substr(close + 1, end - close - 1);
      Piece piece{number_of(tag, "top"),
                  number_of(tag, "left"),
                  number_of(tag, "width"),
                  number_of(tag, "height"),
                  sizes[static_cast<int>(number_of(tag, "font"))],
                  inner.starts_with("<b>"),
                  text_in(inner)};
      if (!piece.text.empty()) pieces.push_back(std::move(piece));
      at = end;
    }
  }
  add_lines(pieces, page, page_height, lines);
  return lines;
}

}  // namespace dowser
