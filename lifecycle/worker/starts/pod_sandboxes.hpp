// SPDX-License-Identifier: Apache-2.0

// Makes a pod's sandbox: prepares the machine for the pod, stores the pod, waits for its turn among
// the pods that start, and asks the runtime. Loop thread only; the parts outlive it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/starts/start_turns.hpp"

namespace berth::node {
struct HostDns;
}

namespace berth::lifecycle {

class ObservedPod;
class PodFacts;
class PodLookAhead;
class PodObservation;
class PodPersistence;
class PodSetup;
class PodTeller;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodSandboxes {
 public:
  PodSandboxes(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
               PodObservation& observation, PodLookAhead& ahead);

  // True if the machine is ready for the pod, whose sandbox may then be created.
  [[nodiscard]] boost::asio::awaitable<bool> prepare_and_remember();
  // Whether no sandbox is requested now (no_sandboxes); reports it at each retry.
  [[nodiscard]] bool sandbox_refused();
  // Whether nothing more of the pod is started, and no further stop begins while it lives, because
  // the runtime has no network for it; reports it when that changes.
  [[nodiscard]] bool network_missing();
  // True if another turn is to follow at once; false if it has to be tried again later.
  [[nodiscard]] boost::asio::awaitable<bool> create_sandbox(std::uint32_t attempt);
  // Lets the pods behind it begin: this one has nothing to do for now.
  void give_turn_back() { place_.give_back(); }

 private:
  using DnsReport = std::pair<std::string, std::string>;  // an event's reason and message

  void report_dns(const node::HostDns& host);
  boost::asio::awaitable<bool> sandbox_created(cri::SandboxId id);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  Timetable& timetable_;
  ObservedPod& observed_;
  PodSetup& setup_;
  StartTurns::Place place_;             // held until the first sandbox
  std::string network_reported_{};      // the event's message; empty if it is ready
  std::set<DnsReport> dns_reported_{};  // for the sandbox that is being created
  const PodFacts& facts_;
  PodPersistence& persistence_;
  PodObservation& observation_;
  PodLookAhead& ahead_;
};

}  // namespace berth::lifecycle
