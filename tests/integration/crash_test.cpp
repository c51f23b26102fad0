// berthd killed at random moments, and what it must not lose by that: containers, restart counts,
// backoff, deadlines, verdicts.
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string_view>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;

constexpr int kKills = 200;

std::string two_containers() {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: steady}\nspec:\n"
         "  terminationGracePeriodSeconds: 2\n"
         "  initContainers:\n  - name: side\n    image: localhost/busybox:1\n"
         "    restartPolicy: Always\n    command: [/bin/sh, -c, \"" +
         std::string(kForEver) +
         "\"]\n"
         "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
         "    command: [/bin/sh, -c, \"" +
         std::string(kForEver) + "\"]\n";
}

// Ids and restart counts of all containers of a pod.
std::map<std::string, std::string> identity(const api::Pod& pod) {
  std::map<std::string, std::string> found;
  for (const auto* list : {&pod.status.initContainerStatuses, &pod.status.containerStatuses})
    for (const auto& status : *list)
      found[status.name] = status.containerID + " restarted " + std::to_string(status.restartCount);
  return found;
}

// Checks each restart of a crashing container against the window it had to wait for.
class BackoffWatch {
 public:
  void look(const api::Pod& pod) {
    const auto* status = status_of(pod, "c");
    if (status == nullptr) return;
    EXPECT_GE(status->restartCount, restarts_) << "a restart was forgotten";
    restarts_ = std::max(restarts_, status->restartCount);
    const auto& running = status->state.running;
    const auto& last = status->lastState.terminated;
    if (!running || !last || !running->startedAt || !last->finishedAt) return;
    const int windows = status->restartCount - 2;  // the first restart is free
    if (windows < 0) return;
    const auto window = seconds(10) * (1 << std::min(windows, 5));
    EXPECT_GE(running->startedAt->at - last->finishedAt->at, window - 1s)
        << "restart " << status->restartCount << " came before its backoff was over";
  }
  [[nodiscard]] int restarts() const { return restarts_; }

 private:
  int restarts_ = 0;
};

class Crash : public NodeTest {};

// Two hundred crashes: what was there before the first must be there after each.
class ManyCrashes : public Crash {
 protected:
  void begin() {
    start_berthd();
    write_manifest("steady.yaml", two_containers());
    write_manifest("crash.yaml", simple_pod("crash", "exit 1"));
    write_manifest("job.yaml", simple_pod("job", "exit 0", "  restartPolicy: Never\n"));
    write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 40\n"));
    steady_ = identity(wait_for("steady", "ready", ready));
    job_ = identity(wait_for("job", "completed",
                             [](const api::Pod& pod) { return pod.status.phase == "Succeeded"; }));
    wait_for("deaf", "ready", ready);
    remove_manifest("deaf.yaml");
    told_ = RealClock{}.steady_now();
    deadline_ = wait_for("deaf", "terminating", [](const api::Pod& pod) {
                  return pod.metadata.deletionTimestamp.has_value();
                }).metadata.deletionTimestamp;
  }

  void TearDown() override {
    remove_manifests();
    if (!berthd_running()) start_berthd();
    const auto none = [this] { return pods().empty(); };
    wait_until(none, RealClock{}.steady_now() + 30s);
    delete_lost_tasks();
    Crash::TearDown();
  }

  // A StartContainer whose caller dies at the wrong moment can leave a task that containerd calls
  // EXITED (StartError) and never deletes; it then refuses to remove the container. Nothing that
  // CRI offers helps against it, so this does what an operator would.
  void delete_lost_tasks() const {
    constexpr std::string_view kRefusal = "cannot delete running task ";
    constexpr std::size_t kIdLength = 64;
    const std::string log = berthd_log();
    std::set<std::string> lost;
    for (auto at = log.find(kRefusal); at != std::string::npos; at = log.find(kRefusal, at + 1))
      lost.insert(log.substr(at + kRefusal.size(), kIdLength));
    for (const std::string& id : lost) {
      const auto deleted = Containerd::instance().ctr({"tasks", "delete", "--force", id});
      std::cerr << "containerd lost the task " << id << ", which was deleted: exit code "
                << deleted.exit_code << "\n";
    }
  }

  int drawn(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  // Pods come and go meanwhile.
  void change_a_pod() {
    const std::string file = "change" + std::to_string(drawn(3)) + ".yaml";
    if (drawn(2) == 0)
      write_manifest(
          file, simple_pod(file.substr(0, 7), kForEver, "  terminationGracePeriodSeconds: 2\n"));
    else if (std::filesystem::exists(manifests() / file))
      remove_manifest(file);
  }

  void expect_as_before() {
    for (const auto& seen : pods()) {
      const auto& name = seen.metadata.name;
      if (name == full_name("steady")) {
        EXPECT_EQ(identity(seen), steady_);
      }
      if (name == full_name("job")) {
        EXPECT_EQ(seen.status.phase, "Succeeded");
        EXPECT_EQ(identity(seen), job_);
      }
      if (name == full_name("crash")) backoff_.look(seen);
      if (name == full_name("deaf")) {
        EXPECT_EQ(seen.metadata.deletionTimestamp, deadline_) << "the deadline was moved";
      }
    }
    if (!deaf_gone_ && !pod("deaf")) {
      deaf_gone_ = true;
      EXPECT_GE(RealClock{}.steady_now() - told_, 40s) << "it was killed before its deadline";
    }
  }

  void expect_settled() {
    wait_gone("deaf", 60s);
    EXPECT_EQ(identity(wait_for("steady", "ready", ready)), steady_);
    backoff_.look(wait_for("crash", "there", [](const api::Pod& seen) {
      return status_of(seen, "c") != nullptr && status_of(seen, "c")->restartCount >= 2;
    }));
  }

 private:
  std::map<std::string, std::string> steady_{};
  std::map<std::string, std::string> job_{};
  SteadyTime told_{};
  std::optional<api::Time> deadline_{};
  std::minstd_rand random_{20240601};
  BackoffWatch backoff_;
  bool deaf_gone_ = false;
};

TEST_F(ManyCrashes, two_hundred_times_at_random_moments_lose_nothing) {
  begin();
  for (int kill = 0; kill < kKills; ++kill) {
    change_a_pod();
    kill_berthd_after(std::chrono::milliseconds(drawn(kill % 4 == 0 ? 400 : 120)));
    launch_berthd();
    if (kill % 10 != 9) continue;
    kill_berthd();
    start_berthd();
    expect_as_before();
  }
  expect_settled();
}

TEST_F(Crash, a_stop_under_way_goes_on_with_what_is_left_of_its_period) {
  start_berthd();
  write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 8\n"));
  wait_for("deaf", "ready", ready);
  remove_manifest("deaf.yaml");
  const auto told = RealClock{}.steady_now();
  wait_for("deaf", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  kill_berthd_after(4s);
  start_berthd();
  wait_gone("deaf");
  const auto took = RealClock{}.steady_now() - told;
  EXPECT_GE(took, 8s);
  EXPECT_LT(took, 11s) << "it did not begin again";
}

TEST_F(Crash, a_deleted_pod_does_not_come_back_as_the_same_incarnation) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kDeaf, "  terminationGracePeriodSeconds: 3\n"));
  const auto before = wait_for("a", "ready", ready);
  EXPECT_EQ(berthctl({"delete", "pod", "a", "--no-wait"}).exit_code, 0);
  wait_for("a", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  kill_berthd();
  start_berthd();
  const auto after = wait_for("a", "back", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
  EXPECT_NE(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Crash, a_pod_that_admission_refused_stays_refused) {
  start_berthd("systemReserved: {cpu: 1900m}\n");
  write_manifest("a.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
                 "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
                 "    resources: {requests: {cpu: 500m}}\n");
  const auto refused = [](const api::Pod& pod) { return pod.status.reason == "OutOfcpu"; };
  wait_for("a", "refused", refused);
  kill_berthd();
  start_berthd();
  wait_for("a", "still refused", refused);
}

}  // namespace
}  // namespace berth::integration
