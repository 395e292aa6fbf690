#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/url.h"

// What the lists of a profile say about an address (Chen 2008, 4.2.1 and 4.5): does it belong to a
// department, does it have a directory that never contains anything useful, is it a page or a
// document?

namespace dowser {

// The directories of a path: "/a/b/c.html" has "a" and "b", and so has "/a/b/".
std::vector<std::string_view> directory_names(std::string_view path);
uint32_t directory_levels(std::string_view path);
// The path without its file: "/a/b/" of "/a/b/c.html".
std::string_view directory_of(std::string_view path);
// The end of the path: "c.html" of "/a/b/c.html", "" of "/a/b/".
std::string_view file_name_of(std::string_view path);

// The addresses of the directories that contain the page, the nearest first: for
// "http://a.org/b/c.html" these are "http://a.org/b/" and "http://a.org/".
std::vector<Url> directories_above(const Url& url);

// An address with fewer known back-links than this is joined by the directories above it where
// back-links are searched (Chen 2008, 4.3.4, names no number).
inline constexpr size_t kFewBackLinks = 10;

// The name of a directory in the form used in lists: decoded and in lower case.
std::string plain_directory_name(std::string_view segment);

// The labels of a host name left of its public suffix: "www", "cs" and "concordia" of
// "www.cs.concordia.ca". None of an IP address.
std::vector<std::string_view> labels_before_suffix(std::string_view hostname);

enum class AddressFormat : uint8_t { kPage, kDocument, kOther };

class UrlRules {
 public:
  explicit UrlRules(const Profile& profile);

  // The label that marks a department or the like.
  std::optional<std::string_view> host_keyword(std::string_view hostname) const;
  // The first directory name of the path that is in the list, in lower case. Only whole names
  // count: "contact" is not "contacts".
  std::optional<std::string> stop_directory(std::string_view path) const;
  bool has_too_many_levels(std::string_view path) const {
    return directory_levels(path) > path_levels_;
  }
  // By the ending of the path, in any case. An address without an ending is a page. Without a list
  // of page formats, everything that is not a document is a page.
  AddressFormat format(const Url& url) const;
  // The word in a file name because of which the file should not be fetched. Words end where
  // letters end and where lower case changes to upper case: "hw" is a word of "hw3.pdf", but not of
  // "hwang.pdf".
  std::optional<std::string> unwelcome_word(std::string_view file_name) const;

  // The rule that forbids following a link, checked in the order of figure 12: "levels",
  // "stop-directory", "format" (which includes protocols other than HTTP); empty if none does.
  std::string_view refusal(const Url& url) const;

 private:
  using Names = absl::flat_hash_set<std::string>;
  const Names host_keywords_, stop_directories_, page_formats_, document_formats_, unwelcome_;
  const uint32_t path_levels_;
};

}  // namespace dowser
