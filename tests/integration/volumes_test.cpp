// SPDX-License-Identifier: Apache-2.0

// Volumes and environments of real containers: ConfigMaps, Secrets, the pod's own fields, memory,
// parts of volumes, groups, shared mounts.
#include <fstream>
#include <sstream>

#include "api/codec/base64.hpp"
#include "base/real_clock.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/integration/test_node.hpp"
#include "tests/test_paths.hpp"

namespace berth::integration {
namespace {

constexpr auto kSoon = std::chrono::seconds(20);

std::string config_map(const std::string& value) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n  key: " + value +
         "\n  other.conf: fixed\n";
}

std::string secret(const std::string& value) {
  return "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: {password: " + value +
         "}\n";
}

// A pod with one container that runs for ever; `container` and `spec` are more YAML for the two.
std::string pod_text(const std::string& container, const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: v, labels: {app: web}}\nspec:\n"
         "  terminationGracePeriodSeconds: 1\n" +
         spec +
         "  containers:\n  - name: c\n    image: localhost/busybox:1\n    command: [/bin/sh, "
         "-c, \"" +
         std::string(kForEver) + "\"]\n" + container;
}

class Volumes : public NodeTest {
 protected:
  std::string in_container(const std::string& command, const std::string& container = "c") const {
    const auto done = berthctl({"exec", "v", "-c", container, "--", "sh", "-c", command});
    return done.out + done.err;
  }

  // Expects the command to print exactly this, eventually.
  void expect_soon(const std::string& command, const std::string& text) const {
    const auto deadline = RealClock{}.steady_now() + kSoon;
    std::string printed = in_container(command);
    while (printed != text && RealClock{}.steady_now() < deadline) printed = in_container(command);
    EXPECT_EQ(printed, text) << command;
  }

  api::Pod wait_ready() { return wait_for("v", "ready", ready); }

  // Reads every file below berthd's own folders that is not on a tmpfs, looking for the value in
  // plain text and in base64 (as in a manifest's `data`), and berthd's log.
  void expect_on_no_disk(const std::string& value) const {
    const std::string encoded = api::to_base64(value);
    for (const char* folder : {"root", "log"}) {
      using Walk = std::filesystem::recursive_directory_iterator;
      constexpr auto kSkip = std::filesystem::directory_options::skip_permission_denied;
      std::size_t looked_at = 0;
      for (const auto& entry : Walk(dir() / folder, kSkip)) {
        if (!entry.is_regular_file() || node::is_on_tmpfs(entry.path().string())) continue;
        ++looked_at;
        std::ifstream file(entry.path(), std::ios::binary);
        std::ostringstream bytes;
        bytes << file.rdbuf();
        EXPECT_EQ(bytes.str().find(value), std::string::npos) << entry.path();
        EXPECT_EQ(bytes.str().find(encoded), std::string::npos) << entry.path();
      }
      EXPECT_GT(looked_at, 0U) << folder;
    }
    EXPECT_EQ(berthd_log().find(value), std::string::npos);
  }

  // Expects the pod's events to contain this, eventually.
  void expect_event(const std::string& text) const {
    const auto deadline = RealClock{}.steady_now() + kSoon;
    std::string printed;
    do {
      printed = berthctl({"events", "--for", "pod/v"}).out;
    } while (printed.find(text) == std::string::npos && RealClock{}.steady_now() < deadline);
    EXPECT_NE(printed.find(text), std::string::npos) << printed;
  }
};

TEST_F(Volumes, config_map_edited_reaches_the_files_and_no_container_is_touched) {
  start_berthd();
  write_manifest("settings.yaml", config_map("one"));
  write_manifest("v.yaml",
                 pod_text("    volumeMounts:\n"
                          "    - {name: settings, mountPath: /settings}\n"
                          "    - {name: settings, mountPath: /part, subPath: key}\n"
                          "    - {name: settings, mountPath: /chosen/file, subPath: other.conf}\n",
                          "  volumes:\n  - {name: settings, configMap: {name: settings}}\n"));
  const auto before = wait_ready();
  EXPECT_EQ(in_container("cat /settings/key /part /chosen/file"), "oneonefixed");
  EXPECT_EQ(in_container("readlink /settings/key"), "..data/key\n");
  EXPECT_NE(in_container("echo x > /settings/key").find("Read-only file system"),
            std::string::npos);

  write_manifest("settings.yaml", config_map("two"));
  expect_soon("cat /settings/key", "two");
  EXPECT_EQ(in_container("cat /part"), "one") << "a part is as it was when the container began";
  EXPECT_EQ(status_of(*pod("v"), "c")->containerID, status_of(before, "c")->containerID);

  // The next berthd applies an edit made while none was running.
  kill_berthd();
  write_manifest("settings.yaml", config_map("three"));
  start_berthd();
  expect_soon("cat /settings/key", "three");
  EXPECT_EQ(status_of(*pod("v"), "c")->containerID, status_of(before, "c")->containerID);

  in_container("kill 1");
  wait_for("v", "restarted", [](const api::Pod& seen) {
    const auto* status = status_of(seen, "c");
    return ready(seen) && status != nullptr && status->restartCount == 1;
  });
  EXPECT_EQ(in_container("cat /part"), "three") << "the next instance sees the part as it is now";
}

TEST_F(Volumes, of_the_sample_pod_follow_its_file) {
  start_berthd();
  std::ifstream in(source_dir() / "examples/settings.yaml");
  std::ostringstream text;
  text << in.rdbuf();
  std::string manifest = text.str();
  write_manifest("settings.yaml", manifest);
  const auto before = wait_for("settings", "ready", ready);
  const auto expect_greeting = [this](const std::string& greeting) {
    const auto deadline = RealClock{}.steady_now() + kSoon;
    std::string printed;
    while (printed != greeting && RealClock{}.steady_now() < deadline) {
      printed = berthctl({"logs", "settings", "--tail", "1"}).out;
    }
    EXPECT_EQ(printed, greeting);
  };
  expect_greeting("good morning, ada\n");
  const std::string morning = "greeting: good morning";
  manifest.replace(manifest.find(morning), morning.size(), "greeting: good night");
  write_manifest("settings.yaml", manifest);
  expect_greeting("good night, ada\n");
  EXPECT_EQ(pod("settings")->metadata.uid, before.metadata.uid);
}

TEST_F(Volumes, that_need_what_is_not_there_wait_for_it) {
  start_berthd();
  write_manifest("v.yaml", pod_text("    env:\n    - name: KEY\n      valueFrom: {configMapKeyRef: "
                                    "{name: settings, key: key}}\n"
                                    "    volumeMounts: [{name: keys, mountPath: /keys}]\n",
                                    "  volumes:\n  - {name: keys, secret: {secretName: keys}}\n"));
  expect_event("MountVolume.SetUp failed for volume \"keys\" : secret \"keys\" not found");
  write_manifest("keys.yaml", secret("hunter2"));
  const auto waiting = wait_for("v", "waiting for the ConfigMap", [](const api::Pod& seen) {
    return waiting_reason(seen, "c") == "CreateContainerConfigError";
  });
  EXPECT_NE(waiting_message(waiting, "c").find("\"settings\" not found"), std::string::npos)
      << waiting_message(waiting, "c");
  write_manifest("settings.yaml", config_map("one"));
  wait_ready();
  EXPECT_EQ(in_container("echo $KEY; cat /keys/password"), "one\nhunter2");
}

TEST_F(Volumes, secrets_are_in_memory_and_in_no_log_record_or_listing) {
  start_berthd();
  write_manifest("keys.yaml", secret("hunter2"));
  write_manifest(
      "v.yaml",
      pod_text("    env:\n    - name: PASSWORD\n      valueFrom: {secretKeyRef: {name: keys, key: "
               "password}}\n    - {name: COPY, value: \"$(PASSWORD)!\"}\n"
               "    envFrom: [{prefix: S_, secretRef: {name: keys}}]\n"
               "    volumeMounts: [{name: keys, mountPath: /keys}]\n",
               "  volumes:\n  - name: keys\n    secret: {secretName: keys, defaultMode: 0400}\n"));
  wait_ready();
  EXPECT_EQ(in_container("echo $PASSWORD $COPY $S_password; cat /keys/password"),
            "hunter2 hunter2! hunter2\nhunter2");
  EXPECT_EQ(in_container("stat -L -c %a /keys/password; stat -f -c %T /keys"), "400\ntmpfs\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"get", "pods", "-o", "yaml"},
        {"describe", "pod", "v"},
        {"why", "pod/v"},
        {"events"},
        {"status"}}) {
    EXPECT_EQ(berthctl(command).out.find("hunter2"), std::string::npos) << command.front();
  }
  EXPECT_EQ(berthd_log().find("hunter2"), std::string::npos);
  expect_on_no_disk("hunter2");
  stop_berthd();  // everything is persisted now
  expect_on_no_disk("hunter2");
  start_berthd();
}

TEST_F(Volumes, secrets_of_a_broken_file_outlive_berthd_in_memory_alone) {
  const std::string whole =
      secret("hunter2") + "---\n" + config_map("one") + "---\n" +
      pod_text(
          "    env:\n    - name: PASSWORD\n      valueFrom: {secretKeyRef: {name: keys, key: "
          "password}}\n",
          "");
  start_berthd();
  write_manifest("v.yaml", whole);
  const auto before = wait_ready();
  expect_on_no_disk("hunter2");
  stop_berthd();
  write_manifest("v.yaml", "kind: [");
  start_berthd();
  const auto after = wait_ready();
  EXPECT_EQ(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
  expect_on_no_disk("hunter2");
  const auto doctor = berthctl({"doctor"});
  EXPECT_NE(doctor.out.find("a reboot would lose Secret default/keys"), std::string::npos)
      << doctor.out;
  // The Secret is still there for another start.
  static_cast<void>(berthctl({"exec", "v", "--", "kill", "-TERM", "1"}));
  wait_for("v", "restarted", [](const api::Pod& pod) {
    return ready(pod) && status_of(pod, "c")->restartCount == 1;
  });
  EXPECT_EQ(in_container("echo $PASSWORD"), "hunter2\n");
  kill_berthd();
  start_berthd();
  EXPECT_EQ(in_container("echo $PASSWORD"), "hunter2\n");
  expect_on_no_disk("hunter2");
}

TEST_F(Volumes, of_a_pod_whose_manifest_went_while_berthd_was_dead_leave_no_mount) {
  start_berthd();
  write_manifest("keys.yaml", secret("hunter2"));
  write_manifest("v.yaml", pod_text("    volumeMounts:\n    - {name: keys, mountPath: /keys}\n"
                                    "    - {name: keys, mountPath: /part, subPath: password}\n"
                                    "    - {name: memory, mountPath: /memory}\n",
                                    "  volumes:\n  - {name: keys, secret: {secretName: keys}}\n"
                                    "  - {name: memory, emptyDir: {medium: Memory}}\n"));
  const auto running = wait_ready();
  const auto directory = dir() / "root/pods" / running.metadata.uid;
  EXPECT_TRUE(std::filesystem::exists(directory / "volumes/kubernetes.io~secret/keys/password"));
  kill_berthd();
  remove_manifest("v.yaml");
  start_berthd();
  wait_gone("v");
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_F(Volumes, of_a_job_that_is_done_leave_the_memory) {
  start_berthd();
  write_manifest("keys.yaml", secret("hunter2"));
  write_manifest("v.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: v}\nspec:\n  restartPolicy: Never\n"
                 "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
                 "    command: [cat, /keys/password]\n"
                 "    volumeMounts: [{name: keys, mountPath: /keys}]\n"
                 "  volumes:\n  - {name: keys, secret: {secretName: keys}}\n");
  const auto done =
      wait_for("v", "done", [](const api::Pod& seen) { return seen.status.phase == "Succeeded"; });
  expect_logs({"v"}, "hunter2");
  const auto password =
      dir() / "root/pods" / done.metadata.uid / "volumes/kubernetes.io~secret/keys/password";
  const auto deadline = RealClock{}.steady_now() + kSoon;
  while (std::filesystem::exists(password) && RealClock{}.steady_now() < deadline) {
    static_cast<void>(berthctl({"status"}));
  }
  EXPECT_FALSE(std::filesystem::exists(password));
}

TEST_F(Volumes, projected_and_downward_api_show_the_pod_and_its_objects) {
  start_berthd();
  write_manifest("settings.yaml", config_map("one"));
  write_manifest("keys.yaml", secret("hunter2"));
  write_manifest(
      "v.yaml",
      pod_text(
          "    resources: {limits: {cpu: 500m}}\n"
          "    volumeMounts:\n    - {name: all, mountPath: /all}\n"
          "    - {name: pod, mountPath: /pod}\n    - {name: scratch, mountPath: /all/scratch}\n",
          "  volumes:\n  - name: all\n    projected:\n      defaultMode: 0440\n      sources:\n"
          "      - configMap: {name: settings, items: [{key: key, path: a/b, mode: 0400}]}\n"
          "      - secret: {name: keys}\n      - configMap: {name: none, optional: true}\n"
          "      - downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}\n"
          "  - name: pod\n    downwardAPI:\n      items:\n"
          "      - {path: labels, fieldRef: {fieldPath: metadata.labels}}\n"
          "      - path: cpu\n        resourceFieldRef: {containerName: c, resource: limits.cpu, "
          "divisor: 1m}\n"
          "  - {name: scratch, emptyDir: {}}\n"));
  wait_ready();
  EXPECT_EQ(in_container("cat /all/a/b /all/password /all/name; echo; cat /pod/labels /pod/cpu"),
            "onehunter2v-node1\napp=\"web\"500");
  EXPECT_EQ(in_container("stat -L -c %a /all/a/b /all/name; touch /all/scratch/x && echo made"),
            "400\n440\nmade\n");
}

TEST_F(Volumes, in_memory_have_their_size_and_belong_to_the_pods_group) {
  start_berthd();
  write_manifest(
      "v.yaml",
      pod_text("    securityContext: {runAsUser: 1000}\n"
               "    volumeMounts:\n    - {name: memory, mountPath: /memory}\n"
               "    - {name: disk, mountPath: /disk}\n"
               "    - {name: disk, mountPath: /mine, subPathExpr: $(WHO)}\n"
               "    env: [{name: WHO, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]\n",
               "  securityContext: {fsGroup: 2000}\n  volumes:\n"
               "  - {name: memory, emptyDir: {medium: Memory, sizeLimit: 64Ki}}\n"
               "  - {name: disk, emptyDir: {sizeLimit: 1Mi}}\n"));
  wait_ready();
  EXPECT_EQ(in_container("stat -f -c %T /memory; df -k /memory | tail -n 1 | awk '{print $2}'"),
            "tmpfs\n64\n");
  EXPECT_EQ(in_container("touch /memory/a /disk/a /mine/b && stat -c %g /memory/a /disk/v-node1/b; "
                         "stat -c %a /disk"),
            "2000\n2000\n2777\n");
  EXPECT_EQ(in_container("dd if=/dev/zero of=/memory/big bs=1k count=100 2>/dev/null; "
                         "stat -c %s /memory/big"),
            "65536\n");
}

TEST_F(Volumes, parts_of_volumes_never_lead_out_of_them) {
  start_berthd();
  const auto volume = dir() / "volume";
  std::filesystem::create_directories(volume);
  std::filesystem::create_symlink("/etc", volume / "etc");
  write_manifest("v.yaml",
                 pod_text("    volumeMounts: [{name: host, mountPath: /host, subPath: etc}]\n",
                          "  volumes:\n  - {name: host, hostPath: {path: " + volume.string() +
                              ", type: Directory}}\n"));
  const auto refused = wait_for("v", "refused", [](const api::Pod& seen) {
    return waiting_reason(seen, "c") == "CreateContainerConfigError";
  });
  EXPECT_EQ(waiting_message(refused, "c"),
            "failed to prepare subPath for volumeMount \"host\" of container \"c\"");
}

TEST_F(Volumes, are_read_only_with_all_below_where_the_runtime_can_do_that) {
  start_berthd();
  write_manifest("v.yaml",
                 pod_text("    volumeMounts:\n    - {name: v, mountPath: /v, readOnly: true, "
                          "recursiveReadOnly: Enabled}\n",
                          "  volumes:\n  - {name: v, emptyDir: {}}\n"));
  const auto seen = wait_for("v", "ready or refused", [](const api::Pod& pod) {
    return ready(pod) || waiting_reason(pod, "c") == "CreateContainerConfigError";
  });
  if (!ready(seen)) {
    EXPECT_EQ(waiting_message(seen, "c"),
              "volume \"v\" requested recursive read-only mode, but it is not supported by the "
              "runtime");
    return;
  }
  ASSERT_EQ(status_of(seen, "c")->volumeMounts.size(), 1U);
  EXPECT_EQ(status_of(seen, "c")->volumeMounts[0].recursiveReadOnly, "Enabled");
  EXPECT_NE(in_container("touch /v/x").find("Read-only file system"), std::string::npos);
}

TEST_F(Volumes, share_mounts_between_containers_where_the_pod_says_so) {
  start_berthd();
  write_manifest(
      "v.yaml",
      pod_text("    securityContext: {privileged: true}\n"
               "    volumeMounts:\n"
               "    - {name: shared, mountPath: /shared, mountPropagation: Bidirectional}\n"
               "  - name: d\n    image: localhost/busybox:1\n    command: [/bin/sh, -c, \"" +
                   std::string(kForEver) +
                   "\"]\n    volumeMounts:\n    - {name: shared, mountPath: /shared, "
                   "mountPropagation: HostToContainer}\n",
               "  volumes:\n  - {name: shared, emptyDir: {}}\n"));
  wait_ready();
  EXPECT_EQ(
      in_container("mkdir /shared/m && mount -t tmpfs none /shared/m && echo x > /shared/m/f"), "");
  EXPECT_EQ(in_container("cat /shared/m/f", "d"), "x\n");
  // Every test here ends by checking that nothing stays mounted.
}

}  // namespace
}  // namespace berth::integration
