// SPDX-License-Identifier: Apache-2.0

// Thousands of random steps: whatever happens, every pod is in exactly one place, none is lost, and
// `pop` returns the right one.
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "scheduling/queue/scheduling_queue.hpp"
#include "tests/unit/scheduling/queue/queue_test_support.hpp"

namespace berth::scheduling {
namespace {

class QueueWalk {
 public:
  explicit QueueWalk(unsigned seed) : random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      now_ += std::chrono::milliseconds(pick(0, 900));
      step();
      check_places();
    }
    settle();
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

  void step() {
    switch (pick(0, 9)) {
      case 0:
      case 1:
        return add();
      case 2:
      case 3:
        return pop();
      case 4:
        return give_back(false);
      case 5:
        return give_back(true);
      case 6:
        return remove();
      case 7:
        queue_.on_event(node_added(shared(node_named("n"))), now_);
        return;
      case 8:
        return flush();
      default:
        return open_gate();
    }
  }

  void add() {
    api::Pod pod = waiting_pod("p" + std::to_string(next_++), pick(-2, 2));
    if (pick(0, 4) == 0) pod.spec.schedulingGates = {{.name = "gate"}};
    queue_.add(shared(pod), now_);
    alive_[pod.metadata.namespace_ + "/" + pod.metadata.name] = pod;
  }

  void pop() {
    const QueueView before = queue_.view();
    const auto popped = queue_.pop();
    if (!popped) {
      EXPECT_TRUE(before.active.empty());
      return;
    }
    EXPECT_TRUE(popped->pod->spec.schedulingGates.empty());
    EXPECT_EQ(popped->attempts, ++attempts_[popped->pod->metadata.uid]);
    for (const std::string& name : before.active) {
      EXPECT_LE(alive_.at(name).spec.priority, popped->pod->spec.priority);
    }
  }

  void give_back(bool failed) {
    const QueueView view = queue_.view();
    if (view.in_flight.empty()) return;
    const std::string& name = view.in_flight[static_cast<std::size_t>(
        pick(0, static_cast<int>(view.in_flight.size()) - 1))];
    const std::string uid = "uid-" + name.substr(name.find('/') + 1);
    if (failed) {
      queue_.return_failed(uid, now_);
    } else {
      queue_.return_rejected(uid, {pick(0, 1) == 0 ? "NodeName" : "InterPodAffinity"}, now_);
    }
  }

  void remove() {
    if (alive_.empty()) return;
    const auto gone = std::next(alive_.begin(), pick(0, static_cast<int>(alive_.size()) - 1));
    queue_.erase(shared(gone->second), now_);
    alive_.erase(gone);
  }

  void flush() {
    for (const QueueMove& move : queue_.flush_backoff(now_)) {
      EXPECT_EQ(move.to, QueuePlace::kActive);
    }
    for (const auto& [name, expiry] : queue_.view().backoff)
      EXPECT_TRUE(is_backing_off(expiry, now_));
    queue_.flush_unschedulable(now_);
  }

  void open_gate() {
    const QueueView view = queue_.view();
    if (view.gated.empty()) return;
    api::Pod& pod = alive_.at(view.gated.begin()->first);
    const PodPtr before = shared(pod);
    pod.spec.schedulingGates.clear();
    queue_.update(before, shared(pod), now_);
    EXPECT_FALSE(queue_.view().gated.contains(view.gated.begin()->first));
  }

  // A deleted pod may still be in flight, but nowhere else.
  void check_places() {
    const QueueView view = queue_.view();
    std::multiset<std::string> places(view.active.begin(), view.active.end());
    places.insert(view.unschedulable.begin(), view.unschedulable.end());
    for (const auto& [name, expiry] : view.backoff) places.insert(name);
    for (const auto& [name, gate] : view.gated) places.insert(name);
    for (const std::string& name : places) EXPECT_TRUE(alive_.contains(name)) << name;
    places.insert(view.in_flight.begin(), view.in_flight.end());
    for (const auto& [name, pod] : alive_) EXPECT_EQ(places.count(name), 1U) << name;
  }

  // Once events stop, time alone brings every pod that is not gated back.
  void settle() {
    while (!queue_.view().in_flight.empty()) give_back(false);
    now_ += std::chrono::minutes(6);
    queue_.flush_unschedulable(now_);
    queue_.flush_backoff(now_);
    const QueueView view = queue_.view();
    EXPECT_EQ(view.active.size() + view.gated.size(), alive_.size());
  }

  std::mt19937 random_;
  SchedulingQueue queue_{};
  std::map<std::string, api::Pod> alive_{};
  std::map<std::string, int> attempts_{};
  api::WallTime now_ = kStart;
  int next_ = 0;
};

TEST(SchedulingQueueModel, pods_are_in_one_place_and_none_is_lost) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    QueueWalk(seed).run(500);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace berth::scheduling
