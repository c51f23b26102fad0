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
class PodPublisher;
class PodRecords;
class PodVerdicts;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;
struct Refusal;

class PodRejection {
 public:
  PodRejection(PodSetParts& parts, PodPublisher& publisher);

  // Logs the rejection, records its event, and publishes the pod as Failed once the store has the
  // verdict. `decision`: the id of the ledger record that states why.
  void reject(PodRecord& record, const std::string& reason, const std::string& message,
              const std::string& decision);
  // The same for a refusal that is not in the ledger yet: records it first.
  void record_and_reject(PodRecord& record, const Refusal& why);

 private:
  [[nodiscard]] boost::asio::awaitable<void> show_rejected(PodPtr pod, PodPtr shown);

  const PodSetServices& services_;
  const PodSetOptions& options_;
  TaskGroup& tasks_;
  const PodRecords& records_;
  PodVerdicts& verdicts_;
  PodCleanup& cleanup_;
  PodPublisher& publisher_;
};

}  // namespace berth::lifecycle
