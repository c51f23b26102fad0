// SPDX-License-Identifier: Apache-2.0

#include "probes/handlers.hpp"

#include <fmt/format.h>
#include <boost/asio/ip/v6_only.hpp>

#include "probe_fixture.hpp"

namespace berth::probes {
namespace {

class HandlersTest : public ProbeFixture {
 protected:
  HttpTarget http(std::uint16_t port, std::string path = "/healthz") {
    return *http_target({.path = std::move(path), .port = std::int32_t{port}}, {}, "127.0.0.1",
                        kProbeUserAgent);
  }
};

TEST_F(HandlersTest, http_success_is_the_body_on_a_request_of_the_kubelets) {
  TestServer server(loop, tasks, {{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}});
  const Attempt got = run(http(server.port()));
  EXPECT_EQ(got.outcome, Outcome::kSuccess);
  EXPECT_EQ(got.output, "ok");
  EXPECT_EQ(got.code, 200);
  EXPECT_EQ(server.requests().front(),
            fmt::format("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: "
                        "kube-probe/1.34\r\nAccept: */*\r\nConnection: close\r\n\r\n",
                        server.port()));
  EXPECT_EQ(handlers.sockets().resets, 0U) << "the server closed first: it keeps the TIME_WAIT";
}

TEST_F(HandlersTest, a_connection_that_the_server_keeps_is_reset_without_delaying_the_answer) {
  TestServer server(loop, tasks,
                    {{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", /*stay_open=*/true}});
  start(http(server.port()));
  turn_until([&] { return clock.next_deadline() == SteadyTime{} + 100ms; });
  clock.advance(100ms);
  turn_until([this] { return attempt.has_value(); });
  EXPECT_EQ(attempt->outcome, Outcome::kSuccess);
  EXPECT_EQ(attempt->took, 0s);
  EXPECT_EQ(handlers.sockets().resets, 1U);
}

TEST_F(HandlersTest, http_refused_says_so_in_both_words) {
  const auto port = closed_port(loop);
  const Attempt got = run(http(port));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_FALSE(got.errored);
  EXPECT_EQ(got.output, fmt::format("Get \"http://127.0.0.1:{0}/healthz\": dial tcp 127.0.0.1:{0}: "
                                    "connect: connection refused",
                                    port));
  EXPECT_TRUE(explain(got).starts_with("connect refused after "));
}

TEST_F(HandlersTest, of_a_long_url_the_beginning_is_shown) {
  HttpTarget target = http(closed_port(loop));
  target.url.path = "/" + std::string(1U << 20U, 'x');
  const Attempt got = run(target);
  EXPECT_LT(got.output.size(), 1300U);
  EXPECT_TRUE(got.output.ends_with("connect: connection refused")) << got.output;
}

TEST_F(HandlersTest, no_answer_within_the_limit_is_a_failure) {
  TestServer server(loop, tasks, {{"", /*stay_open=*/true}});
  start(http(server.port()));
  turn_until([&] { return !server.requests().empty(); });
  const Attempt got = time_out(1s);
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_FALSE(got.errored);
  EXPECT_EQ(got.output,
            fmt::format("Get \"http://127.0.0.1:{}/healthz\": context deadline exceeded "
                        "(Client.Timeout exceeded while awaiting headers)",
                        server.port()));
  EXPECT_EQ(explain(got), "no response within 1 s");
}

TEST_F(HandlersTest, a_body_that_stalls_errs_and_never_counts) {
  TestServer server(loop, tasks,
                    {{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", /*stay_open=*/true}});
  start(http(server.port()));
  turn_until([&] { return !server.requests().empty(); });
  for (int turn = 0; turn < 20; ++turn) loop.run_one_for(1ms);
  const Attempt got = time_out(1s);
  EXPECT_TRUE(got.errored);
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(explain(got), "body not complete within 1 s");
}

TEST_F(HandlersTest, a_connection_closed_without_an_answer_is_eof) {
  TestServer server(loop, tasks, {{""}});
  const Attempt got = run(http(server.port()));
  EXPECT_EQ(got.output, fmt::format("Get \"http://127.0.0.1:{}/healthz\": EOF", server.port()));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
}

TEST_F(HandlersTest, a_redirect_on_the_same_host_is_followed_and_elsewhere_a_warning) {
  TestServer last(loop, tasks, {{"HTTP/1.1 204 No Content\r\n\r\n"}});
  const std::string there = fmt::format("http://127.0.0.1:{}/x", last.port());
  TestServer first(loop, tasks,
                   {{"HTTP/1.1 302 Found\r\nLocation: " + there + "\r\n\r\n"},
                    {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2/\r\n\r\nthere"}});
  EXPECT_EQ(run(http(first.port())).outcome, Outcome::kSuccess);
  EXPECT_TRUE(last.requests().front().find("Referer: http://127.0.0.1:") != std::string::npos);
  const Attempt elsewhere = run(http(first.port()));
  EXPECT_EQ(elsewhere.outcome, Outcome::kWarning);
  EXPECT_EQ(elsewhere.output, "Probe terminated redirects, Response body: there");
}

TEST_F(HandlersTest, a_circle_of_redirects_ends) {
  const TestServer::Reply again{"HTTP/1.1 302 Found\r\nLocation: /again\r\n\r\n"};
  TestServer server(loop, tasks, std::vector<TestServer::Reply>(20, again));
  const Attempt got = run(http(server.port()));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(got.output, "Get \"/again\": stopped after 10 redirects");
  EXPECT_EQ(server.requests().size(), 10U);
}

TEST_F(HandlersTest, a_redirect_to_nowhere_fails) {
  TestServer server(loop, tasks, {{"HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n"}});
  const Attempt got = run(http(server.port()));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_FALSE(got.errored);
  EXPECT_TRUE(got.output.starts_with("Get \"http://127.0.0.1:")) << got.output;
  EXPECT_TRUE(got.output.ends_with("\": 301 response missing Location header")) << got.output;
}

TEST_F(HandlersTest, a_redirect_to_what_is_no_port_fails) {
  TestServer server(
      loop, tasks,
      {{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999999999999999999/\r\n\r\n"}});
  const Attempt got = run(http(server.port()));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_TRUE(got.output.ends_with("dial tcp: address 99999999999999999999: invalid port"))
      << got.output;
}

TEST_F(HandlersTest, a_name_is_looked_up) {
  TestServer server(loop, tasks, {{"HTTP/1.1 200 OK\r\n\r\n"}});
  HttpTarget target = http(server.port());
  target.url.authority = fmt::format("localhost:{}", server.port());
  EXPECT_EQ(run(target).outcome, Outcome::kSuccess);
  const Attempt unknown = run(TcpTarget{"no-such-host.invalid", 1}, std::nullopt);
  EXPECT_EQ(unknown.outcome, Outcome::kFailure);
  EXPECT_EQ(unknown.output, "dial tcp: lookup no-such-host.invalid: no such host");
}

TEST_F(HandlersTest, tcp_succeeds_when_somebody_listens) {
  TestServer server(loop, tasks, {{""}});
  const Attempt got = run(TcpTarget{"127.0.0.1", server.port()});
  EXPECT_EQ(got.outcome, Outcome::kSuccess);
  EXPECT_EQ(got.output, "");
  EXPECT_EQ(handlers.sockets().resets, 0U);
  const auto port = closed_port(loop);
  EXPECT_EQ(run(TcpTarget{"127.0.0.1", port}).output,
            fmt::format("dial tcp 127.0.0.1:{}: connect: connection refused", port));
}

TEST_F(HandlersTest, tcp_gives_up_at_the_limit) {
  // A full queue: further connections get no answer.
  tcp::acceptor full(loop);
  full.open(tcp::v4());
  full.bind(tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0));
  full.listen(0);
  std::vector<tcp::socket> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.emplace_back(loop);
    waiting.back().async_connect(full.local_endpoint(), [](boost::system::error_code) {});
  }
  for (int turn = 0; turn < 20; ++turn) loop.run_one_for(1ms);
  start(TcpTarget{"127.0.0.1", full.local_endpoint().port()});
  for (int turn = 0; turn < 20; ++turn) loop.run_one_for(1ms);
  const Attempt got = time_out(1s);
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(got.output,
            fmt::format("dial tcp 127.0.0.1:{}: i/o timeout", full.local_endpoint().port()));
  EXPECT_EQ(explain(got), "no connection within 1 s");
}

TEST_F(HandlersTest, an_exec_is_judged_by_its_exit_code) {
  const ExecTarget target{cri::ContainerId{"c1"}, {"check", "-v"}};
  runtime.exec_answer = cri::ExecResult{.stdout_data = "out ", .stderr_data = "err"};
  EXPECT_EQ(run(target, 1'500ms).outcome, Outcome::kSuccess);
  EXPECT_EQ(runtime.execs.front().timeout, 2s) << "whole seconds, rounded up";
  runtime.exec_answer =
      cri::ExecResult{.stdout_data = std::string(10'239, 'x'), .stderr_data = "yz", .exit_code = 3};
  const Attempt failed = run(target);
  EXPECT_EQ(failed.outcome, Outcome::kFailure);
  EXPECT_EQ(failed.output, std::string(10'239, 'x') + "y");
  EXPECT_EQ(failed.code, 3);
}

TEST_F(HandlersTest, an_exec_that_timed_out_failed_and_one_that_could_not_run_errs) {
  const ExecTarget target{cri::ContainerId{"c1"}, {"sleep", "10"}};
  runtime.exec_answer =
      fail(ErrorCode::kTimeout, "ExecSync: rpc error: code = DeadlineExceeded desc = late");
  const Attempt late = run(target);
  EXPECT_EQ(late.outcome, Outcome::kFailure);
  EXPECT_FALSE(late.errored);
  EXPECT_EQ(late.output, "command timed out: \"sleep 10\" timed out after 1s");
  runtime.exec_answer =
      fail(ErrorCode::kUnknown, "ExecSync: rpc error: code = Internal desc = no such file");
  const Attempt broken = run(target);
  EXPECT_EQ(broken.outcome, Outcome::kUnknown);
  EXPECT_TRUE(broken.errored);
  EXPECT_EQ(broken.output, "rpc error: code = Internal desc = no such file");
}

TEST_F(HandlersTest, bytes_that_are_no_text_become_valid_and_visible) {
  TestServer server(loop, tasks,
                    {{"HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\na\xff\xc3(", false}});
  const Attempt http_answer = run(http(server.port()));
  EXPECT_TRUE(http_answer.body.ends_with("a\\xff\\xc3(")) << http_answer.body;
  EXPECT_EQ(http_answer.output.find('\xff'), std::string::npos) << http_answer.output;
  const ExecTarget target{cri::ContainerId{"c1"}, {"check"}};
  runtime.exec_answer = cri::ExecResult{.stdout_data = "\xfe", .stderr_data = "b", .exit_code = 1};
  EXPECT_EQ(run(target).output, "\\xfeb");
  runtime.exec_answer = fail(ErrorCode::kUnknown, "ExecSync: \xe2\x82");
  EXPECT_EQ(run(target).output, "ExecSync: \\xe2\\x82");
}

TEST_F(HandlersTest, cancelled_it_ends_at_once) {
  TestServer server(loop, tasks, {{"", /*stay_open=*/true}});
  start(http(server.port()), std::nullopt);
  turn_until([&] { return !server.requests().empty(); });
  tasks.request_stop();
  turn_until([this] { return tasks.size() == 0; });
  EXPECT_FALSE(attempt);
}

}  // namespace
}  // namespace berth::probes
