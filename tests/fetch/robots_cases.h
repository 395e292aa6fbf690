#pragma once

#include <zlib.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The collection robots.tar.gz: real robots.txt files and, in cases.tsv, what the reference matcher
// says to (file, agent, url). For the conformance test and for bench/robots.

namespace dowser {

struct RobotsCase {
  std::string file, agent, url;
  bool allowed;
};

struct RobotsCollection {
  std::map<std::string, std::string> files;  // by name, without the folder
  std::vector<RobotsCase> cases;
};

inline std::string gunzip_file(const std::filesystem::path& path) {
  std::string content;
  gzFile in = gzopen(path.c_str(), "rb");
  if (!in) return content;
  std::string block(1 << 16, '\0');
  for (int n; (n = gzread(in, block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    content.append(block, 0, static_cast<size_t>(n));
  }
  gzclose(in);
  return content;
}

// The regular files of a ustar archive whose names are shorter than 100 bytes, by the last part of
// the name.
inline std::map<std::string, std::string> untar(std::string_view tar) {
  constexpr size_t kBlock = 512;
  std::map<std::string, std::string> files;
  while (tar.size() >= kBlock && tar[0] != '\0') {
    const std::string name(tar.data(), strnlen(tar.data(), 100));
    const char type = tar[156];
    size_t size = 0;
    std::from_chars(tar.data() + 124, tar.data() + 135, size, 8);
    tar.remove_prefix(kBlock);
    if (size > tar.size()) break;
    if (type == '0' || type == '\0') files[name.substr(name.rfind('/') + 1)] = tar.substr(0, size);
    tar.remove_prefix(std::min(tar.size(), (size + kBlock - 1) / kBlock * kBlock));
  }
  return files;
}

inline RobotsCollection read_robots_collection(const std::filesystem::path& archive) {
  RobotsCollection collection;
  collection.files = untar(gunzip_file(archive));
  const std::string table = std::move(collection.files["cases.tsv"]);
  collection.files.erase("cases.tsv");
  for (size_t begin = table.find('\n') + 1; begin < table.size();) {
    std::string column[4];
    for (int i = 0; i < 4; ++i) {
      const size_t end = std::min(table.find(i < 3 ? '\t' : '\n', begin), table.size());
      column[i] = table.substr(begin, end - begin);
      begin = end + 1;
    }
    collection.cases.push_back({column[0], column[1], column[2], column[3] == "allow"});
  }
  return collection;
}

}  // namespace dowser
