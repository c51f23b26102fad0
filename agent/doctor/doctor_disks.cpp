// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_disks.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "eviction/observations.hpp"
#include "eviction/pressure.hpp"

namespace berth::agent {
namespace {

eviction::FileSystemReading reading_of(const std::optional<FileSystemFacts>& disk) {
  return disk ? disk->reading : eviction::FileSystemReading{};
}

// The hard thresholds that are met.
std::vector<eviction::JudgedThreshold> met(const Settings& settings,
                                           const eviction::NodeReadings& readings) {
  std::vector<eviction::Threshold> hard;
  for (const auto& threshold : settings.eviction.config.thresholds)
    if (eviction::is_hard(threshold)) hard.push_back(threshold);
  auto judged = eviction::judge({}, hard, eviction::observe(readings), {}, {}).thresholds;
  std::erase_if(judged, [](const auto& threshold) { return !eviction::is_met(threshold); });
  return judged;
}

// "9Gi of 100Gi are available, which is below nodefs.available<10%".
std::string shortage(const eviction::JudgedThreshold& judged) {
  const eviction::Signal signal = judged.threshold.signal;
  const bool bytes = eviction::traits(signal).unit == eviction::SignalUnit::kBytes;
  return fmt::format(
      "{} of {} {}, which is below {}", eviction::readable(signal, judged.observation->value),
      eviction::readable(signal, judged.observation->capacity),
      bytes ? "are available" : "inodes are free", eviction::to_string(judged.threshold));
}

Finding of_node(const FileSystemFacts& disk, const eviction::JudgedThreshold& judged) {
  const bool bytes = eviction::traits(judged.threshold.signal).unit == eviction::SignalUnit::kBytes;
  return {Severity::kWarning, "machine", disk.path,
          shortage(judged) + ": pods are evicted and no new ones admitted",
          Advice(bytes ? "make room, or give it a larger disk"
                       : "remove many small files, or make the file system with more inodes")};
}

Finding of_logs(const FileSystemFacts& disk, const eviction::JudgedThreshold& judged) {
  return {Severity::kWarning, "machine", disk.path,
          shortage(judged) +
              ": soon containers cannot log any more, and berthd evicts no pod for this "
              "file system",
          Advice("make room, or keep less of each container (containerLogMaxSize, "
                 "containerLogMaxFiles)")};
}

}  // namespace

std::vector<Finding> examine_disks(const Settings& settings, const DiskFacts& disks) {
  std::vector<Finding> findings;
  if (disks.root && disks.root->in_memory) {
    findings.emplace_back(Severity::kNote, "machine", disks.root->path,
                          "is in memory: after a reboot berthd knows nothing of its pods, and "
                          "finished jobs run again",
                          Advice("set another --root-dir"));
  }
  for (const auto& judged :
       met(settings, {.node_fs = reading_of(disks.root), .image_fs = reading_of(disks.images)})) {
    const bool images = eviction::traits(judged.threshold.signal).file_system ==
                        eviction::SignalFileSystem::kImages;
    findings.push_back(of_node(images ? *disks.images : *disks.root, judged));
  }
  // A separate file system for logs is held to the thresholds of the node's file system.
  const auto is_logs = [&disks](const std::optional<FileSystemFacts>& disk) {
    return disk && disk->device == disks.logs->device;
  };
  if (!disks.logs || is_logs(disks.root) || is_logs(disks.images)) return findings;
  for (const auto& judged : met(settings, {.node_fs = disks.logs->reading}))
    findings.push_back(of_logs(*disks.logs, judged));
  return findings;
}

}  // namespace berth::agent
