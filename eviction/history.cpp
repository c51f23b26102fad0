// SPDX-License-Identifier: Apache-2.0

#include "eviction/history.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::eviction {
namespace {

// Keeps the worse of two; an unset reading never wins.
template <class Reading, class Worse>
void keep_worse(std::optional<Reading>& kept, const std::optional<Reading>& other, Worse&& worse) {
  if (other && (!kept || worse(*other, *kept))) kept = other;
}

bool less_memory(const MemoryReading& a, const MemoryReading& b) {
  if (!a.available || !b.available) return a.available.has_value();
  return *a.available < *b.available;
}

bool less_amount(const AmountReading& a, const AmountReading& b) {
  return a.available < b.available;
}

bool less_pids(const PidReading& a, const PidReading& b) {
  if (!a.running || !a.max || !b.running || !b.max) return a.running && a.max;
  return *a.max - *a.running < *b.max - *b.running;
}

// Compares space and inodes separately.
void keep_worse_file_system(std::optional<FileSystemReading>& kept,
                            const std::optional<FileSystemReading>& other) {
  if (!other) return;
  if (!kept) {
    kept = other;
    return;
  }
  if (other->available && (!kept->available || *other->available < *kept->available)) {
    kept->available = other->available;
    kept->capacity = other->capacity;
  }
  if (other->inodes_free && (!kept->inodes_free || *other->inodes_free < *kept->inodes_free)) {
    kept->inodes_free = other->inodes_free;
    kept->inodes = other->inodes;
  }
}

void keep_worse_stall(std::optional<StallReading>& kept, const std::optional<StallReading>& other) {
  if (!other) return;
  if (!kept) {
    kept = other;
    return;
  }
  for (const auto share :
       {&StallReading::some_avg10, &StallReading::some_avg60, &StallReading::some_avg300,
        &StallReading::full_avg10, &StallReading::full_avg60, &StallReading::full_avg300}) {
    (*kept).*share = std::max((*kept).*share, (*other).*share);
  }
}

// Keeps the newest time: the kept value is taken to be as new as that.
template <class Reading>
void keep_time(std::optional<Reading>& kept, const std::optional<Reading>& newest) {
  if (kept && newest) kept->time = newest->time;
}

void merge_node(NodeReadings& kept, const NodeReadings& other) {
  keep_worse(kept.memory, other.memory, less_memory);
  keep_worse(kept.allocatable_memory, other.allocatable_memory, less_memory);
  keep_worse_file_system(kept.node_fs, other.node_fs);
  keep_worse_file_system(kept.image_fs, other.image_fs);
  keep_worse_file_system(kept.container_fs, other.container_fs);
  keep_worse(kept.pids, other.pids, less_pids);
  keep_worse(kept.own.memory_with_cache, other.own.memory_with_cache, less_amount);
  keep_worse(kept.own.allocatable_memory_with_cache, other.own.allocatable_memory_with_cache,
             less_amount);
  keep_worse(kept.own.swap, other.own.swap, less_amount);
  keep_worse_stall(kept.own.memory_pressure, other.own.memory_pressure);
  keep_worse_stall(kept.own.allocatable_memory_pressure, other.own.allocatable_memory_pressure);
  keep_worse_stall(kept.own.io_pressure, other.own.io_pressure);
  keep_worse_stall(kept.own.allocatable_io_pressure, other.own.allocatable_io_pressure);
}

void set_times(NodeReadings& kept, const NodeReadings& newest) {
  keep_time(kept.memory, newest.memory);
  keep_time(kept.allocatable_memory, newest.allocatable_memory);
  keep_time(kept.node_fs, newest.node_fs);
  keep_time(kept.image_fs, newest.image_fs);
  keep_time(kept.container_fs, newest.container_fs);
  keep_time(kept.pids, newest.pids);
  keep_time(kept.own.memory_with_cache, newest.own.memory_with_cache);
  keep_time(kept.own.allocatable_memory_with_cache, newest.own.allocatable_memory_with_cache);
  keep_time(kept.own.swap, newest.own.swap);
  keep_time(kept.own.memory_pressure, newest.own.memory_pressure);
  keep_time(kept.own.allocatable_memory_pressure, newest.own.allocatable_memory_pressure);
  keep_time(kept.own.io_pressure, newest.own.io_pressure);
  keep_time(kept.own.allocatable_io_pressure, newest.own.allocatable_io_pressure);
}

bool was_shorter(const Sample& one, const Sample& than) {
  const auto& memory = one.node.memory;
  const auto& least = than.node.memory;
  return memory && (!least || less_memory(*memory, *least));
}

// The sample in which pods were evicted, so that its pods were ranked; else the one with the least
// memory, whose pods would have been ranked.
const Sample& ranking_sample(const std::vector<Sample>& samples) {
  const Sample* found = &samples.front();
  for (const Sample& sample : samples) {
    const bool evicted = !sample.evicted.empty();
    const bool better = evicted == found->evicted.empty() ? evicted : was_shorter(sample, *found);
    if (better) found = &sample;
  }
  return *found;
}

}  // namespace

HistoryPolicy default_history_policy() {
  using std::chrono::minutes;
  using std::chrono::seconds;
  return {{.until = minutes(5), .capacity = 300},
          {.until = minutes(65), .every = seconds(10), .capacity = 361},
          {.every = minutes(5), .capacity = 320}};
}

Sample merge_samples(const std::vector<Sample>& samples) {
  const Sample& pods_from = ranking_sample(samples);
  Sample out = samples.back();
  out.node = samples.front().node;
  out.merged = 0;
  out.evicted.clear();
  out.after_reclaim.reset();
  for (const Sample& sample : samples) {
    merge_node(out.node, sample.node);
    out.merged += sample.merged;
    out.evicted.insert(out.evicted.end(), sample.evicted.begin(), sample.evicted.end());
    if (sample.after_reclaim) out.after_reclaim = sample.after_reclaim;
  }
  if (out.after_reclaim) out.reclaiming = false;
  set_times(out.node, samples.back().node);
  out.pods = pods_from.pods;
  return out;
}

History::History(HistoryPolicy policy) : policy_(std::move(policy)), stretches_(policy_.size()) {}

void History::add(Sample sample) {
  if (stretches_.empty()) return;
  const Sample* last = newest();
  if (last != nullptr && sample.at <= last->at) return;
  const SteadyTime at = sample.at;
  take(0, std::move(sample));
  for (std::size_t stretch = 0; stretch < stretches_.size(); ++stretch) pass_on(stretch, at);
}

void History::put_before(std::vector<Sample> older) {
  if (stretches_.empty()) return;
  const auto here = samples();
  const SteadyTime began = here.empty() ? SteadyTime::max() : here.front()->at;
  auto& last = stretches_.back();
  for (auto sample = older.rbegin(); sample != older.rend(); ++sample) {
    if (last.size() >= policy_.back().capacity) return;
    if (sample->at < began) last.push_front(std::move(*sample));
  }
}

void History::pass_on(std::size_t stretch, SteadyTime newest) {
  auto& samples = stretches_[stretch];
  const HistoryStretch& policy = policy_[stretch];
  const auto is_too_old = [&] { return newest - samples.front().at > policy.until; };
  while (samples.size() > policy.capacity || (!samples.empty() && is_too_old())) {
    Sample oldest = std::move(samples.front());
    samples.pop_front();
    if (stretch + 1 < stretches_.size()) take(stretch + 1, std::move(oldest));
  }
}

// A merged sample has the time of its last one, so it stays in its piece of time.
void History::take(std::size_t stretch, Sample sample) {
  auto& samples = stretches_[stretch];
  const Nanoseconds every = policy_[stretch].every;
  const auto piece = [every](const Sample& one) { return one.at.time_since_epoch() / every; };
  const bool merges =
      every > Nanoseconds::zero() && !samples.empty() && piece(samples.back()) == piece(sample);
  if (merges)
    samples.back() = merge_samples({samples.back(), std::move(sample)});
  else
    samples.push_back(std::move(sample));
}

std::vector<const Sample*> History::samples() const {
  std::vector<const Sample*> out;
  for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch) {
    for (const Sample& sample : *stretch) out.push_back(&sample);
  }
  return out;
}

std::size_t History::size() const {
  std::size_t sum = 0;
  for (const auto& stretch : stretches_) sum += stretch.size();
  return sum;
}

const Sample* History::newest() const {
  for (const auto& stretch : stretches_) {
    if (!stretch.empty()) return &stretch.back();
  }
  return nullptr;
}

}  // namespace berth::eviction
