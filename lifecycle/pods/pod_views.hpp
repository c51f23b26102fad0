// SPDX-License-Identifier: Apache-2.0

// What is shown of the pods: listings, and streams of changes for watchers.
//
// Listings are built from the records on request. Pods that were deleted by force or collected, and
// pods that only the runtime knows, appear only in `held` and `activities`. The records outlive
// this object. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "lifecycle/obstacles.hpp"
#include "lifecycle/pods/pod_records.hpp"
#include "lifecycle/pods/pod_watch.hpp"
#include "lifecycle/worker/pod_activity.hpp"

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
  // The pods that are being run or ended, and are shown, with their statuses, by uid.
  [[nodiscard]] std::vector<PodPtr> active() const;
  // One entry for each obstacle, by namespace and name; also for pods that are no longer shown.
  [[nodiscard]] std::vector<HeldPod> held() const;
  // What is happening with each pod, shown or not.
  [[nodiscard]] std::vector<PodActivity> activities() const;

  // Changes from now on, beginning with a kAdded for every pod of the snapshot.
  [[nodiscard]] std::shared_ptr<PodWatch> watch();
  // Reports a change of what snapshot() shows to all watchers.
  void publish(ChangeType type, const PodPtr& pod);
  // Ends every watch, and every watch that is requested later.
  void end();

  // Changes with every change of what snapshot() shows.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  const boost::asio::any_io_executor executor_;
  const PodRecords& records_;
  std::vector<std::weak_ptr<PodWatch>> watches_{};
  std::uint64_t version_ = 0;
  bool ended_ = false;
};

}  // namespace berth::lifecycle
