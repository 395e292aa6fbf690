#include "fetch/curl_failure.h"

namespace dowser {

Failure curl_failure(CURLcode code, std::string_view error, bool head_complete) {
  switch (code) {
    case CURLE_OK:
      return Failure::kNone;
    case CURLE_COULDNT_RESOLVE_HOST:
      return Failure::kDns;
    case CURLE_COULDNT_CONNECT:
      return Failure::kConnect;
    case CURLE_OPERATION_TIMEDOUT:  // the only limit of time that curl is told
      return Failure::kTimeoutConnect;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return Failure::kTls;
    case CURLE_OUT_OF_MEMORY:  // curl has a limit of its own for a single line
      return head_complete ? Failure::kOther : Failure::kHeaderTooLarge;
    case CURLE_RECV_ERROR:  // the connection, or the chunks that came over it
      if (error.find("chunk") != error.npos) return Failure::kBadHttp;
      if (error.find("Too large response headers") != error.npos) return Failure::kHeaderTooLarge;
      return Failure::kReset;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
      return Failure::kReset;
    case CURLE_UNSUPPORTED_PROTOCOL:  // HTTP/0.9: no status line
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_BAD_FUNCTION_ARGUMENT:  // the first header field is folded
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return Failure::kBadHttp;
    case CURLE_URL_MALFORMAT:
      return Failure::kBadAddress;
    default:
      return Failure::kOther;
  }
}

}  // namespace dowser
