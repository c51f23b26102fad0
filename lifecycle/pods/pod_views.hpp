// SPDX-License-Identifier: Apache-2.0

// What is shown of the pods: listings, and streams of changes for those who watch.
//
// Listings are made of the records when they are asked for. A pod that is deleted by force or
// collected, and one that the runtime alone knows, is in none of them but `held` and `activities`.
// The records outlive this. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_activity.hpp"
#include "lifecycle/pods/pod_records.hpp"
#include "lifecycle/pods/pod_watch.hpp"

namespace berth::lifecycle {

class PodViews {
 public:
  PodViews(boost::asio::any_io_executor executor, const PodRecords& records);
  PodViews(const PodViews&) = delete;
  PodViews& operator=(const PodViews&) = delete;
  ~PodViews() = default;

  // Every pod with its status, by namespace and name. A pod that waits for the end of an older one
  // of its name is not shown.
  [[nodiscard]] std::vector<PodPtr> snapshot() const;
  // Those that are being run, or ended, and are shown: with their statuses, by uid.
  [[nodiscard]] std::vector<PodPtr> active() const;
  // One for each obstacle, by namespace and name; of pods that are shown to nobody any more, too.
  [[nodiscard]] std::vector<HeldPod> held() const;
  // What goes on with each pod, shown or not.
  [[nodiscard]] std::vector<PodActivity> activities() const;

  // Changes from now on, beginning with a kAdded for every pod of the snapshot.
  [[nodiscard]] std::shared_ptr<PodWatch> watch();
  // Reports a change of what snapshot() shows to all who watch.
  void publish(ChangeType type, const PodPtr& pod);
  // Every watch ends, and so do those that are asked for later.
  void end();

  // Moves with every change of what snapshot() shows.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  const boost::asio::any_io_executor executor_;
  const PodRecords& records_;
  std::vector<std::weak_ptr<PodWatch>> watches_{};
  std::uint64_t version_ = 0;
  bool ended_ = false;
};

}  // namespace berth::lifecycle
