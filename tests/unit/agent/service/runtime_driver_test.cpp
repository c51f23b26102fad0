// SPDX-License-Identifier: Apache-2.0

// berthd uses the runtime's cgroup driver: as a runtime in this process reports it, before berthd
// is built, and once more if the runtime answers only later.
#include "agent/service/runtime_driver.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"
#include "agent/settings/settings.hpp"
#include "cri/client.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/cri/fake_runtime_server.hpp"

namespace berth::agent {
namespace {

namespace pb = runtime::v1;
using node::CgroupDriver;

class RuntimeDriverTest : public testing::Test {
 protected:
  void runtime_answers(std::optional<pb::CgroupDriver> reported) {
    if (!server) server = std::make_unique<cri::FakeRuntimeServer>(socket.path());
    server->cgroup_driver = reported;
  }
  void configure(const std::string& wanted) {
    auto [documents, problems] = parse_configuration(
        "apiVersion: kubelet.config.k8s.io/v1beta1\n"
        "kind: KubeletConfiguration\ncgroupDriver: " +
            wanted + "\n",
        "c.yaml");
    settings = resolve_settings(documents, {}, "node1", problems);
    ASSERT_TRUE(problems.empty());
    settings.config_file = "c.yaml";
  }
  Result<CgroupDriver> choose(bool systemd = true) {
    const std::string endpoint = "unix://" + socket.path();
    connection = cri::connect(loop.get_executor(), {.runtime = endpoint, .images = endpoint});
    driver = std::make_unique<RuntimeDriver>(connection, settings, systemd, log);
    loop.restart();
    return driver->choose(loop, rethrow);
  }
  Result<bool> confirmed() {
    std::optional<Result<bool>> answer;
    const auto ask = [](RuntimeDriver& asked, auto& into) -> boost::asio::awaitable<void> {
      auto confirming = asked.confirmed();
      into = co_await std::move(confirming);
    };
    run_on(loop, ask(*driver, answer));
    return *answer;
  }

  cri::TemporarySocket socket{};
  std::unique_ptr<cri::FakeRuntimeServer> server{};
  Settings settings{};
  RecordedLog log{};
  boost::asio::io_context loop{};
  std::shared_ptr<cri::Connection> connection{};
  std::unique_ptr<RuntimeDriver> driver{};
};

TEST_F(RuntimeDriverTest, what_the_runtime_reports_takes_precedence_and_that_is_logged) {
  configure("cgroupfs");
  runtime_answers(pb::SYSTEMD);
  EXPECT_EQ(choose(), CgroupDriver::kSystemd);
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_EQ(log.lines[0].event, "CgroupDriver");
  EXPECT_EQ(log.lines[0].level, LogLevel::kWarn);
}

TEST_F(RuntimeDriverTest, a_runtime_that_reports_none_leaves_it_to_the_configuration) {
  configure("systemd");
  runtime_answers(std::nullopt);
  EXPECT_EQ(choose(), CgroupDriver::kSystemd);
  configure("cgroupfs");
  EXPECT_EQ(choose(), CgroupDriver::kCgroupfs);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(RuntimeDriverTest, slices_without_systemd_are_refused_with_what_to_change) {
  configure("cgroupfs");
  runtime_answers(pb::SYSTEMD);
  const auto chosen = choose(false);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(chosen.error().message.find("SystemdCgroup = false"), std::string::npos)
      << chosen.error().message;
}

TEST_F(RuntimeDriverTest, one_that_answers_later_confirms_the_choice) {
  configure("cgroupfs");
  EXPECT_EQ(choose(), CgroupDriver::kCgroupfs) << "nobody answers, and the choice is provisional";
  EXPECT_EQ(confirmed(), true) << "it is still away";
  runtime_answers(pb::CGROUPFS);
  EXPECT_EQ(confirmed(), true);
  server->cgroup_driver = pb::SYSTEMD;
  EXPECT_EQ(confirmed(), true) << "it has answered, and is not asked again";
}

TEST_F(RuntimeDriverTest, one_that_answers_later_with_another_driver_asks_for_a_new_start) {
  configure("cgroupfs");
  EXPECT_EQ(choose(), CgroupDriver::kCgroupfs);
  runtime_answers(pb::SYSTEMD);
  EXPECT_EQ(confirmed(), false);
  EXPECT_EQ(choose(), CgroupDriver::kSystemd) << "which begins with the runtime's";
}

TEST_F(RuntimeDriverTest, one_that_answers_later_and_wants_slices_nobody_makes_is_refused) {
  configure("cgroupfs");
  EXPECT_EQ(choose(false), CgroupDriver::kCgroupfs);
  runtime_answers(pb::SYSTEMD);
  const auto answer = confirmed();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace berth::agent
