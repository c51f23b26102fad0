// SPDX-License-Identifier: Apache-2.0

// The client against a real containerd of this test's own. Skipped, with the reason, if none can be
// started (not root, or containerd, runc or busybox-static is not installed).

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/deadline.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "cri/client_events.hpp"
#include "tests/test_paths.hpp"

namespace berth::cri {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;

// What the script printed, errors included.
std::string private_containerd(const std::string& verb, const std::string& folder) {
  const std::string command = "exec " + source_dir().string() +
                              "/tests/integration/node/private-containerd " + verb + " " + folder +
                              " 2>&1";
  const auto close = [](FILE* file) { pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  std::array<char, 4096> part{};
  std::string said;
  while (fgets(part.data(), part.size(), pipe.get()) != nullptr) said += part.data();
  return said;
}

template <class T>
awaitable<void> keep_result(Call<T> call, std::optional<Result<T>>& out) {
  auto result = co_await std::move(call);
  out.emplace(std::move(result));
}

awaitable<Result<Event>> as_result(awaitable<Event> next) {
  auto event = co_await std::move(next);
  co_return event;
}

struct ContainerdTest : testing::Test {
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "berth-containerd-XXXXXX";
    folder = mkdtemp(pattern.data());
    const std::string said = private_containerd("up", folder);
    const std::string setting = "BERTH_ENDPOINT=";
    const auto at = said.find(setting);
    if (at == std::string::npos) GTEST_SKIP() << "no containerd to test against: " << said;
    const auto begin = at + setting.size();
    const std::string endpoint = said.substr(begin, said.find('\n', begin) - begin);
    const auto connection = connect(loop.get_executor(), {.runtime = endpoint});
    client.emplace(clock, connection);
    events.emplace(clock, loop.get_executor(), tasks, connection);
  }
  void TearDown() override {
    tasks.request_stop();
    if (loop.stopped()) loop.restart();
    loop.run();
    private_containerd("down", folder);
    std::filesystem::remove_all(folder);
  }

  template <class T>
  Result<T> run(Call<T> call) {
    std::optional<Result<T>> result;
    tasks.spawn("call", keep_result(std::move(call), result));
    if (loop.stopped()) loop.restart();
    while (!result) loop.run_one();
    return std::move(*result);
  }
  template <class T>
  T must(Call<T> call) {
    auto result = run(std::move(call));
    EXPECT_TRUE(result) << result.error().message;
    return result ? std::move(*result) : T{};
  }
  Result<Event> next() {
    std::string what = "the next event";
    return run(
        with_deadline(clock, clock.steady_now() + 20s, std::move(what), as_result(events->next())));
  }
  Result<Event> next_of(EventType type, const std::string& id) {
    for (;;) {
      auto event = next();
      if (!event || (event->type == type && event->id == id)) return event;
    }
  }

  [[nodiscard]] PodSandboxConfig sandbox_config() const {
    return {.metadata = {.name = "pod", .uid = "u1", .namespace_ = "default"},
            .log_directory = folder + "/logs",
            .labels = {{kLabelPodUid, "u1"}},
            .security_context = {.namespace_options = {.network = NamespaceMode::kNode,
                                                       .pid = NamespaceMode::kContainer,
                                                       .ipc = NamespaceMode::kNode}}};
  }
  ContainerId start(const SandboxId& sandbox, std::string name, std::string script) {
    const ContainerConfig config{
        .metadata = {.name = name},
        .image = {.image = "localhost/busybox:1"},
        .command = {"/bin/sh", "-c", std::move(script)},
        .labels = {{kLabelPodUid, "u1"}},
        .log_path = name + ".log",
        .security_context = {.namespace_options =
                                 sandbox_config().security_context.namespace_options}};
    auto id = must(client->create_container({}, sandbox, config, sandbox_config()));
    must(client->start_container({}, id));
    return id;
  }

  std::string folder{};
  RealClock clock{};
  boost::asio::io_context loop{1};
  TaskGroup tasks{loop.get_executor(), [](std::string_view task, std::exception_ptr) {
                    ADD_FAILURE() << "an exception escaped " << task;
                  }};
  std::optional<CriClient> client{};
  std::optional<ClientEvents> events{};
};

TEST_F(ContainerdTest, it_reports_how_it_is_set_up) {
  const auto setup = run(client->setup({}));
  ASSERT_TRUE(setup) << setup.error().message;
  EXPECT_EQ(setup->version.runtime_name, "containerd");
  EXPECT_EQ(setup->cgroup_driver, "cgroupfs");
  EXPECT_EQ(setup->default_handler, "runc");
  EXPECT_EQ(setup->cni_conf_dir, folder + "/cni");
  const bool first = setup->version.runtime_version.starts_with("1.");
  EXPECT_EQ(setup->sandbox_image, first ? "localhost/pause:1" : "");
}

TEST_F(ContainerdTest, a_containers_whole_life_with_its_events) {
  events->start();
  EXPECT_EQ(next()->type, EventType::kResubscribed);
  EXPECT_EQ(events->state().features->version.runtime_name, "containerd");

  const auto sandbox = must(client->run_pod_sandbox({}, sandbox_config(), ""));
  EXPECT_TRUE(next_of(EventType::kStarted, sandbox.str()));
  EXPECT_EQ(must(client->pod_sandbox_status({}, sandbox)).state, SandboxState::kReady);

  const auto job = start(sandbox, "job", "echo hello; exit 3");
  const auto stopped = next_of(EventType::kStopped, job.str());
  ASSERT_TRUE(stopped) << stopped.error().message;
  EXPECT_EQ(stopped->exit_code, 3);
  EXPECT_GT(stopped->at, 0);

  // The stream reports the exit a second time once containerd has cleaned up: by then at the latest
  // CRI is about to show it.
  const SteadyTime limit = clock.steady_now() + 10s;
  auto status = must(client->container_status({}, job));
  const bool ahead = status.state != ContainerState::kExited;
  while (status.state != ContainerState::kExited && clock.steady_now() < limit) {
    status = must(client->container_status({}, job));
  }
  EXPECT_EQ(status.state, ContainerState::kExited);
  EXPECT_EQ(status.exit_code, 3);
  RecordProperty("exit_event_ahead_of_cri", ahead ? "yes" : "no");

  const auto web = start(sandbox, "web", "trap 'exit 0' TERM; while true; do sleep 0.1; done");
  const auto said = must(client->exec_sync({}, web, {"/bin/echo", "hi"}, 10s));
  EXPECT_EQ(said.stdout_data, "hi\n");
  EXPECT_EQ(must(client->list_containers({}, {.label_selector = {{kLabelPodUid, "u1"}}})).size(),
            2U);
  EXPECT_EQ(must(client->list_containers({}, {.state = ContainerState::kRunning})).size(), 1U);
  must(client->stop_container({}, web, 10s));
  const auto ended = next_of(EventType::kStopped, web.str());
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit_code, 0) << "an exec's exit was taken for the container's, or TERM failed";

  must(client->remove_container({}, web));
  must(client->remove_container({}, web));  // already gone: succeeds
  must(client->stop_pod_sandbox({}, sandbox));
  must(client->remove_pod_sandbox({}, sandbox));
  EXPECT_TRUE(must(client->list_pod_sandbox({}, {})).empty());
}

TEST_F(ContainerdTest, what_is_not_there_is_not_found_by_its_code) {
  EXPECT_EQ(run(client->container_status({}, ContainerId("none"))).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(run(client->pod_sandbox_status({}, SandboxId("none"))).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(run(client->image_status({}, {.image = "localhost/absent:9"})).error().code,
            ErrorCode::kNotFound);
  EXPECT_TRUE(run(client->stop_container({}, ContainerId("none"), 1s)));
  EXPECT_TRUE(must(client->image_status({}, {.image = "localhost/busybox:1"})).size > 0);
}

}  // namespace
}  // namespace berth::cri
