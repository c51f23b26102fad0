// The members of what an eviction is decided from, for strict_json.hpp. Included only by the source
// that writes and reads such records.
#pragma once

#include <boost/describe.hpp>

#include "lifecycle/ledger/eviction_kind.hpp"

namespace berth::eviction {

BOOST_DESCRIBE_ENUM(Signal, kMemoryAvailable, kAllocatableMemoryAvailable, kNodeFsAvailable,
                    kNodeFsInodesFree, kImageFsAvailable, kImageFsInodesFree, kContainerFsAvailable,
                    kContainerFsInodesFree, kPidAvailable, kMemoryAvailableWithCache,
                    kAllocatableMemoryAvailableWithCache, kSwapAvailable, kMemoryPressureSomeAvg10,
                    kMemoryPressureSomeAvg60, kMemoryPressureFullAvg10, kMemoryPressureFullAvg60,
                    kAllocatableMemoryPressureSomeAvg10, kAllocatableMemoryPressureSomeAvg60,
                    kAllocatableMemoryPressureFullAvg10, kAllocatableMemoryPressureFullAvg60)
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
BOOST_DESCRIBE_STRUCT(PressureState, (), (first_observed, last_observed, conditions, due, samples))
BOOST_DESCRIBE_STRUCT(EvictionState, (), (pressure, layout))

BOOST_DESCRIBE_STRUCT(MemoryReading, (), (available, working_set, limit, time))
BOOST_DESCRIBE_STRUCT(FileSystemReading, (), (available, capacity, inodes_free, inodes, time))
BOOST_DESCRIBE_STRUCT(PidReading, (), (running, max, time))
BOOST_DESCRIBE_STRUCT(AmountReading, (), (available, capacity, time))
BOOST_DESCRIBE_STRUCT(StallReading, (), (some_avg10, some_avg60, full_avg10, full_avg60, time))
BOOST_DESCRIBE_STRUCT(OwnReadings, (),
                      (memory_with_cache, allocatable_memory_with_cache, swap, memory_pressure,
                       allocatable_memory_pressure))
BOOST_DESCRIBE_STRUCT(NodeReadings, (),
                      (memory, allocatable_memory, node_fs, image_fs, container_fs, pids, own))
BOOST_DESCRIBE_STRUCT(UsedSpace, (), (bytes, inodes))
BOOST_DESCRIBE_STRUCT(UsedMemory, (), (working_set))
BOOST_DESCRIBE_STRUCT(ContainerReading, (), (name, working_set, rootfs, logs))
BOOST_DESCRIBE_STRUCT(VolumeReading, (), (name, used))
BOOST_DESCRIBE_STRUCT(PodReading, (), (memory, ephemeral_storage, processes, containers, volumes))
BOOST_DESCRIBE_STRUCT(Readings, (), (node, pods))

}  // namespace berth::eviction

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(EvictionQuestion, (),
                      (at, now, config, before, readings, layout, pods, after_reclaim, victim))

}  // namespace berth::lifecycle
