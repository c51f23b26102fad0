// SPDX-License-Identifier: Apache-2.0

#include "agent/upkeep/in_hand_file.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

class Lines final : public Log {
 public:
  std::vector<std::string> logged{};

 private:
  void put(const LogLine& line) override { logged.emplace_back(line.message); }
};

class InHandFileTest : public ::testing::Test {
 protected:
  // Simulates a berthd that dies while working on that pod; if `uid` is empty, on none.
  void die_at(const std::string& uid) {
    InHandFile file(path, log);
    if (!uid.empty()) file.pods().take(uid);
  }
  [[nodiscard]] bool deadly(const std::string& uid) {
    return InHandFile(path, log).pods().deadly(uid);
  }

  const TemporaryFolder folder{};
  const std::string path = folder.path("in-hand");
  Lines log{};
};

TEST_F(InHandFileTest, the_second_death_in_a_row_makes_a_pod_deadly) {
  die_at("a");
  die_at("a");
  EXPECT_TRUE(deadly("a"));
  EXPECT_FALSE(deadly("b"));
  EXPECT_TRUE(log.logged.empty());
}

TEST_F(InHandFileTest, a_file_that_somebody_cuts_short_ends_nobody) {
  InHandFile file(path, log);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  file.pods().take("a");
  file.pods().put_down();
  file.ended_well();
  EXPECT_FALSE(deadly("a"));
}

TEST_F(InHandFileTest, one_death_or_two_at_different_pods_do_not) {
  die_at("a");
  EXPECT_FALSE(deadly("a"));
  die_at("a");
  die_at("b");
  die_at("a");
  EXPECT_FALSE(deadly("a"));
  EXPECT_FALSE(deadly("b"));
  die_at("c");
  die_at("");
  die_at("c");
  EXPECT_FALSE(deadly("c"));
}

TEST_F(InHandFileTest, what_is_deadly_stays_so_until_berthd_ends_as_it_should) {
  die_at("a");
  die_at("a");
  die_at("b");
  die_at("b");
  die_at("");
  EXPECT_TRUE(deadly("a"));
  EXPECT_TRUE(deadly("b"));
  InHandFile(path, log).ended_well();
  EXPECT_FALSE(deadly("a"));
}

TEST_F(InHandFileTest, pods_and_manifests_are_distinguished) {
  for (int i = 0; i < 2; ++i) InHandFile(path, log).manifests().take("a");
  InHandFile file(path, log);
  EXPECT_TRUE(file.manifests().deadly("a"));
  EXPECT_FALSE(file.pods().deadly("a"));
}

TEST_F(InHandFileTest, a_key_may_be_longer_than_there_is_room) {
  const std::string longest = std::string(382, 'x') + "ü and more";
  die_at(longest);
  die_at(longest);
  EXPECT_TRUE(deadly(longest));
}

TEST_F(InHandFileTest, what_is_put_down_counts_only_if_an_exception_ends_it) {
  const auto handle = [this](bool throws) {
    InHandFile file(path, log);
    try {
      const lifecycle::Handling handling(&file.pods(), "a");
      if (throws) throw std::runtime_error("bug");
    } catch (const std::runtime_error&) {
      return;
    }
  };
  for (int i = 0; i < 3; ++i) handle(false);
  EXPECT_FALSE(deadly("a"));
  for (int i = 0; i < 2; ++i) handle(true);
  EXPECT_TRUE(deadly("a"));
}

TEST_F(InHandFileTest, is_there_after_a_kill) {
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      InHandFile file(path, log);
      file.pods().take("a");
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  EXPECT_TRUE(deadly("a"));
}

TEST_F(InHandFileTest, of_another_content_or_kind_harms_nobody) {
  std::ofstream(path) << std::string(100'000, '\xff');
  EXPECT_FALSE(deadly("a"));
  die_at(std::string(1000, 'x'));
  EXPECT_TRUE(log.logged.empty());
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(deadly("a"));
  ASSERT_EQ(log.logged.size(), 1U);
  EXPECT_NE(log.logged[0].find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace berth::agent
