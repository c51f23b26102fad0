// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_reader.hpp"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include <gtest/gtest.h>

#include "api/manifest/manifest.hpp"
#include "base/descriptor.hpp"
#include "tests/unit/agent/sources/folder_texts.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

namespace fs = std::filesystem;

FolderQuestion asking(const std::string& path,
                      api::ManifestRules rules = api::ManifestRules::kBerth) {
  FolderQuestion question{.path = path};
  question.wanted = [rules](const std::string& name) { return api::is_manifest_name(name, rules); };
  return question;
}

FolderContent content_of(const std::string& path,
                         api::ManifestRules rules = api::ManifestRules::kBerth) {
  return read_folder(asking(path, rules), {}).content;
}

// Of a reading that begins when every file is old.
FolderQuestion later(const std::string& path) {
  FolderQuestion question = asking(path);
  question.begun = std::chrono::time_point_cast<Nanoseconds>(
                       fs::file_time_type::clock::to_sys(fs::last_write_time(path))) +
                   1h;
  return question;
}

std::string text_in(const FolderContent& content, const std::string& name) {
  const auto file = std::ranges::find(content.files, name, &FolderFile::name);
  if (file == content.files.end()) return "no such file";
  return file->content ? file->content->str() : file->content.error().message;
}

TEST(FolderReader, a_missing_folder_is_no_failure) {
  const TemporaryFolder folder;
  const auto content = content_of(folder.path("none"));
  EXPECT_FALSE(content.exists);
  EXPECT_EQ(content.unreadable, "");
}

TEST(FolderReader, reads_files_and_names_the_rest) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "text");
  std::filesystem::create_directory(folder.path("sub"));
  ASSERT_EQ(mkfifo(folder.path("pipe.yaml").c_str(), 0600), 0);
  std::filesystem::create_symlink("a.yaml", folder.path("link.yaml"));
  std::filesystem::create_symlink("nowhere", folder.path("dangling.yaml"));
  auto content = content_of(folder.path());
  EXPECT_TRUE(content.exists);
  EXPECT_EQ(content.files.size(), 2U);
  EXPECT_EQ(text_in(content, "a.yaml"), "text");
  EXPECT_EQ(text_in(content, "link.yaml"), "text");
  std::ranges::sort(content.others);
  EXPECT_EQ(content.others, (std::vector<std::string>{"dangling.yaml", "pipe.yaml", "sub"}));
}

// Whether it is a manifest cannot be known; the same failure on opening it is no removal either.
TEST(FolderReader, what_cannot_be_looked_at_is_a_file_that_cannot_be_read) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop.yaml", folder.path("loop.yaml"));
  const auto content = content_of(folder.path());
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
    const auto before = update_blocking(state, content_of(folder.path(), rules), kNow).desired;
    ASSERT_EQ(names(before), Names{"web-n1"});
    std::filesystem::remove(folder.path("a.yaml"));
    std::filesystem::create_symlink("a.yaml", folder.path("a.yaml"));
    const auto meanwhile = update_blocking(state, content_of(folder.path(), rules), kNow);
    const bool stay = rules == api::ManifestRules::kBerth;
    EXPECT_EQ(meanwhile.desired, stay ? before : std::vector<PodPtr>{});
    ASSERT_EQ(meanwhile.new_problems.size(), 1U);
    EXPECT_EQ(meanwhile.new_problems[0].file, "a.yaml");
    EXPECT_EQ(meanwhile.new_problems[0].kept_pods, stay ? Names{"default/web-n1"} : Names{});
    std::filesystem::remove(folder.path("a.yaml"));
    std::filesystem::create_symlink("nowhere", folder.path("a.yaml"));
    EXPECT_TRUE(update_blocking(state, content_of(folder.path(), rules), kNow).desired.empty())
        << "it is gone";
  }
}

TEST(FolderReader, a_single_file_stands_for_a_folder) {
  const TemporaryFolder folder;
  folder.write("pod.yaml", "text");
  const auto content = content_of(folder.path("pod.yaml"));
  ASSERT_EQ(content.files.size(), 1U);
  EXPECT_EQ(content.files[0].name, "pod.yaml");
}

// A folder of logs beside its manifests costs nothing.
TEST(FolderReader, what_is_no_manifest_by_name_is_not_opened) {
  const TemporaryFolder folder;
  for (const char* name : {"a.yaml", "notes.txt", ".hidden.yaml"}) folder.write(name, "text");
  const Descriptor watch(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  ASSERT_GE(inotify_add_watch(watch.get(), folder.path().c_str(), IN_OPEN), 0);
  const auto content = content_of(folder.path());
  EXPECT_EQ(content.others.size(), 2U);
  std::vector<std::string> opened;
  alignas(inotify_event) std::array<char, 4096> buffer{};
  const auto size = ::read(watch.get(), buffer.data(), buffer.size());
  for (std::size_t at = 0; size > 0 && at < static_cast<std::size_t>(size);) {
    inotify_event event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    if (event.len > 0) opened.emplace_back(buffer.data() + at + sizeof event);
    at += sizeof event + event.len;
  }
  EXPECT_EQ(opened, (std::vector<std::string>{"a.yaml"}));
}

TEST(FolderReader, of_two_names_that_are_equal_as_text_the_first_by_its_bytes_counts) {
  const TemporaryFolder folder;
  folder.write("a\xff.yaml", pod_text("bytes"));
  folder.write("a\\xff.yaml", pod_text("text"));
  ManifestFolder state(options());
  for (int reading = 0; reading < 2; ++reading) {
    auto content = content_of(folder.path());
    EXPECT_EQ(text_in(content, "a\\xff.yaml"), pod_text("text"));
    const auto outcome = update_blocking(state, std::move(content), kNow);
    EXPECT_EQ(names(outcome.desired), Names{"text-n1"});
    ASSERT_EQ(state.report().problems.size(), 1U);
    EXPECT_EQ(state.report().problems[0].file, folder.path());
    EXPECT_EQ(state.report().problems[0].message,
              "two files get the name a\\xff.yaml, because bytes that are no text are written as "
              "text: the one named \\x61\\xff\\x2e\\x79\\x61\\x6d\\x6c is not read; rename it");
    EXPECT_EQ(outcome.new_problems.size(), reading == 0 ? 1U : 0U);
  }
}

// The text of the reading before is made another one here, which shows where a text comes from.
TEST(FolderReader, reads_a_file_again_only_if_its_stamp_is_another_one) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("1"));
  fs::create_directory(folder.path("2"));
  folder.write("1/data", "first");
  folder.write("2/data", "other");
  fs::create_symlink("1", folder.path("..data"));
  fs::create_symlink("..data/data", folder.path("link.yaml"));
  for (const char* name : {"same.yaml", "edited.yaml", "replaced.yaml"})
    folder.write(name, "first");
  FolderReading before = read_folder(later(folder.path()), {});
  ASSERT_EQ(before.files.size(), 4U);
  for (auto& [name, file] : before.files) file.text = std::string("kept");
  const auto unchanged = read_folder(later(folder.path()), before.files).content;
  for (const auto& [name, file] : before.files) EXPECT_EQ(text_in(unchanged, name), "kept") << name;
  folder.write("edited.yaml", "edited");
  folder.write("new", "other");
  fs::rename(folder.path("new"), folder.path("replaced.yaml"));
  fs::create_symlink("2", folder.path("..new"));
  fs::rename(folder.path("..new"), folder.path("..data"));
  const auto now = read_folder(later(folder.path()), before.files).content;
  EXPECT_EQ(text_in(now, "same.yaml"), "kept");
  EXPECT_EQ(text_in(now, "edited.yaml"), "edited");
  EXPECT_EQ(text_in(now, "replaced.yaml"), "other");
  EXPECT_EQ(text_in(now, "link.yaml"), "other");
}

TEST(FolderReader, a_file_that_changed_just_before_it_was_read_is_read_again) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "first");
  FolderQuestion soon = later(folder.path());
  soon.begun -= 1h;
  FolderReading before = read_folder(soon, {});
  before.files.at("a.yaml").text = std::string("kept");
  EXPECT_EQ(text_in(read_folder(later(folder.path()), before.files).content, "a.yaml"), "first");
}

TEST(FolderReader, files_beyond_the_folders_limit_are_named_and_keep_their_pods) {
  for (const auto rules : {api::ManifestRules::kBerth, api::ManifestRules::kKubelet}) {
    const TemporaryFolder folder;
    folder.write("b.yaml", pod_text("web"));
    ManifestFolder state(options(rules));
    const auto before = update_blocking(state, content_of(folder.path(), rules), kNow).desired;
    ASSERT_EQ(names(before), Names{"web-n1"});
    folder.write("a.yaml", pod_text("first"));
    folder.write("c.yaml", pod_text("third"));
    FolderQuestion question = asking(folder.path(), rules);
    question.most_bytes = pod_text("first").size() + 1;
    const auto outcome = update_blocking(state, read_folder(question, {}).content, kNow);
    EXPECT_EQ(names(outcome.desired), (Names{"first-n1", "web-n1"}));
    ASSERT_EQ(outcome.new_problems.size(), 2U);
    EXPECT_EQ(outcome.new_problems[0].file, "b.yaml");
    EXPECT_EQ(outcome.new_problems[0].message,
              "is not read: with it the manifests have more than " +
                  std::to_string(question.most_bytes) +
                  " bytes, the most that berthd holds of a folder");
    EXPECT_EQ(outcome.new_problems[0].kept_pods, Names{"default/web-n1"});
    EXPECT_EQ(outcome.new_problems[1].file, "c.yaml");
    const auto room = update_blocking(state, content_of(folder.path(), rules), kNow);
    EXPECT_EQ(names(room.desired), (Names{"first-n1", "web-n1", "third-n1"}));
  }
}

}  // namespace
}  // namespace berth::agent
