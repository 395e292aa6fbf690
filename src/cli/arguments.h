#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The words after `dowser COMMAND`. A command declares its options with the variables that they
// set, and gets parsing, `--help`, and errors that suggest the nearest option.

namespace dowser {

class Arguments {
 public:
  using Set = std::function<Status(std::string_view)>;

  // `example` is a whole command line that works; it ends the help.
  Arguments(std::string command, std::string summary, std::string example);

  // --name
  void flag(std::string name, std::string help, bool* value);
  // --name VALUE or --name=VALUE
  void option(std::string name, std::string placeholder, std::string help, Set set);
  void option(std::string name, std::string placeholder, std::string help, std::string* value);
  // --name VALUE…: may be repeated; in a command without words of its own it takes several at once.
  void list(std::string name, std::string placeholder, std::string help, Set set);
  void list(std::string name, std::string placeholder, std::string help,
            std::vector<std::string>* values);
  // A positional argument; all of them are required. The last one may take all remaining words.
  void word(std::string name, std::string help, std::string* value);
  // The last positional argument, which is optional.
  void optional_word(std::string name, std::string help, std::string* value);
  void words(std::string name, std::string help, std::vector<std::string>* values,
             size_t at_least = 1);

  // Printed before the example.
  void note(std::string text);

  // Whether --help was given anywhere; then parse() has set nothing else.
  bool wants_help() const { return wants_help_; }
  Status parse(std::span<const std::string> arguments);

  std::string help() const;
  const std::string& command() const { return command_; }

 private:
  enum class Kind { kFlag, kOption, kList };
  struct Option {
    std::string name, placeholder, help;
    Kind kind;
    Set set;
  };
  struct Word {
    std::string name, help;
    Set set;
    bool many;
    size_t at_least;
  };

  Result<const Option*> find(std::string_view name) const;
  Status place_words(std::span<const std::string> given) const;
  std::string usage() const;

  std::string command_, summary_, example_;
  std::vector<Option> options_;
  std::vector<Word> words_;
  std::vector<std::string> notes_;
  bool wants_help_ = false;
};

}  // namespace dowser
