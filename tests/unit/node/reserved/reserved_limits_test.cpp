// SPDX-License-Identifier: Apache-2.0

// Limits written to cgroups that others created.
#include "node/reserved/reserved_limits.hpp"

#include <gtest/gtest.h>

#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

constexpr std::int64_t kTwoMebibytes = std::int64_t{2} << 20;
const CgroupValues kValues{.cpu_shares = 512, .memory_limit = 1 << 30, .pids_limit = 1000};

std::string content(const std::string& path) {
  return read_file(path).value_or("(missing)");
}

TEST(ReservedLimitsV1, go_to_the_trees_of_their_controllers) {
  const TemporaryDirectory top;
  for (const char* tree : {"cpu", "cpuset", "hugetlb", "memory", "pids", "systemd"})
    put_file(top / (std::string(tree) + "/cgroup.procs"), "");
  for (const char* file : {"cpu/sys/cpu.shares", "memory/sys/memory.limit_in_bytes",
                           "pids/sys/pids.max", "hugetlb/sys/hugetlb.2MB.limit_in_bytes"})
    put_file(top / file, "");
  const CgroupTree tree(top.path(), 1, {kTwoMebibytes});
  const auto written = write_limits(tree, {.name = {"sys"}, .values = kValues}, nullptr, 1);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(content(top / "cpu/sys/cpu.shares"), "512");
  EXPECT_EQ(content(top / "memory/sys/memory.limit_in_bytes"), "1073741824");
  EXPECT_EQ(content(top / "pids/sys/pids.max"), "1000");
  EXPECT_EQ(content(top / "hugetlb/sys/hugetlb.2MB.limit_in_bytes"), "0");
  EXPECT_FALSE(is_directory(top / "cpuset/sys")) << "nothing is made";
}

TEST(ReservedLimitsV1, a_cgroup_that_is_not_there_is_named_and_not_made) {
  const TemporaryDirectory top;
  for (const char* tree : {"cpu", "memory", "pids"})
    put_file(top / (std::string(tree) + "/cgroup.procs"), "");
  put_file(top / "cpu/sys/cpu.shares", "1024");
  const CgroupTree tree(top.path(), 1, {});
  const auto written = write_limits(tree, {.name = {"sys"}, .values = kValues}, nullptr, 1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "\"/sys\" cgroup does not exist: there is no " + (top / "memory/sys") + ", no " +
                (top / "pids/sys") +
                "; create it before berthd starts, or leave it out of enforceNodeAllocatable");
  EXPECT_EQ(content(top / "cpu/sys/cpu.shares"), "1024");
  EXPECT_FALSE(is_directory(top / "memory/sys"));
  EXPECT_TRUE(write_limits(tree, {.name = {"sys"}, .values = {.cpu_shares = 512}}, nullptr, 1))
      << "the others are not needed for that";
}

TEST(ReservedLimitsV2, are_in_the_words_of_version_2) {
  const TemporaryDirectory top;
  put_file(top / "cgroup.controllers", "cpu memory pids\n");
  put_file(top / "system.slice/cgroup.controllers", "cpu memory pids\n");
  for (const char* file : {"cpu.weight", "memory.max", "pids.max"})
    put_file(top / ("system.slice/" + std::string(file)), "");
  const CgroupTree tree(top.path(), 2, {});
  const auto written =
      write_limits(tree, {.name = {"system.slice"}, .values = kValues}, nullptr, 2);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(content(top / "system.slice/cpu.weight"), "20");
  EXPECT_EQ(content(top / "system.slice/memory.max"), "1073741824");
  EXPECT_EQ(content(top / "system.slice/pids.max"), "1000");
}

TEST(ReservedLimitsV2, a_controller_that_is_not_handed_down_is_named) {
  const TemporaryDirectory top;
  put_file(top / "cgroup.controllers", "cpu memory pids\n");
  const CgroupTree tree(top.path(), 2, {});
  const ReservedCgroup sys{.name = {"sys"}, .values = kValues};
  EXPECT_NE(
      write_limits(tree, sys, nullptr, 2).error().message.find("there is no " + (top / "sys")),
      std::string::npos);
  put_file(top / "sys/cgroup.controllers", "cpu pids\n");
  EXPECT_NE(write_limits(tree, sys, nullptr, 2)
                .error()
                .message.find("there is no controller memory in " + (top / "sys")),
            std::string::npos);
}

// Records the properties that the service manager is asked to set.
class RecordedProperties final : public Slices {
 public:
  Result<Nothing> start(const std::string&, const std::vector<SliceProperty>&) override {
    return fail(ErrorCode::kInvalid, "nothing is started");
  }
  Result<Nothing> set(const std::string& slice,
                      const std::vector<SliceProperty>& properties) override {
    for (const SliceProperty& property : properties)
      recorded.push_back(slice + " " + property.name + "=" + std::to_string(property.value));
    return Nothing{};
  }
  Result<Nothing> stop(const std::string&) override { return Nothing{}; }
  std::vector<std::string> recorded{};
};

TEST(ReservedLimitsV2, of_a_slice_are_the_service_managers_as_well) {
  const TemporaryDirectory top;
  put_file(top / "cgroup.controllers", "memory\n");
  put_file(top / "system.slice/cgroup.controllers", "memory\n");
  put_file(top / "system.slice/memory.max", "");
  const CgroupTree tree(top.path(), 2, {});
  RecordedProperties slices;
  const ReservedCgroup system{.name = {"system.slice"}, .values = {.memory_limit = 1 << 30}};
  ASSERT_TRUE(write_limits(tree, system, &slices, 2));
  EXPECT_EQ(slices.recorded, std::vector<std::string>{"system.slice MemoryMax=1073741824"});
  EXPECT_EQ(content(top / "system.slice/memory.max"), "1073741824");
}

}  // namespace
}  // namespace berth::node
