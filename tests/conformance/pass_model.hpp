// SPDX-License-Identifier: Apache-2.0

// Predicts a pod's pass over a scripted runtime from a case's input alone: the kubelet's, and ours
// with its allowed differences.
//
// The kubelet's pass executes the decision of compute_pod_actions once, over the runtime's state at
// the start of the pass. Each manner of berth's is one switch, with its condition on the input in
// the code that it switches: with all of them off the prediction is the kubelet's pass.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/conformance/pass_input.hpp"

namespace berth::conformance {

// sync_pod_differences.cpp gives the reason for each.
enum class Manner : std::uint8_t {
  kDecidesAnew,
  kRetriesAfterHook,
  kReportsPullWait,
  kFinishedPodsEnd,
  kDeletedPodsEnd,
  kTrimsAtOnce,
  kRemovesOnce,
  kEndsUnknownPredecessors,
  kKeepsUnknown,
  kStopsUnknown,
  kStartsCreated,
  kForgetsRemovedExits,
  kCreatedElsewhereIsNothing,
  kSandboxAfterContainers,
  kReportsNetworkChange,
  kNoEphemeralContainers,
  kResultsNeedProbes,
  kRenumbers,
};
inline constexpr std::size_t kManners = 18;

class Manners {
 public:
  [[nodiscard]] static Manners all() {
    Manners out;
    out.set_.set();
    return out;
  }
  [[nodiscard]] bool has(Manner manner) const {
    return set_.test(static_cast<std::size_t>(manner));
  }
  [[nodiscard]] Manners without(Manner manner) const {
    Manners out = *this;
    out.set_.reset(static_cast<std::size_t>(manner));
    return out;
  }

 private:
  std::bitset<kManners> set_{};
};

// In the cases' notation. Events are sorted; calls and results are in order.
struct Pass {
  boost::json::array calls{};
  boost::json::array results{};
  std::vector<std::string> events{};
};

[[nodiscard]] Pass predict(const PassInput& input, const Manners& manners);

// As an answer to a case.
[[nodiscard]] boost::json::object answer_of(Pass pass);

}  // namespace berth::conformance
