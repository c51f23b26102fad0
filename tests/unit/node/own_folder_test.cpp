// SPDX-License-Identifier: Apache-2.0

#include "node/own_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "node/pod_files.hpp"
#include "node/pod_paths.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

class OwnFolders : public testing::Test {
 protected:
  OwnFolders() {
    paths_.root = top_ / "root";
    paths_.pod_logs = top_ / "logs";
    fs::create_directories(paths_.root + "/pods");
    put_file(other_ + "/kept", "kept");
  }
  // The foreign folder must be unchanged and contain none of our files.
  ~OwnFolders() override {
    EXPECT_EQ(*list_directory(other_), std::vector<std::string>{"kept"});
    EXPECT_EQ(*read_file(other_ + "/kept"), "kept");
  }

  // Replaces `path` by a link to a foreign folder.
  void lead_astray(const std::string& path) {
    fs::create_directories(folder_of(path));
    fs::remove_all(path);
    fs::create_directory_symlink(other_, path);
  }

  TemporaryDirectory top_;
  std::string other_ = top_ / "other";
  NodePaths paths_{};
  api::Pod pod_ = {.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1"},
                   .spec = {.containers = {{.name = "c", .terminationMessagePath = "/dev/log"}}}};
};

TEST_F(OwnFolders, are_made_with_their_mode_and_lead_there_whatever_their_name_becomes) {
  const std::string path = paths_.root + "/pods/a/b";
  const auto folder = OwnFolder::make(paths_.root, path, 0750);
  ASSERT_TRUE(folder) << folder.error().message;
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0750U);
  EXPECT_EQ(real_path(folder->at("file")), path + "/file");
  fs::rename(path, paths_.root + "/pods/a/c");
  lead_astray(path);
  ASSERT_TRUE(write_file(folder->at("file"), "text", 0600));
  EXPECT_EQ(*read_file(paths_.root + "/pods/a/c/file"), "text");
  ASSERT_EQ(::mkdirat(folder->descriptor().get(), "below", 0700), 0);
  EXPECT_TRUE(fs::is_directory(paths_.root + "/pods/a/c/below"));
}

TEST_F(OwnFolders, errors_name_the_place_and_what_is_in_the_way) {
  lead_astray(paths_.root + "/pods/a");
  const auto through = OwnFolder::open(paths_.root, paths_.root + "/pods/a");
  ASSERT_FALSE(through);
  EXPECT_EQ(through.error().message,
            paths_.root + "/pods/a: a link is in its way, which is not followed");
  EXPECT_EQ(OwnFolder::open(paths_.root, "/etc").error().message,
            "/etc does not lie below " + paths_.root);
  const auto folder = OwnFolder::open(paths_.root, paths_.root);
  ASSERT_TRUE(folder);
  EXPECT_EQ(write_file(folder->at("no/file"), "", 0600).error().message,
            "creating " + paths_.root + "/no/file: No such file or directory");
}

TEST_F(OwnFolders, what_is_below_is_found_and_made_there_wherever_the_name_leads) {
  const std::string path = paths_.root + "/pods/a";
  const auto folder = OwnFolder::make(paths_.root, path, 0750);
  ASSERT_TRUE(folder);
  fs::rename(path, paths_.root + "/pods/b");
  lead_astray(path);
  const auto made = folder->make_below("c/d", 0710);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(real_path(made->path()), paths_.root + "/pods/b/c/d");
  struct stat status {};
  ASSERT_EQ(::stat((paths_.root + "/pods/b/c/d").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0710U);
  EXPECT_TRUE(folder->open_below("c/d"));
  EXPECT_EQ(real_path(folder->open_below(".")->path()), paths_.root + "/pods/b");
  EXPECT_EQ(folder->open_below("e").error().code, ErrorCode::kNotFound);
  lead_astray(paths_.root + "/pods/b/c");
  for (const char* through : {"c", "c/d"}) {
    const auto refused = folder->make_below(through, 0700);
    ASSERT_FALSE(refused) << through;
    EXPECT_EQ(refused.error().message,
              paths_.root + "/pods/b/" + through + ": a link is in its way, which is not followed");
  }
  EXPECT_FALSE(folder->open_below(".."));
  EXPECT_FALSE(folder->make_below("../x", 0700));
}

TEST_F(OwnFolders, mounts_are_not_shared_behind_a_link) {
  const std::string path = paths_.root + "/pods/v";
  lead_astray(path);
  const auto refused = share_mounts_below(paths_.root, path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, path + ": a link is in its way, which is not followed");
  EXPECT_FALSE(is_mount_point(other_));
}

TEST_F(OwnFolders, mounts_below_are_shared_by_one_mount_however_often) {
  const std::string path = paths_.root + "/pods/v";
  fs::create_directories(path);
  if (!mount_tmpfs(path, {})) GTEST_SKIP() << "needs to mount";
  fs::create_directory(path + "/own");
  for (int i = 0; i < 2; ++i) {
    const auto shared = share_mounts_below(paths_.root, path + "/own");
    EXPECT_TRUE(shared) << shared.error().message;
  }
  const auto table = read_file("/proc/self/mountinfo");
  std::size_t mounts = 0;
  std::size_t shared = 0;
  for (std::size_t at = 0; (at = table->find(" " + path + "/own ", at)) != std::string::npos;
       ++at) {
    ++mounts;
    const auto line = table->substr(at, table->find('\n', at) - at);
    if (line.find(" shared:") != std::string::npos) ++shared;
  }
  EXPECT_EQ(mounts, shared);
  EXPECT_LE(mounts, 1U) << "none if it was mounted as shared";
  EXPECT_TRUE(unmount(path + "/own"));
  EXPECT_TRUE(unmount(path));
}

TEST_F(OwnFolders, a_top_that_is_a_link_itself_is_the_operator_s) {
  fs::create_directory_symlink(paths_.root, top_ / "link");
  EXPECT_TRUE(OwnFolder::open(top_ / "link", (top_ / "link") + "/pods"));
}

TEST_F(OwnFolders, a_pod_is_not_prepared_through_a_link) {
  for (const char* part : {"/pods/u-1", "/pods/u-1/volumes"}) {
    lead_astray(paths_.root + part);
    EXPECT_FALSE(make_pod_directories(paths_, pod_)) << part;
    fs::remove(paths_.root + part);
  }
  const std::string logs = pod_log_directory(paths_, pod_);
  lead_astray(logs);
  EXPECT_FALSE(make_pod_directories(paths_, pod_));
  fs::remove(logs);
  EXPECT_TRUE(make_pod_directories(paths_, pod_));
}

TEST_F(OwnFolders, files_of_a_container_are_not_written_through_a_link) {
  ASSERT_TRUE(make_pod_directories(paths_, pod_));
  const NodeConfig config{.paths = paths_};
  lead_astray(paths_.root + "/pods/u-1/containers");
  EXPECT_FALSE(make_container_files(config, pod_, "c", 0, {"10.0.0.1"}));
  fs::remove(paths_.root + "/pods/u-1/containers");
  lead_astray(pod_log_directory(paths_, pod_) + "/c");
  EXPECT_FALSE(make_container_files(config, pod_, "c", 0, {"10.0.0.1"}));
}

TEST_F(OwnFolders, what_a_pod_left_is_removed_and_not_what_links_lead_to) {
  ASSERT_TRUE(make_pod_directories(paths_, pod_));
  for (const char* part : {"/volume-subpaths", "/volume-subpaths/v", "/volume-subpaths/v/c/0",
                           "/volumes", "/volumes/kubernetes.io~empty-dir/v", ""}) {
    lead_astray(paths_.root + "/pods/u-1" + part);
    const auto removed = remove_pod_directory(paths_, "u-1");
    EXPECT_TRUE(removed) << part << ": " << removed.error().message;
    EXPECT_FALSE(fs::exists(fs::symlink_status(paths_.root + "/pods/u-1"))) << part;
  }
}

TEST_F(OwnFolders, logs_are_not_removed_through_a_link) {
  const std::string folder = pod_log_directory(paths_, pod_) + "/c";
  lead_astray(folder);
  EXPECT_FALSE(remove_container_logs(paths_, pod_, "c", cri::ContainerId("1"), folder + "/kept"));
  EXPECT_TRUE(remove_pod_logs(paths_, "u-1"));
}

TEST_F(OwnFolders, what_is_mounted_behind_a_link_stays_mounted) {
  const std::string mounted = top_ / "elsewhere/mounted";
  fs::create_directories(mounted);
  if (!mount_tmpfs(mounted, {})) GTEST_SKIP() << "needs to mount";
  ASSERT_TRUE(make_pod_directories(paths_, pod_));
  for (const char* part : {"/pods/u-1/plugins", "/pods/u-1"}) {
    fs::remove_all(paths_.root + part);
    fs::create_directory_symlink(top_ / "elsewhere", paths_.root + part);
    EXPECT_TRUE(remove_pod_directory(paths_, "u-1"));
    EXPECT_TRUE(is_mount_point(mounted)) << part;
  }
  EXPECT_TRUE(unmount(mounted));
}

}  // namespace
}  // namespace berth::node
