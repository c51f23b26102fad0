// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volumes.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#include "node/pod_files.hpp"
#include "node/pod_paths.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

gid_t group_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_gid : 0;
}

std::string problem(const std::string& path, const std::string& type) {
  const auto checked = check_host_path({.path = path, .type = type});
  return checked ? "" : checked.error().message;
}

TEST(HostPath, type_is_checked_in_the_kubelets_words) {
  const TemporaryDirectory top;
  const std::string file = top / "file";
  const std::string directory = top / "directory";
  const std::string missing = top / "missing";
  put_file(file, "x");
  std::filesystem::create_directory(directory);
  const std::string failed = "hostPath type check failed: ";

  EXPECT_EQ(problem(missing, ""), "");
  EXPECT_EQ(problem(directory, "Directory"), "");
  EXPECT_EQ(problem(file, "File"), "");
  EXPECT_EQ(problem("/dev/null", "CharDevice"), "");
  EXPECT_EQ(problem(file, "Directory"), failed + file + " is not a directory");
  EXPECT_EQ(problem(file, "DirectoryOrCreate"), failed + file + " is not a directory");
  EXPECT_EQ(problem(missing, "Directory"), failed + missing + " is not a directory");
  EXPECT_EQ(problem(directory, "File"), failed + directory + " is not a file");
  EXPECT_EQ(problem(directory, "FileOrCreate"), failed + directory + " is not a file");
  EXPECT_EQ(problem(file, "Socket"), failed + file + " is not a socket file");
  EXPECT_EQ(problem(file, "CharDevice"), failed + file + " is not a character device");
  EXPECT_EQ(problem("/dev/null", "BlockDevice"), failed + "/dev/null is not a block device");
  EXPECT_EQ(problem(file, "Other"), "Other is an invalid volume type");
  const std::string cut_short = file + std::string("\0/shadow", 8);
  EXPECT_EQ(problem(cut_short, ""), "stat " + cut_short + ": invalid argument");
}

TEST(HostPath, what_may_be_created_is_created) {
  const TemporaryDirectory top;
  EXPECT_EQ(problem(top / "a/b", "DirectoryOrCreate"), "");
  EXPECT_EQ(mode_of(top / "a/b"), 0755);
  EXPECT_EQ(problem(top / "file", "FileOrCreate"), "");
  EXPECT_EQ(mode_of(top / "file"), 0644);
  EXPECT_NE(problem(top / "no/parent", "FileOrCreate"), "");
}

TEST(HostPath, what_is_created_below_a_setgid_directory_inherits_the_bit) {
  const TemporaryDirectory top;
  const std::string shared = top / "shared";
  std::filesystem::create_directory(shared);
  ASSERT_EQ(::chmod(shared.c_str(), 02775), 0);
  EXPECT_EQ(problem(shared + "/a/b", "DirectoryOrCreate"), "");
  EXPECT_EQ(mode_of(shared + "/a"), 02755);
  EXPECT_EQ(mode_of(shared + "/a/b"), 02755);
}

// A pod with one volume that one container mounts, on a node in a temporary directory.
class Volumes : public testing::Test {
 protected:
  Volumes() {
    node_.config.paths.root = top_.path();
    pod_.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1", .labels = {{"app", "web"}}};
  }
  ~Volumes() override { EXPECT_TRUE(remove_pod_directory(node_.config.paths, "u-1")); }

  // The volume's path.
  std::string mounted(api::Volume volume) {
    volume.name = "v";
    pod_.spec.volumes = {std::move(volume)};
    pod_.spec.containers = {{.name = "c", .volumeMounts = {{.name = "v", .mountPath = "/v"}}}};
    return volume_directory(node_.config.paths, "u-1", pod_.spec.volumes[0]);
  }

  // Sets up the volumes and returns the first error; empty if there is none.
  std::string set_up() {
    const auto failures = set_up_volumes(node_, pod_, *objects_, WallTime{});
    return failures.empty() ? "" : failures.front().message;
  }

  void put_secret(const std::string& value) {
    api::Secret secret{.metadata = {.name = "keys", .namespace_ = "team"}};
    secret.data["key"] = {.data = value};
    objects_ = make_objects({}, {secret});
  }

  static api::Volume secret_volume() {
    return {.secret = api::SecretVolumeSource{.secretName = "keys", .defaultMode = 0400}};
  }

  // Whether mounting is possible: it needs privileges that a container may not have.
  bool can_mount() {
    const std::string probe = top_ / "probe";
    std::filesystem::create_directory(probe);
    return mount_tmpfs(probe, {}) && unmount(probe);
  }

  TemporaryDirectory top_;
  NodeView node_{};
  api::Pod pod_{};
  ObjectsPtr objects_ = make_objects({}, {});
};

TEST_F(Volumes, empty_dir_is_open_to_every_user_and_made_once) {
  const auto directory = mounted({.emptyDir = api::EmptyDirVolumeSource{}});
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(mode_of(directory), 0777);
  put_file(directory + "/data", "kept");
  ASSERT_EQ(::chmod(directory.c_str(), 0700), 0) << "as a database does with its directory";
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(*read_file(directory + "/data"), "kept");
  EXPECT_EQ(mode_of(directory), 0700);
}

TEST_F(Volumes, empty_dir_belongs_to_the_fs_group) {
  const auto directory = mounted({.emptyDir = api::EmptyDirVolumeSource{}});
  pod_.spec.securityContext = api::PodSecurityContext{.fsGroup = 2000};
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(mode_of(directory), 02777);
  EXPECT_EQ(group_of(directory), 2000U);
}

TEST_F(Volumes, that_no_container_mounts_are_left_alone) {
  const auto directory = mounted({.emptyDir = api::EmptyDirVolumeSource{}});
  pod_.spec.containers[0].volumeMounts.clear();
  ASSERT_EQ(set_up(), "");
  EXPECT_FALSE(path_exists(directory));
}

TEST_F(Volumes, that_fail_are_each_reported_by_name) {
  mounted({.hostPath = api::HostPathVolumeSource{.path = top_ / "none", .type = "File"}});
  EXPECT_EQ(set_up(), "MountVolume.SetUp failed for volume \"v\" : hostPath type check failed: " +
                          (top_ / "none") + " is not a file");
  pod_.spec.volumes.push_back(
      {.name = "w", .configMap = api::ConfigMapVolumeSource{.name = "settings"}});
  pod_.spec.containers[0].volumeMounts.push_back({.name = "w", .mountPath = "/w"});
  const auto failures = set_up_volumes(node_, pod_, *objects_, WallTime{});
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[1].volume, "w");
  EXPECT_EQ(failures[1].message,
            "MountVolume.SetUp failed for volume \"w\" : configmap \"settings\" not found");
}

TEST_F(Volumes, config_map_is_on_disk_and_follows_edits) {
  const auto directory =
      mounted({.configMap = api::ConfigMapVolumeSource{.name = "settings", .optional = true}});
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(*list_directory(directory + "/..data"), std::vector<std::string>{});
  objects_ = make_objects(
      {{.metadata = {.name = "settings", .namespace_ = "team"}, .data = {{"a", "one"}}}}, {});
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(*read_file(directory + "/a"), "one");
  EXPECT_EQ(mode_of(directory + "/a"), 0644);
  EXPECT_FALSE(is_mount_point(directory));
}

TEST_F(Volumes, mount_points_of_other_volumes_below_are_there) {
  const auto directory = mounted({.downwardAPI = api::DownwardAPIVolumeSource{}});
  pod_.spec.volumes[0].downwardAPI.reset();
  pod_.spec.volumes[0].configMap = api::ConfigMapVolumeSource{.name = "none", .optional = true};
  const auto own = volume_directory(node_.config.paths, "u-1", pod_.spec.volumes[0]);
  pod_.spec.containers[0].volumeMounts.push_back({.name = "other", .mountPath = "/v/a/b"});
  ASSERT_EQ(set_up(), "");
  EXPECT_TRUE(is_directory(own + "/a/b"));
  EXPECT_FALSE(path_exists(directory));
}

// A container with access to the pod's directory has placed a link there.
TEST_F(Volumes, mount_points_are_made_inside_the_volume_whatever_links_are_there) {
  mounted({.configMap = api::ConfigMapVolumeSource{.name = "none", .optional = true}});
  const auto own = volume_directory(node_.config.paths, "u-1", pod_.spec.volumes[0]);
  ASSERT_EQ(set_up(), "");
  const std::string outside = top_ / "outside";
  std::filesystem::create_directory(outside);
  std::filesystem::create_directory(own + "/real");
  std::filesystem::create_symlink("real", own + "/inside");
  std::filesystem::create_symlink(outside, own + "/away");
  auto& mounts = pod_.spec.containers[0].volumeMounts;
  mounts.push_back({.name = "other", .mountPath = "/v/inside/b"});
  EXPECT_EQ(set_up(), "");
  EXPECT_TRUE(is_directory(own + "/real/b"));
  mounts.back().mountPath = "/v/away/b";
  EXPECT_EQ(set_up(), "MountVolume.SetUp failed for volume \"v\" : " + own +
                          "/away/b: a link leads out of the volume");
  EXPECT_FALSE(path_exists(outside + "/b"));
}

TEST_F(Volumes, secret_is_on_a_tmpfs_of_the_pods_group) {
  if (!can_mount()) GTEST_SKIP() << "needs to mount";
  put_secret("hunter2");
  const auto directory = mounted(secret_volume());
  pod_.spec.securityContext = api::PodSecurityContext{.fsGroup = 2000};
  ASSERT_EQ(set_up(), "");
  EXPECT_TRUE(is_mount_point(directory));
  EXPECT_EQ(mode_of(directory), 03777);
  EXPECT_EQ(*read_file(directory + "/key"), "hunter2");
  EXPECT_EQ(mode_of(directory + "/key"), 0440);
  EXPECT_EQ(group_of(directory + "/key"), 2000U);
  put_secret("changed");
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(*read_file(directory + "/key"), "changed");
  ASSERT_TRUE(remove_pod_directory(node_.config.paths, "u-1"));
  EXPECT_FALSE(path_exists(directory));
}

TEST_F(Volumes, memory_volume_is_a_tmpfs_of_its_size) {
  if (!can_mount()) GTEST_SKIP() << "needs to mount";
  const auto directory =
      mounted({.emptyDir = api::EmptyDirVolumeSource{.medium = "Memory",
                                                     .sizeLimit = api::Quantity::from_int(65536)}});
  pod_.spec.containers[0].volumeMounts[0].mountPropagation = "Bidirectional";
  ASSERT_EQ(set_up(), "");
  EXPECT_TRUE(is_mount_point(directory));
  struct statvfs room {};
  ASSERT_EQ(::statvfs(directory.c_str(), &room), 0);
  EXPECT_EQ(room.f_blocks * room.f_frsize, 65536U);
  put_file(directory + "/data", "kept");
  ASSERT_EQ(set_up(), "");
  EXPECT_EQ(*read_file(directory + "/data"), "kept");
}

TEST(MemoryVolume, is_no_larger_than_what_the_pod_may_use) {
  const auto quantity = [](std::int64_t bytes) { return api::Quantity::from_int(bytes); };
  NodeView node;
  api::Pod pod;
  pod.spec.containers = {{.name = "c"}};
  EXPECT_EQ(memory_volume_bytes(node, pod, std::nullopt), std::nullopt);
  EXPECT_EQ(memory_volume_bytes(node, pod, quantity(5)), 5);
  node.allocatable["memory"] = quantity(1000);
  EXPECT_EQ(memory_volume_bytes(node, pod, quantity(5000)), 1000);
  pod.spec.containers[0].resources.limits["memory"] = quantity(300);
  EXPECT_EQ(memory_volume_bytes(node, pod, quantity(5000)), 300);
  EXPECT_EQ(memory_volume_bytes(node, pod, quantity(200)), 200);
  EXPECT_EQ(memory_volume_bytes(node, pod, quantity(0)), 300);
}

}  // namespace
}  // namespace berth::node
