// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "probe_fixture.hpp"

namespace berth::probes {
namespace {

// Answers every call with a prepared status or serving status.
class HealthServer final : public grpc::CallbackGenericService {
 public:
  HealthServer() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterCallbackGenericService(this);
    server_ = builder.BuildAndStart();
  }
  ~HealthServer() override { server_->Shutdown(); }

  [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

  grpc::Status status = grpc::Status::OK;
  std::string reply = "\x08\x01";
  std::string request, method, user_agent, authority;
  bool silent = false;

 private:
  struct Reactor final : grpc::ServerGenericBidiReactor {
    explicit Reactor(HealthServer& owner, bool silent) : server(owner) {
      if (!silent) StartRead(&asked);
    }
    void OnReadDone(bool) override {
      grpc::Slice slice;
      if (asked.DumpToSingleSlice(&slice).ok()) {
        server.request.assign(reinterpret_cast<const char*>(slice.begin()), slice.size());
      }
      if (!server.status.ok()) return Finish(server.status);
      const grpc::Slice bytes(server.reply);
      answer = grpc::ByteBuffer(&bytes, 1);
      StartWriteAndFinish(&answer, {}, grpc::Status::OK);
    }
    void OnCancel() override {
      if (server.silent) Finish(grpc::Status::CANCELLED);
    }
    void OnDone() override { delete this; }
    HealthServer& server;
    grpc::ByteBuffer asked, answer;
  };

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    method = context->method();
    authority = context->host();
    const auto agent = context->client_metadata().find("user-agent");
    if (agent != context->client_metadata().end()) {
      user_agent.assign(agent->second.data(), agent->second.size());
    }
    return new Reactor(*this, silent);
  }

  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

class GrpcCheckTest : public ProbeFixture {
 protected:
  static GrpcTarget target(std::uint16_t port, std::string service = "") {
    return {"127.0.0.1", port, std::move(service)};
  }
};

TEST_F(GrpcCheckTest, a_serving_service_is_healthy) {
  HealthServer server;
  const Attempt got = run(target(server.port(), "web"), 30s);
  EXPECT_EQ(got.outcome, Outcome::kSuccess);
  EXPECT_EQ(got.output, "service healthy");
  EXPECT_EQ(server.method, "/grpc.health.v1.Health/Check");
  EXPECT_EQ(server.request, "\x0A\x03web");
  EXPECT_EQ(server.authority, fmt::format("127.0.0.1:{}", server.port()));
  EXPECT_TRUE(server.user_agent.starts_with("kube-probe/1.34 ")) << server.user_agent;
}

TEST_F(GrpcCheckTest, other_answers_fail_in_the_kubelets_words) {
  HealthServer server;
  server.reply = "\x08\x02";
  EXPECT_EQ(run(target(server.port()), 30s).output,
            "service unhealthy (responded with \"NOT_SERVING\")");
  server.status = {grpc::StatusCode::UNIMPLEMENTED, "unknown service"};
  EXPECT_EQ(run(target(server.port()), 30s).output,
            "error: this server does not implement the grpc health protocol "
            "(grpc.health.v1.Health): unknown service");
  server.status = {grpc::StatusCode::INTERNAL, "broken"};
  const Attempt broken = run(target(server.port()), 30s);
  EXPECT_EQ(broken.output,
            "error: health rpc probe failed: rpc error: code = Internal desc = broken");
  EXPECT_EQ(broken.outcome, Outcome::kFailure);
  EXPECT_FALSE(broken.errored);
}

TEST_F(GrpcCheckTest, answers_are_read_as_protobuf_has_it) {
  const std::string of_another_field = "\x12\x02xx";
  const std::string cut_off = "\x12\x09xx";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "service unhealthy (responded with \"UNKNOWN\")"},
      {"\x08\x11", "service unhealthy (responded with \"17\")"},
      {of_another_field + "\x08\x01", "service healthy"},
      {"\x08\x02\x08\x01", "service healthy"},
      {"\x08\x01" + cut_off,
       "error: health rpc probe failed: rpc error: code = Internal desc = "
       "grpc: failed to unmarshal the received message"},
  };
  HealthServer server;
  for (const auto& [reply, output] : cases) {
    server.reply = reply;
    EXPECT_EQ(run(target(server.port()), 30s).output, output);
  }
}

TEST_F(GrpcCheckTest, a_refused_port_is_tried_until_the_limit) {
  const auto port = closed_port(loop);
  start(target(port));
  turn_until([this] { return clock.next_deadline() == SteadyTime{} + 1s; });
  for (int turn = 0; turn < 20; ++turn) loop.run_one_for(1ms);
  EXPECT_FALSE(attempt);
  const Attempt got = time_out(1s);
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(got.output,
            fmt::format("timeout: failed to connect service \"127.0.0.1:{}\" within 1s: "
                        "context deadline exceeded",
                        port));
  EXPECT_TRUE(explain(got).starts_with("connect refused after ")) << explain(got);
}

TEST_F(GrpcCheckTest, a_server_that_says_nothing_at_all_is_not_connected) {
  TestServer server(loop, tasks, {{"", /*stay_open=*/true}});
  start(target(server.port()));
  turn_until([&] { return !server.requests().empty(); });
  const Attempt got = time_out(1s);
  EXPECT_EQ(got.output,
            fmt::format("timeout: failed to connect service \"127.0.0.1:{}\" within 1s: "
                        "context deadline exceeded",
                        server.port()));
}

TEST_F(GrpcCheckTest, a_call_without_an_answer_did_not_complete) {
  HealthServer server;
  server.silent = true;
  const Attempt got = run(target(server.port()), 200ms);
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(got.output, "timeout: health rpc did not complete within 200ms");
  EXPECT_EQ(explain(got), "no response within 200 ms");
}

}  // namespace
}  // namespace berth::probes
