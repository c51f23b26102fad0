// SPDX-License-Identifier: Apache-2.0

// Slices of the service manager: the calls made to it, and the results of its answers.
#include "systemd/slice_units.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/unit/agent/temporary_folder.hpp"
#include "tests/unit/systemd/made_up_service_manager.hpp"

namespace berth::systemd {
namespace {

using Behaviour = MadeUpServiceManager::Behaviour;
using Loses = MadeUpServiceManager::Loses;

const std::vector<UnitProperty> kLimits{{"MemoryMax", 4096}, {"CPUWeight", 20}};

class SliceUnitsTest : public testing::Test {
 protected:
  void TearDown() override { manager.reset(); }
  void serve(const Behaviour& behaviour) { manager.emplace(folder.path("bus"), behaviour); }
  Result<bool> start() { return start_slice("kubepods.slice", "Kubernetes pods", kLimits); }

  agent::TemporaryFolder folder{};
  std::optional<MadeUpServiceManager> manager{};
};

TEST_F(SliceUnitsTest, starts_a_slice_with_its_limits_and_waits_for_its_job) {
  serve({});
  const auto started = start();
  ASSERT_TRUE(started) << started.error().message;
  const auto calls = manager->calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls.front().method, "StartTransientUnit");
  EXPECT_EQ(calls.front().unit, "kubepods.slice");
  EXPECT_EQ(calls.front().mode, "replace");
  EXPECT_EQ(calls.front().properties,
            (std::map<std::string, std::string>{{"Description", "sKubernetes pods"},
                                                {"DefaultDependencies", "b0"},
                                                {"CPUAccounting", "b1"},
                                                {"MemoryAccounting", "b1"},
                                                {"IOAccounting", "b1"},
                                                {"TasksAccounting", "b1"},
                                                {"MemoryMax", "t4096"},
                                                {"CPUWeight", "t20"}}));
}

TEST_F(SliceUnitsTest, gives_one_that_is_active_already_its_limits) {
  serve({.error = "org.freedesktop.systemd1.UnitExists"});
  const auto started = start();
  ASSERT_TRUE(started) << started.error().message;
  const auto calls = manager->calls();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls.back().method, "SetUnitProperties");
  EXPECT_EQ(calls.back().unit, "kubepods.slice");
  EXPECT_EQ(calls.back().mode, "runtime");
  EXPECT_EQ(calls.back().properties,
            (std::map<std::string, std::string>{{"MemoryMax", "t4096"}, {"CPUWeight", "t20"}}));
}

TEST_F(SliceUnitsTest, says_why_a_slice_was_not_started) {
  const struct {
    const char* name;
    Behaviour behaviour;
    ErrorCode code;
    const char* message;
  } cases[] = {
      {"refused",
       {.error = "org.freedesktop.DBus.Error.AccessDenied"},
       ErrorCode::kUnknown,
       "starting kubepods.slice: it is kubepods.slice"},
      {"its job failed",
       {.job_ends = "failed"},
       ErrorCode::kUnknown,
       "starting kubepods.slice: systemd's job ended as failed"},
      {"the bus goes before it answers",
       {.loses = Loses::kTheCall},
       ErrorCode::kUnavailable,
       "starting kubepods.slice: "},
      {"the bus goes before the job has ended",
       {.loses = Loses::kTheJob},
       ErrorCode::kUnavailable,
       "starting kubepods.slice: waiting for systemd's job: "},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    serve(one.behaviour);
    const auto started = start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, one.code);
    EXPECT_TRUE(started.error().message.starts_with(one.message)) << started.error().message;
    manager.reset();
    std::filesystem::remove(folder.path("bus"));
  }
}

TEST_F(SliceUnitsTest, says_that_there_is_no_bus) {
  serve({});
  std::filesystem::remove(folder.path("bus"));
  for (const auto& result :
       {start(), set_unit_properties("a.slice", kLimits), stop_unit("a.slice")}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
    EXPECT_TRUE(result.error().message.starts_with("connecting to the system bus: "))
        << result.error().message;
  }
}

TEST_F(SliceUnitsTest, stops_a_unit_and_does_not_mind_if_there_is_none) {
  serve({});
  auto stopped = stop_unit("a.slice");
  ASSERT_TRUE(stopped) << stopped.error().message;
  auto calls = manager->calls();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls.front().method + " " + calls.front().unit + " " + calls.front().mode,
            "StopUnit a.slice replace");
  manager.reset();
  std::filesystem::remove(folder.path("bus"));
  serve({.error = "org.freedesktop.systemd1.NoSuchUnit"});
  stopped = stop_unit("a.slice");
  ASSERT_TRUE(stopped) << stopped.error().message;
}

TEST_F(SliceUnitsTest, asks_nobody_where_there_is_nothing_to_set) {
  EXPECT_TRUE(set_unit_properties("a.slice", {}));
}

}  // namespace
}  // namespace berth::systemd
