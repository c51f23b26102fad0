// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volume_ownership.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/descriptor.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

namespace fs = std::filesystem;

constexpr gid_t kGroup = 2000;

struct stat look_at(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

class VolumeOwnership : public testing::Test {
 protected:
  VolumeOwnership() {
    fs::create_directory(top_ / "volume");
    put_file(top_ / "outside/file", "x");
    limit(top_ / "outside/file", 0600);
    limit(top_ / "outside", 0700);
  }
  ~VolumeOwnership() override {
    EXPECT_EQ(look_at(top_ / "outside").st_gid, ::getegid());
    EXPECT_EQ(look_at(top_ / "outside").st_mode & 07777, 0700U);
    EXPECT_EQ(look_at(top_ / "outside/file").st_gid, ::getegid());
    EXPECT_EQ(look_at(top_ / "outside/file").st_mode & 07777, 0600U);
  }

  static void limit(const std::string& path, mode_t mode) {
    EXPECT_EQ(::chmod(path.c_str(), mode), 0) << path;
  }
  [[nodiscard]] Result<OwnFolder> volume() const {
    return OwnFolder::open(top_.path(), top_ / "volume");
  }

  TemporaryDirectory top_;
};

TEST_F(VolumeOwnership, is_the_group_s_of_everything_in_it_and_of_nothing_that_links_lead_to) {
  const std::string at = top_ / "volume/";
  put_file(at + "dir/file", "x");
  limit(at + "dir/file", 0600);
  limit(at + "dir", 0700);
  put_file(at + "program", "x");
  limit(at + "program", 0755);
  ASSERT_EQ(::mkfifo((at + "pipe").c_str(), 0600), 0);
  limit(at + "pipe", 0600);
  fs::create_symlink(top_ / "outside/file", at + "to-file");
  fs::create_directory_symlink(top_ / "outside", at + "to-folder");
  fs::create_symlink(top_ / "nothing", at + "to-nothing");
  const auto folder = volume();
  ASSERT_TRUE(folder);
  const auto given = give_to_group(*folder, kGroup, false);
  ASSERT_TRUE(given) << given.error().message;
  for (const char* name :
       {"", "dir", "dir/file", "program", "pipe", "to-file", "to-folder", "to-nothing"})
    EXPECT_EQ(look_at(at + name).st_gid, kGroup) << name;
  EXPECT_EQ(look_at(at + "dir").st_mode & 07777, 02770U);
  EXPECT_EQ(look_at(at + "dir/file").st_mode & 07777, 0660U);
  EXPECT_EQ(look_at(at + "program").st_mode & 07777, 0775U);
  EXPECT_EQ(look_at(at + "pipe").st_mode & 07777, 0660U);
}

TEST_F(VolumeOwnership, of_a_read_only_volume_adds_no_right_to_write) {
  put_file(top_ / "volume/dir/file", "x");
  limit(top_ / "volume/dir/file", 0400);
  limit(top_ / "volume/dir", 0700);
  const auto folder = volume();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(give_to_group(*folder, kGroup, true));
  EXPECT_EQ(look_at(top_ / "volume/dir/file").st_mode & 07777, 0440U);
  EXPECT_EQ(look_at(top_ / "volume/dir").st_mode & 07777, 02750U);
}

TEST_F(VolumeOwnership, is_changed_of_the_folder_that_is_held_wherever_its_name_leads) {
  put_file(top_ / "volume/file", "x");
  const auto folder = volume();
  ASSERT_TRUE(folder);
  fs::rename(top_ / "volume", top_ / "moved");
  fs::create_directory_symlink(top_ / "outside", top_ / "volume");
  ASSERT_TRUE(give_to_group(*folder, kGroup, false));
  EXPECT_EQ(look_at(top_ / "moved").st_gid, kGroup);
  EXPECT_EQ(look_at(top_ / "moved/file").st_gid, kGroup);
  EXPECT_NE(look_at(top_ / "volume").st_gid, kGroup) << "the link";
}

TEST_F(VolumeOwnership, reaches_as_deep_as_a_path_does_and_names_what_is_deeper) {
  std::string path = top_ / "volume";
  for (int level = 0; level < 200; ++level) path += "/d";
  fs::create_directories(path);
  const auto folder = volume();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(give_to_group(*folder, kGroup, false));
  EXPECT_EQ(look_at(path).st_gid, kGroup);

  const std::string name(250, 'n');
  Descriptor above(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (int level = 0; level < 20; ++level) {
    ASSERT_EQ(::mkdirat(above.get(), name.c_str(), 0700), 0);
    above = Descriptor(::openat(above.get(), name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(above.is_open());
  }
  const auto given = give_to_group(*folder, kGroup, false);
  ASSERT_FALSE(given);
  EXPECT_TRUE(given.error().message.ends_with(": File name too long")) << given.error().message;
}

}  // namespace
}  // namespace berth::node
