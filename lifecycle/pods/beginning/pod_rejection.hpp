// SPDX-License-Identifier: Apache-2.0

// Rejects new pods: each is shown as Failed, for good, once the store has that verdict. The parts
// outlive this object. Loop thread only.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pod_events.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class PodCleanup;
class PodLauncher;
class PodPublisher;
class PodRecords;
class PodVerdicts;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;
struct Refusal;

class PodRejection {
 public:
  PodRejection(PodSetParts& parts, PodPublisher& publisher, const PodLauncher& launcher);

  // `decision`: the id of the ledger record.
  void reject(PodRecord& record, const std::string& reason, const std::string& message,
              const std::string& decision);
  // The same, and records why.
  void refuse(PodRecord& record, const Refusal& why);

 private:
  [[nodiscard]] boost::asio::awaitable<void> show_rejected(PodPtr pod, PodPtr shown);

  const PodSetServices& services_;
  TaskGroup& tasks_;
  const PodRecords& records_;
  PodVerdicts& verdicts_;
  PodCleanup& cleanup_;
  PodPublisher& publisher_;
  const PodLauncher& launcher_;
};

}  // namespace berth::lifecycle
