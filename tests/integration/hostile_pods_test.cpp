// SPDX-License-Identifier: Apache-2.0

// Pods that turn what they may reach of the node against berthd.
#include <sys/stat.h>
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/hostile_input.hpp"

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

class HostilePods : public HostileInput {
 protected:
  [[nodiscard]] fs::path folder_of(const api::Pod& pod) const {
    return dir() / "root/pods" / pod.metadata.uid;
  }
  void write_map(const std::string& value) {
    write_manifest(
        "map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: " + value + "}\n");
  }
};

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
    in_container(name, "touch /tmp/go");
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
  const std::vector<std::pair<std::string, fs::path>> right = {{"Directory", folder},
                                                               {"DirectoryOrCreate", dir() / "new"},
                                                               {"File", file},
                                                               {"FileOrCreate", dir() / "fresh"},
                                                               {"CharDevice", "/dev/null"}};
  for (const auto& [type, path] : right) {
    run_pod("right", simple_pod("right", "test -e /v && " + std::string(kForEver),
                                mounting(host_path(path, type))));
    end_pod("right");
  }
}

}  // namespace
}  // namespace berth::integration
