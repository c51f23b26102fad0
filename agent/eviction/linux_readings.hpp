// SPDX-License-Identifier: Apache-2.0

// Readings of the real machine: cgroups, /proc, file systems, volumes and logs, and what the
// runtime reports about writable layers.
//
// A caller waits only for what is answered from memory: the kernel's files, and file systems. For a
// file system the wait is 20 ms at most, or two seconds for a fresh or first reading; a late answer
// counts at a later look, and until then the last answer does, for half a minute. `measure_disks`
// measures the rest (disk use, the runtime's statistics) concurrently, each in its own period; a
// caller gets the last measurement for three periods, after which it is missing. Candidates for
// eviction because of a disk or a limit are measured again (PodDetail::kDisks), waiting two seconds
// each for the runtime and for walks. Loop thread only; stopped before it is destroyed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/eviction/disk_uses.hpp"
#include "agent/eviction/memory_cgroups.hpp"
#include "agent/eviction/patient_work.hpp"
#include "agent/eviction/pod_places.hpp"
#include "agent/eviction/pod_readings.hpp"
#include "agent/eviction/quick_work.hpp"
#include "agent/eviction/read_machine.hpp"
#include "agent/eviction/reading_source.hpp"
#include "cri/container_statistics.hpp"
#include "cri/runtime.hpp"

namespace berth::agent {

// Memory that the kernel counts as used, by everything and by all pods; bytes.
struct MemoryUsage {
  std::optional<std::int64_t> root{};
  std::optional<std::int64_t> pods{};
};

class LinuxReadings final : public ReadingSource {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    BlockingPool& pool;
    cri::Images& images;
    cri::Statistics& statistics;
    std::function<void()> exceeded{};  // a pod exceeds a limit of local storage; may be empty
    TaskGroup::FailureHandler on_failure{};
  };
  // `volume_period`: volumeStatsAggPeriod. `proc`: where the kernel's /proc is.
  LinuxReadings(Services services, node::NodeConfig config, Nanoseconds volume_period,
                std::string proc = "/proc");

  // Runs until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> measure_disks();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  [[nodiscard]] boost::asio::awaitable<eviction::NodeReadings> node(Freshness freshness) override;
  [[nodiscard]] std::optional<std::int64_t> memory_in_use() const override;
  [[nodiscard]] boost::asio::awaitable<eviction::PodReadings> pods(PodList pods,
                                                                   PodDetail detail) override;
  [[nodiscard]] std::optional<eviction::FileSystemLayout> layout() const override {
    return file_systems_.layout;
  }

  // As last measured with the node.
  [[nodiscard]] const MemoryUsage& usage() const { return usage_; }
  [[nodiscard]] const std::shared_ptr<const MemoryCgroups>& cgroups() const { return cgroups_; }
  [[nodiscard]] const MachinePlaces& places() const { return places_; }

 private:
  using FileSystemWork = PatientWork<std::optional<MeasuredFileSystem>>;
  using Statistics = std::vector<cri::ContainerStatistics>;
  struct AnsweredFileSystem {
    std::optional<MeasuredFileSystem> measured{};  // unset if there is none
    SteadyTime at{};
  };
  struct FileSystems {
    AnsweredFileSystem node{};
    AnsweredFileSystem images{};
    std::optional<SteadyTime> at{};  // when they were last measured
    std::string mountpoint{};        // of images; empty if not known yet
    std::optional<eviction::FileSystemLayout> layout{};
    std::weak_ptr<bool> measuring{};  // alive while they are being measured
  };
  struct RuntimeStatistics {
    std::map<std::string, Statistics> by_pod{};  // by the pod's uid
    SteadyTime at{};
  };
  // Pods with limits of local storage.
  struct Limited {
    std::map<std::string, std::pair<std::shared_ptr<const api::Pod>, PodPlaces>> pods{};  // by uid
    std::set<std::string> reported{};  // uids of those that exceed one
  };

  boost::asio::awaitable<void> measure_file_systems(Freshness freshness);
  boost::asio::awaitable<AnsweredFileSystem> measure(FileSystemWork& by, std::string path,
                                                     Freshness freshness,
                                                     AnsweredFileSystem before);
  boost::asio::awaitable<void> find_image_file_system();
  boost::asio::awaitable<void> ask_statistics(Nanoseconds limit);
  boost::asio::awaitable<void> renew_disks(std::vector<std::string> paths);
  void remember_limited(const PodList& pods, const std::vector<PodPlaces>& places, bool all);
  void look_at_limits();
  [[nodiscard]] eviction::PodReading reading(const api::Pod& pod, const PodPlaces& places,
                                             const PodMemory& memory) const;

  Services services_;
  node::NodeConfig config_;
  Nanoseconds volume_period_;
  std::shared_ptr<const MemoryCgroups> cgroups_;
  MachinePlaces places_;
  MemoryGlance memory_glance_;
  QuickWork machine_work_;
  DiskUses uses_;
  Notification disks_bell_;
  FileSystemWork node_fs_work_;
  FileSystemWork image_fs_work_;
  PatientWork<Walked> walk_work_;
  FileSystems file_systems_{};
  MemoryUsage usage_{};
  RuntimeStatistics statistics_{};
  Limited limited_{};
};

}  // namespace berth::agent
