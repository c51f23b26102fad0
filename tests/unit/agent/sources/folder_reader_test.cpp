// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_reader.hpp"

#include <sys/stat.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "node/volumes/mounts.hpp"
#include "tests/unit/agent/sources/folder_texts.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

TEST(FolderReader, a_missing_folder_is_no_failure) {
  const TemporaryFolder folder;
  const auto content = read_folder(folder.path("none"));
  EXPECT_FALSE(content.exists);
  EXPECT_EQ(content.unreadable, "");
}

TEST(FolderReader, reads_files_and_names_the_rest) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "text");
  std::filesystem::create_directory(folder.path("sub"));
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("a.yaml", folder.path("link.yaml"));
  std::filesystem::create_symlink("nowhere", folder.path("dangling"));
  auto content = read_folder(folder.path());
  EXPECT_TRUE(content.exists);
  std::map<std::string, std::string> texts;
  for (const auto& file : content.files) texts[file.name] = file.content.value_or("?");
  EXPECT_EQ(texts, (std::map<std::string, std::string>{{"a.yaml", "text"}, {"link.yaml", "text"}}));
  std::ranges::sort(content.others);
  EXPECT_EQ(content.others, (std::vector<std::string>{"dangling", "pipe", "sub"}));
}

// Whether it is a manifest cannot be known; the same failure on opening it is no removal either.
TEST(FolderReader, what_cannot_be_looked_at_is_a_file_that_cannot_be_read) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop.yaml", folder.path("loop.yaml"));
  const auto content = read_folder(folder.path());
  ASSERT_EQ(content.files.size(), 1U);
  EXPECT_EQ(content.files[0].name, "loop.yaml");
  ASSERT_FALSE(content.files[0].content.has_value());
  EXPECT_EQ(content.files[0].content.error().message,
            "cannot be read: Too many levels of symbolic links");
  EXPECT_TRUE(content.others.empty());
  EXPECT_EQ(content.unreadable, "");
}

// A kubelet skips what it cannot look at, as it does a dangling link.
TEST(FolderReader, the_pods_of_a_file_that_cannot_be_looked_at_stay_but_by_the_kubelets_rules) {
  for (const auto rules : {api::ManifestRules::kBerth, api::ManifestRules::kKubelet}) {
    const TemporaryFolder folder;
    ManifestFolder state(options(rules));
    folder.write("a.yaml", pod_text("web"));
    const auto before = state.update(read_folder(folder.path()), kNow).desired;
    ASSERT_EQ(names(before), Names{"web-n1"});
    std::filesystem::remove(folder.path("a.yaml"));
    std::filesystem::create_symlink("a.yaml", folder.path("a.yaml"));
    const auto meanwhile = state.update(read_folder(folder.path()), kNow);
    const bool stay = rules == api::ManifestRules::kBerth;
    EXPECT_EQ(meanwhile.desired, stay ? before : std::vector<PodPtr>{});
    ASSERT_EQ(meanwhile.new_problems.size(), 1U);
    EXPECT_EQ(meanwhile.new_problems[0].file, "a.yaml");
    EXPECT_EQ(meanwhile.new_problems[0].kept_pods, stay ? Names{"default/web-n1"} : Names{});
    std::filesystem::remove(folder.path("a.yaml"));
    std::filesystem::create_symlink("nowhere", folder.path("a.yaml"));
    EXPECT_TRUE(state.update(read_folder(folder.path()), kNow).desired.empty()) << "it is gone";
  }
}

TEST(FolderReader, a_single_file_stands_for_a_folder) {
  const TemporaryFolder folder;
  folder.write("pod.yaml", "text");
  const auto content = read_folder(folder.path("pod.yaml"));
  ASSERT_EQ(content.files.size(), 1U);
  EXPECT_EQ(content.files[0].name, "pod.yaml");
}

TEST(FolderReader, decodes_what_has_changed_and_nothing_else) {
  const api::ManifestOptions options{.node_name = "n1"};
  const auto read = [](const std::string& a) {
    FolderContent content{.path = "/m", .exists = true};
    content.files.push_back({.name = "a.yaml", .content = a});
    content.files.push_back({.name = "b.yaml", .content = std::string("{}")});
    content.files.push_back({.name = "notes.txt", .content = std::string("x")});
    content.files.push_back({.name = "gone.yaml", .content = fail(ErrorCode::kUnknown, "?")});
    return content;
  };
  auto first = read("a: 1");
  const TextHashes known = decode_changed(first, options, {}, nullptr);
  EXPECT_EQ(known.size(), 2U);
  EXPECT_TRUE(first.files[0].decoded && first.files[1].decoded);
  EXPECT_FALSE(first.files[2].decoded || first.files[3].decoded);
  auto second = read("a: 2");
  EXPECT_NE(decode_changed(second, options, known, nullptr), known);
  EXPECT_TRUE(second.files[0].decoded.has_value());
  EXPECT_FALSE(second.files[1].decoded.has_value());
}

TEST(FolderReader, does_not_decode_a_text_that_two_berthds_have_died_at) {
  class Dead final : public lifecycle::InHand {
   public:
    void take(std::string_view key) override { taken.emplace_back(key); }
    void put_down() override {}
    [[nodiscard]] bool deadly(const std::string& key) const override { return dead == key; }
    std::vector<std::string> taken{};
    std::string dead{};
  };
  const api::ManifestOptions options{.node_name = "n1"};
  const auto read = [](const std::string& text) {
    FolderContent content{.path = "/m", .exists = true};
    content.files.push_back({.name = "a.yaml", .content = text});
    return content;
  };
  Dead in_hand;
  auto first = read("a: 1");
  static_cast<void>(decode_changed(first, options, {}, &in_hand));
  ASSERT_EQ(in_hand.taken.size(), 1U);
  in_hand.dead = in_hand.taken[0];
  auto again = read("a: 1");
  static_cast<void>(decode_changed(again, options, {}, &in_hand));
  EXPECT_EQ(in_hand.taken.size(), 1U);
  ASSERT_TRUE(again.files[0].decoded && !again.files[0].decoded->has_value());
  EXPECT_NE(to_string(again.files[0].decoded->error().at(0)).find("died twice"), std::string::npos);
  auto edited = read("a: 2");
  static_cast<void>(decode_changed(edited, options, {}, &in_hand));
  EXPECT_EQ(in_hand.taken.size(), 2U);
}

TEST(FolderReader, copies_are_exactly_what_was_given) {
  const TemporaryFolder folder;
  const auto copies = folder.path("copies");
  const std::map<std::string, std::string> first = {
      {"a.yaml", "1"}, {"b.yaml", "2"}, {"c.yaml", "4"}};
  const std::map<std::string, std::string> second = {{"b.yaml", "3"}};
  ASSERT_TRUE(write_copies(copies, copies_change({}, first)).has_value());
  ASSERT_TRUE(write_copies(copies, copies_change(first, second)).has_value());
  const auto content = read_folder(copies);
  ASSERT_EQ(content.files.size(), 1U);
  EXPECT_EQ(content.files[0].content.value_or(""), "3");
  struct stat status {};
  ASSERT_EQ(stat((copies + "/b.yaml").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(FolderReader, a_copy_may_have_the_longest_name_and_keeps_no_other_from_being_written) {
  const TemporaryFolder folder;
  const auto copies = folder.path() + "/copies";
  const std::string longest = std::string(250, 'a') + ".yaml";
  ASSERT_TRUE(write_copies(copies, {.write = {{longest, "x"}, {"b.yaml", "y"}}}));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(copies) / longest));
  const std::string too_long = std::string(300, 'a') + ".yaml";
  EXPECT_FALSE(write_copies(copies, {.write = {{too_long, "x"}, {"c.yaml", "y"}}}));
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(copies) / "c.yaml"));
}

TEST(FolderReader, a_pipe_where_a_copy_is_written_holds_nobody) {
  const TemporaryFolder folder;
  const auto copies = folder.path("copies");
  std::filesystem::create_directory(copies);
  ASSERT_EQ(::mkfifo((copies + "/.new").c_str(), 0600), 0);
  ASSERT_TRUE(write_copies(copies, {.write = {{"a.yaml", "1"}}}));
  EXPECT_EQ(read_folder(copies).files.at(0).content.value_or(""), "1");
}

TEST(FolderReader, copies_in_memory_are_on_no_disk_and_leave_no_mount) {
  const TemporaryFolder folder;
  const auto copies = folder.path("copies");
  const auto change = copies_change({}, {{"a.yaml", "1"}});
  const auto written = write_copies_in_memory(copies, change, true);
  if (!written && written.error().code == ErrorCode::kPermission) GTEST_SKIP() << "needs to mount";
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(node::is_on_tmpfs(copies));
  struct stat status {};
  ASSERT_EQ(stat(copies.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  ASSERT_TRUE(write_copies_in_memory(copies, copies_change({}, {{"b.yaml", "2"}}), true));
  EXPECT_EQ(read_folder(copies).files.size(), 2U);
  ASSERT_TRUE(write_copies_in_memory(copies, {.remove = {"a.yaml", "b.yaml"}}, false));
  EXPECT_FALSE(std::filesystem::exists(copies));
}

TEST(FolderReader, copies_that_are_current_are_left_alone) {
  const std::map<std::string, std::string> there = {{"a.yaml", "1"}, {"b.yaml", "2"}};
  const auto change = copies_change(there, {{"a.yaml", "1"}, {"b.yaml", "3"}});
  EXPECT_EQ(change.write, (std::map<std::string, std::string>{{"b.yaml", "3"}}));
  EXPECT_TRUE(change.remove.empty());
  EXPECT_TRUE(copies_change(there, there).empty());
}

}  // namespace
}  // namespace berth::agent
