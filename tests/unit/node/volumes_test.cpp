#include "node/volumes.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "node/pod_paths.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
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
}

TEST(HostPath, what_may_be_created_is_created) {
  const TemporaryDirectory top;
  EXPECT_EQ(problem(top / "a/b", "DirectoryOrCreate"), "");
  EXPECT_EQ(mode_of(top / "a/b"), 0755);
  EXPECT_EQ(problem(top / "file", "FileOrCreate"), "");
  EXPECT_EQ(mode_of(top / "file"), 0644);
  EXPECT_NE(problem(top / "no/parent", "FileOrCreate"), "");
}

TEST(Volumes, empty_dir_is_open_to_every_user_and_survives) {
  const TemporaryDirectory top;
  const NodePaths paths{.root = top.path()};
  api::Pod pod;
  pod.metadata.uid = "u-1";
  pod.spec.volumes = {{.name = "scratch", .emptyDir = api::EmptyDirVolumeSource{}}};
  ASSERT_TRUE(set_up_volumes(paths, pod));
  const std::string directory = empty_dir_path(paths, "u-1", "scratch");
  EXPECT_EQ(mode_of(directory), 0777);
  put_file(directory + "/data", "kept");
  ASSERT_TRUE(set_up_volumes(paths, pod));
  EXPECT_EQ(*read_file(directory + "/data"), "kept");
}

TEST(Volumes, failure_names_the_volume) {
  const TemporaryDirectory top;
  api::Pod pod;
  pod.spec.volumes = {
      {.name = "host",
       .hostPath = api::HostPathVolumeSource{.path = top / "none", .type = "File"}}};
  const auto done = set_up_volumes({.root = top.path()}, pod);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "MountVolume.SetUp failed for volume \"host\" : hostPath type check failed: " +
                (top / "none") + " is not a file");
}

}  // namespace
}  // namespace berth::node
