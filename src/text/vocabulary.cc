#include "text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/hash.h"

namespace dowser {
namespace {

constexpr std::string_view kFirstLine = "dowser-vocabulary 1";

// Sorts ids and counts equal ones.
std::vector<TermCounts::Entry> counted(std::vector<uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<TermCounts::Entry> entries;
  for (const uint32_t id : ids) {
    if (entries.empty() || entries.back().term != id) entries.push_back({id, 0});
    ++entries.back().count;
  }
  return entries;
}

void append_escaped(std::string& out, std::string_view term) {
  for (const char c : term) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size() || (text[i] != 'n' && text[i] != '\\')) return std::nullopt;
    out += text[i] == 'n' ? '\n' : '\\';
  }
  return out;
}

// Removes the next line from `text` and returns it; nothing if no line is complete.
std::optional<std::string_view> next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// Removes a number from the beginning of `line` and returns it.
std::optional<uint32_t> take_number(std::string_view& line) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  return value;
}

// The number of a line "name 17".
std::optional<uint32_t> named_number(std::string_view& text, std::string_view name) {
  auto line = next_line(text);
  if (!line || !line->starts_with(name)) return std::nullopt;
  line->remove_prefix(name.size());
  const auto number = take_number(*line);
  return line->empty() ? number : std::nullopt;
}

}  // namespace

size_t Vocabulary::slot_of(std::string_view term, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto upper = static_cast<uint32_t>(hash >> 32);
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.id_plus_one == 0) return i;
    if (slot.hash == upper && this->term(slot.id_plus_one - 1) == term) return i;
  }
}

void Vocabulary::grow() {
  std::vector<Slot> old(std::max<size_t>(16, slots_.size() * 2));
  old.swap(slots_);
  for (uint32_t id = 0; id < size(); ++id) {
    const uint64_t hash = hash64(term(id));
    slots_[slot_of(term(id), hash)] = {static_cast<uint32_t>(hash >> 32), id + 1};
  }
}

uint32_t Vocabulary::add(std::string_view term) {
  if (4 * (size() + 1) > 3 * slots_.size()) grow();
  const uint64_t hash = hash64(term);
  Slot& slot = slots_[slot_of(term, hash)];
  if (slot.id_plus_one != 0) return slot.id_plus_one - 1;
  if (letters_.size() + term.size() > std::numeric_limits<uint32_t>::max()) {
    throw std::length_error("a vocabulary holds at most 4 GB of terms");
  }
  letters_ += term;
  ends_.push_back(static_cast<uint32_t>(letters_.size()));
  document_frequencies_.push_back(0);
  slot = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(size())};
  return slot.id_plus_one - 1;
}

TermCounts Vocabulary::add_document(std::span<const std::string> terms) {
  std::vector<uint32_t> ids;
  ids.reserve(terms.size());
  for (const std::string& term : terms) ids.push_back(add(term));
  TermCounts counts{counted(std::move(ids)), terms.size()};
  for (const auto& entry : counts.entries) ++document_frequencies_[entry.term];
  ++documents_;
  return counts;
}

std::optional<uint32_t> Vocabulary::find(std::string_view term) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(term, hash64(term))];
  if (slot.id_plus_one == 0) return std::nullopt;
  return slot.id_plus_one - 1;
}

TermCounts Vocabulary::count(std::span<const std::string> terms) const {
  std::vector<uint32_t> ids;
  ids.reserve(terms.size());
  for (const std::string& term : terms) {
    if (const auto id = find(term)) ids.push_back(*id);
  }
  return {counted(std::move(ids)), terms.size()};
}

std::string_view Vocabulary::term(uint32_t id) const {
  const uint32_t begin = id == 0 ? 0 : ends_[id - 1];
  return std::string_view(letters_).substr(begin, ends_[id] - begin);
}

std::string Vocabulary::save() const {
  std::string out = fmt::format("{}\ndocuments {}\nterms {}\n", kFirstLine, documents_, size());
  out.reserve(out.size() + letters_.size() + 6 * size());
  for (uint32_t id = 0; id < size(); ++id) {
    fmt::format_to(std::back_inserter(out), "{} ", document_frequencies_[id]);
    append_escaped(out, term(id));
    out += '\n';
  }
  return out;
}

Result<Vocabulary> Vocabulary::load(std::string_view text) {
  if (next_line(text) != kFirstLine) {
    return Error{fmt::format("not a vocabulary: the first line must be \"{}\"", kFirstLine)};
  }
  const auto documents = named_number(text, "documents ");
  const auto terms = documents ? named_number(text, "terms ") : std::nullopt;
  if (!terms)
    return Error{"broken vocabulary: lines \"documents N\" and \"terms N\" must follow the first"};
  Vocabulary vocabulary;
  vocabulary.documents_ = *documents;
  for (uint32_t id = 0; id < *terms; ++id) {
    auto line = next_line(text);
    const auto frequency = line ? take_number(*line) : std::nullopt;
    if (!frequency || *frequency > *documents || !line->starts_with(' ')) {
      return Error{fmt::format("broken vocabulary: line {} must be a document frequency and a term",
                               id + 4)};
    }
    const auto term = unescaped(line->substr(1));
    if (!term || vocabulary.add(*term) != id) {
      return Error{fmt::format("broken vocabulary: line {} has a broken or repeated term", id + 4)};
    }
    vocabulary.document_frequencies_[id] = *frequency;
  }
  if (!text.empty()) return Error{"broken vocabulary: there is text after its last term"};
  return vocabulary;
}

}  // namespace dowser
