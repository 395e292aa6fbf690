#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "serve/http_connection.h"
#include "serve/listen_address.h"

namespace dowser {

struct HttpServerOptions {
  int threads = 1;
  // The limit for each thread; 0: as many as the system allows. When it is reached, a new
  // connection replaces the one that has been idle longest.
  size_t max_connections = 0;
  HttpLimits limits;
};

// An HTTP/1.1 server for many clients that keep their connections: each thread looks after its own
// with epoll. Handlers see targets exactly as they were sent, and decide every field except those
// of the connection itself.
//
// Why not cpp-httplib: it decodes targets before it shows them, compresses answers by itself,
// refuses targets that are whole addresses, and holds a thread for every open connection.
class HttpServer {
 public:
  // Listens and answers until it is destroyed.
  static Result<std::unique_ptr<HttpServer>> start(const ListenAddress& address,
                                                   HttpHandler handler,
                                                   HttpServerOptions options = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // With the port that was chosen.
  const ListenAddress& address() const { return address_; }

 private:
  class Loop;

  HttpServer(int listener, HttpHandler handler, HttpServerOptions options);

  const int listener_;
  const ListenAddress address_;
  const HttpService service_;
  const size_t max_connections_;
  int stop_ = -1;  // an eventfd that is ready when it is time to end
  std::vector<std::thread> threads_;
};

}  // namespace dowser
