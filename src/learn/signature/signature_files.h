#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "learn/signature/signature.h"

// Keyword descriptor files (.kdf) and semantic signature descriptor files (.ssd): XML, one group or
// one signature each, described in docs/formats.md and by the schemas in docs/schemas. What was
// read and is written again is the same to the byte.

namespace dowser {

std::string kdf_text(const KeywordGroup& group);
std::string ssd_text(const Signature& signature);

// `source` is what errors call the text.
Result<KeywordGroup> read_kdf(std::string_view text, std::string_view source);
Result<Signature> read_ssd(std::string_view text, std::string_view source);

// All files of a folder with this ending, by name; a file is read as itself. A folder without any
// is an error.
Result<std::vector<KeywordGroup>> read_keyword_folder(const std::filesystem::path& place);
// A library: signatures whose settings are all the same.
Result<std::vector<Signature>> read_library(const std::filesystem::path& place);

// A library as one text, a model in the container of learn/model_container.h: what a crawl keeps a
// copy of. Without the vectors.
inline constexpr char kLibraryKind[] = "signatures";
std::string library_text(const std::vector<Signature>& library);
Result<std::vector<Signature>> read_library_text(std::string_view text);

// Writes each as NAME.kdf or NAME.ssd; files of this ending that an earlier run left are removed.
// An error, and nothing is changed, if one of them is not as Dowser wrote it (base/new_file.h).
Status write_keyword_folder(const std::filesystem::path& folder,
                            const std::vector<KeywordGroup>& groups);
Status write_library(const std::filesystem::path& folder, const std::vector<Signature>& library,
                     Owner owner = Owner::kUser);

// "tr_nest_egg_feather"
std::string group_name(const KeywordTriple& words);

// Numbers between white space. The text is wrong if one of them is not a finite number, or their
// number is not that of `values`.
bool read_numbers(std::string_view text, std::span<double> values);
std::string numbers_text(std::span<const double> values);

}  // namespace dowser
