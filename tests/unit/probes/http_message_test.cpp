// SPDX-License-Identifier: Apache-2.0

#include "probes/http_message.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

HttpTarget target(std::string url, std::vector<api::HTTPHeader> headers = {}) {
  return {.url = *parse_url(url), .headers = std::move(headers)};
}

TEST(HttpMessageTest, a_request_asks_once_and_closes) {
  EXPECT_EQ(
      *render_request(target("http://10.0.0.5:80/a?b",
                             {{"Accept", "*/*"}, {"User-Agent", "kube-probe/1.34"}, {"X-A", "1"}})),
      "GET /a?b HTTP/1.1\r\nHost: 10.0.0.5:80\r\nUser-Agent: kube-probe/1.34\r\n"
      "Accept: */*\r\nX-A: 1\r\nConnection: close\r\n\r\n");
  HttpTarget hosted = target("http://10.0.0.5:80/");
  hosted.host_header = "web.example";
  EXPECT_EQ(*render_request(hosted),
            "GET / HTTP/1.1\r\nHost: web.example\r\nConnection: close\r\n\r\n");
}

TEST(HttpMessageTest, what_would_break_the_request_is_refused) {
  const auto refused = [](HttpTarget bad) { return render_request(bad).error().message; };
  EXPECT_EQ(refused(target("http://h/", {{"X-A", "1\r\nX-B: 2"}})),
            "net/http: invalid header field value for \"X-A\"");
  EXPECT_EQ(refused(target("http://h/", {{"X A", "1"}})),
            "net/http: invalid header field name \"X A\"");
  HttpTarget hosted = target("http://h/");
  hosted.host_header = "a b";
  EXPECT_EQ(refused(hosted), "http: invalid Host header");
}

TEST(HttpMessageTest, redirects_are_followed_on_the_same_host_only) {
  const HttpTarget first = target("http://10.0.0.5:80/a");
  const auto next = [&](int status, std::string location) -> std::string {
    const auto followed = redirect({.status = status, .location = location}, first, first, 1);
    return followed.next ? followed.next->url.str() : "final";
  };
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_EQ(next(status, "/b"), "http://10.0.0.5:80/b") << status;
    EXPECT_EQ(next(status, "https://10.0.0.5:8443/b"), "https://10.0.0.5:8443/b") << status;
    EXPECT_EQ(next(status, "http://10.0.0.6/b"), "final") << status;
  }
  for (const int status : {200, 300, 304, 404}) EXPECT_EQ(next(status, "/b"), "final") << status;
}

TEST(HttpMessageTest, a_redirect_to_nowhere_is_an_error_or_by_its_status_an_answer) {
  const HttpTarget first = target("http://10.0.0.5:80/a");
  for (const int status : {301, 302, 303}) {
    const auto lost = redirect({.status = status}, first, first, 1);
    EXPECT_FALSE(lost.next) << status;
    EXPECT_EQ(lost.error, std::to_string(status) + " response missing Location header");
    EXPECT_EQ(lost.about, "http://10.0.0.5:80/a");
  }
  for (const int status : {300, 304, 307, 308}) {
    const auto final_answer = redirect({.status = status}, first, first, 1);
    EXPECT_FALSE(final_answer.next || final_answer.error) << status;
  }
}

TEST(HttpMessageTest, a_redirect_keeps_headers_and_for_a_relative_place_the_host) {
  HttpTarget first = target("http://10.0.0.5:80/a", {{"X-A", "1"}});
  first.host_header = "web.example";
  const auto relative = redirect({.status = 302, .location = "/b"}, first, first, 1);
  EXPECT_EQ(relative.next->host_header, "web.example");
  EXPECT_EQ(relative.next->headers,
            (std::vector<api::HTTPHeader>{{"Referer", "http://10.0.0.5:80/a"}, {"X-A", "1"}}));
  const auto absolute = redirect({.status = 302, .location = "http://10.0.0.5/b"}, first, first, 1);
  EXPECT_EQ(absolute.next->host_header, "");
  const HttpTarget secure = target("https://10.0.0.5/a");
  const auto down = redirect({.status = 302, .location = "http://10.0.0.5/b"}, secure, secure, 1);
  EXPECT_TRUE(down.next->headers.empty()) << "no referer from https to http";
}

TEST(HttpMessageTest, ten_requests_are_the_most) {
  const HttpTarget first = target("http://10.0.0.5:80/a");
  EXPECT_TRUE(redirect({.status = 302, .location = "/b"}, first, first, 9).next);
  const auto stopped = redirect({.status = 302, .location = "/b"}, first, first, 10);
  EXPECT_EQ(stopped.error, "stopped after 10 redirects");
  EXPECT_EQ(stopped.about, "/b");
}

TEST(HttpMessageTest, an_answer_is_judged_by_its_status) {
  struct Case {
    int status;
    Outcome outcome;
    std::string output;
  };
  for (const auto& [status, outcome, output] : {
           Case{200, Outcome::kSuccess, "body"},
           Case{299, Outcome::kSuccess, "body"},
           Case{300, Outcome::kWarning, "Probe terminated redirects, Response body: body"},
           Case{399, Outcome::kWarning, "Probe terminated redirects, Response body: body"},
           Case{400, Outcome::kFailure, "HTTP probe failed with statuscode: 400"},
           Case{503, Outcome::kFailure, "HTTP probe failed with statuscode: 503"},
           Case{101, Outcome::kFailure, "HTTP probe failed with statuscode: 101"},
       }) {
    const Attempt attempt = judge_answer({.status = status, .body = "body"});
    EXPECT_EQ(attempt.outcome, outcome) << status;
    EXPECT_EQ(attempt.output, output) << status;
    EXPECT_FALSE(attempt.errored) << status;
  }
}

TEST(HttpMessageTest, header_names_are_written_as_go_writes_them) {
  EXPECT_EQ(canonical_header_name("x-fOO-bar"), "X-Foo-Bar");
  EXPECT_EQ(canonical_header_name("x foo"), "x foo");
}

TEST(HttpMessageTest, a_loosely_written_head_becomes_a_strict_one) {
  EXPECT_EQ(head_end("HTTP/1.1 200 OK\n\nbody"), 17U);
  EXPECT_EQ(head_end("HTTP/1.1 200 OK\r\nA: b\r\n\r\n"), 25U);
  EXPECT_EQ(head_end("HTTP/1.1 200 OK\r\nA: b\r\n"), std::nullopt);
  EXPECT_EQ(strict_head("HTTP/1.1 200\nA: b\n\n"), "HTTP/1.1 200 \r\nA: b\r\n\r\n");
  EXPECT_EQ(strict_head("HTTP/1.1 200 OK\r\n\r\n"), "HTTP/1.1 200 OK\r\n\r\n");
}

}  // namespace
}  // namespace berth::probes
