// SPDX-License-Identifier: Apache-2.0

#include "cri/client.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "fake_runtime_server.hpp"

namespace berth::cri {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;

template <class T>
awaitable<void> keep_result(Call<T> call, std::optional<Result<T>>& out) {
  auto result = co_await std::move(call);
  out.emplace(std::move(result));
}

struct CriClientTest : testing::Test {
  template <class T>
  Result<T> run(Call<T> call) {
    std::optional<Result<T>> result;
    tasks.spawn("call", keep_result(std::move(call), result));
    loop.run();
    loop.restart();
    return std::move(*result);
  }
  [[nodiscard]] Context seconds_left(int seconds) const {
    return {.deadline = clock.steady_now() + std::chrono::seconds(seconds)};
  }

  // gRPC rounds a time limit up to three digits on the wire; a busy machine uses up some of it.
  testing::AssertionResult allowed(const std::string& method, std::chrono::seconds expected) {
    const auto seen = server.limit_of(method);
    if (!seen) return testing::AssertionFailure() << method << " had no deadline";
    if (*seen >= expected.count() - 3 && *seen <= expected.count() + 1 + expected.count() / 100) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << method << " was allowed " << *seen << " s";
  }

  TemporarySocket socket{};
  FakeRuntimeServer server{socket.path()};
  RealClock clock{};
  boost::asio::io_context loop{1};
  TaskGroup tasks{loop.get_executor(), [](auto, auto) { FAIL(); }};
  CriClient client{clock, connect(loop.get_executor(), {.runtime = "unix://" + socket.path()}),
                   2min};
};

TEST_F(CriClientTest, a_call_brings_plain_values) {
  const auto version = run(client.version({}));
  EXPECT_EQ(version, (Version{.runtime_name = "fake", .runtime_version = "1.0"}));
}

TEST_F(CriClientTest, an_endpoint_may_be_a_bare_path) {
  CriClient other(clock, connect(loop.get_executor(), {.runtime = socket.path()}));
  EXPECT_TRUE(run(other.version({})));
}

TEST_F(CriClientTest, each_call_has_the_kubelets_deadline) {
  const ContainerId id("c");
  const PodSandboxConfig sandbox{.metadata = {.uid = "u"}};
  EXPECT_TRUE(run(client.version({})));
  EXPECT_TRUE(run(client.run_pod_sandbox({}, sandbox, "")));
  EXPECT_TRUE(run(client.stop_container({}, id, 30s)));
  EXPECT_TRUE(run(client.pull_image({}, {}, {}, {})));
  EXPECT_TRUE(allowed("Version", 120s));
  EXPECT_TRUE(allowed("RunPodSandbox", 240s));
  EXPECT_TRUE(allowed("StopContainer", 150s));
  EXPECT_TRUE(server.was_called("PullImage "));
  EXPECT_EQ(server.limit_of("PullImage "), std::nullopt);
}

TEST_F(CriClientTest, an_exec_is_limited_by_its_own_timeout_and_unlimited_without) {
  EXPECT_TRUE(run(client.exec_sync({}, ContainerId("c"), {"true"}, 10s)));
  EXPECT_TRUE(allowed("ExecSync", 130s));
  EXPECT_TRUE(run(client.exec_sync({}, ContainerId("c"), {"true"}, 0s)));
  EXPECT_EQ(server.limit_of("ExecSync"), std::nullopt);
}

TEST_F(CriClientTest, a_contexts_earlier_deadline_shortens_every_call) {
  EXPECT_TRUE(run(client.version(seconds_left(5))));
  EXPECT_TRUE(allowed("Version", 5s));
  EXPECT_TRUE(run(client.version(seconds_left(500))));
  EXPECT_TRUE(allowed("Version", 120s));
  EXPECT_TRUE(run(client.pull_image(seconds_left(7), {}, {}, {})));
  EXPECT_TRUE(allowed("PullImage ", 7s));
}

TEST_F(CriClientTest, a_grace_period_of_any_length_is_no_overflow) {
  EXPECT_TRUE(run(client.stop_container({}, ContainerId("c"), std::chrono::seconds::max())));
}

TEST_F(CriClientTest, stopping_and_removing_what_is_not_there_is_done) {
  server.outcome = {grpc::StatusCode::NOT_FOUND, "gone"};
  EXPECT_TRUE(run(client.stop_container({}, ContainerId("c"), 1s)));
  EXPECT_TRUE(run(client.remove_container({}, ContainerId("c"))));
  EXPECT_TRUE(run(client.stop_pod_sandbox({}, SandboxId("s"))));
  EXPECT_TRUE(run(client.remove_pod_sandbox({}, SandboxId("s"))));
}

TEST_F(CriClientTest, starting_what_is_not_there_is_an_error_that_names_the_call) {
  server.outcome = {grpc::StatusCode::NOT_FOUND, "gone"};
  const auto started = run(client.start_container({}, ContainerId("c")));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error(), (Error{ErrorCode::kNotFound,
                                    "StartContainer: rpc error: code = NotFound desc = gone"}));
}

TEST_F(CriClientTest, a_status_without_content_is_the_runtimes_mistake) {
  const auto status = run(client.container_status({}, ContainerId("c")));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnknown);
}

TEST_F(CriClientTest, an_error_that_was_cut_within_a_character_hides_no_status) {
  server.container_status.emplace().set_message("runc: \xe2\x82");
  const auto status = run(client.container_status({}, ContainerId("c")));
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->message, "runc: \\xe2\\x82");
}

TEST_F(CriClientTest, an_absent_image_is_not_found) {
  EXPECT_TRUE(run(client.image_status({}, {.image = "busybox:1"})));
  server.images.present = false;
  const auto image = run(client.image_status({}, {.image = "busybox:1"}));
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error(),
            (Error{ErrorCode::kNotFound, "image \"busybox:1\" is not on this node"}));
}

TEST_F(CriClientTest, a_list_larger_than_grpcs_default_arrives) {
  const auto containers = run(client.list_containers({}, {.label_selector = {{"app", "x"}}}));
  ASSERT_TRUE(containers) << containers.error().message;
  ASSERT_EQ(containers->size(), 6U);
  EXPECT_EQ(containers->front().id, ContainerId("x"));
}

TEST_F(CriClientTest, an_execs_output_and_code_come_back) {
  const auto result = run(client.exec_sync({}, ContainerId("c"), {"say"}, 1s));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stdout_data, "say");
  EXPECT_EQ(result->exit_code, 7);
}

TEST_F(CriClientTest, a_pull_tries_the_credentials_in_turn) {
  server.images.pulls_by_user = {{"a", {grpc::StatusCode::UNKNOWN, "401"}}};
  const auto pulled = run(client.pull_image({}, {}, {{.username = "a"}, {.username = "b"}}, {}));
  EXPECT_EQ(pulled, Result<std::string>("pulled by b"));
}

TEST_F(CriClientTest, a_pull_that_no_credentials_open_reports_each_refusal_once) {
  server.images.pulls_by_user = {{"a", {grpc::StatusCode::UNKNOWN, "401 a"}},
                                 {"b", {grpc::StatusCode::PERMISSION_DENIED, "no b"}},
                                 {"c", {grpc::StatusCode::UNKNOWN, "401 a"}}};
  const auto refusal = [this](std::vector<AuthConfig> auth) {
    const auto pulled = run(client.pull_image({}, {}, std::move(auth), {}));
    return pulled ? Error{} : pulled.error();
  };
  EXPECT_EQ(refusal({{.username = "a"}}),
            (Error{ErrorCode::kUnknown, "PullImage: rpc error: code = Unknown desc = 401 a"}));
  EXPECT_EQ(refusal({{.username = "a"}, {.username = "c"}}).message,
            "PullImage: rpc error: code = Unknown desc = 401 a");
  EXPECT_EQ(
      refusal({{.username = "a"}, {.username = "b"}, {.username = "c"}}),
      (Error{ErrorCode::kPermission, "[401 a, rpc error: code = PermissionDenied desc = no b]"}));
}

TEST_F(CriClientTest, a_pull_that_fails_for_another_reason_is_tried_with_the_next_credentials) {
  for (const auto code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::DEADLINE_EXCEEDED}) {
    server.images.pulls_by_user = {{"a", {code, "the registry is away"}}};
    const auto pulled = run(client.pull_image({}, {}, {{.username = "a"}, {.username = "b"}}, {}));
    EXPECT_EQ(pulled, Result<std::string>("pulled by b"));
  }
}

TEST_F(CriClientTest, a_cancelled_pull_is_not_repeated) {
  server.images.pulls_by_user = {{"a", {grpc::StatusCode::CANCELLED, "context canceled"}}};
  EXPECT_FALSE(run(client.pull_image({}, {}, {{.username = "a"}, {.username = "b"}}, {})));
  EXPECT_FALSE(server.was_called("PullImage b"));
}

TEST_F(CriClientTest, a_pull_whose_reply_names_no_image_brings_an_empty_reference) {
  server.images.pulls_name_the_image = false;
  EXPECT_EQ(run(client.pull_image({}, {}, {}, {})), Result<std::string>(""));
}

TEST_F(CriClientTest, a_runtime_that_is_away_is_unavailable_and_found_again) {
  server.stop();
  const auto version = run(client.version({}));
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().code, ErrorCode::kUnavailable);
  server.start();
  bool found = false;
  const SteadyTime limit = clock.steady_now() + 10s;
  while (!found && clock.steady_now() < limit) found = run(client.version({})).has_value();
  EXPECT_TRUE(found);
}

TEST_F(CriClientTest, features_are_what_the_runtime_says) {
  const auto features =
      run(detect_features(connect(loop.get_executor(), {.runtime = socket.path()}), 10s));
  ASSERT_TRUE(features) << features.error().message;
  EXPECT_EQ(features->version.runtime_name, "fake");
  EXPECT_EQ(features->cgroup_driver, std::nullopt) << "RuntimeConfig is unimplemented there";
}

TEST_F(CriClientTest, a_runtime_that_reports_nothing_of_its_setup_has_none) {
  const auto setup = run(client.setup({}));
  ASSERT_TRUE(setup) << setup.error().message;
  EXPECT_EQ(setup->version.runtime_name, "fake");
  EXPECT_EQ(setup->cgroup_driver, std::nullopt) << "RuntimeConfig is unimplemented there";
  EXPECT_EQ(setup->sandbox_image, "");
}

}  // namespace
}  // namespace berth::cri
