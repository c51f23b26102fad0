// SPDX-License-Identifier: Apache-2.0

#include "base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace berth {
namespace {

class RegularFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "regular-file-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(folder_ / "file") << "text";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] ErrorCode refusal(const char* name) const {
    const auto opened = open_regular_file((folder_ / name).string(), O_RDONLY);
    return opened ? ErrorCode::kUnknown : opened.error().code;
  }

  std::filesystem::path folder_{};
};

TEST_F(RegularFile, is_opened) {
  EXPECT_TRUE(open_regular_file((folder_ / "file").string(), O_RDONLY).has_value());
}

TEST_F(RegularFile, is_neither_pipe_nor_link_nor_folder_nor_device) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder_ / "file", folder_ / "link");
  std::filesystem::create_directory(folder_ / "folder");
  for (const char* name : {"pipe", "link", "folder"}) EXPECT_EQ(refusal(name), ErrorCode::kInvalid);
  EXPECT_EQ(refusal("missing"), ErrorCode::kNotFound);
  EXPECT_FALSE(open_regular_file("/dev/zero", O_RDONLY).has_value());
}

}  // namespace
}  // namespace berth
