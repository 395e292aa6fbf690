#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/crawl_folder.h"
#include "tests/faults/run_program.h"

// A small archived web, and the crawls of it that the fault tests begin with. On an archived web
// the same configuration leaves the same bytes: what a disturbed crawl leaves in the end is
// compared with an undisturbed one.

namespace dowser::faults {

inline constexpr int kPages = 160;  // of the web, and of a complete crawl, by default

// A call that is made to fail; see fail_calls.cc. Besides its ways there is POWER: the program is
// killed, and each file is then as it was last synced (make_as_synced).
struct Fault {
  std::string with;
  bool after = false;
  long at = 0;  // 0: none, but all calls are written down
};

struct Programs {
  std::filesystem::path dowser;
  std::string
      preload;  // the library of fail_calls.cc, behind that of a sanitizer where there is one
};

// The programs of this build; $DOWSER names another dowser, $FAULTS_PRELOAD other libraries.
Programs programs_of_build();

class Crawls {
 public:
  // Makes all of them below `work`, which must be empty; throws if the undisturbed ones fail.
  // `pages`: of the web, and of a complete crawl.
  Crawls(Programs programs, std::filesystem::path work, int pages = kPages);

  const std::filesystem::path& work() const { return work_; }
  // What a whole crawl leaves: one in one go, and one that was resumed from finished(), whose
  // archive begins with other settings.
  const Finished& wanted() const { return wanted_; }
  const Finished& wanted_of_resume() const { return wanted_of_resume_; }

  // Folders to copy: a crawl that came to its limit of five eighths of the pages, one that Ctrl-C
  // stopped, and one that was killed after it had been resumed there. Of the last two there are
  // several.
  std::filesystem::path finished() const { return work_ / "finished"; }
  std::filesystem::path interrupted(size_t n) const;
  std::filesystem::path killed(size_t n) const;
  std::filesystem::path complete() const { return work_ / "complete"; }
  std::filesystem::path earlier() const { return work_ / "earlier"; }  // of finished()
  static constexpr size_t kVariants = 6;

  // What other commands read: the web and the folder of its pages, a folder of other pages, the log
  // of a server, and a table of clicks.
  std::filesystem::path web() const { return work_ / "web.warc.gz"; }
  std::filesystem::path site() const { return work_ / "site"; }
  std::filesystem::path other_site() const { return work_ / "others"; }
  std::filesystem::path server_log() const { return work_ / "access.log"; }
  std::filesystem::path clicks() const { return work_ / "clicks.tsv"; }

  Command dowser(std::vector<std::string> words) const;
  Command crawl(const std::filesystem::path& folder) const { return crawl(folder, pages_); }
  Command resume(const std::filesystem::path& folder) const { return resume(folder, pages_); }
  // The same with a fault in the files below a folder; `log` gets the calls.
  Command failing(Command command, const Fault& fault, const std::filesystem::path& below,
                  const std::filesystem::path& log) const;
  static std::filesystem::path synced_folder(const std::filesystem::path& below) {
    return below.string() + ".synced";
  }
  bool has_check() const { return has_check_; }
  bool has_accept_loss() const { return has_accept_loss_; }

 private:
  Command crawl(const std::filesystem::path& folder, int pages) const;
  Command resume(const std::filesystem::path& folder, int pages) const;
  void make_web();
  void make_other_inputs() const;
  void stop_at_random_calls();
  void kill_at(const std::filesystem::path& folder, const char* way, long call) const;

  Programs programs_;
  std::filesystem::path work_;
  const int pages_;
  Finished wanted_, wanted_of_resume_;
  bool has_check_ = false, has_accept_loss_ = false;
};

// Where temporary folders are made: in memory where possible.
std::filesystem::path temporary_folder();

// Standard error without notices, which say what was cut or left out and are no failures.
std::string without_notices(const std::string& messages);
// Whether a message is one line that names something a person can do.
bool is_one_line(std::string_view message);
bool says_what_to_do(std::string_view message);

}  // namespace dowser::faults
