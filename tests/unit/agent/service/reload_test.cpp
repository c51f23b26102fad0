// SPDX-License-Identifier: Apache-2.0

// How a reload is carried out: what it measures, applies and reports.
#include "agent/service/reload.hpp"

#include <gtest/gtest.h>

#include "base/real_clock.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/agent/run_on_loop.hpp"

namespace berth::agent {
namespace {

class Reload : public ::testing::Test {
 protected:
  Reload() {
    settings.node_name = "n";
    file.settings = settings;
  }

  boost::asio::awaitable<Result<std::optional<std::string>>> measured() {
    ++measurements;
    co_return refusal;
  }

  boost::asio::awaitable<void> once(int& ended) {
    auto turn = reloading.reload();
    static_cast<void>(co_await std::move(turn));
    ++ended;
  }

  ReloadOutcome reload() {
    ReloadOutcome out;
    run_on(loop, [](Reload& self, ReloadOutcome& outcome) -> boost::asio::awaitable<void> {
      auto turn = self.reloading.reload();
      outcome = co_await std::move(turn);
    }(*this, out));
    return out;
  }

  // Sets the threshold of nodefs, as evictionHard does.
  void keep_free(const char* amount) {
    file.settings.eviction.config.thresholds = {
        {.signal = eviction::Signal::kNodeFsAvailable,
         .value = *api::Quantity::parse(amount),
         .origin = eviction::ThresholdOrigin::kEvictionHard}};
  }

  std::string said() const {
    std::string text;
    for (const auto& line : log.lines) text += line.event + ": " + line.message + "\n";
    return text;
  }

  boost::asio::io_context loop{1};
  RealClock clock{};
  BlockingPool pool{loop.get_executor(), clock, {.threads = 1}};
  RecordedLog log{};
  Settings settings{};
  LoadedSettings file{};
  Result<std::optional<std::string>> refusal{std::nullopt};
  int measurements = 0;
  std::vector<eviction::EvictionConfig> taken{};
  LogLevel level = LogLevel::kInfo;
  Result<node::NodeFacts> machine{node::NodeFacts{
      .cpus = 4, .memory = std::int64_t{16} << 30, .ephemeral_storage = std::int64_t{100} << 30}};
  Reloading reloading{loop.get_executor(),
                      clock,
                      pool,
                      log,
                      settings,
                      {.load = [this] { return file; },
                       .machine = [this](const auto&) { return machine; },
                       .refusal = [this](const auto&) { return measured(); },
                       .apply_eviction = [this](const auto& config) { taken.push_back(config); },
                       .set_log_level = [this](LogLevel to) { level = to; }}};
};

TEST_F(Reload, that_changes_nothing_says_so) {
  const auto outcome = reload();
  EXPECT_TRUE(outcome.problems.empty());
  EXPECT_TRUE(outcome.changes.empty());
  EXPECT_EQ(said(), "Reload: the configuration was read again; nothing has changed\n");
}

TEST_F(Reload, that_is_refused_changes_nothing_and_names_every_problem) {
  file.settings.log_level = LogLevel::kDebug;
  file.problems = {{.file = "c.yaml", .message = "one"}, {.file = "c.yaml", .message = "two"}};
  const Settings before = settings;
  const auto outcome = reload();
  EXPECT_EQ(outcome.problems, (std::vector<std::string>{"c.yaml: one", "c.yaml: two"}));
  EXPECT_EQ(settings, before);
  EXPECT_EQ(level, LogLevel::kInfo);
  EXPECT_TRUE(reloading.pending().empty());
  EXPECT_EQ(said(),
            "ConfigurationRefused: c.yaml: one\nConfigurationRefused: c.yaml: two\n"
            "Reload: the configuration in force stays; nothing has changed\n");
}

TEST_F(Reload, whose_thresholds_would_evict_at_once_changes_nothing_at_all) {
  file.settings.log_level = LogLevel::kDebug;
  file.settings.eviction.config.max_pod_grace_period = 9;
  refusal = std::optional<std::string>("they would evict web");
  const Settings before = settings;
  const auto outcome = reload();
  EXPECT_EQ(outcome.problems, std::vector<std::string>{"they would evict web"});
  EXPECT_TRUE(outcome.changes.empty());
  EXPECT_EQ(settings, before) << "neither the log level";
  EXPECT_TRUE(taken.empty());

  file.settings.eviction.at_once = EvictAtOnce::kAllow;
  EXPECT_TRUE(reload().problems.empty());
  EXPECT_EQ(taken.size(), 1U);
  EXPECT_EQ(settings.log_level, LogLevel::kDebug);
  EXPECT_EQ(measurements, 1) << "what may evict at once is not measured";
}

TEST_F(Reload, is_refused_while_the_node_cannot_be_measured) {
  file.settings.eviction.config.max_pod_grace_period = 9;
  refusal = std::unexpected(Error{.code = ErrorCode::kTimeout, .message = "no answer in time"});
  const auto outcome = reload();
  ASSERT_EQ(outcome.problems.size(), 1U);
  EXPECT_TRUE(outcome.problems[0].contains("no answer in time")) << outcome.problems[0];
  EXPECT_TRUE(taken.empty());
}

TEST_F(Reload, is_refused_if_the_next_start_would_be_for_what_is_reserved_together) {
  settings.pods.system_reserved = {{"ephemeral-storage", "60Gi"}};
  file.settings = settings;
  keep_free("50Gi");
  const Settings before = settings;
  const std::string refused =
      "invalid Node Allocatable configuration. Resource \"ephemeral-storage\" has a reservation of "
      "110Gi but capacity of 100Gi. Expected capacity >= reservation. Lower systemReserved, "
      "kubeReserved or evictionHard";
  EXPECT_EQ(reload().problems, std::vector<std::string>{refused});
  EXPECT_EQ(settings, before);
  EXPECT_TRUE(taken.empty());
  EXPECT_EQ(measurements, 0);

  keep_free("40Gi");
  EXPECT_TRUE(reload().problems.empty()) << "all of it is not more";
  EXPECT_EQ(taken.size(), 1U);

  file.settings.pods.system_reserved = {{"memory", "17Gi"}};
  const auto waiting = reload();
  ASSERT_EQ(waiting.problems.size(), 1U) << "though it waits for a restart";
  EXPECT_TRUE(waiting.problems[0].contains("\"memory\"")) << waiting.problems[0];
  EXPECT_TRUE(waiting.changes.empty());
  EXPECT_TRUE(reloading.pending().empty());
}

TEST_F(Reload, is_refused_if_nothing_would_be_allocatable_until_the_restart) {
  settings.pods.system_reserved = {{"ephemeral-storage", "60Gi"}};
  keep_free("50Gi");
  const auto outcome = reload();
  ASSERT_EQ(outcome.problems.size(), 1U);
  EXPECT_TRUE(outcome.problems[0].starts_with("the fields that take effect now"))
      << outcome.problems[0];
  EXPECT_TRUE(outcome.problems[0].contains("reservation of 110Gi")) << outcome.problems[0];
  EXPECT_TRUE(taken.empty());
}

TEST_F(Reload, of_local_storage_that_becomes_a_resource_at_the_restart_counts_what_there_is) {
  settings.eviction.config.local_storage_capacity_isolation = false;
  file.settings.pods.system_reserved = {{"ephemeral-storage", "60Gi"}};
  EXPECT_TRUE(reload().problems.empty());
}

TEST_F(Reload, is_refused_while_the_machine_cannot_be_read) {
  machine = fail(ErrorCode::kUnknown, "no /proc");
  EXPECT_EQ(reload().problems, std::vector<std::string>{"reading what this machine is: no /proc"});
}

TEST_F(Reload, says_each_change_and_what_waits_for_a_restart) {
  file.settings.log_level = LogLevel::kError;
  file.settings.pods.max_pods = 3;
  file.settings.warnings = {"beware"};
  const auto outcome = reload();
  EXPECT_EQ(outcome.changes.size(), 2U);
  EXPECT_EQ(said(),
            "Configuration: beware\n"
            "Reload: logLevel: info -> error\n"
            "Reload: maxPods: 110 -> 3, once berthd is restarted\n"
            "Reload: the configuration was read again: 1 change is in force; 1 takes effect when "
            "berthd is restarted\n");
  EXPECT_EQ(level, LogLevel::kError);
  EXPECT_EQ(settings.pods.max_pods, 110);
  ASSERT_EQ(reloading.pending().size(), 1U);
  EXPECT_EQ(reloading.pending()[0].field, "maxPods");

  file.settings.pods.max_pods = 110;
  EXPECT_TRUE(reload().changes.empty());
  EXPECT_TRUE(reloading.pending().empty()) << "taken back";
}

TEST_F(Reload, two_at_once_are_carried_out_one_after_the_other) {
  file.settings.eviction.config.max_pod_grace_period = 9;
  int ended = 0;
  {
    TaskGroup tasks(loop.get_executor(), rethrow);
    const auto once = [](Reloading& asked, int& count) -> boost::asio::awaitable<void> {
      auto turn = asked.reload();
      static_cast<void>(co_await std::move(turn));
      ++count;
    };
    tasks.spawn("first", once(reloading, ended));
    tasks.spawn("second", once(reloading, ended));
    loop.restart();
    loop.run();
  }
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(taken.size(), 1U) << "the second finds nothing new";
}

}  // namespace
}  // namespace berth::agent
