#include "document/tex_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "text/utf8.h"

// A TeX file can redefine every character, so only TeX can read it exactly. But papers follow
// LaTeX's conventions, and a reader that goes by these finds nearly all of the words:
//
//   %… to the end of the line               a comment
//   \begin{equation}…\end{equation}, $…$    mathematics, left out; so are figures' drawing commands
//   \label{x}, \cite{x}, \input{x} …        commands whose argument is not text, left out with it
//   \emph{word}, {\bf word}                 other commands: the name goes, the argument stays
//   \section{Title}, \item                  begin a line
//   \title{…}                               comes before all other text, at a distance
//   <<…>>= to @                             a program between the text, as of R's Sweave, left out
//   what stands before \begin{document}     sets TeX up: only title, authors and the like are text
//   \'e, \"{o}, \ss, ~, --, ``, ''          letters and punctuation
//
// One pass, linear; nesting is never followed by recursion, so no input can exhaust the stack.

namespace dowser {
namespace {

// Environments without words for people.
constexpr std::array<std::string_view, 16> kSkippedEnvironments = {
    "equation", "equation*",   "align",      "align*",  "eqnarray", "eqnarray*",
    "math",     "displaymath", "gather",     "gather*", "multline", "tikzpicture",
    "picture",  "verbatim",    "lstlisting", "comment"};

// Commands whose arguments are names, sizes or addresses.
constexpr std::string_view kWithoutText =
    " label ref eqref pageref cite citep citet nocite input include index includegraphics "
    " usepackage RequirePackage documentclass documentstyle bibliography bibliographystyle "
    " bibitem vspace hspace vspace* hspace* setlength addtolength setcounter newcommand "
    " renewcommand def pagestyle thispagestyle hypersetup geometry lstset color textcolor "
    " definecolor colorlet email thanks ";

// Commands of the preamble whose argument is text.
constexpr std::array kPreamble = std::to_array<std::string_view>(
    {"title", "subtitle", "author", "date", "abstract", "keywords", "institute", "affiliation"});

// Commands that begin a line of their own.
constexpr std::array<std::string_view, 15> kLines = {
    "title",      "author",      "date",      "section",  "section*",
    "subsection", "subsection*", "chapter",   "chapter*", "subsubsection",
    "paragraph",  "item",        "maketitle", "par",      "caption"};

struct Letter {
  std::string_view command, letter;
};
constexpr std::array<Letter, 22> kLetters = {
    {{"ss", "ß"},    {"ae", "æ"},        {"AE", "Æ"},    {"oe", "œ"},          {"OE", "Œ"},
     {"o", "ø"},     {"O", "Ø"},         {"aa", "å"},    {"AA", "Å"},          {"l", "ł"},
     {"L", "Ł"},     {"i", "i"},         {"j", "j"},     {"S", "§"},           {"dots", "…"},
     {"ldots", "…"}, {"LaTeX", "LaTeX"}, {"TeX", "TeX"}, {"BibTeX", "BibTeX"}, {"and", ", "},
     {"quad", " "},  {"qquad", " "}}};

struct Accent {
  char command;
  uint32_t combining;
};
constexpr std::array<Accent, 12> kAccents = {{{'\'', 0x301},
                                              {'`', 0x300},
                                              {'^', 0x302},
                                              {'"', 0x308},
                                              {'~', 0x303},
                                              {'=', 0x304},
                                              {'.', 0x307},
                                              {'u', 0x306},
                                              {'v', 0x30c},
                                              {'H', 0x30b},
                                              {'c', 0x327},
                                              {'r', 0x30a}}};

template <class List>
bool holds(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class TexReader {
 public:
  explicit TexReader(std::string_view source) : source_(source) {}

  std::string read() {
    const size_t body = source_.find("\\begin{document}");
    if (body != std::string_view::npos) read_preamble(body);
    while (!at_end()) step();
    return std::move(text_);
  }

 private:
  bool at_end() const { return at_ >= source_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  std::string_view rest() const { return source_.substr(std::min(at_, source_.size())); }

  void read_preamble(size_t end) {
    while (at_ < end) {
      const char c = peek();
      if (c == '%') {
        skip_comment();
        continue;
      }
      ++at_;
      if (c != '\\') continue;
      const std::string_view name = letters();
      at_ += std::max<size_t>(name.size(), 1);  // one: \% is not a comment
      if (!holds(kPreamble, name)) continue;
      skip_options();
      if (peek() != '{') continue;
      if (name == "title") {
        read_title();
      } else {
        read_group();
      }
    }
    at_ = std::max(at_, end);
  }

  // The first one stands before all text, at a distance, wherever it comes from.
  void read_title() {
    if (has_title_) return read_group();
    has_title_ = true;  // also for a title within this one
    std::string before = std::exchange(text_, {});
    read_group();
    if (!text_.empty()) {
      text_.pop_back();  // it ends with a new line
      std::replace(text_.begin(), text_.end(), '\n', ' ');
      text_ += "\n\n\n";
    }
    text_ += before;
  }

  void read_group() {
    new_line();
    const size_t from = at_;
    skip_group();
    const size_t to = std::exchange(at_, from);
    while (at_ < to) step();
    new_line();
  }

  // Those that follow: the name of a command.
  std::string_view letters() const {
    size_t end = at_;
    while (end < source_.size() && is_letter(source_[end])) ++end;
    return source_.substr(std::min(at_, end), end - at_);
  }

  void step() {
    const char c = peek();
    if (c == '%') {
      skip_comment();
    } else if (c == '\\') {
      ++at_;
      command();
    } else if (c == '<' && skip_program()) {
    } else if (c == '$') {
      skip_mathematics();
    } else if (c == '{' || c == '}') {
      ++at_;
    } else if (c == '~' || c == '&') {
      add(' ');
      ++at_;
    } else if (rest().starts_with("---") || rest().starts_with("--")) {
      text_ += "–";
      at_ += rest().starts_with("---") ? 3 : 2;
    } else if (rest().starts_with("``") || rest().starts_with("''")) {
      text_ += '"';
      at_ += 2;
    } else {
      character(c);
    }
  }

  // White space is folded; an empty line ends a paragraph.
  void character(char c) {
    ++at_;
    if (c == '\n') {
      const size_t next = rest().find_first_not_of(" \t\r");
      if (next != std::string_view::npos && rest()[next] == '\n') return new_line();
      return add(' ');
    }
    if (c == ' ' || c == '\t' || c == '\r') return add(' ');
    text_ += c;
  }

  void add(char blank) {
    if (!text_.empty() && text_.back() != ' ' && text_.back() != '\n') text_ += blank;
  }
  void new_line() {
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  }

  // The end of the line belongs to the comment, as in TeX.
  void skip_comment() {
    const size_t end = source_.find('\n', at_);
    at_ = end == std::string_view::npos ? source_.size() : end + 1;
  }

  // A part of a program in the middle of the text, as R's Sweave has them: from a line "<<…>>=" to
  // one that begins with "@".
  bool skip_program() {
    if (!rest().starts_with("<<") || (at_ > 0 && source_[at_ - 1] != '\n')) return false;
    const std::string_view line = rest().substr(0, rest().find('\n'));
    if (line.find(">>=") == std::string_view::npos) return false;
    const size_t end = source_.find("\n@", at_);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
    return true;
  }

  void skip_mathematics() {
    const std::string_view mark = peek(1) == '$' ? "$$" : "$";
    skip_to(mark, at_ + mark.size());
    add(' ');
  }

  // After the next `mark` that is not escaped; one character on where there is none.
  void skip_to(std::string_view mark, size_t from) {
    for (size_t found = source_.find(mark, from); found != std::string_view::npos;
         found = source_.find(mark, found + 1)) {
      if (source_[found - 1] == '\\') continue;
      at_ = found + mark.size();
      return;
    }
    ++at_;
  }

  void command() {
    const char c = peek();
    if (!is_letter(c)) return short_command(c);
    const size_t size = letters().size();
    const std::string_view name = source_.substr(at_, peek(size) == '*' ? size + 1 : size);
    at_ += name.size();
    if (name == "begin" || name == "end") return environment(name == "begin");
    if (name.size() == 1 && accent(name[0])) return;
    const auto letter = std::find_if(kLetters.begin(), kLetters.end(),
                                     [&](const Letter& row) { return row.command == name; });
    if (letter != kLetters.end()) {
      text_ += letter->letter;
      if (peek() == ' ') ++at_;
      return;
    }
    skip_options();
    if (kWithoutText.find(" " + std::string(name) + " ") != std::string_view::npos)
      return skip_arguments(name);
    if (name == "title" && peek() == '{') return read_title();
    if (holds(kLines, name)) new_line();
    if (peek() == ' ') ++at_;  // TeX drops the blank after a command
  }

  // \% \& \_ \{ are the characters themselves; \\ ends a line; \' and the like are accents.
  void short_command(char c) {
    ++at_;
    if (c == '\\' || c == '\0') {
      skip_options();
      return new_line();
    }
    if (c == '[' || c == '(') return skip_to(c == '[' ? "\\]" : "\\)", at_);
    if (c == '%' || c == '&' || c == '_' || c == '{' || c == '}' || c == '#' || c == '$') {
      text_ += c;
      return;
    }
    --at_;
    const bool is_accent = accent_of(c) != 0;
    ++at_;
    if (is_accent) {
      accent(c);
    } else {
      add(' ');
    }
  }

  static uint32_t accent_of(char c) {
    for (const Accent& row : kAccents) {
      if (row.command == c) return row.combining;
    }
    return 0;
  }

  // After \' : the letter, perhaps in braces, then the mark that combines with it.
  bool accent(char c) {
    const uint32_t combining = accent_of(c);
    if (combining == 0) return false;
    size_t at = at_;
    if (is_letter(c) && at < source_.size() && source_[at] == ' ') ++at;
    const bool braces = at < source_.size() && source_[at] == '{';
    if (braces) ++at;
    if (at < source_.size() && source_[at] == '\\') ++at;  // \'{\i}
    if (at >= source_.size() || !is_letter(source_[at])) return !is_letter(c);
    text_ += source_[at];
    append_utf8(text_, combining);
    at_ = at + 1;
    if (braces && peek() == '}') ++at_;
    return true;
  }

  void environment(bool begins) {
    if (peek() != '{') return;
    const size_t close = source_.find('}', at_);
    if (close == std::string_view::npos) return;
    const std::string_view name = source_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    new_line();
    if (begins && name == "abstract") text_ += "Abstract\n";
    if (begins && name == "thebibliography") text_ += "References\n";
    if (!begins || !holds(kSkippedEnvironments, name)) {
      if (begins) skip_options();
      return;
    }
    const std::string end = "\\end{" + std::string(name) + "}";
    const size_t found = source_.find(end, at_);
    at_ = found == std::string_view::npos ? source_.size() : found + end.size();
  }

  void skip_options() {
    while (peek() == '[') {
      const size_t close = source_.find(']', at_);
      if (close == std::string_view::npos || close - at_ > 1000) return;
      at_ = close + 1;
    }
  }

  // The groups in braces that follow, whatever they hold.
  void skip_arguments(std::string_view name) {
    if (name == "def") {  // \def\name{…}
      while (!at_end() && peek() != '{' && peek() != '\n') ++at_;
    }
    // Of \textcolor{red}{word} the second is text.
    size_t most = name == "textcolor" ? 1 : SIZE_MAX;
    for (; most > 0 && (peek() == '{' || peek() == '['); --most) {
      if (peek() == '[') {
        const size_t before = at_;
        skip_options();
        if (at_ == before) return;
        continue;
      }
      skip_group();
    }
    if (name == "bibitem") new_line();
  }

  void skip_group() {
    int depth = 0;
    for (; !at_end(); ++at_) {
      const char c = peek();
      if (c == '\\') {
        ++at_;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        ++at_;
        return;
      }
    }
  }

  const std::string_view source_;
  size_t at_ = 0;
  std::string text_;
  bool has_title_ = false;
};

}  // namespace

Result<std::string> text_of_tex(std::string_view source) { return TexReader(source).read(); }

}  // namespace dowser
