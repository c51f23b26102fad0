// SPDX-License-Identifier: Apache-2.0

// Ends the pod: stores and shows how it ended, and removes what the runtime and the machine have of
// it. Loop thread only; the parts outlive it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/pod_setup.hpp"

namespace berth::lifecycle {

class ObservedPod;
class PodCourse;
class PodFacts;
class PodGarbage;
class PodKeeper;
class PodLookAhead;
class PodPersistence;
class PodRemoval;
class PodReport;
class PodSetup;
class PodTeller;
class PodTermination;
class PodTransitions;
class ShownStatus;
struct PodEnvironment;
struct PodParts;

class PodEnding {
 public:
  PodEnding(PodParts& parts, const PodFacts& facts, PodPersistence& persistence, PodReport& report,
            PodRemoval& removal, PodTermination& termination, PodGarbage& garbage,
            PodTransitions& transitions, PodLookAhead& ahead);

  // One for each state: ending, ended, being removed. True if another turn is to follow at once.
  [[nodiscard]] boost::asio::awaitable<bool> end();
  [[nodiscard]] boost::asio::awaitable<bool> ended();
  [[nodiscard]] boost::asio::awaitable<bool> remove();

 private:
  boost::asio::awaitable<void> keep_final();
  boost::asio::awaitable<void> remove_latecomers();
  boost::asio::awaitable<bool> clean_host();
  boost::asio::awaitable<bool> clean_up(KeepLogs logs);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  ObservedPod& observed_;
  PodKeeper& keeper_;
  PodSetup& setup_;
  const ShownStatus& status_;
  const PodFacts& facts_;
  PodPersistence& persistence_;
  PodReport& report_;
  PodRemoval& removal_;
  PodTermination& termination_;
  PodGarbage& garbage_;
  PodTransitions& transitions_;
  PodLookAhead& ahead_;
};

}  // namespace berth::lifecycle
