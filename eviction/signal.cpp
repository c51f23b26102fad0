// SPDX-License-Identifier: Apache-2.0

#include "eviction/signal.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace berth::eviction {
namespace {

using namespace std::chrono_literals;

using enum Signal;
using enum StarvedResource;
using enum PressureCondition;
using enum Comparison;
using enum SignalUnit;
using enum SignalOrigin;
using enum SignalFileSystem;

constexpr SignalTraits disk(Signal signal, std::string_view name, SignalFileSystem where) {
  return {signal, name, kEphemeralStorage, kDiskPressure, kLessThan, kBytes, kKubernetes, where};
}
constexpr SignalTraits inodes(Signal signal, std::string_view name, SignalFileSystem where) {
  return {signal, name, kInodes, kDiskPressure, kLessThan, kCount, kKubernetes, where};
}
constexpr SignalTraits memory(Signal signal, std::string_view name, SignalOrigin origin) {
  return {signal, name, kMemory, kMemoryPressure, kLessThan, kBytes, origin, kNone};
}
constexpr SignalTraits stall(Signal signal, std::string_view name, Nanoseconds averaged_over,
                             StallSource source) {
  return {signal,           name,   kMemory, kMemoryPressure, kGreaterThan,
          kPartsPerMillion, kBerth, kNone,   averaged_over,   source};
}
// DiskPressure is the only one of Kubernetes' conditions that keeps away pods which would use the
// disk even more, if only by pulling their images.
constexpr SignalTraits io_stall(Signal signal, std::string_view name, Nanoseconds averaged_over,
                                StallSource source) {
  return {signal,           name,   kIo,   kDiskPressure, kGreaterThan,
          kPartsPerMillion, kBerth, kNone, averaged_over, source};
}

constexpr std::array kSignals = {
    memory(kMemoryAvailable, "memory.available", kKubernetes),
    memory(kAllocatableMemoryAvailable, "allocatableMemory.available", kKubernetes),
    disk(kNodeFsAvailable, "nodefs.available", kNode),
    inodes(kNodeFsInodesFree, "nodefs.inodesFree", kNode),
    disk(kImageFsAvailable, "imagefs.available", kImages),
    inodes(kImageFsInodesFree, "imagefs.inodesFree", kImages),
    disk(kContainerFsAvailable, "containerfs.available", kContainers),
    inodes(kContainerFsInodesFree, "containerfs.inodesFree", kContainers),
    SignalTraits{kPidAvailable, "pid.available", kPids, kPidPressure, kLessThan, kCount,
                 kKubernetes, kNone},
    memory(kMemoryAvailableWithCache, "memory.availableWithCache", kBerth),
    memory(kAllocatableMemoryAvailableWithCache, "allocatableMemory.availableWithCache", kBerth),
    memory(kSwapAvailable, "swap.available", kBerth),
    stall(kMemoryPressureSomeAvg10, "memory.pressure.some.avg10", 10s,
          {&OwnReadings::memory_pressure, &StallReading::some_avg10}),
    stall(kMemoryPressureSomeAvg60, "memory.pressure.some.avg60", 60s,
          {&OwnReadings::memory_pressure, &StallReading::some_avg60}),
    stall(kMemoryPressureFullAvg10, "memory.pressure.full.avg10", 10s,
          {&OwnReadings::memory_pressure, &StallReading::full_avg10}),
    stall(kMemoryPressureFullAvg60, "memory.pressure.full.avg60", 60s,
          {&OwnReadings::memory_pressure, &StallReading::full_avg60}),
    stall(kAllocatableMemoryPressureSomeAvg10, "allocatableMemory.pressure.some.avg10", 10s,
          {&OwnReadings::allocatable_memory_pressure, &StallReading::some_avg10}),
    stall(kAllocatableMemoryPressureSomeAvg60, "allocatableMemory.pressure.some.avg60", 60s,
          {&OwnReadings::allocatable_memory_pressure, &StallReading::some_avg60}),
    stall(kAllocatableMemoryPressureFullAvg10, "allocatableMemory.pressure.full.avg10", 10s,
          {&OwnReadings::allocatable_memory_pressure, &StallReading::full_avg10}),
    stall(kAllocatableMemoryPressureFullAvg60, "allocatableMemory.pressure.full.avg60", 60s,
          {&OwnReadings::allocatable_memory_pressure, &StallReading::full_avg60}),
    io_stall(kIoPressureSomeAvg10, "io.pressure.some.avg10", 10s,
             {&OwnReadings::io_pressure, &StallReading::some_avg10}),
    io_stall(kIoPressureSomeAvg60, "io.pressure.some.avg60", 60s,
             {&OwnReadings::io_pressure, &StallReading::some_avg60}),
    io_stall(kIoPressureSomeAvg300, "io.pressure.some.avg300", 300s,
             {&OwnReadings::io_pressure, &StallReading::some_avg300}),
    io_stall(kIoPressureFullAvg10, "io.pressure.full.avg10", 10s,
             {&OwnReadings::io_pressure, &StallReading::full_avg10}),
    io_stall(kIoPressureFullAvg60, "io.pressure.full.avg60", 60s,
             {&OwnReadings::io_pressure, &StallReading::full_avg60}),
    io_stall(kIoPressureFullAvg300, "io.pressure.full.avg300", 300s,
             {&OwnReadings::io_pressure, &StallReading::full_avg300}),
    io_stall(kAllocatableIoPressureSomeAvg10, "allocatableIO.pressure.some.avg10", 10s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::some_avg10}),
    io_stall(kAllocatableIoPressureSomeAvg60, "allocatableIO.pressure.some.avg60", 60s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::some_avg60}),
    io_stall(kAllocatableIoPressureSomeAvg300, "allocatableIO.pressure.some.avg300", 300s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::some_avg300}),
    io_stall(kAllocatableIoPressureFullAvg10, "allocatableIO.pressure.full.avg10", 10s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::full_avg10}),
    io_stall(kAllocatableIoPressureFullAvg60, "allocatableIO.pressure.full.avg60", 60s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::full_avg60}),
    io_stall(kAllocatableIoPressureFullAvg300, "allocatableIO.pressure.full.avg300", 300s,
             {&OwnReadings::allocatable_io_pressure, &StallReading::full_avg300}),
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (static_cast<std::size_t>(kSignals[i].signal) != i) return false;
  }
  return true;
}
static_assert(in_order(), "traits() finds a signal by its place");

}  // namespace

std::string_view to_string(StarvedResource resource) {
  switch (resource) {
    case kMemory:
      return "memory";
    case kEphemeralStorage:
      return "ephemeral-storage";
    case kInodes:
      return "inodes";
    case kPids:
      return "pids";
    case kIo:
      return "io";
  }
  return "";
}

std::string_view to_string(PressureCondition condition) {
  switch (condition) {
    case kMemoryPressure:
      return "MemoryPressure";
    case kDiskPressure:
      return "DiskPressure";
    case kPidPressure:
      return "PIDPressure";
  }
  return "";
}

const SignalTraits& traits(Signal signal) {
  return kSignals.at(static_cast<std::size_t>(signal));
}

std::span<const SignalTraits> all_signals() {
  return kSignals;
}

std::string_view to_string(Signal signal) {
  return traits(signal).name;
}

std::optional<Signal> parse_signal(std::string_view name, bool with_own) {
  const auto found = std::ranges::find(kSignals, name, &SignalTraits::name);
  if (found == kSignals.end() || (!with_own && found->origin == kBerth)) return std::nullopt;
  return found->signal;
}

}  // namespace berth::eviction
