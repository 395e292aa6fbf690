#include "learn/signature/signature_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/xml_reader.h"
#include "base/xml_writer.h"
#include "learn/model_container.h"

namespace dowser {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kVersion = "2.0";
constexpr std::string_view kKdf = "KeywordDescriptorFile";
constexpr std::string_view kSsd = "SemanticSignatureDescriptorFile";
constexpr XmlLimits kLimits{.bytes = 64 << 20};

std::string number(double value) { return fmt::format("{}", value); }

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  return true;
}

// Both kinds of file are flat: elements with attributes and text, at most two deep. The reader
// keeps the first wrong thing and continues, so that callers ask once.
class DescriptorReader : public XmlHandler {
 public:
  explicit DescriptorReader(std::string_view root) : root_(root) {}

  Status start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    text_.clear();
    if (depth_++ == 0) {
      if (name != root_) {
        return Error{fmt::format("this is a <{}>, not a <{}>: is it the right kind of file?",
                                 name.substr(0, 100), root_)};
      }
      const std::string_view version = attribute(attributes, "version");
      if (version != kVersion) {
        return Error{fmt::format("version '{}' of <{}> is not known: this program reads {}",
                                 version.substr(0, 20), root_, kVersion)};
      }
      return {};
    }
    attributes_.clear();
    for (const XmlAttribute& a : attributes) attributes_.emplace(a.name, a.value);
    return {};
  }
  Status end(std::string_view name) override {
    if (--depth_ == 0) return finish();
    Status read = element(name);
    text_.clear();
    return read;
  }
  Status text(std::string_view piece) override {
    text_ += piece;
    return {};
  }

 protected:
  // At the end of each element, with its own attributes and text; elements inside have been told.
  virtual Status element(std::string_view name) = 0;
  virtual Status finish() = 0;

  std::string_view get(const std::string& name) const {
    const auto it = attributes_.find(name);
    return it == attributes_.end() ? std::string_view() : it->second;
  }
  std::string_view content() const { return text_; }

  Status read_settings(SignatureSettings& settings) const {
    if (!read_number(get("window"), settings.window) || settings.window < 1 ||
        settings.window > 1000) {
      return Error{"window must be a whole number from 1 to 1000"};
    }
    if (!read_number(get("decay"), settings.decay) || settings.decay <= 0) {
      return Error{"decay must be a number above 0"};
    }
    settings.text = get("text");
    if (settings.text != "paragraphs" && settings.text != "text" && settings.text != "all") {
      return Error{"text must be paragraphs, text or all"};
    }
    if (get("stemming") != "yes" && get("stemming") != "no") {
      return Error{"stemming must be yes or no"};
    }
    settings.stemming = get("stemming") == "yes";
    return {};
  }
  Status read_synonym(SignatureSettings& settings) const {
    if (get("word").empty() || get("replacement").empty()) {
      return Error{"a synonym needs a word and its replacement"};
    }
    settings.synonyms.emplace_back(get("word"), get("replacement"));
    return {};
  }
  Status read_keyword(KeywordTriple& words, size_t& count) const {
    if (count == 3) return Error{"there are more than three keywords"};
    if (content().empty()) return Error{"a keyword is empty"};
    words[count++] = content();
    return {};
  }

 private:
  const std::string_view root_;
  std::map<std::string, std::string> attributes_;  // of the innermost element
  std::string text_;
  int depth_ = 0;
};

class KdfReader final : public DescriptorReader {
 public:
  KdfReader() : DescriptorReader(kKdf) {}
  KeywordGroup group;

 private:
  Status element(std::string_view name) override {
    if (name == "settings") {
      group.weighting = get("weighting");
      if (group.weighting != "tf-idf" && group.weighting != "tf") {
        return Error{"weighting must be tf-idf or tf"};
      }
      has_settings_ = true;
      return read_settings(group.settings);
    }
    if (name == "synonym") return read_synonym(group.settings);
    if (name == "keyword") {
      if (keywords_ < 3 && !read_number(get("weight"), group.weights[keywords_])) {
        return Error{"the weight of a keyword must be a number"};
      }
      return read_keyword(group.words, keywords_);
    }
    if (name == "synonyms" || name == "keywords") return {};
    return Error{fmt::format("<{}> is not known", name.substr(0, 100))};
  }
  Status finish() override {
    if (keywords_ != 3) return Error{fmt::format("there are {} keywords, not three", keywords_)};
    if (!has_settings_) return Error{"<settings> is missing"};
    return {};
  }
  size_t keywords_ = 0;
  bool has_settings_ = false;
};

class SsdReader final : public DescriptorReader {
 public:
  SsdReader() : DescriptorReader(kSsd) {}
  Signature signature;

 private:
  Status element(std::string_view name) override {
    if (name == "name") {
      signature.name = content();
    } else if (name == "settings") {
      has_settings_ = true;
      return read_settings(signature.settings);
    } else if (name == "synonym") {
      return read_synonym(signature.settings);
    } else if (name == "keyword") {
      if (keywords_ < 3 && !get("training").empty()) {
        if (Status s = read_evidence(signature.of_words[keywords_]); !s) return s;
      }
      return read_keyword(signature.words, keywords_);
    } else if (name == "centroid") {
      has_centroid_ = read_numbers(content(), signature.centroid);
      if (!has_centroid_) return Error{"the centroid must be nine numbers"};
    } else if (name == "angle") {
      has_angle_ = read_number(content(), signature.angle) && signature.angle >= 0;
      if (!has_angle_) return Error{"the angle must be a number of at least 0, in radians"};
    } else if (name == "least-relevance") {
      double& least = signature.least_relevance;
      if (!read_number(content(), least) || !(least >= 0 && least <= 1)) {
        return Error{"the least relevance must be a number from 0 to 1"};
      }
    } else if (name == "support") {
      if (!read_number(get("vectors"), signature.support) ||
          !read_number(get("documents"), signature.documents)) {
        return Error{"support must have whole numbers of vectors and documents"};
      }
    } else if (name == "evidence") {
      return read_evidence(signature.evidence);
    } else if (name == "vector") {
      if (!read_numbers(content(), signature.vectors.emplace_back())) {
        return Error{"a vector must be nine numbers"};
      }
    } else if (name != "synonyms" && name != "keywords" && name != "vectors") {
      return Error{fmt::format("<{}> is not known", name.substr(0, 100))};
    }
    return {};
  }
  Status read_evidence(SignatureEvidence& e) const {
    if (!read_number(get("training"), e.training) ||
        !read_number(get("training-of"), e.training_of) ||
        !read_number(get("background"), e.background) ||
        !read_number(get("background-of"), e.background_of) || e.training > e.training_of ||
        e.background > e.background_of) {
      return Error{"evidence must have whole numbers, the hits not more than the documents"};
    }
    return {};
  }
  Status finish() override {
    if (signature.name.empty()) return Error{"<name> is missing"};
    if (keywords_ != 3) return Error{fmt::format("there are {} keywords, not three", keywords_)};
    if (!has_settings_) return Error{"<settings> is missing"};
    if (!has_centroid_ || !has_angle_) return Error{"<centroid> or <angle> is missing"};
    return {};
  }
  size_t keywords_ = 0;
  bool has_settings_ = false, has_centroid_ = false, has_angle_ = false;
};

void write_synonyms(XmlWriter& xml, const SignatureSettings& settings) {
  if (settings.synonyms.empty()) return;
  xml.open("synonyms");
  for (const auto& [word, replacement] : settings.synonyms) {
    xml.element("synonym", {{"word", word}, {"replacement", replacement}});
  }
  xml.close();
}

// The attributes of one piece of evidence; their text lives as long as this does.
struct EvidenceText {
  explicit EvidenceText(const SignatureEvidence& e)
      : training(std::to_string(e.training)),
        training_of(std::to_string(e.training_of)),
        background(std::to_string(e.background)),
        background_of(std::to_string(e.background_of)) {}
  std::string training, training_of, background, background_of;
};

// Part of a file name: words are letters of any script, but a file must not be hidden or elsewhere.
std::string name_part(std::string_view word) {
  std::string part(word);
  for (char& c : part) {
    if (c == '/' || c == '\\' || c == '.' || static_cast<unsigned char>(c) < ' ') c = '-';
  }
  return part;
}

Result<std::vector<fs::path>> files_of(const fs::path& place, const std::string& ending,
                                       std::string_view made_by) {
  std::error_code failed;
  if (!fs::exists(place, failed)) {
    return Error{fmt::format("there is no {}: {} makes it", place.string(), made_by)};
  }
  if (!fs::is_directory(place, failed)) return std::vector<fs::path>{place};
  std::vector<fs::path> files;
  for (auto it = fs::directory_iterator(place, failed); !failed && it != fs::directory_iterator();
       it.increment(failed)) {
    if (it->path().extension() == ending) files.push_back(it->path());
  }
  if (failed) return Error{fmt::format("cannot read {}: {}", place.string(), failed.message())};
  if (files.empty()) {
    return Error{
        fmt::format("{} contains no {} file: {} makes them", place.string(), ending, made_by)};
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Removes the files of an earlier run. In a folder that a person named, all of them must be as we
// wrote them; otherwise nothing is removed.
Status clear_folder(const fs::path& folder, const std::string& ending, Owner owner) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    return Error{fmt::format("cannot make the folder {}: {}; name another folder", folder.string(),
                             failed.message())};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  for (const fs::path& file : files) {
    if (Status s = owner == Owner::kUser ? may_write(file) : Status{}; !s) return s;
  }
  for (const fs::path& file : files) fs::remove(file, failed);
  return {};
}

Status write_part(const fs::path& file, std::string_view text, Owner owner) {
  return owner == Owner::kUser ? write_file(file, text) : replace_own_file(file, text);
}

Status check_library(const std::vector<Signature>& library, const std::string& place) {
  for (const Signature& s : library) {
    if (s.settings == library.front().settings) continue;
    return Error{
        fmt::format("{} contains signatures with different settings ({} and {}): learn all of them "
                    "with the same settings",
                    place, library.front().name, s.name)};
  }
  return {};
}

}  // namespace

bool read_numbers(std::string_view text, std::span<double> values) {
  size_t count = 0;
  while (true) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return count == values.size();
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    if (count == values.size() || !read_number(text.substr(0, end), values[count++])) return false;
    text.remove_prefix(end);
  }
}

std::string numbers_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += number(value);
  }
  return text;
}

std::string group_name(const KeywordTriple& words) {
  return fmt::format("tr_{}_{}_{}", name_part(words[0]), name_part(words[1]), name_part(words[2]));
}

std::string kdf_text(const KeywordGroup& group) {
  std::ostringstream out;
  XmlWriter xml(out);
  xml.open(kKdf, {{"version", kVersion}});
  const SignatureSettings& s = group.settings;
  xml.element("settings", {{"window", std::to_string(s.window)},
                           {"decay", number(s.decay)},
                           {"text", s.text},
                           {"stemming", s.stemming ? "yes" : "no"},
                           {"weighting", group.weighting}});
  write_synonyms(xml, s);
  xml.open("keywords");
  for (size_t i = 0; i < 3; ++i) {
    xml.element("keyword", {{"weight", number(group.weights[i])}}, group.words[i]);
  }
  xml.close();
  xml.close();
  return out.str();
}

std::string ssd_text(const Signature& signature) {
  std::ostringstream out;
  XmlWriter xml(out);
  xml.open(kSsd, {{"version", kVersion}});
  xml.element("name", {}, signature.name);
  const SignatureSettings& s = signature.settings;
  xml.element("settings", {{"window", std::to_string(s.window)},
                           {"decay", number(s.decay)},
                           {"text", s.text},
                           {"stemming", s.stemming ? "yes" : "no"}});
  write_synonyms(xml, s);
  xml.open("keywords");
  for (size_t i = 0; i < 3; ++i) {
    if (signature.of_words[i].training_of == 0) {
      xml.element("keyword", {}, signature.words[i]);
      continue;
    }
    const EvidenceText e(signature.of_words[i]);
    xml.element("keyword",
                {{"training", e.training},
                 {"training-of", e.training_of},
                 {"background", e.background},
                 {"background-of", e.background_of}},
                signature.words[i]);
  }
  xml.close();
  xml.element("centroid", {}, numbers_text(signature.centroid));
  xml.element("angle", {}, number(signature.angle));
  xml.element("support", {{"vectors", std::to_string(signature.support)},
                          {"documents", std::to_string(signature.documents)}});
  const EvidenceText e(signature.evidence);
  xml.element("evidence", {{"training", e.training},
                           {"training-of", e.training_of},
                           {"background", e.background},
                           {"background-of", e.background_of}});
  if (signature.least_relevance > 0) {
    xml.element("least-relevance", {}, number(signature.least_relevance));
  }
  if (!signature.vectors.empty()) {
    xml.open("vectors");
    for (const SignatureVector& v : signature.vectors) xml.element("vector", {}, numbers_text(v));
    xml.close();
  }
  xml.close();
  return out.str();
}

Result<KeywordGroup> read_kdf(std::string_view text, std::string_view source) {
  KdfReader reader;
  if (Status s = read_xml(text, source, reader, kLimits); !s) return s.error();
  return std::move(reader.group);
}

Result<Signature> read_ssd(std::string_view text, std::string_view source) {
  SsdReader reader;
  if (Status s = read_xml(text, source, reader, kLimits); !s) return s.error();
  return std::move(reader.signature);
}

Result<std::vector<KeywordGroup>> read_keyword_folder(const fs::path& place) {
  const auto files = files_of(place, ".kdf", "dowser signature keywords");
  if (!files) return files.error();
  std::vector<KeywordGroup> groups;
  for (const fs::path& file : *files) {
    KdfReader reader;
    if (Status s = read_xml_file(file, reader, kLimits); !s) return s.error();
    groups.push_back(std::move(reader.group));
    if (groups.back().settings != groups.front().settings) {
      return Error{
          fmt::format("{} has other settings than {}: make all of them with the same settings",
                      file.string(), files->front().string())};
    }
  }
  return groups;
}

Result<std::vector<Signature>> read_library(const fs::path& place) {
  const auto files = files_of(place, ".ssd", "dowser learn signatures");
  if (!files) return files.error();
  std::vector<Signature> library;
  for (const fs::path& file : *files) {
    SsdReader reader;
    if (Status s = read_xml_file(file, reader, kLimits); !s) return s.error();
    library.push_back(std::move(reader.signature));
  }
  if (Status s = check_library(library, place.string()); !s) return s.error();
  return library;
}

std::string library_text(const std::vector<Signature>& library) {
  std::string members = "\"signatures\": [";
  for (size_t i = 0; i < library.size(); ++i) {
    Signature slim = library[i];
    slim.vectors.clear();
    members += (i ? ",\n" : "\n") + json_string(ssd_text(slim));
  }
  return model_container({kLibraryKind, 1}, members + "]");
}

Result<std::vector<Signature>> read_library_text(std::string_view text) {
  ModelHeader header;
  const Result<nlohmann::json> json = read_model_container(text, &header);
  if (!json) return json.error();
  if (header.kind != kLibraryKind) {
    return Error{fmt::format("the model is for {}, not a library of signatures", header.kind)};
  }
  if (Status s = check_model_version(header, 1); !s) return s.error();
  ModelFields fields;
  std::vector<Signature> library;
  for (const auto& file : fields.list(*json, "signatures")) {
    if (!file.is_string()) return Error{"a signature of the library is not a string"};
    Result<Signature> signature =
        read_ssd(file.get_ref<const std::string&>(), "a signature of the library");
    if (!signature) return signature.error();
    library.push_back(std::move(*signature));
  }
  if (fields.error()) return *fields.error();
  if (library.empty()) return Error{"the library is empty: dowser learn signatures makes one"};
  if (Status s = check_library(library, "the library"); !s) return s.error();
  return library;
}

Status write_keyword_folder(const fs::path& folder, const std::vector<KeywordGroup>& groups) {
  if (Status s = clear_folder(folder, ".kdf", Owner::kUser); !s) return s;
  for (const KeywordGroup& group : groups) {
    if (Status s = write_file(folder / (group_name(group.words) + ".kdf"), kdf_text(group)); !s)
      return s;
  }
  return {};
}

Status write_library(const fs::path& folder, const std::vector<Signature>& library, Owner owner) {
  if (Status s = clear_folder(folder, ".ssd", owner); !s) return s;
  for (const Signature& signature : library) {
    const fs::path file = folder / (name_part(signature.name) + ".ssd");
    if (Status s = write_part(file, ssd_text(signature), owner); !s) return s;
  }
  return {};
}

}  // namespace dowser
