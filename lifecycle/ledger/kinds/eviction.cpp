// SPDX-License-Identifier: Apache-2.0

// Which pod was evicted, given the readings (eviction/cycle.hpp).
#include "lifecycle/ledger/described_readings.hpp"
#include "lifecycle/ledger/eviction_question.hpp"
#include "lifecycle/ledger/kind.hpp"

namespace berth::eviction {

BOOST_DESCRIBE_ENUM(Signal, kMemoryAvailable, kAllocatableMemoryAvailable, kNodeFsAvailable,
                    kNodeFsInodesFree, kImageFsAvailable, kImageFsInodesFree, kContainerFsAvailable,
                    kContainerFsInodesFree, kPidAvailable, kMemoryAvailableWithCache,
                    kAllocatableMemoryAvailableWithCache, kSwapAvailable, kMemoryPressureSomeAvg10,
                    kMemoryPressureSomeAvg60, kMemoryPressureFullAvg10, kMemoryPressureFullAvg60,
                    kAllocatableMemoryPressureSomeAvg10, kAllocatableMemoryPressureSomeAvg60,
                    kAllocatableMemoryPressureFullAvg10, kAllocatableMemoryPressureFullAvg60,
                    kIoPressureSomeAvg10, kIoPressureSomeAvg60, kIoPressureSomeAvg300,
                    kIoPressureFullAvg10, kIoPressureFullAvg60, kIoPressureFullAvg300,
                    kAllocatableIoPressureSomeAvg10, kAllocatableIoPressureSomeAvg60,
                    kAllocatableIoPressureSomeAvg300, kAllocatableIoPressureFullAvg10,
                    kAllocatableIoPressureFullAvg60, kAllocatableIoPressureFullAvg300)
BOOST_DESCRIBE_ENUM(PressureCondition, kMemoryPressure, kDiskPressure, kPidPressure)
BOOST_DESCRIBE_ENUM(ThresholdOrigin, kEvictionHard, kEvictionSoft, kNodeAllocatable)
BOOST_DESCRIBE_ENUM(FileSystemLayout, kSingle, kDedicatedImageFs, kSplitImageFs)

BOOST_DESCRIBE_STRUCT(Share, (), (of_capacity))
BOOST_DESCRIBE_STRUCT(Threshold, (), (signal, value, grace_period, min_reclaim, origin))
BOOST_DESCRIBE_STRUCT(EvictionRules, (), (static_pods_are_critical, evict_within_requests))
BOOST_DESCRIBE_STRUCT(EvictionConfig, (),
                      (thresholds, pressure_transition_period, max_pod_grace_period,
                       local_storage_capacity_isolation, rules))
BOOST_DESCRIBE_STRUCT(FirstObserved, (), (threshold, at))
BOOST_DESCRIBE_STRUCT(PressureState, (),
                      (first_observed, last_observed, conditions, due, samples, last_eviction,
                       last_gone_for_disk))
BOOST_DESCRIBE_STRUCT(EvictionState, (), (pressure, layout))

BOOST_DESCRIBE_STRUCT(Readings, (), (node, pods))

}  // namespace berth::eviction

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(RankedRecord, (), (pod, uid, usage, request, priority, ahead_by, exempt))
BOOST_DESCRIBE_STRUCT(EvictionRecord, (),
                      (sentence, signal, threshold, observed, limit, reading_age_ms, grace_seconds,
                       message, due, reclaimed, ranking))
BOOST_DESCRIBE_STRUCT(EvictionQuestion, (),
                      (pod, at, now, config, before, readings, layout, pods, after_reclaim))

namespace {

std::vector<api::Container> ranked_containers(const std::vector<api::Container>& containers) {
  std::vector<api::Container> parts;
  for (const api::Container& container : containers)
    parts.push_back({.name = container.name,
                     .resources = container.resources,
                     .restartPolicy = container.restartPolicy});
  return parts;
}

// Kept small: a record of a hundred pods must not fill the store.
api::Pod ranked_part(const api::Pod& pod) {
  api::Pod part;
  part.metadata.name = pod.metadata.name;
  part.metadata.namespace_ = pod.metadata.namespace_;
  part.metadata.uid = pod.metadata.uid;
  part.metadata.generation = pod.metadata.generation;
  // The pod's source decides whether it is critical, if static pods are.
  for (const auto& [key, value] : pod.metadata.annotations)
    if (key.starts_with("kubernetes.io/config.")) part.metadata.annotations[key] = value;
  part.spec.priority = pod.spec.priority;
  part.spec.terminationGracePeriodSeconds = pod.spec.terminationGracePeriodSeconds;
  part.spec.resources = pod.spec.resources;
  part.spec.overhead = pod.spec.overhead;
  part.spec.volumes = pod.spec.volumes;
  part.spec.containers = ranked_containers(pod.spec.containers);
  part.spec.initContainers = ranked_containers(pod.spec.initContainers);
  return part;
}

EvictionQuestion part(const EvictionQuestion& question) {
  EvictionQuestion part = question;
  part.pod = ranked_part(question.pod);
  for (api::Pod& pod : part.pods) pod = ranked_part(pod);
  return part;
}

}  // namespace

template <>
const KindOf<EvictionQuestion, EvictionRecord>& kind_of() {
  static const RecordedKind kKind(Kind<EvictionQuestion, EvictionRecord>{
      .name = kLedgerEviction,
      .decide = decide_eviction,
      .reasons =
          [](const auto& /*question*/, const auto& record) {
            return Reasons{{.subject = "pod", .rule = "Evicted", .text = record.sentence}};
          },
      .part = part,
      .taken_at = [](const auto& question) { return question.at; }});
  return kKind;
}

}  // namespace berth::lifecycle
