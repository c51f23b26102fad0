// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/manifest_texts.hpp"

#include <gtest/gtest.h>

#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

using Read = std::vector<std::pair<std::string, std::string>>;

Read read(const std::string& path, const std::set<std::string>& files) {
  Read texts;
  for (const auto& [file, content] : read_texts(path, files)) texts.emplace_back(file, content);
  return texts;
}

TEST(ManifestTexts, are_those_of_the_named_files_of_a_folder) {
  const TemporaryFolder folder;
  folder.write("web.yaml", "a");
  folder.write("other.yaml", "b");
  EXPECT_EQ(read(folder.path(), {"gone.yaml", "web.yaml"}), (Read{{"web.yaml", "a"}}));
  EXPECT_TRUE(read(folder.path("none"), {"web.yaml"}).empty());
}

TEST(ManifestTexts, where_one_file_is_the_folder_are_its_own) {
  const TemporaryFolder folder;
  folder.write("web.yaml", "a");
  EXPECT_EQ(read(folder.path("web.yaml"), {"web.yaml"}), (Read{{"web.yaml", "a"}}));
}

}  // namespace
}  // namespace berth::agent
