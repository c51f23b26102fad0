// A pass of a pod over a scripted runtime, predicted from a case's input alone: the kubelet's, and
// ours as it may differ from that.
//
// The kubelet's pass carries out the decision of compute_pod_actions once, over what the runtime
// showed when the pass began. Each manner of berth's is one switch, with its condition on the input
// in the code that it switches: with none of them the prediction is the kubelet's pass.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/conformance/pass_input.hpp"

namespace berth::conformance {

// Why each is right: sync_pod_differences.cpp.
enum class Manner : std::uint8_t {
  kDecidesAnew,
  kRetriesAfterHook,
  kTellsPullWait,
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
  kTellsNetworkChange,
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

// In the words of the cases. Events are sorted; calls and results come as they happened.
struct Pass {
  boost::json::array calls{};
  boost::json::array results{};
  std::vector<std::string> events{};
};

[[nodiscard]] Pass predict(const PassInput& input, const Manners& manners);

// As an answer to a case.
[[nodiscard]] boost::json::object answer_of(Pass pass);

}  // namespace berth::conformance
