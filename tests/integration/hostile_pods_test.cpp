// SPDX-License-Identifier: Apache-2.0

// Pods that turn what they may reach of the node against berthd.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "tests/integration/hostile_input.hpp"
#include "tests/integration/runtime_calls.hpp"

namespace berth::integration {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUntilAsked = "while [ ! -e /tmp/go ]; do sleep 0.1; done; exit 3";

// The spec of a pod that mounts `source` ("hostPath: {…}") at /v.
std::string mounting(const std::string& source) {
  return std::string("    volumeMounts: [{name: v, mountPath: /v}]\n") + kShortGrace +
         "  volumes: [{name: v, " + source + "}]\n";
}

std::string host_path(const fs::path& path, const std::string& type) {
  return "hostPath: {path: " + path.string() + ", type: " + type + "}";
}

// While this object lives, whoever looks into the folder waits: nobody serves its file system.
class DeadFileSystem {
 public:
  explicit DeadFileSystem(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directory(folder_);
    EXPECT_TRUE(device_.is_open()) << "opening /dev/fuse: " << std::strerror(errno);
    const std::string options =
        "fd=" + std::to_string(device_.get()) + ",rootmode=40000,user_id=0,group_id=0";
    EXPECT_EQ(::mount("dead", folder_.c_str(), "fuse", 0, options.c_str()), 0)
        << std::strerror(errno);
  }
  DeadFileSystem(const DeadFileSystem&) = delete;
  DeadFileSystem& operator=(const DeadFileSystem&) = delete;
  ~DeadFileSystem() { ::umount2(folder_.c_str(), MNT_DETACH); }

 private:
  fs::path folder_;
  Descriptor device_{::open("/dev/fuse", O_RDWR | O_CLOEXEC)};  // closed, it ends all waiting
};

class HostilePods : public HostileInput {
 protected:
  [[nodiscard]] static std::string with_image(std::string pod, const std::string& image) {
    const std::string usual = "localhost/busybox:1";
    return pod.replace(pod.find(usual), usual.size(), image);
  }
  [[nodiscard]] fs::path folder_of(const api::Pod& pod) const {
    return dir() / "root/pods" / pod.metadata.uid;
  }
  void write_map(const std::string& value) {
    write_manifest(
        "map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: " + value + "}\n");
  }
};

// As somebody does who tries out a pod's sandbox with crictl.
TEST_F(HostilePods, a_copy_of_a_sandbox_with_all_labels_and_annotations_restarts_nothing) {
  RuntimeCalls runtime;
  auto& client = runtime.client();
  const cri::SandboxFilter of_pod{
      .label_selector = {{cri::kLabelPodUid, pod("healthy").value().metadata.uid}}};
  const auto own = runtime.must(client.list_pod_sandbox({}, of_pod));
  ASSERT_EQ(own.size(), 1U);
  cri::PodSandboxConfig config{.metadata = own[0].metadata,
                               .log_directory = (dir() / "copy").string(),
                               .labels = own[0].labels,
                               .annotations = own[0].annotations};
  config.metadata.attempt = 1;
  const auto copy = runtime.must(client.run_pod_sandbox({}, config, ""));
  stop_berthd();
  start_berthd();
  wait_until("the copy is reported", [&] {
    return berthctl({"events", "--for", "pod/healthy"}).out.find("Sandbox " + copy.str()) !=
           std::string::npos;
  });
  EXPECT_EQ(runtime.must(client.list_pod_sandbox({}, of_pod)).size(), 2U) << "it is left alone";
  EXPECT_EQ(runtime.must(client.pod_sandbox_status({}, copy)).state, cri::SandboxState::kReady);
  runtime.must(client.stop_pod_sandbox({}, copy));
  runtime.must(client.remove_pod_sandbox({}, copy));
}

// A link to a device that has no end, in the place of a file that berthd compares.
TEST_F(HostilePods, one_with_berthds_own_folder_cannot_make_it_read_without_end) {
  write_map("one");
  const api::Pod shown =
      run_pod("shown", simple_pod("shown", kForEver, mounting("configMap: {name: map}")));
  const std::string data = "/v/" + shown.metadata.uid + "/volumes/kubernetes.io~configmap/v/..data";
  run_pod("burglar",
          simple_pod("burglar", "rm " + data + "/a; ln -s /dev/zero " + data + "/a; " + kForEver,
                     mounting(host_path(dir() / "root/pods", "Directory"))));
  wait_until("the link is there", [&] {
    return fs::is_symlink(folder_of(shown) / "volumes/kubernetes.io~configmap/v/..data/a");
  });
  write_map("two");
  wait_until("the edit is seen", [&] {
    return berthctl({"exec", "shown", "--", "cat", "/v/a"}).out == "two";
  });
  end_pod("burglar");
  end_pod("shown");
  remove_manifest("map.yaml");
}

TEST_F(HostilePods, one_whose_last_words_are_a_pipe_or_a_link_has_an_error_instead) {
  for (const bool pipe : {true, false}) {
    const std::string name = pipe ? "pipe" : "link";
    const api::Pod before = run_pod(
        name, simple_pod(name, kUntilAsked, std::string(kShortGrace) + "  restartPolicy: Never\n"));
    std::vector<fs::path> words;
    for (const auto& entry : fs::directory_iterator(folder_of(before) / "containers/c"))
      words.push_back(entry.path());
    ASSERT_EQ(words.size(), 1U);
    fs::remove(words[0]);
    if (pipe)
      ASSERT_EQ(::mkfifo(words[0].c_str(), 0600), 0);
    else
      fs::create_symlink("/etc/hostname", words[0]);
    // This command ends the container, which may kill the command.
    static_cast<void>(berthctl({"exec", name, "--", "touch", "/tmp/go"}));
    const api::Pod after = wait_for(
        name, "failed", [](const api::Pod& ended) { return ended.status.phase == "Failed"; });
    const auto& ended = status_of(after, "c")->state.terminated;
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->exitCode, 3);
    EXPECT_TRUE(ended->message.starts_with("Error on reading termination log")) << ended->message;
    end_pod(name);
  }
}

TEST_F(HostilePods, a_host_path_of_another_type_is_refused_and_the_right_one_mounted) {
  const fs::path folder = dir() / "a folder";
  fs::create_directory(folder);
  const fs::path file = dir() / "a file";
  std::ofstream(file) << "text";
  const std::vector<std::pair<std::string, fs::path>> wrong = {{"Directory", file},
                                                               {"DirectoryOrCreate", file},
                                                               {"File", folder},
                                                               {"FileOrCreate", folder},
                                                               {"Socket", file},
                                                               {"CharDevice", file},
                                                               {"BlockDevice", "/dev/null"}};
  int pods = 0;
  for (const auto& [type, path] : wrong) {
    const std::string name = "wrong-" + std::to_string(++pods);
    write_manifest(name + ".yaml", simple_pod(name, kForEver, mounting(host_path(path, type))));
    const std::string refusal = "hostPath type check failed: " + path.string();
    wait_until(type + " is refused",
               [&] { return events_of(name).find(refusal) != std::string::npos; });
    EXPECT_EQ(pod(name)->status.phase, "Pending") << type;
    end_pod(name);
  }
  // Of no disk: a node is enough.
  const fs::path device = dir() / "a device";
  ASSERT_EQ(::mknod(device.c_str(), S_IFBLK | 0600, makedev(7, 4095)), 0) << std::strerror(errno);
  const std::vector<std::pair<std::string, fs::path>> right = {
      {"Directory", folder},  {"DirectoryOrCreate", dir() / "new"},
      {"File", file},         {"FileOrCreate", dir() / "fresh"},
      {"Socket", socket()},   {"CharDevice", "/dev/null"},
      {"BlockDevice", device}};
  for (const auto& [type, path] : right) {
    run_pod("right", simple_pod("right", "test -e /v && " + std::string(kForEver),
                                mounting(host_path(path, type))));
    end_pod("right");
  }
}

// As many as berthd has threads for file work.
TEST_F(HostilePods, three_on_a_file_system_that_never_answers_are_named_and_hold_up_nobody) {
  const std::vector<std::string> names = {"dead-1", "dead-2", "dead-3"};
  {
    const DeadFileSystem dead(dir() / "dead");
    for (const auto& name : names)
      write_manifest(
          name + ".yaml",
          simple_pod(name, kForEver, mounting(host_path(dir() / "dead/x", "Directory"))));
    for (const auto& name : names)
      wait_until("status names the work for " + name, [&] {
        return std::regex_search(berthctl({"status"}).out,
                                 std::regex(full_name(name) + "[^\n]* has not returned"));
      });
    run_pod("web", simple_pod("web", kForEver, kShortGrace));
    stop_berthd();
    for (const auto& name : names)
      EXPECT_TRUE(std::regex_search(berthd_log(),
                                    std::regex("berthd ends although [^\n]*" + full_name(name))))
          << berthd_log();
    for (const auto& name : names) remove_manifest(name + ".yaml");
  }
  start_berthd();
  end_pod("web");
}

TEST_F(HostilePods, users_of_images_start_nothing_and_move_no_cursor) {
  for (const std::string image : {"localhost/busybox:rude-user", "localhost/busybox:huge-user"}) {
    const std::string text = with_image(simple_pod("odd", kForEver, kShortGrace), image);
    write_manifest("odd.yaml", text + "  securityContext: {runAsNonRoot: true}\n");
    const api::Pod checked = wait_for("odd", "refused", [](const api::Pod& pod) {
      return waiting_reason(pod, "c") == "CreateContainerConfigError";
    });
    EXPECT_NE(waiting_message(checked, "c").find("image has non-numeric user"), std::string::npos);
    end_pod("odd");
    write_manifest("odd.yaml", text);
    wait_for("odd", "not started", [](const api::Pod& pod) {
      return waiting_reason(pod, "c") == "CreateContainerError" ||
             waiting_reason(pod, "c") == "RunContainerError";
    });
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"describe", "pod", "odd"},
          {"events", "--for", "pod/odd"},
          {"why", "odd"}})
      EXPECT_EQ(berthctl(command).out.find('\x1b'), std::string::npos) << command[0];
    end_pod("odd");
  }
  EXPECT_EQ(berthd_log().find('\x1b'), std::string::npos);
}

TEST_F(HostilePods, one_whose_image_is_removed_runs_on_and_starts_again_once_it_is_back) {
  const std::string image = "localhost/going:1";
  const auto ctr = [](const std::vector<std::string>& arguments) {
    const auto done = Containerd::instance().ctr(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
  };
  ctr({"images", "tag", "localhost/busybox:1", image});
  const api::Pod before =
      run_pod("going", with_image(simple_pod("going", kForEver, kShortGrace), image));
  ctr({"images", "rm", "--sync", image});
  stop_berthd();
  start_berthd();
  const api::Pod after = wait_for("going", "ready", ready);
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
  // The command may be killed with the container before it returns.
  static_cast<void>(berthctl({"exec", "going", "--", "kill", "1"}));
  wait_for("going", "without its image",
           [](const api::Pod& pod) { return waiting_reason(pod, "c") == "ImagePullBackOff"; });
  ctr({"images", "tag", "localhost/busybox:1", image});
  wait_for("going", "ready again", ready, std::chrono::seconds(60));
  end_pod("going");
  ctr({"images", "rm", "--sync", image});
}

}  // namespace
}  // namespace berth::integration
