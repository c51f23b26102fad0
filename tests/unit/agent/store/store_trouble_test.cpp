// SPDX-License-Identifier: Apache-2.0

// Damaged files and full disks.
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "agent/store/store_file.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

Error refusal(StoreHarness& harness) {
  const auto opened = SqliteStore::open(harness.loop.get_executor(), harness.clock, harness.log,
                                        harness.path, HistoryLimits{});
  EXPECT_FALSE(opened.has_value());
  return opened ? Error{} : opened.error();
}

TEST(StoreTrouble, a_newer_schema_is_refused_and_left_as_it_is) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store.reset();
  auto file = StoreFile::open(harness.path);
  ASSERT_TRUE(file->execute("PRAGMA user_version=7; CREATE TABLE moods(mood TEXT)"));
  // The files as a killed newer berthd leaves them: half of the data is in the log.
  std::filesystem::copy_file(harness.path, folder.path("killed.db"));
  std::filesystem::copy_file(harness.path + "-wal", folder.path("killed.db-wal"));
  for (const auto* name : {"state.db", "killed.db"}) {
    if (std::string(name) == "state.db") file = fail(ErrorCode::kUnknown, "closed");
    StoreHarness other(folder.path(name));
    const auto before = bytes_of(other.path);
    const auto log_before = bytes_of(other.path + "-wal");
    const auto error = refusal(other);
    EXPECT_EQ(error.code, ErrorCode::kUnimplemented);
    EXPECT_NE(error.message.find("schema 7"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("up to 1"), std::string::npos) << error.message;
    EXPECT_EQ(bytes_of(other.path), before) << name;
    EXPECT_EQ(bytes_of(other.path + "-wal"), log_before) << name;
  }
}

TEST(StoreTrouble, somebody_elses_database_is_refused) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  {
    auto file = StoreFile::open(harness.path);
    ASSERT_TRUE(file->execute("CREATE TABLE holidays(day TEXT)"));
  }
  const auto before = bytes_of(harness.path);
  EXPECT_EQ(refusal(harness).code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(bytes_of(harness.path), before);
}

TEST(StoreTrouble, a_folder_that_is_not_there_says_what_to_do) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("none/state.db"));
  const auto error = refusal(harness);
  EXPECT_EQ(error.code, ErrorCode::kPermission);
  EXPECT_NE(error.message.find("none/state.db"), std::string::npos);
  EXPECT_NE(error.message.find("--root-dir"), std::string::npos);
}

TEST(StoreTrouble, what_is_no_database_is_moved_aside) {
  const TemporaryFolder folder;
  folder.write("state.db", std::string(10'000, 'x'));
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  EXPECT_TRUE(harness.store->recall().empty());
  EXPECT_TRUE(harness.keep(memory_of("u")).has_value());
  const auto aside = harness.path + ".corrupt-20231114T221320Z";
  EXPECT_EQ(bytes_of(aside), std::string(10'000, 'x'));
  EXPECT_EQ(harness.store->health().moved_aside, aside);
  ASSERT_EQ(harness.log.lines.size(), 1U);
  EXPECT_EQ(harness.log.lines[0].level, LogLevel::kError);
  EXPECT_NE(harness.log.lines[0].message.find(aside), std::string::npos);
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
}

TEST(StoreTrouble, of_a_path_that_takes_no_file_is_reported_with_its_remedy) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("state.db"));
  EXPECT_EQ(StoreFile::open(folder.path("state.db")).error().message,
            folder.path("state.db") +
                ": it is not a regular file; berthd keeps its state there: remove it, or choose "
                "another directory with --root-dir");
  ASSERT_EQ(::mkfifo(folder.path("pipe.db").c_str(), 0600), 0);
  EXPECT_EQ(StoreFile::open(folder.path("pipe.db")).error().message,
            folder.path("pipe.db") +
                ": it is not a regular file; berthd keeps its state there: remove it, or choose "
                "another directory with --root-dir");
  std::ofstream(folder.path("file")) << "x";
  EXPECT_EQ(StoreFile::open(folder.path("file/state.db")).error().message,
            folder.path("file/state.db") +
                ": Not a directory; berthd keeps its state there: make the directory writable, or "
                "choose another directory with --root-dir");
}

TEST(StoreTrouble, a_pipe_or_a_link_in_the_place_of_the_file_is_refused_at_the_start) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe.db").c_str(), 0600), 0);
  std::filesystem::create_symlink("elsewhere", folder.path("link.db"));
  folder.write("elsewhere", "somebody's");
  for (const char* name : {"pipe.db", "link.db"}) {
    StoreHarness harness(folder.path(name));
    const auto error = refusal(harness);
    EXPECT_EQ(error.code, ErrorCode::kPermission) << name;
    EXPECT_NE(error.message.find("it is not a regular file"), std::string::npos) << error.message;
  }
  EXPECT_EQ(bytes_of(folder.path("elsewhere")), "somebody's");
}

TEST(StoreTrouble, a_deleted_file_is_written_again_with_the_next_history_too) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("before")).has_value());
  std::filesystem::remove(harness.path);
  harness.store->write(record_of("before", "Started"));
  EXPECT_EQ(harness.ledger({.uid = "before"}).size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(harness.path)) << "no commit has asked for it";
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"before"});
}

TEST(StoreTrouble, of_a_file_that_is_deleted_moved_or_replaced_under_berthd_loses_nothing) {
  for (const std::string how : {"deleted", "moved", "replaced"}) {
    const TemporaryFolder folder;
    StoreHarness harness(folder.path("state.db"));
    harness.open();
    ASSERT_TRUE(harness.keep(memory_of("before")).has_value());
    if (how == "deleted") {
      std::filesystem::remove(harness.path);
    } else {
      std::filesystem::rename(harness.path, folder.path("elsewhere"));
    }
    if (how == "replaced") std::ofstream(harness.path) << "somebody's";
    ASSERT_TRUE(harness.keep(memory_of("after")).has_value()) << how;
    ASSERT_EQ(harness.log.lines.size(), 1U) << how;
    EXPECT_NE(harness.log.lines[0].message.find("with its whole content"), std::string::npos);
    ASSERT_TRUE(harness.keep(memory_of("later")).has_value());
    EXPECT_EQ(harness.log.lines.size(), 1U) << how << ": once";
    struct stat status {};
    ASSERT_EQ(::stat(harness.path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    harness.reopen();
    EXPECT_EQ(harness.recalled_uids(), (std::vector<std::string>{"before", "after", "later"}));
    bool kept = false;
    for (const auto& name : names_in(folder.path()))
      kept = kept || name.find(".replaced-") != std::string::npos;
    EXPECT_EQ(kept, how == "replaced");
  }
}

TEST(StoreTrouble, of_a_file_that_is_gone_and_cannot_be_written_anew_is_reported_until_it_can) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("root"));
  StoreHarness harness(folder.path("root/state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("before")).has_value());
  std::filesystem::rename(folder.path("root"), folder.path("elsewhere"));
  const auto kept = harness.keep(memory_of("lost"));
  ASSERT_FALSE(kept.has_value());
  EXPECT_NE(kept.error().message.find("writing the state file anew: "), std::string::npos);
  std::filesystem::create_directory(folder.path("root"));
  ASSERT_TRUE(harness.keep(memory_of("after")).has_value());
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), (std::vector<std::string>{"before", "after"}));
}

// The page of the file on which `table` begins.
std::int64_t first_page(const std::string& path, const std::string& table) {
  auto file = StoreFile::open(path);
  const auto sql = "SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'";
  return file->number(sql.c_str()).value_or(0);
}

void spoil_page(const std::string& path, std::int64_t page) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp((page - 1) * 4096);
  file << std::string(4096, '\x5a');
}

TEST(StoreTrouble, of_a_damaged_file_the_pods_that_can_be_read_are_saved) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store->keep(std::make_shared<api::Event>());
  harness.store.reset();
  spoil_page(harness.path, first_page(harness.path, "events"));
  harness.open();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
  EXPECT_NE(harness.store->health().moved_aside, "");
  harness.log.lines.clear();
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
  EXPECT_TRUE(harness.log.lines.empty()) << "the new file is sound";
}

TEST(StoreTrouble, damage_in_the_pods_themselves_starts_anew) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store.reset();
  spoil_page(harness.path, first_page(harness.path, "pods"));
  harness.open();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{});
  EXPECT_TRUE(harness.keep(memory_of("v")).has_value());
}

TEST(StoreTrouble, a_file_that_proves_damaged_while_in_use_is_replaced_and_the_commit_succeeds) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store.reset();
  // Damages the index that finds a uid: only a write detects that.
  spoil_page(harness.path, first_page(harness.path, "sqlite_autoindex_pods_1"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("v")).has_value());
  EXPECT_NE(harness.store->health().moved_aside, "");
  ASSERT_EQ(harness.log.lines.size(), 1U);
  EXPECT_EQ(harness.log.lines[0].event, "StoreDamaged");
  harness.reopen();
  auto uids = harness.recalled_uids();
  std::ranges::sort(uids);
  EXPECT_EQ(uids, (std::vector<std::string>{"u", "v"}));
}

// A record whose pod is stored in `specs`.
lifecycle::LedgerRecord big_record(const std::string& uid) {
  auto record = record_of(uid, "Started");
  record.input = R"({"pod":{"name":")" + std::string(3000, 'p') + R"("}})";
  return record;
}

// A store with a pod and some history, of which the page on which `table` begins is spoilt.
void open_spoilt(StoreHarness& harness, const std::string& table, const HistoryLimits& limits) {
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  for (int i = 0; i < 200; ++i) {
    auto record = big_record("u");
    record.input += std::to_string(i);
    record.output = std::string(3000, 'o');
    harness.store->write(std::move(record));
  }
  harness.store.reset();
  spoil_page(harness.path, first_page(harness.path, table));
  harness.open(limits);
  ASSERT_TRUE(harness.log.lines.empty()) << "opening does not read " << table;
}

TEST(StoreTrouble, a_file_whose_history_proves_damaged_is_replaced_and_the_history_is_written) {
  // The second: history makes room first, which shows the damage as well.
  const std::pair<std::string, HistoryLimits> rows[] = {
      {"ledger", {}}, {"ledger", {.file_bytes = 300'000}}, {"specs", {}}, {"ledger_pod", {}}};
  for (const auto& [table, limits] : rows) {
    const TemporaryFolder folder;
    StoreHarness harness(folder.path("state.db"));
    open_spoilt(harness, table, limits);
    harness.store->write(big_record("u"));
    EXPECT_EQ(harness.ledger({.uid = "u"}).size(), 1U) << table;
    EXPECT_EQ(harness.store->health().history_written, 1U);
    EXPECT_EQ(harness.store->health().history_dropped, 0U);
    ASSERT_EQ(harness.log.lines.size(), 1U) << "without waiting for a commit";
    EXPECT_EQ(harness.log.lines[0].event, "StoreDamaged");
    const auto aside = harness.path + ".corrupt-20231114T221320Z";
    EXPECT_EQ(harness.store->health().moved_aside, aside);
    EXPECT_TRUE(std::filesystem::exists(aside));
    harness.store->write(big_record("u"));
    EXPECT_EQ(harness.ledger({.uid = "u"}).size(), 2U) << table;
    harness.reopen();
    EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
    EXPECT_EQ(harness.log.lines.size(), 1U) << "the new file is sound";
  }
}

TEST(StoreTrouble, a_file_that_proves_damaged_to_a_reader_is_replaced_and_the_reader_is_told) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  open_spoilt(harness, "ledger", {});
  Result<std::vector<lifecycle::LedgerRecord>> outcome = fail(ErrorCode::kUnknown, "no answer");
  run_on(harness.loop, read_into(harness.store.get(), {.uid = "u"}, &outcome));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_NE(outcome.error().message.find("malformed"), std::string::npos)
      << outcome.error().message;
  ASSERT_EQ(harness.log.lines.size(), 1U);
  EXPECT_EQ(harness.log.lines[0].event, "StoreDamaged");
  EXPECT_TRUE(harness.ledger({.uid = "u"}).empty());
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
}

TEST(StoreTrouble, a_damaged_file_that_cannot_be_replaced_goes_on_with_its_pods_until_it_can) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  open_spoilt(harness, "ledger", {});
  const auto in_the_way = harness.path + ".corrupt-20231114T221320Z";
  std::filesystem::create_directory(in_the_way);
  harness.store->write(big_record("u"));
  run_on(harness.loop, harness.store->turn());
  EXPECT_EQ(harness.store->health().history_dropped, 1U);
  ASSERT_TRUE(harness.keep(memory_of("v")).has_value());
  EXPECT_EQ(harness.store->health().moved_aside, "");
  std::filesystem::remove(in_the_way);
  harness.store->write(big_record("u"));
  EXPECT_EQ(harness.ledger({.uid = "u"}).size(), 1U);
  EXPECT_EQ(harness.store->health().moved_aside, in_the_way);
  harness.reopen();
  auto uids = harness.recalled_uids();
  std::ranges::sort(uids);
  EXPECT_EQ(uids, (std::vector<std::string>{"u", "v"}));
}

// A disk of 4 MiB.
class SmallDisk {
 public:
  explicit SmallDisk(std::string path) : path_(std::move(path)) {
    std::filesystem::create_directory(path_);
    mounted_ = ::mount("none", path_.c_str(), "tmpfs", 0, "size=4m") == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  [[nodiscard]] bool mounted() const { return mounted_; }

  // Another file takes every remaining block.
  void fill() const {
    std::ofstream file(path_ + "/filler", std::ios::binary);
    const std::string block(4096, 'f');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  void make_room() const { std::filesystem::remove(path_ + "/filler"); }

 private:
  std::string path_;
  bool mounted_ = false;
};

TEST(StoreTrouble, a_full_disk_fails_commits_after_the_reserve_and_mends_itself) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path("disk"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  StoreHarness harness(folder.path("disk/state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("first")).has_value());
  disk.fill();
  auto big = std::make_shared<lifecycle::PodMemory>(*memory_of("big"));
  big->status.message = std::string(100'000, 'm');
  int stored = 0;
  for (; stored < 100; ++stored) {
    if (!harness.keep(big)) break;
    big = std::make_shared<lifecycle::PodMemory>(*big);
    big->uid += "+";
  }
  EXPECT_GT(stored, 5) << "the reserve is for this";
  ASSERT_LT(stored, 100);
  harness.clock.set_wall(kStart + std::chrono::seconds(60));
  const auto failed = harness.keep(big);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kUnavailable);
  auto health = harness.store->health();
  EXPECT_EQ(health.failing_since, kStart);
  EXPECT_EQ(health.silent_since, harness.clock.steady_now());
  EXPECT_NE(health.error.find("full"), std::string::npos) << health.error;
  ASSERT_EQ(harness.log.lines.size(), 1U) << "said once";
  EXPECT_EQ(harness.log.lines[0].event, "StoreFailing");
  harness.store->write(record_of("u", "R"));
  EXPECT_TRUE(harness.ledger({.namespace_ = "", .pod = "", .uid = "u"}).empty());
  EXPECT_EQ(harness.store->health().history_dropped, 1U);
  disk.make_room();
  EXPECT_TRUE(harness.keep(memory_of("last")).has_value());
  EXPECT_FALSE(harness.store->health().failing_since.has_value());
  EXPECT_FALSE(harness.store->health().silent_since.has_value());
  EXPECT_EQ(harness.log.lines.back().event, "StoreMended");
  harness.reopen();
  EXPECT_EQ(harness.store->recall().size(), static_cast<std::size_t>(stored) + 2);
}

TEST(StoreTrouble, a_full_disk_does_not_keep_it_from_opening_again) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path("disk"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  StoreHarness harness(folder.path("disk/state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store.reset();
  disk.fill();
  harness.open();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
  EXPECT_TRUE(harness.keep(memory_of("v")).has_value());
}

TEST(StoreTrouble, a_full_disk_does_not_cost_the_pods_of_a_damaged_file) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path("disk"));
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small disk needs root";
  StoreHarness harness(folder.path("disk/state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store->keep(std::make_shared<api::Event>());
  harness.store.reset();
  spoil_page(harness.path, first_page(harness.path, "events"));
  disk.fill();
  harness.open();
  EXPECT_EQ(harness.recalled_uids(), std::vector<std::string>{"u"});
  EXPECT_NE(harness.store->health().moved_aside, "");
}

// Commits one pod after another for ever, and reports each result.
[[noreturn]] void commit_until_killed(const std::string& path, int report_fd) {
  StoreHarness harness(path);
  harness.open();
  for (int i = 0;; ++i) {
    if (!harness.keep(memory_of("u" + std::to_string(i)))) ::_exit(1);
    if (::write(report_fd, "+", 1) != 1) ::_exit(1);
  }
}

TEST(StoreTrouble, killed_at_any_moment_it_has_every_commit_that_was_answered) {
  const TemporaryFolder folder;
  for (const int after : {1, 2, 7, 30}) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const auto path = folder.path("state" + std::to_string(after) + ".db");
    const pid_t child = ::fork();
    if (child == 0) commit_until_killed(path, pipe[1]);
    ::close(pipe[1]);
    std::size_t answered = 0;
    char byte = 0;
    while (::read(pipe[0], &byte, 1) == 1) {
      if (++answered == static_cast<std::size_t>(after)) ::kill(child, SIGKILL);
    }
    ::close(pipe[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    StoreHarness harness(path);
    harness.open();
    const auto kept = harness.store->recall().size();
    EXPECT_GE(kept, answered);
    EXPECT_LE(kept, answered + 1) << "one may have become durable without being answered";
  }
}

TEST(StoreTrouble, nothing_is_left_beside_the_file_but_the_reserve) {
  const TemporaryFolder folder;
  StoreHarness harness(folder.path("state.db"));
  harness.open();
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store.reset();
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"state.db", "state.db.reserve"}));
}

}  // namespace
}  // namespace berth::agent
