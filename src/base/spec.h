#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The text form of a plug-in: `shark-search(delta=0.5, beta=0.8)`. The same text is used on the
// command line, in crawl.toml, in the catalogue and in tables of results.

namespace dowser {

struct Spec {
  std::string name;
  std::map<std::string, std::string> parameters;

  static Result<Spec> parse(std::string_view text);
  std::string text() const;  // parameters in order of name; parse(text()) == *this

  friend bool operator==(const Spec&, const Spec&) = default;
};

// Reads the parameters of a spec with their defaults, and refuses unknown ones:
//
//   Parameters p(spec);
//   const int n = p.integer("n", 10);
//   if (auto bad = p.finish()) return *bad;
class Parameters {
 public:
  explicit Parameters(const Spec& spec) : spec_(spec) {}

  double number(const std::string& name, double otherwise);
  int64_t integer(const std::string& name, int64_t otherwise);
  // Several of `choices`, joined by '+': "url+anchors". None by default.
  std::vector<std::string> several(const std::string& name,
                                   const std::vector<std::string>& choices);
  // One of `choices`; the first of them is the default.
  std::string choice(const std::string& name, const std::vector<std::string>& choices);

  // The first error: a value that is not a number, or a parameter that was not read.
  std::optional<Error> finish();

 private:
  const std::string* find(const std::string& name);

  const Spec& spec_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace dowser
