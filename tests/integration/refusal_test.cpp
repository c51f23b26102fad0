// SPDX-License-Identifier: Apache-2.0

// What the runtime refuses for good, and what berthd advises an operator to do about it.
#include <string>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class Refusal : public NodeTest {
 protected:
  // berthctl's output, as soon as it contains `part`.
  [[nodiscard]] std::string printed(const std::vector<std::string>& command,
                                    const std::string& part) const {
    const auto deadline = RealClock{}.steady_now() + 30s;
    std::string out = berthctl(command).out;
    while (out.find(part) == std::string::npos && RealClock{}.steady_now() < deadline)
      out = berthctl(command).out;
    return out;
  }
};

// `once` exits when it is started for the first time, but not when it is started behind CRI's back:
// then containerd has a task that CRI does not know, as after a StartContainer whose caller died.
TEST_F(Refusal, a_task_that_containerd_has_lost_is_named_with_the_command_that_deletes_it) {
  start_berthd();
  write_manifest("lost.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: lost}\nspec:\n"
                 "  restartPolicy: Never\n  terminationGracePeriodSeconds: 2\n  containers:\n"
                 "  - name: once\n    image: localhost/busybox:1\n    command: [/bin/sh, -c, \"" +
                     std::string("[ -e /again ] || { touch /again; exit 0; }; ") + kForEver +
                     "\"]\n  - name: c\n    image: localhost/busybox:1\n"
                     "    command: [/bin/sh, -c, \"" +
                     kForEver + "\"]\n");
  const api::Pod ended = wait_for("lost", "once has ended", [](const api::Pod& pod) {
    const auto* once = status_of(pod, "once");
    const auto* other = status_of(pod, "c");
    return once != nullptr && once->state.terminated && other != nullptr && other->state.running;
  });
  const std::string whole = status_of(ended, "once")->containerID;
  const std::string id = whole.substr(whole.rfind('/') + 1);
  const auto& containerd = Containerd::instance();
  const auto started = containerd.ctr({"tasks", "start", "--detach", "--null-io", id});
  ASSERT_EQ(started.exit_code, 0) << started.err;
  remove_manifest("lost.yaml");

  const std::string command = "`ctr --address " + (containerd.dir() / "containerd.sock").string() +
                              " -n k8s.io tasks delete --force " + id + "`";
  for (const std::string verb : {"doctor", "status"}) {
    const std::string text = printed({verb}, command);
    EXPECT_NE(text.find("default/lost-node1: "), std::string::npos) << text;
    EXPECT_NE(text.find("containerd has lost the task " + id + " of container once; " + command),
              std::string::npos)
        << text;
  }
  EXPECT_NE(printed({"why", "pod/lost"}, command).find("the runtime refuses to remove"),
            std::string::npos);
  EXPECT_EQ(berthctl({"doctor"}).exit_code, 1);

  const auto deleted = containerd.ctr({"tasks", "delete", "--force", id});
  EXPECT_EQ(deleted.exit_code, 0) << deleted.err;
  wait_gone("lost");
  EXPECT_EQ(printed({"doctor"}, "Pods: none").find(id), std::string::npos);
}

}  // namespace
}  // namespace berth::integration
