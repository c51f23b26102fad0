// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/random_thresholds.hpp"

#include <utility>

#include "eviction/threshold_config.hpp"
#include "tests/simulation/pressure/binary_units.hpp"

namespace berth::simulation {

using eviction::Signal;
using eviction::Threshold;
using std::chrono::seconds;

namespace {

api::Quantity mebibytes(std::int64_t count) {
  return api::Quantity::from_int(count * kMi, api::Quantity::Format::kBinarySI);
}

void add_memory(Random& random, std::vector<Threshold>& thresholds) {
  std::optional<eviction::ThresholdValue> reclaim;
  if (random.chance(500)) reclaim = mebibytes(random.between(16, 256));
  const std::int64_t hard = random.between(256, 1024);
  thresholds.push_back(
      {.signal = Signal::kMemoryAvailable, .value = mebibytes(hard), .min_reclaim = reclaim});
  if (!random.chance(600)) return;
  thresholds.push_back({.signal = Signal::kMemoryAvailable,
                        .value = mebibytes(hard + random.between(64, 1024)),
                        .grace_period = random.between(seconds(1), seconds(30)),
                        .min_reclaim = reclaim,
                        .origin = eviction::ThresholdOrigin::kEvictionSoft});
}

void add_soft(Random& random, std::vector<Threshold>& thresholds, Signal signal,
              eviction::ThresholdValue value) {
  thresholds.push_back({.signal = signal,
                        .value = std::move(value),
                        .grace_period = random.between(seconds(1), seconds(30)),
                        .origin = eviction::ThresholdOrigin::kEvictionSoft});
}

// Adds the limit of all pods, inodes, and soft thresholds on signals with hard ones; drawn from a
// stream of its own.
void add_others(Random random, agent::EvictionSettings& eviction) {
  auto& thresholds = eviction.config.thresholds;
  eviction.enforce_pods_allocatable = random.chance(500);
  thresholds = eviction::with_allocatable(std::move(thresholds), eviction.enforce_pods_allocatable);
  if (random.chance(300))
    add_soft(random, thresholds, Signal::kAllocatableMemoryAvailable,
             mebibytes(random.between(256, 2048)));
  if (random.chance(400))
    thresholds.push_back({.signal = Signal::kNodeFsInodesFree,
                          .value = eviction::Share{0.12F},
                          .min_reclaim = eviction::Share{0.03F}});
  if (random.chance(250))
    add_soft(random, thresholds, Signal::kNodeFsInodesFree, eviction::Share{0.2F});
  if (random.chance(250))
    add_soft(random, thresholds, Signal::kNodeFsAvailable, eviction::Share{0.2F});
  if (random.chance(250))
    add_soft(random, thresholds, Signal::kPidAvailable, eviction::Share{0.1F});
}

// Adds thresholds on the images' file system and on memory stalls, drawn from a stream of its own.
void add_images_and_stalls(Random random, std::vector<Threshold>& thresholds) {
  if (random.chance(500))
    thresholds.push_back({.signal = Signal::kImageFsAvailable,
                          .value = eviction::Share{0.15F},
                          .min_reclaim = mebibytes(random.between(0, 2048))});
  if (random.chance(250))
    add_soft(random, thresholds, Signal::kImageFsAvailable, eviction::Share{0.25F});
  if (random.chance(250))
    thresholds.push_back({.signal = Signal::kImageFsInodesFree, .value = eviction::Share{0.1F}});
  if (random.chance(250))
    thresholds.push_back(
        {.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.6F}});
  if (random.chance(150))
    add_soft(random, thresholds, Signal::kMemoryPressureFullAvg10, eviction::Share{0.4F});
}

}  // namespace

ResourcesSetup random_resources(std::uint64_t seed) {
  ResourcesSetup setup{.random = Random(seed).fork("pressure")};
  Random& random = setup.random;
  auto& config = setup.eviction.config;
  if (random.chance(900)) add_memory(random, config.thresholds);
  if (random.chance(600))
    config.thresholds.push_back({.signal = Signal::kNodeFsAvailable,
                                 .value = eviction::Share{0.1F},
                                 .min_reclaim = mebibytes(random.between(0, 2048))});
  if (random.chance(400))
    config.thresholds.push_back({.signal = Signal::kPidAvailable, .value = eviction::Share{0.05F}});
  config.pressure_transition_period = random.between(seconds(5), seconds(90));
  config.max_pod_grace_period = random.between(0, 20);
  config.local_storage_capacity_isolation = random.chance(800);
  config.rules.static_pods_are_critical = random.chance(80);
  config.rules.evict_within_requests = random.chance(500);
  if (random.chance(150)) setup.eviction.recreate = agent::RecreateEvicted::kNever;
  if (random.chance(300)) setup.layout = eviction::FileSystemLayout::kDedicatedImageFs;
  add_others(random.fork("other thresholds"), setup.eviction);
  add_images_and_stalls(random.fork("images and stalls"), config.thresholds);
  setup.percent_in_pods = random.fork("in pods").between(60, 100);
  return setup;
}

}  // namespace berth::simulation
