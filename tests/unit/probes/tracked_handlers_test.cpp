// SPDX-License-Identifier: Apache-2.0

// How attempts close their connections while the connection tracking table fills. The table here is
// small, so that one probe a second is a lot.
#include "probe_fixture.hpp"
#include "shown_tracking.hpp"

namespace berth::probes {
namespace {

constexpr std::uint64_t kLimit = 100;

class TrackedHandlersTest : public ProbeFixture {
 protected:
  Attempt run_tracked(Target target) {
    attempt.reset();
    tasks.spawn("attempt", keep(tracked, std::move(target), 1s, attempt));
    turn_until([this] { return attempt.has_value(); });
    clock.advance(2s);
    return attempt.value_or(Attempt{});
  }
  Target http(std::uint16_t port) {
    return *http_target({.path = "/", .port = std::int32_t{port}}, {}, "127.0.0.1",
                        kProbeUserAgent);
  }

  ShownTracking shown;
  NodeHandlers tracked{clock, runtime, queue, shown.folder()};
};

TEST_F(TrackedHandlersTest, connections_that_would_fill_the_table_are_reset_once_answered) {
  const TestServer::Reply reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"};
  TestServer server(loop, tasks, {reply, {}, reply, {}});
  shown.show_table(50, kLimit);
  EXPECT_EQ(run_tracked(http(server.port())).outcome, Outcome::kSuccess);
  EXPECT_EQ(tracked.sockets().resets, 0U) << "how many there are is not known yet";
  EXPECT_EQ(run_tracked(TcpTarget{"127.0.0.1", server.port()}).outcome, Outcome::kSuccess);
  EXPECT_EQ(run_tracked(http(server.port())).outcome, Outcome::kSuccess);
  EXPECT_EQ(run_tracked(TcpTarget{"127.0.0.1", server.port()}).outcome, Outcome::kSuccess);
  EXPECT_EQ(tracked.sockets().resets, 3U);
  EXPECT_EQ(tracked.tracking().closing, Closing::kReset);
}

TEST_F(TrackedHandlersTest, a_table_that_does_not_fill_spares_the_targets) {
  TestServer server(loop, tasks, {{}, {}, {}});
  shown.show_table(5, kLimit);
  for (int i = 0; i < 3; ++i) run_tracked(TcpTarget{"127.0.0.1", server.port()});
  EXPECT_EQ(tracked.sockets().resets, 0U);
}

TEST_F(TrackedHandlersTest, no_connection_while_the_table_is_full_does_not_count) {
  // A full queue: further connections get no answer, as if they were dropped.
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
  shown.show_table(kLimit, kLimit);
  for (const bool by_http : {true, false}) {
    const auto port = full.local_endpoint().port();
    attempt.reset();
    tasks.spawn("attempt",
                keep(tracked, by_http ? http(port) : TcpTarget{"127.0.0.1", port}, 1s, attempt));
    for (int turn = 0; turn < 20; ++turn) loop.run_one_for(1ms);
    const Attempt got = time_out(1s);
    EXPECT_TRUE(got.errored) << got.output;
    EXPECT_EQ(got.cause, Cause::kOurs);
    EXPECT_NE(got.output.find("tracking table is full, 100 of 100 entries"), std::string::npos);
  }
}

}  // namespace
}  // namespace berth::probes
