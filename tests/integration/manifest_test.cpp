// SPDX-License-Identifier: Apache-2.0

// The manifest folder: files added, edited, renamed, broken and removed.
#include <filesystem>
#include <fstream>

#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

class Manifest : public NodeTest {};

TEST_F(Manifest, edited_replaces_the_pod_once_the_old_one_has_ended) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  write_manifest("a.yaml", simple_pod("a", kForEver, "  terminationGracePeriodSeconds: 7\n"));
  const auto after = wait_for("a", "replaced", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
  EXPECT_EQ(after.spec.terminationGracePeriodSeconds, 7);
  EXPECT_NE(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Manifest, that_is_written_again_unchanged_changes_nothing) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  write_manifest("b.yaml", simple_pod("b", kForEver));
  const auto before = wait_for("a", "ready", ready);
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("b", "ready", ready);
  write_manifest("c.yaml", simple_pod("c", "true"));
  wait_for("c", "there", [](const api::Pod&) { return true; });
  EXPECT_EQ(pod("a")->metadata.uid, before.metadata.uid);
  EXPECT_EQ(status_of(*pod("a"), "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Manifest, renamed_is_another_pod_of_the_same_name) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  rename_manifest("a.yaml", "z.yaml");
  wait_for("a", "replaced", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
}

// A file as in a projected ConfigMap: a link through a second link, which is switched.
TEST_F(Manifest, behind_a_link_is_taken_up_when_what_it_leads_to_is_switched) {
  const auto source = dir() / "source";
  for (const auto* version : {"1", "2"}) std::filesystem::create_directories(source / version);
  std::ofstream(source / "1/a.yaml") << simple_pod("a", kForEver);
  std::ofstream(source / "2/a.yaml")
      << simple_pod("a", kForEver, "  terminationGracePeriodSeconds: 7\n");
  std::filesystem::create_symlink("1", source / "data");
  start_berthd();
  std::filesystem::create_symlink(source / "data/a.yaml", manifests() / "a.yaml");
  const auto before = wait_for("a", "ready", ready);
  std::filesystem::create_symlink("2", source / "next");
  std::filesystem::rename(source / "next", source / "data");
  const auto after = wait_for("a", "replaced", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
  EXPECT_EQ(after.spec.terminationGracePeriodSeconds, 7);
}

TEST_F(Manifest, removed_ends_the_pod) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  remove_manifest("a.yaml");
  wait_gone("a");
  EXPECT_EQ(Containerd::instance().ctr({"containers", "ls", "-q"}).out, "");
}

TEST_F(Manifest, broken_by_an_edit_keeps_the_pod_running_and_is_reported_with_file_line_and_path) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  write_manifest("a.yaml", simple_pod("a", kForEver, "  restartPolcy: Never\n"));
  write_manifest("b.yaml", simple_pod("b", kForEver));
  wait_for("b", "ready", ready);

  const auto still = pod("a");
  ASSERT_TRUE(still);
  EXPECT_EQ(status_of(*still, "c")->containerID, status_of(before, "c")->containerID);
  const auto status = berthctl({"status"});
  EXPECT_NE(status.out.find("a.yaml:9"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("restartPolcy"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("restartPolicy"), std::string::npos) << "no suggestion: " << status.out;
  const auto described = berthctl({"describe", "pod", "a"});
  EXPECT_NE(described.out.find("restartPolcy"), std::string::npos) << described.out;
  const auto events = berthctl({"events", "--for", "pod/a"});
  EXPECT_NE(events.out.find("restartPolcy"), std::string::npos) << events.out;

  write_manifest("a.yaml", simple_pod("a", kForEver));
  write_manifest("c.yaml", simple_pod("c", kForEver));
  wait_for("c", "ready", ready);
  EXPECT_EQ(berthctl({"status"}).out.find("restartPolcy"), std::string::npos);
  EXPECT_EQ(status_of(*pod("a"), "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Manifest, with_several_documents_makes_several_pods_and_refuses_all_if_one_is_wrong) {
  start_berthd();
  write_manifest("two.yaml", simple_pod("one", kForEver) + "---\n" + simple_pod("two", kForEver));
  wait_for("one", "ready", ready);
  wait_for("two", "ready", ready);
  write_manifest("bad.yaml", simple_pod("three", kForEver) + "---\n" +
                                 "apiVersion: v1\nkind: Pod\nmetadata: {name: four}\nspec:\n"
                                 "  containers:\n  - {name: C, image: x}\n  - {name: d}\n");
  write_manifest("ok.yaml", simple_pod("ok", kForEver));
  wait_for("ok", "ready", ready);
  EXPECT_FALSE(pod("three"));
  const auto status = berthctl({"status"});
  EXPECT_NE(status.out.find("spec.containers[0].name"), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("spec.containers[1].image"), std::string::npos) << status.out;
}

TEST_F(Manifest, that_asks_for_what_is_not_there_yet_is_pending_with_that_reason) {
  start_berthd();
  write_manifest("own.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: own}\nspec:\n  hostUsers: false\n"
                 "  containers:\n  - name: c\n    image: localhost/busybox:1\n");
  const auto seen = wait_for("own", "pending with a reason", [](const api::Pod& pod) {
    return pod.status.phase == "Pending" && !pod.status.message.empty();
  });
  EXPECT_NE(seen.status.message.find("spec.hostUsers"), std::string::npos) << seen.status.message;
  EXPECT_EQ(Containerd::instance().ctr({"containers", "ls", "-q"}).out, "");
}

}  // namespace
}  // namespace berth::integration
