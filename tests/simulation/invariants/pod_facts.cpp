// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/pod_facts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "node/sandbox_config.hpp"

namespace berth::simulation {
namespace {

std::string annotation(const api::Pod& pod, const char* key) {
  const auto found = pod.metadata.annotations.find(key);
  return found == pod.metadata.annotations.end() ? std::string() : found->second;
}

}  // namespace

std::string called(const Instance& instance) {
  return fmt::format("{} of {} (attempt {})", instance.name, instance.pod_uid,
                     instance.config.metadata.attempt);
}

double in_seconds(Nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

const api::Container* find(const std::vector<api::Container>& containers, const std::string& name) {
  const auto found = std::ranges::find(containers, name, &api::Container::name);
  return found == containers.end() ? nullptr : &*found;
}

bool is_sidecar(const api::Container& container) {
  return container.restartPolicy == "Always";
}

const std::string& policy_of(const api::PodSpec& spec, const api::Container& container) {
  return container.restartPolicy ? *container.restartPolicy : spec.restartPolicy;
}

bool restarts_after(const api::PodSpec& spec, const api::Container& container,
                    std::int32_t exit_code) {
  for (const auto& rule : container.restartPolicyRules) {
    const auto& codes = rule.exitCodes->values;
    const bool listed = std::ranges::count(codes, exit_code) > 0;
    if (listed == (rule.exitCodes->operator_ == "In")) return true;
  }
  const auto& policy = policy_of(spec, container);
  return policy == "Always" || (policy == "OnFailure" && exit_code != 0);
}

std::optional<std::string> stop_signal_of(const api::PodSpec& spec, const std::string& container) {
  for (const auto* list : {&spec.containers, &spec.initContainers}) {
    const auto* found = find(*list, container);
    if (found != nullptr && found->lifecycle) return found->lifecycle->stopSignal;
  }
  return std::nullopt;
}

std::chrono::seconds own_grace(const api::Pod& pod) {
  return std::chrono::seconds(pod.spec.terminationGracePeriodSeconds.value_or(30));
}

std::optional<WallTime> active_until(const api::Pod& shown) {
  const auto limit = shown.spec.activeDeadlineSeconds;
  if (!limit || !shown.status.startTime) return std::nullopt;
  return shown.status.startTime->at + std::chrono::seconds(*limit);
}

std::int64_t cpus_of(const api::Pod& pod) {
  std::int64_t cpus = 0;
  for (const auto& container : pod.spec.containers) {
    const auto asked = container.resources.requests.find("cpu");
    if (asked != container.resources.requests.end()) cpus += asked->second.value();
  }
  return cpus;
}

std::vector<std::int32_t> host_ports_of(const api::Pod& pod) {
  std::vector<std::int32_t> ports;
  for (const auto& container : pod.spec.containers)
    for (const auto& port : container.ports)
      if (port.hostPort > 0) ports.push_back(port.hostPort);
  return ports;
}

bool is_terminal(const std::string& phase) {
  return phase == "Succeeded" || phase == "Failed";
}

bool is_pinned(const api::Pod& pod) {
  return pod.metadata.annotations.contains(node::kAnnotationManifest);
}

bool differ_in_text(const api::Pod& a, const api::Pod& b) {
  return is_pinned(a) && is_pinned(b) &&
         annotation(a, node::kAnnotationManifest) != annotation(b, node::kAnnotationManifest);
}

}  // namespace berth::simulation
