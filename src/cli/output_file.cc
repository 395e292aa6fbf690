#include "cli/output_file.h"

#include <filesystem>

#include "base/new_file.h"
#include "run/own_places.h"

namespace dowser {
namespace {

Status check_output(const std::string& file) {
  if (Status s = is_no_part_of_a_crawl(file); !s) return s;
  return may_write(file);
}

}  // namespace

Arguments::Set output_file(std::string* file) {
  return [file](std::string_view name) {
    *file = name;
    return check_output(*file);
  };
}

Arguments::Set output_files(std::vector<std::string>* files) {
  return [files](std::string_view name) { return check_output(files->emplace_back(name)); };
}

Arguments::Set library_file_option(std::string* file) {
  return [file](std::string_view name) {
    *file = name;
    const bool is_usual = std::filesystem::path(*file).filename() == "library.sqlite";
    return is_usual ? Status{} : is_no_part_of_a_crawl(*file);
  };
}

}  // namespace dowser
