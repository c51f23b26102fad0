// SPDX-License-Identifier: Apache-2.0

// Signals: measured values of the node that thresholds are set on.
//
// The first nine are Kubernetes'; the rest are berth's own and have no effect unless a threshold
// names them. A signal's resource decides how pods are ranked, which node condition it raises, and
// the word in the message. Pure; the enumerators' order is the fixed order of signals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

enum class Signal : std::uint8_t {
  kMemoryAvailable,
  kAllocatableMemoryAvailable,
  kNodeFsAvailable,
  kNodeFsInodesFree,
  kImageFsAvailable,
  kImageFsInodesFree,
  kContainerFsAvailable,
  kContainerFsInodesFree,
  kPidAvailable,
  // berth's own
  kMemoryAvailableWithCache,             // the kernel's MemAvailable
  kAllocatableMemoryAvailableWithCache,  // of the pods' cgroup, including half of its clean cache
  kSwapAvailable,                        // SwapFree
  kMemoryPressureSomeAvg10,              // /proc/pressure/memory: share of time with some stalled
  kMemoryPressureSomeAvg60,
  kMemoryPressureFullAvg10,  // … with all stalled
  kMemoryPressureFullAvg60,
  kAllocatableMemoryPressureSomeAvg10,  // the same of the pods' cgroup
  kAllocatableMemoryPressureSomeAvg60,
  kAllocatableMemoryPressureFullAvg10,
  kAllocatableMemoryPressureFullAvg60,
  kIoPressureSomeAvg10,  // /proc/pressure/io: the same of waiting for disks
  kIoPressureSomeAvg60,
  kIoPressureSomeAvg300,
  kIoPressureFullAvg10,
  kIoPressureFullAvg60,
  kIoPressureFullAvg300,
  kAllocatableIoPressureSomeAvg10,  // the same of the pods' cgroup
  kAllocatableIoPressureSomeAvg60,
  kAllocatableIoPressureSomeAvg300,
  kAllocatableIoPressureFullAvg10,
  kAllocatableIoPressureFullAvg60,
  kAllocatableIoPressureFullAvg300,
};

// The resource under pressure; to_string gives Kubernetes' word for it. Kubernetes has no word for
// time spent waiting for disks: "io" is berth's own.
enum class StarvedResource : std::uint8_t { kMemory, kEphemeralStorage, kInodes, kPids, kIo };
[[nodiscard]] std::string_view to_string(StarvedResource resource);

enum class PressureCondition : std::uint8_t { kMemoryPressure, kDiskPressure, kPidPressure };
[[nodiscard]] std::string_view to_string(PressureCondition condition);

// When a threshold is met.
enum class Comparison : std::uint8_t {
  kLessThan,     // the value is below the threshold: available amounts
  kGreaterThan,  // the value is above the threshold: stall times
};

// Who defines the signal.
enum class SignalOrigin : std::uint8_t { kKubernetes, kBerth };

// The file system that the signal is measured on.
enum class SignalFileSystem : std::uint8_t { kNone, kNode, kImages, kContainers };

// The unit of the signal's values.
enum class SignalUnit : std::uint8_t {
  kBytes,
  kCount,            // inodes, processes
  kPartsPerMillion,  // of the time: 1 % is 10 000
};

// Where a signal of stalls is measured; null for any other signal.
struct StallSource {
  std::optional<StallReading> OwnReadings::*reading = nullptr;
  std::int64_t StallReading::*share = nullptr;
};

struct SignalTraits {
  Signal signal{};
  std::string_view name{};
  StarvedResource resource{};
  PressureCondition condition{};
  Comparison comparison = Comparison::kLessThan;
  SignalUnit unit = SignalUnit::kBytes;
  SignalOrigin origin = SignalOrigin::kKubernetes;
  SignalFileSystem file_system = SignalFileSystem::kNone;
  Nanoseconds averaged_over{};  // zero: an instantaneous value
  StallSource stalls{};
};

[[nodiscard]] const SignalTraits& traits(Signal signal);
// In the fixed order of signals.
[[nodiscard]] std::span<const SignalTraits> all_signals();

[[nodiscard]] std::string_view to_string(Signal signal);
// Looks a signal up by its exact name. `with_own`: include berth's own signals, which the kubelet's
// configuration does not know.
[[nodiscard]] std::optional<Signal> parse_signal(std::string_view name, bool with_own);

[[nodiscard]] inline bool is_memory_signal(Signal signal) {
  return traits(signal).resource == StarvedResource::kMemory;
}

[[nodiscard]] inline bool is_average(Signal signal) {
  return traits(signal).averaged_over != Nanoseconds::zero();
}

}  // namespace berth::eviction
