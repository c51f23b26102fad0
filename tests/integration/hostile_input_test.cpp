// SPDX-License-Identifier: Apache-2.0

// Malicious input on a real runtime. A healthy, probed pod runs beside each test and must not be
// affected.
#include <sys/mount.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <string>
#include <utility>

#include "base/real_clock.hpp"
#include "tests/integration/hostile_input.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

// While this object lives, one folder shows another's content.
class MountedOver {
 public:
  MountedOver(const std::filesystem::path& what, std::filesystem::path where)
      : where_(std::move(where)) {
    EXPECT_EQ(::mount(what.c_str(), where_.c_str(), nullptr, MS_BIND, nullptr), 0);
  }
  MountedOver(const MountedOver&) = delete;
  MountedOver& operator=(const MountedOver&) = delete;
  ~MountedOver() { ::umount2(where_.c_str(), MNT_DETACH); }

 private:
  std::filesystem::path where_;
};

// With an HTTP port, and without links to the containers' logs.
class HostileInputOverHttp : public HostileInput {
 protected:
  void SetUp() override {
    const std::filesystem::path drop_ins = config_file().string() + ".d";
    std::filesystem::create_directories(drop_ins);
    std::ofstream(drop_ins / "http.yaml")
        << "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
        << "address: 127.0.0.1\nreadOnlyPort: " << port_ << "\n---\n"
        << "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\ncontainerLogsDir: \"\"\n";
    HostileInput::SetUp();
  }
  // The pod as `/pods` lists it; null if it does not.
  [[nodiscard]] boost::json::value listed(const std::string& name) const {
    const auto answer = run({"busybox", "wget", "-q", "-O", "-", url() + "/pods"}).out;
    EXPECT_EQ(answer.find('\x1b'), std::string::npos);
    const auto list = boost::json::parse(answer);
    for (const auto& item : list.at("items").as_array())
      if (item.at("metadata").at("name").as_string() == full_name(name)) return item;
    return nullptr;
  }

 private:
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + port_; }

  std::string port_ = free_port();
};

TEST_F(HostileInput, a_uid_that_leads_out_of_its_folder_is_refused) {
  const std::string out = "../../../../../../../../../../etc/berth-hostile";
  write_manifest("out.yaml", stating_uid("out", out));
  expect_refused("out.yaml", "metadata.uid: Invalid value");
  write_manifest("long.yaml", stating_uid("long", std::string(300, 'a')));
  expect_refused("long.yaml", "(300 bytes)");
  EXPECT_FALSE(std::filesystem::exists("/etc/berth-hostile"));
  EXPECT_FALSE(pod("out"));
  remove_manifest("out.yaml");
  remove_manifest("long.yaml");
}

TEST_F(HostileInput, a_second_pod_with_a_uid_is_refused_and_the_first_runs_on) {
  const api::Pod first = run_pod("first", stating_uid("first", "one-uid"));
  write_manifest("a-second.yaml", stating_uid("second", "one-uid"));
  expect_refused("a-second.yaml", "Duplicate value: \"one-uid\"");
  const auto still = pod("first");
  ASSERT_TRUE(still);
  EXPECT_EQ(status_of(*still, "c")->containerID, status_of(first, "c")->containerID);
  EXPECT_FALSE(pod("second"));
  remove_manifest("a-second.yaml");
  end_pod("first");
}

TEST_F(HostileInput, variables_that_grow_tenfold_stop_at_what_linux_takes) {
  std::string variables = "    env:\n    - {name: V0, value: \"0123456789\"}\n";
  for (int level = 1; level < 12; ++level) {
    std::string value;
    for (int i = 0; i < 10; ++i) value += "$(V" + std::to_string(level - 1) + ")";
    variables += "    - {name: V" + std::to_string(level) + ", value: \"" + value + "\"}\n";
  }
  write_manifest("tenfold.yaml", simple_pod("tenfold", kForEver, variables + kShortGrace));
  const api::Pod waiting = wait_for("tenfold", "says what is too long", [](const api::Pod& pod) {
    return waiting_reason(pod, "c") == "CreateContainerConfigError";
  });
  EXPECT_NE(waiting_message(waiting, "c").find("env variable V5"), std::string::npos)
      << waiting_message(waiting, "c");
  end_pod("tenfold");
}

TEST_F(HostileInputOverHttp, last_words_of_any_bytes_are_shown_as_what_they_are) {
  const std::string words = "\\xff\x1b[2J\xc2\x9b.\n";
  write_manifest(
      "rude.yaml",
      simple_pod("rude",
                 "echo hello; printf '\\377\\033[2J\\302\\233.\\n' > /dev/termination-log; "
                 "exit 3",
                 "  restartPolicy: Never\n"));
  const api::Pod ended = wait_for("rude", "has ended", [](const api::Pod& pod) {
    const auto* status = status_of(pod, "c");
    return status != nullptr && status->state.terminated.has_value();
  });
  EXPECT_EQ(status_of(ended, "c")->state.terminated->message, words);
  const auto rude = listed("rude");
  ASSERT_TRUE(rude.is_object());
  const auto& shown = rude.at("status").at("containerStatuses").at(0).at("state");
  EXPECT_EQ(shown.at("terminated").at("message").as_string(), words);
  for (const std::vector<std::string>& command : {std::vector<std::string>{"get", "pods"},
                                                  {"get", "pods", "-o", "json"},
                                                  {"events"},
                                                  {"status"},
                                                  {"describe", "pod", "rude"},
                                                  {"why", "pod/rude"}}) {
    const auto done = berthctl(command);
    EXPECT_EQ(done.exit_code, 0) << command[0] << ": " << done.err;
    EXPECT_EQ(done.out.find('\x1b'), std::string::npos) << command[0];
    EXPECT_EQ(done.out.find("\xc2\x9b"), std::string::npos) << command[0];
  }
  EXPECT_NE(berthctl({"describe", "pod", "rude"}).out.find("\\xff^[[2J\\u009b."),
            std::string::npos);
  expect_logs({"rude"}, "hello\n");
  end_pod("rude");
  EXPECT_FALSE(std::filesystem::exists(dir() / "log/containers"));
}

TEST_F(HostileInput, a_pipe_in_the_place_of_a_log_holds_nobody) {
  const api::Pod chatty = run_pod("chatty", simple_pod("chatty", kForEver, kShortGrace));
  const auto folder =
      dir() / "log/pods" /
      (chatty.metadata.namespace_ + "_" + chatty.metadata.name + "_" + chatty.metadata.uid) / "c";
  std::filesystem::rename(folder / "0.log", folder / "kept");
  ASSERT_EQ(::mkfifo((folder / "0.log").c_str(), 0600), 0);
  for (int i = 0; i < 5; ++i) {
    const auto logs = berthctl({"logs", "chatty"});
    EXPECT_NE(logs.exit_code, 0);
    EXPECT_NE(logs.err.find("it is not a regular file"), std::string::npos) << logs.err;
  }
  std::filesystem::remove(folder / "0.log");
  std::filesystem::rename(folder / "kept", folder / "0.log");
  EXPECT_EQ(berthctl({"logs", "chatty"}).exit_code, 0);
  end_pod("chatty");
}

TEST_F(HostileInput, links_in_the_place_of_a_pod_s_folders_lead_nobody_astray) {
  const api::Pod victim = run_pod("victim", simple_pod("victim", kForEver, kShortGrace));
  const auto other = dir() / "other";
  std::filesystem::create_directories(other);
  std::ofstream(other / "0.log") << "2026-01-01T00:00:00Z stdout F secret\n";
  const auto logs =
      dir() / "log/pods" /
      (victim.metadata.namespace_ + "_" + victim.metadata.name + "_" + victim.metadata.uid) / "c";
  std::filesystem::rename(logs, dir() / "moved");
  std::filesystem::create_directory_symlink(other, logs);
  const auto read = berthctl({"logs", "victim"});
  EXPECT_NE(read.exit_code, 0);
  EXPECT_EQ(read.out.find("secret"), std::string::npos);
  EXPECT_NE(read.err.find("a link is in its way"), std::string::npos) << read.err;
  // A container that can write to this folder would go on like this: what is mounted behind the
  // link must survive.
  const auto mine = dir() / "root/pods" / victim.metadata.uid;
  std::filesystem::rename(mine, dir() / "moved-pod");
  std::filesystem::create_directory_symlink(dir() / "containerd", mine);
  end_pod("victim");
  EXPECT_TRUE(std::filesystem::exists(other / "0.log"));
}

TEST_F(HostileInput, input_of_any_size_arrives_whole) {
  run_pod("reader", simple_pod("reader", kForEver, kShortGrace));
  std::string bytes;
  for (int i = 0; bytes.size() < 1'000'000; ++i) bytes += std::to_string(i) + "\n";
  const auto back =
      berthctl({"exec", "-i", "reader", "--", "head", "-c", std::to_string(bytes.size())}, bytes);
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_EQ(back.out.size(), bytes.size());
  EXPECT_TRUE(back.out == bytes) << "it is not what was sent";
  end_pod("reader");
}

TEST_F(HostileInput, large_manifests_delay_no_probe) {
  const std::string config_map = "---\napiVersion: v1\nkind: ConfigMap\n";
  std::string documents;
  for (int i = 0; i < 110'000; ++i) documents += config_map + "metadata: {name: m}\n";
  write_manifest("documents.yaml", documents);
  expect_refused("documents.yaml", "more than 1000 documents");
  // As large as a file may be, and copied as its last good version.
  std::string bytes;
  for (int i = 0; i < 900; ++i)
    bytes += config_map + "metadata: {name: m" + std::to_string(i) +
             "}\ndata: {a: " + std::string(9'000, 'x') + "}\n";
  write_manifest("bytes.yaml", bytes);
  const auto copy = dir() / "root/last-good-manifests/bytes.yaml";
  wait_until("it is copied", [&] { return std::filesystem::exists(copy); });
  stop_berthd();
  start_berthd();  // reads the copies as well
  run_pod("web", simple_pod("web", kForEver, kShortGrace));
  end_pod("web");
}

TEST_F(HostileInput, a_folder_that_vanishes_or_is_replaced_ends_nothing) {
  const auto away = dir() / "away";
  std::filesystem::rename(manifests(), away);
  wait_until("status says so", [&] {
    return berthctl({"status"}).out.find("(does not exist)") != std::string::npos;
  });
  // As a whole: a file that is missing for a moment ends its pods.
  std::filesystem::copy(away, dir() / "fresh");
  std::filesystem::rename(dir() / "fresh", manifests());
  run_pod("web", simple_pod("web", kForEver, kShortGrace));
  end_pod("web");
}

TEST_F(HostileInput, a_folder_that_is_mounted_over_is_read_and_the_one_below_it_again_later) {
  const auto above = dir() / "above";
  std::filesystem::copy(manifests(), above);
  std::ofstream(above / "above.yaml") << simple_pod("above", kForEver, kShortGrace);
  {
    const MountedOver covered(above, manifests());
    wait_for("above", "ready", ready);
  }
  wait_gone("above");
  run_pod("below", simple_pod("below", kForEver, kShortGrace));
  end_pod("below");
}

// While it is written, other files change.
TEST_F(HostileInput, a_manifest_that_is_written_slowly_keeps_its_pod_until_it_is_complete) {
  const api::Pod before = run_pod("web", simple_pod("web", kForEver, kShortGrace));
  const std::string text = simple_pod("web", kForEver + std::string("; true"), kShortGrace);
  {
    std::ofstream file(manifests() / "web.yaml");
    const std::size_t piece = text.size() / 4;
    for (std::size_t at = 0; at < 3 * piece; at += piece) {
      file << text.substr(at, piece) << std::flush;
      const std::string other = "other-" + std::to_string(at);
      run_pod(other, simple_pod(other, kForEver, kShortGrace));
      const auto now = pod("web");
      EXPECT_TRUE(now) << at;
      if (!now) break;
      EXPECT_EQ(status_of(*now, "c")->containerID, status_of(before, "c")->containerID) << at;
      end_pod(other);
    }
    file << text.substr(3 * piece);
  }
  wait_for("web", "another", [&](const api::Pod& web) {
    return web.metadata.uid != before.metadata.uid && ready(web);
  });
  end_pod("web");
}

// At any moment between its first instruction and its readiness.
TEST_F(HostileInput, a_berthd_that_is_terminated_while_it_starts_ends_in_order) {
  stop_berthd();
  for (const auto delay : {0ms, 3ms, 10ms, 20ms, 40ms, 80ms, 160ms}) {
    launch_berthd();
    terminate_berthd_after(delay);
  }
  // It handles signals before it says anything. At its first line, what it prepares is under way;
  // nothing may be started afterwards. More than once, because the moment is short.
  for (int start = 0; start < 12; ++start) {
    const std::string before = berthd_log();
    const auto deadline = RealClock{}.steady_now() + 20s;
    launch_berthd();
    while (berthd_log() == before) ASSERT_LT(RealClock{}.steady_now(), deadline);  // no pause
    NodeTest::stop_berthd();
  }
  start_berthd();
}

TEST_F(HostileInput, a_file_name_of_any_length_and_bytes_is_read_copied_and_shown) {
  const std::string longest = std::string(250, 'n') + ".yaml";
  std::ofstream(dir() / "draft") << simple_pod("long", kForEver, kShortGrace);
  std::filesystem::rename(dir() / "draft", manifests() / longest);
  const auto copy = dir() / "root/last-good-manifests" / longest;
  wait_until("it is copied", [&] { return std::filesystem::exists(copy); });
  wait_for("long", "ready", ready);
  const std::string rude = "rude\x1b[2J\x9b\xff\xe2\x80\xae.yaml";
  write_manifest(rude, "kind: Pod\x1b[2J\n");
  expect_refused("rude", "control characters are not allowed");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"doctor"}, {"status"}, {"events", "-A"}}) {
    const std::string out = berthctl(command).out;
    for (const char* bytes : {"\x1b", "\x9b", "\xff", "\xe2\x80\xae"})
      EXPECT_EQ(out.find(bytes), std::string::npos) << out;
  }
  EXPECT_NE(berthctl({"doctor"}).out.find("rude^[[2J"), std::string::npos);
  EXPECT_EQ(berthd_log().find('\x1b'), std::string::npos);
  remove_manifest(rude);
  remove_manifest(longest);
  wait_gone("long");
}

TEST_F(HostileInput, an_emptied_manifest_keeps_its_pod) {
  const api::Pod before = run_pod("web", simple_pod("web", kForEver, kShortGrace));
  write_manifest("web.yaml", "");
  expect_refused("web.yaml", "remove the file to end its pods");
  const auto after = pod("web");
  ASSERT_TRUE(after);
  EXPECT_EQ(status_of(*after, "c")->containerID, status_of(before, "c")->containerID);
  end_pod("web");
}

TEST_F(HostileInput, a_state_file_that_is_deleted_is_written_anew) {
  const auto state = dir() / "root/state.db";
  write_manifest("web.yaml", simple_pod("web", "sleep 1; exit 1", kShortGrace));
  const auto restarted = [](const api::Pod& web) { return restarts(web) > 0; };
  const int before = restarts(wait_for("web", "restarted", restarted));
  ASSERT_TRUE(std::filesystem::remove(state));
  wait_until("it is there again", [&] { return std::filesystem::exists(state); });
  wait_until("berthd says so", [&] {
    return berthd_log().find("the state file was deleted, moved or replaced") != std::string::npos;
  });
  stop_berthd();
  start_berthd();
  const auto after = wait_for("web", "shown", [](const api::Pod&) { return true; });
  EXPECT_GE(restarts(after), before) << "what it knew is in the new file";
  end_pod("web");
}

}  // namespace
}  // namespace berth::integration
