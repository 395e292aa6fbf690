#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace dowser {
namespace {

constexpr size_t kColumns = 80;   // of a terminal
constexpr size_t kMostLeft = 24;  // a longer option has its help on the next line

// "  --name VALUE  help", with the help in lines that fit a terminal.
void add_row(std::string& text, std::string_view left, std::string_view help, size_t width) {
  const std::string indent(width + 4, ' ');
  text += fmt::format("  {:<{}}", left, width);
  text += left.size() > width ? "\n" + indent : "  ";
  size_t column = indent.size();
  bool is_first = true;
  while (!help.empty()) {
    const size_t end = std::min(help.find(' '), help.size());
    if (!is_first && column + 1 + end > kColumns) {
      text += "\n" + indent;
      column = indent.size();
      is_first = true;
    }
    if (!is_first) text += " ", ++column;
    text += help.substr(0, end);
    column += end;
    is_first = false;
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  text += "\n";
}

}  // namespace

void Arguments::note(std::string text) { notes_.push_back(std::move(text)); }

Arguments::Arguments(std::string command, std::string summary, std::string example)
    : command_(std::move(command)), summary_(std::move(summary)), example_(std::move(example)) {}

void Arguments::flag(std::string name, std::string help, bool* value) {
  const Set set = [value](std::string_view) -> Status {
    *value = true;
    return {};
  };
  options_.push_back({std::move(name), "", std::move(help), Kind::kFlag, set});
}

void Arguments::option(std::string name, std::string placeholder, std::string help, Set set) {
  options_.push_back(
      {std::move(name), std::move(placeholder), std::move(help), Kind::kOption, std::move(set)});
}

void Arguments::option(std::string name, std::string placeholder, std::string help,
                       std::string* value) {
  option(std::move(name), std::move(placeholder), std::move(help), [value](std::string_view text) {
    *value = text;
    return Status{};
  });
}

void Arguments::list(std::string name, std::string placeholder, std::string help, Set set) {
  options_.push_back(
      {std::move(name), std::move(placeholder), std::move(help), Kind::kList, std::move(set)});
}

void Arguments::list(std::string name, std::string placeholder, std::string help,
                     std::vector<std::string>* values) {
  list(std::move(name), std::move(placeholder), std::move(help), [values](std::string_view text) {
    values->emplace_back(text);
    return Status{};
  });
}

void Arguments::word(std::string name, std::string help, std::string* value) {
  const Set set = [value](std::string_view text) {
    *value = text;
    return Status{};
  };
  words_.push_back({std::move(name), std::move(help), set, false, 1});
}

void Arguments::optional_word(std::string name, std::string help, std::string* value) {
  word(std::move(name), std::move(help), value);
  words_.back().at_least = 0;
}

void Arguments::words(std::string name, std::string help, std::vector<std::string>* values,
                      size_t at_least) {
  const Set set = [values](std::string_view text) {
    values->emplace_back(text);
    return Status{};
  };
  words_.push_back({std::move(name), std::move(help), set, true, at_least});
}

Result<const Arguments::Option*> Arguments::find(std::string_view name) const {
  std::vector<std::string> names = {"help"};
  for (const Option& option : options_) {
    if (option.name == name) return &option;
    names.push_back(option.name);
  }
  const std::string near = nearest_name(name, names);
  return Error{fmt::format("there is no option --{}{}", name,
                           near.empty() ? "" : fmt::format(" (did you mean --{}?)", near))};
}

Status Arguments::parse(std::span<const std::string> arguments) {
  wants_help_ = std::any_of(arguments.begin(), arguments.end(),
                            [](const std::string& a) { return a == "--help" || a == "-h"; });
  if (wants_help_) return {};

  std::vector<std::string> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--") || argument == "--") {
      if (argument.starts_with("-") && argument.size() > 1 && argument != "--") {
        return Error{fmt::format("there is no option {}: options are written --name", argument)};
      }
      if (argument != "--") given.emplace_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const auto name = argument.substr(2, equals == argument.npos ? argument.npos : equals - 2);
    const Result<const Option*> found = find(name);
    if (!found) return found.error();
    const Option& option = **found;
    if (option.kind == Kind::kFlag) {
      if (equals != argument.npos) return Error{fmt::format("--{} takes no value", name)};
      if (Status s = option.set(""); !s) return s;
      continue;
    }
    if (equals != argument.npos) {
      if (Status s = option.set(argument.substr(equals + 1)); !s) return s;
      continue;
    }
    const auto is_value = [&](size_t at) {
      return at < arguments.size() && !arguments[at].starts_with("--");
    };
    if (!is_value(i + 1)) {
      return Error{fmt::format("--{} needs a value: --{} {}", name, name, option.placeholder)};
    }
    do {
      if (Status s = option.set(arguments[++i]); !s) return s;
    } while (option.kind == Kind::kList && words_.empty() && is_value(i + 1));
  }
  return place_words(given);
}

Status Arguments::place_words(std::span<const std::string> given) const {
  size_t next = 0;
  for (const Word& word : words_) {
    const size_t left = given.size() - std::min(next, given.size());
    const size_t take = word.many ? left : std::min<size_t>(1, std::max(left, word.at_least));
    if (next + std::max(take, word.at_least) > given.size()) {
      return Error{fmt::format("{} is missing: {}", word.name, usage())};
    }
    for (size_t i = 0; i < take; ++i) {
      if (Status s = word.set(given[next++]); !s) return s;
    }
  }
  if (next < given.size()) {
    return Error{fmt::format("unexpected argument '{}': {}", given[next], usage())};
  }
  return {};
}

std::string Arguments::usage() const {
  std::string text = "dowser " + command_;
  for (const Word& word : words_) {
    const char* form = word.at_least == 0 ? " [{}{}]" : " {}{}";
    text += fmt::format(fmt::runtime(form), word.name, word.many ? "..." : "");
  }
  return text + " [options]";
}

std::string Arguments::help() const {
  std::string text = fmt::format("{}\n\nUsage: {}\n", summary_, usage());
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Word& word : words_) rows.emplace_back(word.name, word.help);
  for (const Option& option : options_) {
    std::string left = "--" + option.name;
    if (option.kind != Kind::kFlag) left += " " + option.placeholder;
    if (option.kind == Kind::kList) left += "...";
    rows.emplace_back(std::move(left), option.help);
  }
  rows.emplace_back("--help", "this text");
  size_t width = 0;
  for (const auto& [left, right] : rows) {
    if (left.size() <= kMostLeft) width = std::max(width, left.size());
  }
  text += "\n";
  for (const auto& [left, right] : rows) add_row(text, left, right, width);
  for (const std::string& note : notes_) text += "\n" + note + "\n";
  return text + fmt::format("\nExample:\n  {}\n", example_);
}

}  // namespace dowser
