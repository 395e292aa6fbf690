#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/response.h"
#include "serve/http_message.h"

namespace dowser {

// Finds the handler of a request by its method and path:
//
//   Router router;
//   router.add("GET", "/crawls/{name}/pages", [](const HttpRequest&, const Router::Values& values)
//   {
//     return pages_of(values[0]);
//   });
//
// A path is compared segment by segment after percent-decoding; {name} matches any segment that is
// not empty. The query is not part of the path. Routes are added before the server starts; answer()
// may then be called from several threads.
class Router {
 public:
  using Values = std::vector<std::string>;  // of the segments that {…} matched, decoded, in order
  using Handler = std::function<Response(const HttpRequest&, const Values&)>;

  void add(std::string method, std::string_view pattern, Handler handler);

  // Without a route for the path the answer is 404. With routes for other methods only it is 405
  // and lists them in Allow. HEAD is answered like GET; the server leaves out the body.
  Response answer(const HttpRequest& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> segments;  // "{name}" matches any
    Handler handler;
  };
  std::vector<Route> routes_;
};

}  // namespace dowser
