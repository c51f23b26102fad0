// SPDX-License-Identifier: Apache-2.0

// Malicious callers of the control socket, and what remains in berthd afterwards.
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/real_clock.hpp"
#include "tests/integration/hostile_input.hpp"
#include "tests/integration/runtime_tasks.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// While this object lives, the runtime accepts calls and never answers.
class Frozen {
 public:
  Frozen() { Containerd::instance().freeze_daemon(); }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;
  ~Frozen() { thaw(); }
  void thaw() {
    if (std::exchange(frozen_, false)) Containerd::instance().thaw_daemon();
  }

 private:
  bool frozen_ = true;
};

pid_t parent_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  pid_t parent = 0;
  for (std::string word; status >> word;)
    if (word == "PPid:" && status >> parent) return parent;
  return 0;
}

// While this object lives, the shim of the container's pod does nothing.
class StoppedShim {
 public:
  explicit StoppedShim(const std::string& container) {
    for (const RuntimeTask& task : parse_tasks(Containerd::instance().ctr({"tasks", "ls"}).out))
      if (container.ends_with(task.id)) shim_ = parent_of(task.pid);
    if (shim_ > 1) ::kill(shim_, SIGSTOP);
    EXPECT_GT(shim_, 1) << "no shim of " << container;
  }
  StoppedShim(const StoppedShim&) = delete;
  StoppedShim& operator=(const StoppedShim&) = delete;
  ~StoppedShim() {
    if (shim_ > 1) ::kill(shim_, SIGCONT);
  }

 private:
  pid_t shim_ = 0;
};

// While this object lives, the folder is read-only.
class ReadOnly {
 public:
  explicit ReadOnly(fs::path folder) : folder_(std::move(folder)) {
    const char* path = folder_.c_str();
    EXPECT_EQ(::mount(path, path, nullptr, MS_BIND, nullptr), 0);
    EXPECT_EQ(::mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr), 0);
  }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;
  ~ReadOnly() { ::umount2(folder_.c_str(), MNT_DETACH); }

 private:
  fs::path folder_;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Address>
Descriptor connected(int family, const Address& address) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const void* raw = &address;
  const int done = ::connect(socket.get(), static_cast<const sockaddr*>(raw), sizeof address);
  return done == 0 ? std::move(socket) : Descriptor();
}

Descriptor connected_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return connected(AF_UNIX, address);
}

Descriptor connected_to(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connected(AF_INET, address);
}

TEST_F(HostileInput, a_control_socket_that_is_deleted_or_replaced_comes_back) {
  Background watch(berthctl_line({"get", "pods", "-w", "-o", "name"}), "", true);
  ASSERT_TRUE(watch.line(RealClock{}.steady_now() + 10s));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(fs::remove(socket()));
    wait_until("it is there again", [&] { return answers(); });
  }
  const auto theirs = dir() / "theirs";
  std::ofstream(theirs) << "somebody's";
  fs::rename(theirs, socket());
  wait_until("it is logged what is in the way", [&] {
    return berthd_log().find("is in the way of the control socket") != std::string::npos;
  });
  const auto refused = berthctl({"get", "pods"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_NE(refused.err.find("is no socket"), std::string::npos) << refused.err;
  EXPECT_EQ(text_of(socket()), "somebody's");
  fs::remove(socket());
  wait_until("it is there again", [&] { return answers(); });

  run_pod("later", simple_pod("later", kForEver, kShortGrace));
  const auto deadline = RealClock{}.steady_now() + 10s;
  auto line = watch.line(deadline);
  while (line && line->find(full_name("later")) == std::string::npos) line = watch.line(deadline);
  EXPECT_TRUE(line) << "who was connected before receives no more";
  end_pod("later");
}

TEST_F(HostileInput, a_hundred_commands_at_once_all_end) {
  run_pod("busy", simple_pod("busy", kForEver, kShortGrace));
  constexpr int kCommands = 100;
  std::vector<std::unique_ptr<Background>> commands;
  commands.reserve(kCommands);
  for (int i = 0; i < kCommands; ++i) {
    commands.push_back(std::make_unique<Background>(
        berthctl_line({"exec", "busy", "--", "sh", "-c", "echo here; exit 3"}), "", true));
  }
  for (const auto& command : commands) EXPECT_EQ(command->wait(60s), 3);
  end_pod("busy");
}

TEST_F(HostileInput, a_shim_that_stood_still_is_not_given_more_commands_than_it_can_start) {
  const auto busy = run_pod("busy", simple_pod("busy", kForEver, kShortGrace));
  const auto words = berthctl_line({"exec", "busy", "--", "sh", "-c", "echo here; exit 3"});
  std::vector<std::unique_ptr<Background>> commands;
  {
    const StoppedShim stopped(status_of(busy, "c")->containerID);
    for (int i = 0; i < 60; ++i) commands.push_back(std::make_unique<Background>(words, "", true));
    // Each of these waits for three seconds: long enough to start all of them, eight a second.
    for (const char* name : {"late1", "late2", "late3"}) {
      const auto output = dir() / name;
      commands.push_back(std::make_unique<Background>(words, output.string(), true));
      wait_until("it says that it is waited for", [&] {
        return text_of(output).find("has not accepted the command yet") != std::string::npos;
      });
    }
  }
  for (const auto& command : commands) EXPECT_EQ(command->wait(60s), 3);
  end_pod("busy");
}

TEST_F(HostileInput, a_command_that_ends_at_once_ends_whatever_input_it_is_sent) {
  run_pod("reader", simple_pod("reader", kForEver, kShortGrace));
  std::string line;
  for (const auto& word : berthctl_line({"exec", "-i", "reader", "--"})) line += word + " ";
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(run({"sh", "-c", "yes | " + line + "sh -c 'exit 7'"}).exit_code, 7);
  const auto much =
      run({"sh", "-c", "yes | head -c 100000000 | " + line + "sh -c 'head -c 100000000 | wc -c'"});
  EXPECT_EQ(much.out, "100000000\n") << much.err;
  // The command never reads, and the sender disconnects, even while berthctl is blocked in sending.
  Background deaf({"sh", "-c", "yes | exec " + line + "sleep 1000"}, (dir() / "deaf").string(),
                  true);
  wait_until("it says that nothing is read",
             [&] { return text_of(dir() / "deaf").find("has not read") != std::string::npos; });
  const auto sender = run({"pgrep", "-f", socket() + " exec -i reader -- sleep 1000"}).out;
  EXPECT_EQ(run({"sh", "-c", "kill -TERM " + sender.substr(0, sender.find('\n'))}).exit_code, 0);
  EXPECT_TRUE(deaf.wait(5s));
  end_pod("reader");
}

TEST_F(HostileInput, a_command_that_the_runtime_does_not_take_is_given_up_when_it_was_said) {
  stop_berthd();
  start_berthd("runtimeRequestTimeout: 8s\n");
  Frozen frozen;
  Background left(berthctl_line({"exec", "healthy", "--", "true"}), (dir() / "left").string(),
                  true);
  wait_until("it says that it is waited for", [&] {
    return text_of(dir() / "left").find("has not accepted the command yet; berthd waits for 8s") !=
           std::string::npos;
  });
  EXPECT_EQ(left.end(SIGTERM, 2s), 128 + SIGTERM);
  const auto late = berthctl({"exec", "healthy", "--", "true"});
  EXPECT_EQ(late.exit_code, 124);
  EXPECT_NE(late.err.find("did not accept the command within 8s (runtimeRequestTimeout)"),
            std::string::npos)
      << late.err;
}

TEST_F(HostileInput, what_runs_is_not_reported_before_it_is_known) {
  stop_berthd();
  Frozen frozen;
  launch_berthd();
  wait_until("it listens", [&] { return fs::exists(socket()); });
  for (const std::vector<std::string>& words : {std::vector<std::string>{"get", "pods"},
                                                {"get", "pods", "-o", "json"},
                                                {"get", "pod", "healthy"},
                                                {"get", "probes"},
                                                {"describe", "pod", "healthy"},
                                                {"why", "healthy"},
                                                {"delete", "pod", "healthy"}}) {
    const auto output = berthctl(words);
    EXPECT_EQ(output.exit_code, 4) << words.front();
    EXPECT_EQ(output.out, "");
    EXPECT_NE(output.err.find("berthd does not know yet what runs here; it waits for the container "
                              "runtime at " +
                              Containerd::instance().endpoint()),
              std::string::npos)
        << output.err;
  }
  Background watch(berthctl_line({"get", "pods", "-w", "-o", "name"}), (dir() / "notice").string(),
                   true);
  wait_until("the watch says what is waited for", [&] {
    return text_of(dir() / "notice").find("does not know yet") != std::string::npos;
  });
  frozen.thaw();
  EXPECT_TRUE(watch.line(RealClock{}.steady_now() + 30s).value_or("").starts_with("pod/healthy"));
  wait_until("it is known", [&] { return answers(); });
}

TEST_F(HostileInput, out_of_descriptors_it_answers_operators_and_everybody_again_later) {
  stop_berthd();
  const std::string port = free_port();
  start_berthd("readOnlyPort: " + port + "\n");
  const auto healthz = [&] {
    return run({"busybox", "wget", "-q", "-O", "-", "http://127.0.0.1:" + port + "/healthz"}).out;
  };
  rlimit before{};
  ASSERT_EQ(::prlimit(berthd_pid(), RLIMIT_NOFILE, nullptr, &before), 0);
  const rlimit few{.rlim_cur = 64, .rlim_max = before.rlim_max};
  ASSERT_EQ(::prlimit(berthd_pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  {
    std::vector<Descriptor> idle;
    idle.reserve(400);
    for (int i = 0; i < 200; ++i) idle.push_back(connected_to(socket()));
    for (int i = 0; i < 200; ++i)
      idle.push_back(connected_to(static_cast<std::uint16_t>(std::stoi(port))));
    wait_until("an operator is answered beside them", [&] { return answers(); });
    wait_until("and so is the HTTP port", [&] { return healthz() == "ok"; });
  }
  EXPECT_TRUE(answers());
  EXPECT_EQ(healthz(), "ok");
  run_pod("later", simple_pod("later", kForEver, kShortGrace));
  end_pod("later");
  ASSERT_EQ(::prlimit(berthd_pid(), RLIMIT_NOFILE, &before, nullptr), 0);
}

TEST_F(HostileInput, five_hundred_callers_that_never_finish_close_the_http_port_to_nobody) {
  stop_berthd();
  const std::string port = free_port();
  start_berthd("readOnlyPort: " + port + "\n");
  std::vector<Descriptor> callers;
  callers.reserve(500);
  const auto drip = [&](const std::string& bytes) {
    for (const Descriptor& caller : callers)
      static_cast<void>(::send(caller.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  };
  for (int i = 0; i < 500; ++i)
    callers.push_back(connected_to(static_cast<std::uint16_t>(std::stoi(port))));
  ASSERT_TRUE(std::ranges::all_of(callers, &Descriptor::is_open));
  drip("GET /healthz HTTP/1.1\r\n");
  for (int i = 0; i < 20; ++i) {
    drip("X-" + std::to_string(i) + ": x\r\n");
    wait_until("somebody who asks properly is answered", [&] {
      return run({"busybox", "wget", "-q", "-O", "-", "http://127.0.0.1:" + port + "/healthz"})
                 .out == "ok";
    });
  }
  EXPECT_TRUE(answers());
}

TEST_F(HostileInput, folders_that_are_read_only_hold_up_new_pods_alone_and_are_named) {
  for (const char* folder : {"root", "log"}) {
    {
      const ReadOnly held(dir() / folder);
      write_manifest("later.yaml", simple_pod("later", kForEver, kShortGrace));
      wait_until("events say why it does not start", [&] {
        return events_of("later").find("Read-only file system") != std::string::npos;
      });
      const auto doctor = berthctl({"doctor"});
      EXPECT_NE(doctor.out.find((dir() / folder).string()), std::string::npos) << doctor.out;
      EXPECT_NE(doctor.out.find("is mounted read-only"), std::string::npos) << doctor.out;
      EXPECT_TRUE(ready(*pod("healthy")));
    }
    wait_for("later", "is ready", ready);
    end_pod("later");
  }
  // berthd only reads the manifest folder.
  const ReadOnly manifests_held(manifests());
  EXPECT_EQ(berthctl({"status"}).exit_code, 0);
  stop_berthd();
  start_berthd();
  EXPECT_TRUE(ready(*pod("healthy")));
}

}  // namespace
}  // namespace berth::integration
