#include "model/response.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <string>

namespace dowser {
namespace {

TEST(Headers, a_name_is_found_in_any_case_and_the_first_one_counts) {
  Headers headers;
  headers.add("Set-Cookie", "a");
  headers.add("set-cookie", "b");
  EXPECT_EQ(headers.get("SET-COOKIE"), "a");
  EXPECT_EQ(headers.get("Set-Cookie2"), std::nullopt);
  EXPECT_EQ(headers.size(), 2u);
}

TEST(Failure, every_failure_has_its_own_name) {
  EXPECT_EQ(name_of(Failure::kNone), "none");
  EXPECT_EQ(name_of(Failure::kNotInArchive), "not-in-archive");
  EXPECT_EQ(name_of(Failure::kTimeoutFirstByte), "timeout-first-byte");
  std::set<std::string_view> names;
  for (int i = 0; i < kFailures; ++i) names.insert(name_of(static_cast<Failure>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(kFailures));
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(Response, the_five_redirects_are_redirects) {
  for (int status = 100; status < 600; ++status) {
    Response response;
    response.status = status;
    const bool expected =
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    EXPECT_EQ(response.is_redirect(), expected) << status;
  }
}

TEST(Response, a_location_keeps_its_bytes_whatever_its_character_set) {
  for (const auto& [location, target] :
       {std::pair{"/caf\xE9?x=\xFC", "http://a.test/caf%E9?x=%FC"},
        std::pair{"/caf\xC3\xA9", "http://a.test/caf%C3%A9"},
        std::pair{"http://b\xC3\xBC.test/", "http://xn--b-eha.test/"},
        std::pair{"/\xE9\xE9 end", "http://a.test/%E9%E9%20end"},
        std::pair{"http://b\xFC.test/", ""}}) {
    Response response;
    response.url = *Url::parse("http://a.test/");
    response.status = 302;
    response.headers.add("Location", location);
    EXPECT_EQ(response.redirect_target().href(), target) << location;
  }
}

TEST(Response, the_content_length_is_a_number_or_nothing) {
  const auto length_of = [](std::string value) {
    Response response;
    response.headers.add("Content-Length", std::move(value));
    return response.content_length();
  };
  EXPECT_EQ(length_of(" 123 "), 123U);
  EXPECT_EQ(length_of("0"), 0U);
  EXPECT_FALSE(length_of("-1"));
  EXPECT_FALSE(length_of("12, 12"));
  EXPECT_FALSE(length_of(""));
  EXPECT_FALSE(Response{}.content_length());
}

TEST(Response, the_content_type_is_lower_case_without_parameters) {
  for (const auto& [value, type] :
       {std::pair{"text/html", "text/html"}, std::pair{"Text/HTML; charset=utf-8", "text/html"},
        std::pair{" text/html ;charset=x", "text/html"},
        std::pair{"text/html, text/plain", "text/html"}, std::pair{"", ""}}) {
    Response response;
    response.headers.add("content-TYPE", value);
    EXPECT_EQ(response.content_type(), type) << value;
  }
  EXPECT_EQ(Response{}.content_type(), "");
}

TEST(ParseResponse, sloppy_messages_are_read) {
  const struct {
    const char* what;
    std::string_view message;
    int status;
    std::string_view reason;
    size_t fields;
    std::string_view body;
  } rows[] = {
      {"plain", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n", 200, "OK", 1, "body\r\n"},
      {"bare line feeds", "HTTP/1.0 404 Not Found\nA: b\n\nbody", 404, "Not Found", 1, "body"},
      {"mixed line ends", "HTTP/1.0 200 OK\r\nA: b\n\r\nbody", 200, "OK", 1, "body"},
      {"no reason", "HTTP/1.1 204\r\n\r\n", 204, "", 0, ""},
      {"no version", "HTTP 200 OK\r\n\r\nx", 200, "OK", 0, "x"},
      {"lower case", "http/1.1 200 ok\r\n\r\nx", 200, "ok", 0, "x"},
      {"HTTP/2", "HTTP/2 200 \r\nA: b\r\n\r\nx", 200, "", 1, "x"},
      {"two spaces", "HTTP/1.1  301  Moved\r\n\r\n", 301, "Moved", 0, ""},
      {"empty lines first", "\r\n\nHTTP/1.1 200 OK\r\n\r\nx", 200, "OK", 0, "x"},
      {"a folded field", "HTTP/1.1 200 OK\r\nA: b\r\n  c\r\n\td\r\nE: f\r\n\r\nx", 200, "OK", 2,
       "x"},
      {"a junk line", "HTTP/1.1 200 OK\r\njunk\r\nA: b\r\n: no name\r\n\r\nx", 200, "OK", 1, "x"},
      {"no empty line", "HTTP/1.1 200 OK\r\nA: b\r\n<html>", 200, "OK", 1, "<html>"},
      {"ends in the head", "HTTP/1.1 200 OK\r\nA: b", 200, "OK", 1, ""},
      {"only a status line", "HTTP/1.1 200 OK", 200, "OK", 0, ""},
      {"zeros in the body", std::string_view("HTTP/1.1 200 OK\r\n\r\na\0b", 22), 200, "OK", 0,
       std::string_view("a\0b", 3)},
  };
  for (const auto& row : rows) {
    const auto response = parse_response(row.message);
    ASSERT_TRUE(response.ok()) << row.what;
    EXPECT_EQ(response->status, row.status) << row.what;
    EXPECT_EQ(response->reason, row.reason) << row.what;
    EXPECT_EQ(response->headers.size(), row.fields) << row.what;
    EXPECT_EQ(response->body, row.body) << row.what;
    EXPECT_FALSE(response->truncated) << row.what;
  }
}

TEST(ParseResponse, a_folded_value_is_joined_with_spaces) {
  const auto response = parse_response("HTTP/1.1 200 OK\r\nA: b\r\n  c \r\n\r\n");
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->headers.get("a"), "b c");
}

TEST(ParseResponse, what_has_no_status_line_is_an_error) {
  for (const char* message :
       {"", "\r\n", "<html>", "HTTP", "HTTP/1.1", "HTTP/1.1 OK", "HTTP/1.1 20", "HTTP/1.1 99 x",
        "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x"}) {
    EXPECT_FALSE(parse_response(message).ok()) << message;
  }
}

TEST(ParseResponse, chunks_are_joined) {
  const struct {
    const char* what;
    std::string body, joined;
    bool truncated;
  } rows[] = {
      {"two chunks", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world", false},
      {"an extension and zeros", "0005;x=y\r\nhello\r\n0\r\n\r\n", "hello", false},
      {"trailers", "A\r\n0123456789\r\n0\r\nX: y\r\n\r\n", "0123456789", false},
      {"bare line feeds", "5\nhello\n0\n\n", "hello", false},
      {"spaces behind the size", "5  \r\nhello\r\n0\r\n\r\n", "hello", false},
      {"an empty body", "0\r\n\r\n", "", false},
      {"cut in a chunk", "5\r\nhel", "hel", true},
      {"cut between chunks", "5\r\nhello\r\n", "hello", true},
      {"junk behind a chunk", "5\r\nhello\r\n<oops>", "hello", true},
      {"a size that lies", "5\r\nhello\r\n3\r\nabcdef\r\n0\r\n\r\n", "helloabc", true},
      {"a huge size", "5\r\nhello\r\nffffffffffffffff\r\nx", "hellox", true},
      {"not chunked", "<html>5\r\n</html>", "<html>5\r\n</html>", false},
      {"a word of hexadecimal digits", "add\r\nmore", "more", true},
      {"a number first", "2\r\nplain text", "2\r\nplain text", false},
      {"an overlong size", "1ffffffffffffffff\r\nx", "1ffffffffffffffff\r\nx", false},
      {"nothing", "", "", false},
  };
  for (const auto& row : rows) {
    const auto response =
        parse_response("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n" + row.body);
    ASSERT_TRUE(response.ok()) << row.what;
    EXPECT_EQ(response->body, row.joined) << row.what;
    EXPECT_EQ(response->truncated, row.truncated) << row.what;
  }
}

TEST(ResponseHead, what_is_written_is_read_back) {
  Response response;
  response.status = 404;
  response.reason = "Not Found";
  response.headers.add("Server", "x");
  response.headers.add("Content-Type", "text/html");
  response.body = "body";
  EXPECT_EQ(response_head(response),
            "HTTP/1.1 404 Not Found\r\nServer: x\r\nContent-Type: text/html\r\n\r\n");
  const auto back = parse_response(response_head(response) + response.body);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->status, 404);
  EXPECT_EQ(back->headers, response.headers);
  EXPECT_EQ(back->body, "body");
}

TEST(ResponseHead, it_promises_no_transfer_encoding_and_lets_no_field_smuggle_another) {
  Response response;
  response.status = 200;
  response.headers.add("transfer-encoding", "chunked");
  response.headers.add("A", "b\r\nEvil: c");
  EXPECT_EQ(response_head(response), "HTTP/1.1 200 \r\nA: b  Evil: c\r\n\r\n");
}

TEST(ParseResponse, arbitrary_bytes_never_crash) {
  EXPECT_TRUE(rc::check([](const std::string& junk) {
    (void)parse_response(junk);
    const auto response = parse_response("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + junk);
    RC_ASSERT(response.ok());
    RC_ASSERT(response->body.size() <= junk.size());
  }));
}

}  // namespace
}  // namespace dowser
