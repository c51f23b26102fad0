// SPDX-License-Identifier: Apache-2.0

#include "eviction/eviction.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/assertion.hpp"
#include "eviction/byte_amount.hpp"
#include "eviction/number_text.hpp"

namespace berth::eviction {
namespace {

// A container or pod that exceeded its request.
struct Offender {
  std::string name{};
  api::Quantity usage{};
  api::Quantity request{};
};

std::optional<api::Quantity> usage_of(const ContainerReading& reading, StarvedResource resource) {
  if (resource == StarvedResource::kMemory && reading.working_set) {
    return bytes(*reading.working_set);
  }
  if (resource == StarvedResource::kEphemeralStorage && reading.rootfs && reading.rootfs->bytes &&
      reading.logs && reading.logs->bytes) {
    return bytes(capped_sum(*reading.rootfs->bytes, *reading.logs->bytes));
  }
  return std::nullopt;
}

const api::Container* find_container(const api::Pod& pod, const std::string& name) {
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    const auto found = std::ranges::find(*list, name, &api::Container::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

api::Quantity amount_in(const api::ResourceList& list, std::string_view resource) {
  const auto found = list.find(std::string(resource));
  return found == list.end() ? api::Quantity{} : found->second;
}

std::vector<Offender> offending_containers(const api::Pod& pod, const PodReading& reading,
                                           StarvedResource resource) {
  std::vector<Offender> out;
  for (const ContainerReading& container : reading.containers) {
    const api::Container* spec = find_container(pod, container.name);
    const auto usage = usage_of(container, resource);
    if (spec == nullptr || !usage) continue;
    const api::Quantity request = amount_in(spec->resources.requests, to_string(resource));
    if (*usage > request) {
      out.push_back({.name = container.name, .usage = *usage, .request = request});
    }
  }
  return out;
}

// Set if the pod has a pod-level memory request; named regardless of its use, as in Kubernetes.
std::optional<Offender> offending_pod(const api::Pod& pod, const PodReading& reading,
                                      StarvedResource resource) {
  if (resource != StarvedResource::kMemory || !pod.spec.resources || !reading.memory) {
    return std::nullopt;
  }
  const auto request = pod.spec.resources->requests.find("memory");
  if (request == pod.spec.resources->requests.end()) return std::nullopt;
  return Offender{.name = pod.metadata.name,
                  .usage = bytes(reading.memory->working_set.value_or(0)),
                  .request = request->second};
}

std::string sentence(std::string_view kind, const Offender& offender, StarvedResource resource) {
  return fmt::format("{} {} was using {}, request is {}, has larger consumption of {}. ", kind,
                     offender.name, offender.usage.to_string(), offender.request.to_string(),
                     to_string(resource));
}

std::string threshold_sentence(const JudgedThreshold& quoted) {
  const Signal signal = quoted.threshold.signal;
  const std::string limit = to_text(signal, *quoted.limit);
  const std::string value = to_text(signal, quoted.observation->value);
  if (traits(signal).origin == SignalOrigin::kKubernetes) {
    return fmt::format("Threshold quantity: {}, available: {}. ", limit, value);
  }
  return fmt::format("Threshold of {}: {}, observed: {}. ", to_string(signal), limit, value);
}

const JudgedThreshold* quoted_for(const std::vector<JudgedThreshold>& list,
                                  StarvedResource resource) {
  const auto found = std::ranges::find_if(list, [&](const JudgedThreshold& one) {
    return traits(one.threshold.signal).resource == resource && one.observation && one.limit;
  });
  return found == list.end() ? nullptr : &*found;
}

api::PodCondition disruption_target(const api::Pod& pod, const std::string& message) {
  return {.type = "DisruptionTarget",
          .observedGeneration = pod.metadata.generation,
          .status = "True",
          .reason = "TerminationByKubelet",
          .message = message};
}

}  // namespace

std::string_view to_string(LocalStorageLimit limit) {
  switch (limit) {
    case LocalStorageLimit::kEmptyDir:
      return "emptydirfs.limit";
    case LocalStorageLimit::kPod:
      return "ephemeralpodfs.limit";
    case LocalStorageLimit::kContainer:
      return "ephemeralcontainerfs.limit";
  }
  return "";
}

std::string_view metric_signal(const Eviction& eviction) {
  if (const auto* exceeded = std::get_if<ExceededLimit>(&eviction.cause)) {
    return to_string(exceeded->limit);
  }
  return to_string(std::get<JudgedThreshold>(eviction.cause).threshold.signal);
}

EvictionText eviction_text(const api::Pod& pod, const PodReading* reading, StarvedResource resource,
                           const std::vector<JudgedThreshold>& quoted) {
  EvictionText out{.message =
                       fmt::format("The node was low on resource: {}. ", to_string(resource))};
  if (const JudgedThreshold* threshold = quoted_for(quoted, resource)) {
    out.message += threshold_sentence(*threshold);
  }
  if (reading == nullptr) return out;
  if (const auto whole = offending_pod(pod, *reading, resource)) {
    out.message += sentence("Pod", *whole, resource);
    out.annotations["offending_pod"] = whole->name;
    out.annotations["offending_pod_usage"] = whole->usage.to_string();
  }
  std::vector<std::string> names;
  std::vector<std::string> usages;
  for (const Offender& container : offending_containers(pod, *reading, resource)) {
    out.message += sentence("Container", container, resource);
    names.push_back(container.name);
    usages.push_back(container.usage.to_string());
  }
  out.annotations["offending_containers"] = fmt::format("{}", fmt::join(names, ","));
  out.annotations["offending_containers_usage"] = fmt::format("{}", fmt::join(usages, ","));
  out.annotations["starved_resource"] = to_string(resource);
  return out;
}

std::int64_t grace_period_override(const api::Pod& pod, const Threshold& threshold,
                                   std::int64_t max_pod_grace_period) {
  if (is_hard(threshold)) return kImmediateGraceSeconds;
  return std::min(max_pod_grace_period,
                  pod.spec.terminationGracePeriodSeconds.value_or(max_pod_grace_period));
}

Nanoseconds kill_timeout(std::int64_t grace_period) {
  constexpr Nanoseconds kLeast = std::chrono::seconds(10);
  return std::max(kLeast, Nanoseconds(std::chrono::seconds(grace_period)) * 3 / 2);
}

Eviction pressure_eviction(const api::Pod& pod, const PodReading* reading,
                           const std::vector<JudgedThreshold>& quoted,
                           std::int64_t max_pod_grace_period) {
  assert_that(!quoted.empty(), "a threshold drives an eviction by pressure");
  const JudgedThreshold& driver = quoted.front();
  EvictionText text = eviction_text(pod, reading, traits(driver.threshold.signal).resource, quoted);
  Eviction out{
      .pod = reference_to(pod),
      .cause = driver,
      .grace_period_override = grace_period_override(pod, driver.threshold, max_pod_grace_period)};
  out.condition = disruption_target(pod, text.message);
  out.message = std::move(text.message);
  out.annotations = std::move(text.annotations);
  return out;
}

}  // namespace berth::eviction
