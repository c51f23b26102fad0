// SPDX-License-Identifier: Apache-2.0

// One family of invariants: it sees what really happens, which statuses and events are published,
// and how time passes. `Checks` passes all of that to several.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "lifecycle/pod_events.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

class Check : public Witness, public lifecycle::StatusSink, public lifecycle::PodEvents {
 public:
  // StatusSink: only for pods that were wanted, and only what may be shown of them.
  void published(const lifecycle::PodPtr& /*pod*/) override {}
  void removed(const lifecycle::PodPtr& /*pod*/) override {}
  // PodEvents
  void record(const api::Pod& /*pod*/, const lifecycle::PodEvent& /*event*/) override {}

  // A life of berthd is over.
  virtual void agent_ends() {}
  // Another life of berthd begins, which knows only what is durable.
  virtual void agent_restarted() {}
  // Everything that was to happen until now has happened.
  virtual void time_passes() {}
};

class Checks final : public Check {
 public:
  // Checks are called in this order; each outlives this object.
  void add(Check& check) { all_.push_back(&check); }
  void add_witness(Witness& witness) { witnesses_.push_back(&witness); }

  void published(const lifecycle::PodPtr& pod) override {
    for (auto* check : all_) check->published(pod);
  }
  void removed(const lifecycle::PodPtr& pod) override {
    for (auto* check : all_) check->removed(pod);
  }
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override {
    for (auto* check : all_) check->record(pod, event);
  }
  void agent_ends() override {
    for (auto* check : all_) check->agent_ends();
  }
  void agent_restarted() override {
    for (auto* check : all_) check->agent_restarted();
  }
  void time_passes() override {
    for (auto* check : all_) check->time_passes();
  }

  void sandbox_called(const cri::PodSandboxConfig& config) override {
    notify(&Witness::sandbox_called, config);
  }
  void sandbox_created(const SandboxRecord& sandbox) override {
    notify(&Witness::sandbox_created, sandbox);
  }
  void sandbox_stop_called(const SandboxRecord& sandbox) override {
    notify(&Witness::sandbox_stop_called, sandbox);
  }
  void created(const Instance& instance) override { notify(&Witness::created, instance); }
  void start_called(const Instance& instance) override { notify(&Witness::start_called, instance); }
  void started(const Instance& instance) override { notify(&Witness::started, instance); }
  void stop_called(const Instance& instance, std::chrono::seconds timeout) override {
    notify(&Witness::stop_called, instance, timeout);
  }
  void terminated(const Instance& instance) override { notify(&Witness::terminated, instance); }
  void killed(const Instance& instance, KillCause cause) override {
    notify(&Witness::killed, instance, cause);
  }
  void exited(const Instance& instance) override { notify(&Witness::exited, instance); }
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) override {
    notify(&Witness::hook_called, instance, kind, takes);
  }
  void pull_called(const std::string& pod_uid, const std::string& image) override {
    notify(&Witness::pull_called, pod_uid, image);
  }
  void pull_failed(const std::string& pod_uid, const std::string& image) override {
    notify(&Witness::pull_failed, pod_uid, image);
  }
  void image_removal_called(const std::string& id) override {
    notify(&Witness::image_removal_called, id);
  }
  void log_reopened(const Instance& instance) override { notify(&Witness::log_reopened, instance); }

 private:
  template <class... Parameters, class... Given>
  void notify(void (Witness::*what)(Parameters...), const Given&... given) {
    for (auto* witness : witnesses_) (witness->*what)(given...);
    for (auto* check : all_) (static_cast<Witness*>(check)->*what)(given...);
  }

  std::vector<Witness*> witnesses_{};
  std::vector<Check*> all_{};
};

}  // namespace berth::simulation
