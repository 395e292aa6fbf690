#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// One line of a server log becomes an entry. Formats are written as the servers write them:
//
//   common     %h %l %u %t "%r" %>s %b
//   combined   the same, and "%{Referer}i" "%{User-Agent}i"
//   vhost      %v:%p in front of a combined line, as Debian's Apache writes it
//   w3c        what IIS writes: the fields are named by a line "#Fields: date time c-ip …"
//
// or any format of Apache's LogFormat (%h …) or nginx's log_format ($remote_addr …).

namespace dowser {

// Views into the line. A field that the format lacks, or that is "-", is empty.
struct LogEntry {
  std::string_view host;      // the client: an address or a name
  std::string_view user;      // as authenticated
  std::string_view method;    // "GET"; empty if the request line is not HTTP
  std::string_view target;    // "/a?b"; the whole request line where that is not HTTP
  std::string_view query;     // of formats that write it apart from the target, without '?'
  std::string_view protocol;  // "HTTP/1.1"
  std::string_view referrer;
  std::string_view agent;
  std::string_view cookie;
  std::string_view site;  // the virtual host of the request
  int64_t time = 0;       // seconds since 1970, UTC
  int zone = 0;           // seconds east of Greenwich, as the server wrote it
  int status = 0;
  int64_t bytes = 0;
};

enum class LineState : uint8_t {
  kWhole,
  kCut,      // it ends early, but time, request, status and size are there: the entry is good
  kBroken,   // the entry must not be used
  kComment,  // a line that begins with # (w3c)
};

class LogFormat {
 public:
  // A name of the list above, or a format string. The error says which part is not understood.
  static Result<LogFormat> parse(std::string_view text);
  // The format among common, combined, vhost and w3c that most of the first lines have; nothing
  // where none of them can be read.
  static std::optional<LogFormat> detect(std::string_view beginning);

  // Not const: a "#Fields:" line of a w3c log changes what follows.
  LineState read(std::string_view line, LogEntry& entry);

  const std::string& name() const { return name_; }
  bool has_referrer() const { return has(Field::kReferrer); }

 private:
  enum class Field : uint8_t {
    kSkip,
    kHost,
    kForwarded,
    kUser,
    kTime,
    kIsoTime,
    kEpoch,
    kMillis,
    kDate,
    kClock,
    kRequest,
    kMethod,
    kTarget,
    kQuery,
    kProtocol,
    kStatus,
    kBytes,
    kReferrer,
    kAgent,
    kCookie,
    kSite,
  };
  struct Element {
    std::string before;  // the literal text before the field
    Field field = Field::kSkip;
    bool quoted = false;
  };

  bool has(Field field) const;
  Status add_apache(std::string_view& text, std::string literal);
  Status add_nginx(std::string_view& text, std::string literal);
  void add(std::string literal, Field field);
  Status finish(std::string literal);
  void read_w3c_fields(std::string_view names);
  static bool set(LogEntry& entry, Field field, std::string_view value);

  std::string name_;
  std::vector<Element> elements_;
  std::string after_;      // the literal text after the last field
  size_t essential_ = 0;   // elements up to the last without which an entry is of no use
  bool open_end_ = false;  // more fields may follow
  bool w3c_ = false;
  bool pending_bracket_ = false;  // of %t, while a format string is read
};

}  // namespace dowser
