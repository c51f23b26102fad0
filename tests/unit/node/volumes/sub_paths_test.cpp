// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/sub_paths.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "node/pod_files.hpp"
#include "node/pod_paths.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

constexpr const char* kVague = "failed to prepare subPath for volumeMount \"v\" of container \"c\"";
constexpr const char* kNotMade =
    "failed to create subPath directory for volumeMount \"v\" of container \"c\"";

// A pod with a hostPath volume, and one mount of a subPath of it.
class SubPathMounts : public testing::Test {
 protected:
  SubPathMounts() {
    paths_.root = top_ / "root";
    pod_.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1"};
    pod_.spec.volumes = {{.name = "v", .hostPath = api::HostPathVolumeSource{.path = volume_}}};
    pod_.spec.containers = {{.name = "c", .volumeMounts = {{.name = "v", .mountPath = "/v"}}}};
    std::filesystem::create_directories(volume_);
    const std::string probe = top_ / "probe";
    std::filesystem::create_directory(probe);
    can_mount_ = mount_tmpfs(probe, {}) && unmount(probe);
  }
  ~SubPathMounts() override { EXPECT_TRUE(remove_pod_directory(paths_, "u-1")); }

  void SetUp() override {
    if (!can_mount_) GTEST_SKIP() << "needs to mount";
  }

  Result<std::string> mount(const std::string& path) {
    const auto mounted = mount_sub_paths(paths_, pod_, pod_.spec.containers[0], {{0, path}});
    if (!mounted) return fail(mounted.error());
    return mounted->at(0);
  }

  std::string problem(const std::string& path) {
    const auto mounted = mount(path);
    return mounted ? "" : mounted.error().message;
  }

  TemporaryDirectory top_;
  std::string volume_ = top_ / "volume";
  NodePaths paths_{};
  api::Pod pod_{};
  bool can_mount_ = false;
};

TEST_F(SubPathMounts, of_a_volume_that_is_not_there_report_what_stat_said) {
  std::filesystem::remove(volume_);
  EXPECT_EQ(problem("dir"), "stat " + volume_ + ": no such file or directory");
  put_file(volume_, "no directory");
  EXPECT_EQ(problem("dir"), kVague);
}

TEST_F(SubPathMounts, show_a_directory_or_a_file_of_the_volume) {
  put_file(volume_ + "/dir/file", "text");
  const auto directory = mount("dir");
  ASSERT_TRUE(directory) << directory.error().message;
  EXPECT_EQ(*directory, paths_.root + "/pods/u-1/volume-subpaths/v/c/0");
  EXPECT_EQ(*read_file(*directory + "/file"), "text");
  const auto file = mount("dir/file");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(*read_file(*file), "text") << "the next instance of the container gets its own";
}

TEST_F(SubPathMounts, make_what_is_missing_with_the_volumes_mode) {
  ASSERT_EQ(::chmod(volume_.c_str(), 02770), 0);
  ASSERT_TRUE(mount("a/b"));
  for (const char* made : {"/a", "/a/b"}) {
    struct stat status {};
    ASSERT_EQ(::stat((volume_ + made).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 02770U) << made;
  }
}

TEST_F(SubPathMounts, follow_links_within_the_volume_only) {
  put_file(top_ / "outside/secret", "x");
  put_file(volume_ + "/..data/key", "1");
  std::filesystem::create_symlink("..data/key", volume_ + "/key");
  std::filesystem::create_symlink("../outside", volume_ + "/relative");
  std::filesystem::create_symlink(top_ / "outside", volume_ + "/absolute");
  std::filesystem::create_symlink("/proc/self/root", volume_ + "/magic");
  const auto inside = mount("key");
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_EQ(*read_file(*inside), "1");
  for (const char* escape : {"relative/secret", "relative", "absolute/secret", "absolute", "magic",
                             "relative/new", "../outside/secret"}) {
    EXPECT_EQ(problem(escape), kVague) << escape;
  }
  std::filesystem::create_symlink("../outside/new", volume_ + "/dangling");
  EXPECT_EQ(problem("dangling"), kVague);
  std::filesystem::create_symlink("nowhere", volume_ + "/inner");
  EXPECT_EQ(problem("inner/a"), kNotMade);
  EXPECT_FALSE(path_exists(top_ / "outside/new"));
}

TEST_F(SubPathMounts, keep_what_they_show_when_the_volume_moves_on) {
  put_file(volume_ + "/key", "old");
  const auto mounted = mount("key");
  ASSERT_TRUE(mounted);
  put_file(volume_ + "/next", "new");
  std::filesystem::rename(volume_ + "/next", volume_ + "/key");
  EXPECT_EQ(*read_file(*mounted), "old");
  const auto again = mount("key");
  ASSERT_TRUE(again);
  EXPECT_EQ(*read_file(*again), "new");
}

TEST_F(SubPathMounts, go_with_the_pod_and_take_nothing_along) {
  put_file(volume_ + "/dir/file", "kept");
  ASSERT_TRUE(mount("dir"));
  ASSERT_TRUE(remove_pod_directory(paths_, "u-1"));
  EXPECT_FALSE(path_exists(paths_.root + "/pods/u-1"));
  EXPECT_EQ(*read_file(volume_ + "/dir/file"), "kept");
}

TEST_F(SubPathMounts, reached_through_a_link_to_the_root_are_unmounted_as_well) {
  put_file(volume_ + "/dir/file", "kept");
  std::filesystem::create_directory(top_ / "real");
  std::filesystem::create_symlink(top_ / "real", top_ / "root");
  ASSERT_TRUE(mount("dir"));
  ASSERT_TRUE(remove_pod_directory(paths_, "u-1"));
  EXPECT_EQ(*read_file(volume_ + "/dir/file"), "kept");
}

}  // namespace
}  // namespace berth::node
