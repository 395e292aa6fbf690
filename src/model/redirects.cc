#include "model/redirects.h"

namespace dowser {

Response final_answer(const Url& url, const std::function<Response(const Url&)>& get, int most) {
  Response answer;
  end_of_redirects(
      url,
      [&](const Url& at) -> std::optional<Url> {
        answer = get(at);
        answer.url = at;
        Url target = answer.is_redirect() ? answer.redirect_target() : Url();
        if (target.empty()) return std::nullopt;
        return target;
      },
      most);
  return answer;
}

}  // namespace dowser
