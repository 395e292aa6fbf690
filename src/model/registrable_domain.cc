#include "model/registrable_domain.h"

#include <libpsl.h>

#include <cstring>

#include "model/url_host.h"

namespace dowser {
namespace {

// DNS allows no longer names.
constexpr size_t kMaxHostname = 253;

// libpsl wants a terminated string; host names are short, so a buffer on the stack will do.
class Terminated {
 public:
  explicit Terminated(std::string_view text) {
    std::memcpy(buffer_, text.data(), text.size());
    buffer_[text.size()] = '\0';
  }
  const char* get() const { return buffer_; }

 private:
  char buffer_[kMaxHostname + 1];
};

}  // namespace

bool has_known_suffix(std::string_view hostname) {
  if (hostname.ends_with('.')) hostname.remove_suffix(1);
  const std::string_view top = hostname.substr(hostname.rfind('.') + 1);
  if (top.empty() || top.size() > kMaxHostname) return false;
  return psl_is_public_suffix2(psl_builtin(), Terminated(top).get(),
                               PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) != 0;
}

std::string_view registrable_domain(std::string_view hostname) {
  std::string_view name = hostname;
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || name.size() > kMaxHostname || name[0] == '[' || ends_in_number(name) ||
      !has_known_suffix(name)) {
    return hostname;
  }
  const Terminated text(name);
  const char* domain = psl_registrable_domain(psl_builtin(), text.get());
  return domain ? hostname.substr(static_cast<size_t>(domain - text.get())) : hostname;
}

std::string_view public_suffix(std::string_view hostname) {
  std::string_view name = hostname;
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || name.size() > kMaxHostname || name[0] == '[' || ends_in_number(name)) {
    return hostname;
  }
  if (!has_known_suffix(name)) return hostname.substr(name.rfind('.') + 1);
  const Terminated text(name);
  const char* suffix = psl_unregistrable_domain(psl_builtin(), text.get());
  return suffix ? hostname.substr(static_cast<size_t>(suffix - text.get())) : hostname;
}

}  // namespace dowser
