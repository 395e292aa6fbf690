#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support.h"

// A web that is made like Wikipedia for Schools, for tests of commands that need many pages but no
// real ones: 600 articles on six subjects under the same host name. Countries link to everything,
// articles mostly to others on their subject. The same bytes each time.

namespace dowser {

class MadeSchools {
 public:
  static constexpr std::string_view kHost = "http://schools-wikipedia.org/wp/";

  MadeSchools() {
    for (size_t subject = 0; subject < kSubjects.size(); ++subject) {
      for (size_t number = 0; number < kArticles; ++number) write(subject, number);
    }
    EXPECT_TRUE(put_file(labels(), labels_));
    const Ran ran = run_dowser({"pack", dir_ / "site", "--host", "schools-wikipedia.org",
                                "--prefix", "/wp/", "--to", web()});
    EXPECT_EQ(ran.code, 0) << ran.err;
  }

  std::string web() const { return dir_ / "schools.warc.gz"; }
  // Lines of address, tab, subject.
  std::string labels() const { return dir_ / "labels.tsv"; }
  static std::string address(std::string_view path) {
    return std::string(kHost) + std::string(path);
  }

 private:
  static constexpr size_t kArticles = 100, kLinks = 60;
  struct Subject {
    std::string_view name, first, words;  // the first article has a name of its own
  };
  static constexpr std::array<Subject, 6> kSubjects = {{
      {"countries", "e/Europe.htm",
       "country population capital border parliament region climate government language export "
       "history currency province election railway harbour"},
      {"birds", "b/Bird.htm",
       "bird species feather nest wing beak egg flight song plumage migration chick claw prey "
       "breeding colony"},
      {"mammals", "a/Animal.htm",
       "mammal animal fur milk herd hoof species prey burrow antler litter tail whale forest "
       "grazing den"},
      {"geology", "g/Geology.htm",
       "rock mineral crystal volcano sediment crust granite fossil basalt erosion magma layer "
       "fault plate quartz lava"},
      {"food", "f/Food.htm",
       "bread cheese recipe oven flour taste butter soup spice meal kitchen vegetable sugar yeast "
       "sauce dough"},
      {"space", "s/Space.htm",
       "planet orbit star telescope galaxy rocket moon comet astronaut satellite nebula gravity "
       "crater mission asteroid sun"},
  }};
  static constexpr std::string_view kCommon =
      "about after again also between came city common different early example famous found great "
      "important known large later long made many modern name near number often old once part "
      "people place point small some still such their time today under used well where while work "
      "world year young";

  static std::string path(size_t subject, size_t number) {
    const Subject& s = kSubjects[subject];
    return number == 0 ? std::string(s.first)
                       : fmt::format("{}/{}_{}.htm", s.name[0], s.name, number);
  }

  size_t draw(size_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % below;
  }

  static std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      words.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    return words;
  }

  void write(size_t subject, size_t number) {
    const std::string own = path(subject, number);
    const size_t name = own.find('/') + 1;
    const std::string title = own.substr(name, own.size() - name - 4);
    std::string html =
        fmt::format("<html lang=en><head><title>{0}</title></head><body><h1>{0}</h1>", title);
    const std::vector<std::string> words = split(kSubjects[subject].words), common = split(kCommon);
    for (int paragraph = 0; paragraph < 4; ++paragraph) {
      html += "<p>The";
      for (int i = 0; i < 40; ++i) {
        html += ' ' + (i % 3 == 0 ? words[draw(words.size())] : common[draw(common.size())]);
      }
      html += ".";
      for (size_t i = 0; i < kLinks / 4; ++i) {
        const bool stays = subject > 0 && draw(4) > 0;
        const size_t to = stays ? subject : draw(kSubjects.size());
        const std::string target = path(to, draw(draw(3) == 0 ? 5 : kArticles));
        html +=
            fmt::format(" <a href=\"/wp/{}\">{} {}</a>", target,
                        split(kSubjects[to].words)[draw(16)], target.substr(2, target.size() - 6));
      }
    }
    const std::filesystem::path file = dir_.path() / "site" / own;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << html;  // not put_file(), which waits for the disk
    if (subject > 0) labels_ += address(own) + "\t" + std::string(kSubjects[subject].name) + "\n";
  }

  TempDir dir_;
  std::string labels_;
  uint64_t state_ = 1;
};

}  // namespace dowser
