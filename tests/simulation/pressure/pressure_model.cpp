// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/pressure_model.hpp"

#include <algorithm>

namespace berth::simulation {

using eviction::Signal;

namespace {

// Layers are removed, and blocks freed, only some time after the pod is gone.
constexpr std::chrono::seconds kDiskIsFreed{10};

std::int64_t amount(const eviction::ThresholdValue& value, std::int64_t capacity) {
  if (const auto* share = std::get_if<eviction::Share>(&value))
    return static_cast<std::int64_t>(static_cast<double>(capacity) *
                                     static_cast<double>(share->of_capacity));
  return std::get<api::Quantity>(value).value();
}

std::optional<Measured> of_memory(const std::optional<eviction::MemoryReading>& memory) {
  if (!memory) return std::nullopt;
  return Measured{.value = *memory->available, .capacity = *memory->limit, .time = memory->time};
}

std::optional<Measured> of_inodes(const std::optional<eviction::FileSystemReading>& disk) {
  if (!disk || !disk->inodes_free) return std::nullopt;
  return Measured{.value = *disk->inodes_free, .capacity = *disk->inodes, .time = disk->time};
}

std::optional<Measured> of_stalls(const std::optional<eviction::StallReading>& stalls) {
  if (!stalls) return std::nullopt;
  return Measured{.value = stalls->full_avg10, .capacity = 1'000'000, .time = stalls->time};
}

std::optional<Measured> of_disk(const std::optional<eviction::FileSystemReading>& disk) {
  if (!disk || !disk->available) return std::nullopt;
  return Measured{.value = *disk->available, .capacity = *disk->capacity, .time = disk->time};
}

bool is_of_disk(Signal signal) {
  return eviction::traits(signal).condition == eviction::PressureCondition::kDiskPressure &&
         eviction::traits(signal).resource != eviction::StarvedResource::kIo;
}

}  // namespace

std::optional<Measured> measured(Signal signal, const eviction::NodeReadings& readings) {
  switch (signal) {
    case Signal::kMemoryAvailable:
      return of_memory(readings.memory);
    case Signal::kAllocatableMemoryAvailable:
      return of_memory(readings.allocatable_memory);
    case Signal::kPidAvailable:
      if (!readings.pids) return std::nullopt;
      return Measured{.value = *readings.pids->max - *readings.pids->running,
                      .capacity = *readings.pids->max,
                      .time = readings.pids->time};
    case Signal::kNodeFsAvailable:
      return of_disk(readings.node_fs);
    case Signal::kImageFsAvailable:
      return of_disk(readings.image_fs);
    case Signal::kContainerFsAvailable:
      return of_disk(readings.container_fs);
    case Signal::kNodeFsInodesFree:
      return of_inodes(readings.node_fs);
    case Signal::kImageFsInodesFree:
      return of_inodes(readings.image_fs);
    case Signal::kContainerFsInodesFree:
      return of_inodes(readings.container_fs);
    case Signal::kMemoryPressureFullAvg10:
      return of_stalls(readings.own.memory_pressure);
    default:
      return std::nullopt;
  }
}

PressureModel::PressureModel(const eviction::EvictionConfig& config,
                             eviction::FileSystemLayout layout)
    : layout_(layout), transition_(config.pressure_transition_period) {
  for (const eviction::Threshold& threshold : config.thresholds)
    rules_.push_back({.threshold = threshold});
}

void PressureModel::look(Rule& rule, const std::optional<Measured>& value, SteadyTime asked) const {
  const eviction::Threshold& threshold = rule.threshold;
  bool met = false;
  if (value) {
    std::int64_t limit = amount(threshold.value, value->capacity);
    if (rule.due && threshold.min_reclaim) limit += amount(*threshold.min_reclaim, value->capacity);
    const bool is_limit_from_above =
        eviction::traits(threshold.signal).comparison == eviction::Comparison::kGreaterThan;
    met = is_limit_from_above ? value->value > limit : value->value < limit;
  }
  if (!met) {
    rule = {.threshold = threshold};
    return;
  }
  if (!rule.met_since) rule.met_since = asked;
  rule.due = asked - *rule.met_since >= threshold.grace_period;
}

void PressureModel::look(const eviction::NodeReadings& readings, SteadyTime asked) {
  stale_.clear();
  asked_ = asked;
  if (awaited_) {
    gone_ = asked;
    if (is_of_disk(*awaited_)) gone_for_disk_ = asked;
    awaited_.reset();
  }
  for (Rule& rule : rules_) {
    const Signal signal = rule.threshold.signal;
    const auto value = measured(signal, readings);
    look(rule, value, asked);
    if (rule.met_since) last_met_[eviction::traits(signal).condition] = asked;
    const auto before = samples_.find(signal);
    if (value && value->time && before != samples_.end() && before->second &&
        *value->time <= *before->second)
      stale_.insert(signal);
  }
  for (const Rule& rule : rules_) {
    const auto value = measured(rule.threshold.signal, readings);
    samples_.erase(rule.threshold.signal);
    if (value) samples_[rule.threshold.signal] = value->time;
  }
  conditions_.clear();
  for (const auto& [condition, at] : last_met_)
    if (asked - at < transition_) conditions_.insert(condition);
}

bool PressureModel::is_anything_due() const {
  return std::ranges::any_of(rules_, &Rule::due);
}

bool PressureModel::is_a_disk_due() const {
  return std::ranges::any_of(rules_, [](const Rule& rule) {
    return rule.due &&
           eviction::traits(rule.threshold.signal).file_system != eviction::SignalFileSystem::kNone;
  });
}

std::set<Signal> PressureModel::ripe() const {
  std::set<Signal> out;
  for (const Rule& rule : rules_)
    if (rule.due && !is_stale(rule.threshold.signal) && !contains_victim(rule.threshold.signal))
      out.insert(rule.threshold.signal);
  return out;
}

bool PressureModel::contains_victim(Signal signal) const {
  if (gone_for_disk_ && is_of_disk(signal) && asked_ - *gone_for_disk_ < kDiskIsFreed) return true;
  return gone_ && asked_ - *gone_ < eviction::traits(signal).averaged_over;
}

// The containers' file system has no thresholds of its own: it has those of the file system it is
// on.
Signal PressureModel::configured(Signal signal) const {
  const bool with_images = layout_ == eviction::FileSystemLayout::kDedicatedImageFs;
  if (signal == Signal::kContainerFsAvailable)
    return with_images ? Signal::kImageFsAvailable : Signal::kNodeFsAvailable;
  if (signal == Signal::kContainerFsInodesFree)
    return with_images ? Signal::kImageFsInodesFree : Signal::kNodeFsInodesFree;
  return signal;
}

bool PressureModel::is_due(Signal signal, Nanoseconds grace_period) const {
  const Signal own = configured(signal);
  return std::ranges::any_of(rules_, [&](const Rule& rule) {
    return rule.due && rule.threshold.signal == own && rule.threshold.grace_period == grace_period;
  });
}

}  // namespace berth::simulation
