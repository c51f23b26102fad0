// SPDX-License-Identifier: Apache-2.0

#include "eviction/observations.hpp"

#include <fmt/core.h>

namespace berth::eviction {
namespace {

constexpr std::int64_t kWholeTime = 1'000'000;  // parts per million

// Without a limit, the sum of unsigned numbers as in Kubernetes: if the available amount has
// wrapped around, the sum is the limit again.
std::int64_t capacity_of(const MemoryReading& reading) {
  if (reading.limit) return *reading.limit;
  const auto unsigned_of = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
  return static_cast<std::int64_t>(unsigned_of(*reading.available) +
                                   unsigned_of(*reading.working_set));
}

class Observer {
 public:
  void bytes(Signal signal, std::int64_t value, std::int64_t capacity,
             const std::optional<WallTime>& time) {
    put(signal, value, capacity, api::Quantity::Format::kBinarySI, time);
  }
  void count(Signal signal, std::int64_t value, std::int64_t capacity,
             const std::optional<WallTime>& time) {
    put(signal, value, capacity, api::Quantity::Format::kDecimalSI, time);
  }

  void memory(Signal signal, const std::optional<MemoryReading>& reading) {
    if (!reading || !reading->available || !reading->working_set) return;
    bytes(signal, *reading->available, capacity_of(*reading), reading->time);
  }
  void file_system(Signal available, Signal inodes,
                   const std::optional<FileSystemReading>& reading) {
    if (!reading) return;
    if (reading->available && reading->capacity) {
      bytes(available, *reading->available, *reading->capacity, reading->time);
    }
    if (reading->inodes_free && reading->inodes) {
      count(inodes, *reading->inodes_free, *reading->inodes, reading->time);
    }
  }
  void pids(const std::optional<PidReading>& reading) {
    if (!reading || !reading->running || !reading->max) return;
    count(Signal::kPidAvailable, *reading->max - *reading->running, *reading->max, reading->time);
  }
  void amount(Signal signal, const std::optional<AmountReading>& reading) {
    if (reading) bytes(signal, reading->available, reading->capacity, reading->time);
  }
  void stall(Signal signal, const std::optional<StallReading>& reading,
             std::int64_t StallReading::*share) {
    if (reading) count(signal, *reading.*share, kWholeTime, reading->time);
  }

  [[nodiscard]] Observations take() { return std::move(seen_); }

 private:
  void put(Signal signal, std::int64_t value, std::int64_t capacity, api::Quantity::Format format,
           const std::optional<WallTime>& time) {
    seen_.emplace(signal, Observation{.value = api::Quantity::from_int(value, format),
                                      .capacity = api::Quantity::from_int(capacity, format),
                                      .time = time});
  }

  Observations seen_{};
};

}  // namespace

Observations observe(const NodeReadings& readings) {
  using enum Signal;
  Observer out;
  out.memory(kMemoryAvailable, readings.memory);
  out.memory(kAllocatableMemoryAvailable, readings.allocatable_memory);
  out.file_system(kNodeFsAvailable, kNodeFsInodesFree, readings.node_fs);
  out.file_system(kImageFsAvailable, kImageFsInodesFree, readings.image_fs);
  out.file_system(kContainerFsAvailable, kContainerFsInodesFree, readings.container_fs);
  out.pids(readings.pids);
  const OwnReadings& own = readings.own;
  out.amount(kMemoryAvailableWithCache, own.memory_with_cache);
  out.amount(kAllocatableMemoryAvailableWithCache, own.allocatable_memory_with_cache);
  out.amount(kSwapAvailable, own.swap);
  for (const SignalTraits& signal : all_signals())
    if (signal.stalls.reading != nullptr)
      out.stall(signal.signal, own.*signal.stalls.reading, signal.stalls.share);
  return out.take();
}

std::string to_text(Signal signal, const api::Quantity& amount) {
  if (traits(signal).unit != SignalUnit::kPartsPerMillion) return amount.to_string();
  constexpr double kPartsInPercent = 10'000;
  return fmt::format("{:g}%", amount.as_double() / kPartsInPercent);
}

std::string readable(Signal signal, const api::Quantity& amount, api::Rounding rounding) {
  const SignalUnit unit = traits(signal).unit;
  return unit == SignalUnit::kBytes ? api::readable_bytes(amount.value(), rounding)
                                    : to_text(signal, amount);
}

std::string observed_clause(Signal signal, const api::Quantity& value) {
  if (traits(signal).comparison == Comparison::kGreaterThan)
    return fmt::format("it is {}", readable(signal, value));
  return fmt::format("{} is left", readable(signal, value, api::Rounding::kDown));
}

}  // namespace berth::eviction
