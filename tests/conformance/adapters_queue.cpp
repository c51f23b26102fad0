// SPDX-License-Identifier: Apache-2.0

// The scheduling queue: queue, queue-hints.
#include <chrono>
#include <map>
#include <memory>

#include "scheduling/queue/scheduling_queue.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/case_input.hpp"
#include "tests/conformance/scheduling_cycle.hpp"

namespace berth::conformance {
namespace {

using namespace case_input;
using scheduling::ClusterEvent;
using scheduling::NodePtr;
using scheduling::PodPtr;
using scheduling::QueueView;
using scheduling::SchedulingQueue;

// The start, on a whole second.
const api::WallTime kStart{std::chrono::hours(500'000)};

PodPtr pod_in(const json::object& op, const char* key) {
  return std::make_shared<const api::Pod>(decoded<api::Pod>(op, key));
}

NodePtr node_in(const json::object& op, const char* key) {
  return std::make_shared<const api::Node>(decoded<api::Node>(op, key));
}

// One case's queue, and the uids behind the names with which operations refer to pods in flight.
class Run {
 public:
  json::object apply(const json::object& op);

 private:
  bool change_pod(const std::string& name, const json::object& op, json::object& step);
  bool change_state(const std::string& name, const json::object& op, json::object& step);
  void change_cluster(const std::string& name, const json::object& op);
  [[nodiscard]] std::string uid(const json::object& op) const { return uids_.at(text(op, "key")); }

  SchedulingQueue queue_{};
  std::map<std::string, std::string> uids_{};
  api::WallTime now_{};
};

bool Run::change_pod(const std::string& name, const json::object& op, json::object& step) {
  if (name == "podAdd") {
    const PodPtr pod = pod_in(op, "pod");
    queue_.add(pod, now_);
    const auto gated = queue_.view().gated;
    const auto gate = gated.find(pod->metadata.namespace_ + "/" + pod->metadata.name);
    if (gate != gated.end()) step["preEnqueue"] = shown_status(gate->second.status());
  } else if (name == "podUpdate") {
    queue_.update(pod_in(op, "oldPod"), pod_in(op, "pod"), now_);
  } else if (name == "podDelete") {
    queue_.erase(pod_in(op, "pod"), now_);
  } else {
    return false;
  }
  return true;
}

bool Run::change_state(const std::string& name, const json::object& op, json::object& step) {
  if (name == "pop") {
    if (const auto popped = queue_.pop()) {
      const api::ObjectMeta& meta = popped->pod->metadata;
      const std::string key = meta.namespace_ + "/" + meta.name;
      uids_[key] = meta.uid;
      step["popped"] = key;
      step["attempts"] = popped->attempts;
    }
  } else if (name == "unschedulable") {
    const auto plugins = strings(op, "plugins");
    queue_.return_rejected(uid(op), {plugins.begin(), plugins.end()}, now_);
  } else if (name == "error") {
    queue_.return_failed(uid(op), now_);
  } else if (name == "bound") {
    queue_.done(uid(op));
  } else if (name == "flushBackoff") {
    queue_.flush_backoff(now_);
  } else if (name == "flushUnschedulable") {
    queue_.flush_unschedulable(now_);
  } else if (name == "activate") {
    queue_.activate(text(op, "key"));
  } else {
    return false;
  }
  return true;
}

void Run::change_cluster(const std::string& name, const json::object& op) {
  std::vector<ClusterEvent> events;
  if (name == "nodeAdd") {
    events = {scheduling::node_added(node_in(op, "node"))};
  } else if (name == "nodeUpdate") {
    events = scheduling::node_updated(node_in(op, "oldNode"), node_in(op, "node"));
  } else if (name == "nodeDelete") {
    events = {scheduling::node_deleted(node_in(op, "node"))};
  } else if (name == "assignedPodAdd") {
    events = {scheduling::assigned_pod_added(pod_in(op, "pod"))};
  } else if (name == "assignedPodUpdate") {
    events = scheduling::pod_updated(pod_in(op, "oldPod"), pod_in(op, "pod"));
  } else if (name == "assignedPodDelete") {
    events = {scheduling::assigned_pod_deleted(pod_in(op, "pod"))};
  } else {
    throw std::runtime_error("unknown operation " + name);
  }
  for (const ClusterEvent& event : events) queue_.on_event(event, now_);
}

std::int64_t since_start(api::WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time - kStart).count();
}

json::object Run::apply(const json::object& op) {
  json::object step;
  const std::string name = text(op, "op");
  now_ = kStart + std::chrono::milliseconds(number(op, "t"));
  if (!change_pod(name, op, step) && !change_state(name, op, step)) change_cluster(name, op);

  const QueueView view = queue_.view();
  json::object backoff;
  for (const auto& [pod, expiry] : view.backoff) backoff[pod] = since_start(expiry);
  json::array gated;
  for (const auto& [pod, gate] : view.gated) gated.emplace_back(pod);
  step["active"] = json::value_from(view.active);
  step["backoff"] = std::move(backoff);
  step["unschedulable"] = json::value_from(view.unschedulable);
  step["gated"] = std::move(gated);
  step["inFlight"] = json::value_from(view.in_flight);
  return step;
}

json::value run_queue(const json::object& input) {
  Run run;
  json::array steps;
  for (const json::value& op : list(input, "ops")) steps.push_back(run.apply(op.as_object()));
  return json::object{{"steps", std::move(steps)}};
}

}  // namespace

std::vector<Kind> queue_kinds() {
  return {{.name = "queue", .run = run_queue}, {.name = "queue-hints", .run = run_queue}};
}

}  // namespace berth::conformance
