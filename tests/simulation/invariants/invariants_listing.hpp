// SPDX-License-Identifier: Apache-2.0

// What must be true of the listing: pods deleted by force vanish from it at once, finished pods
// beyond a number are removed in their order, and nothing else ever vanishes. A part of
// `Invariants`, which outlives it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lifecycle/pod_events.hpp"

namespace berth::simulation {

class Invariants;

class ListingInvariants {
 public:
  explicit ListingInvariants(Invariants& invariants) : invariants_(invariants) {}
  // How many finished pods are kept; 0: all of them.
  void set_kept(std::int64_t kept) { kept_ = kept; }
  [[nodiscard]] bool collects() const { return kept_ > 0; }

  // Called with the listing whenever it has changed; `ready`: berthd reports that it is ready.
  void is(const std::vector<lifecycle::PodPtr>& pods, bool ready);
  // A pod that begins under that uid now is another one.
  void forget(const std::string& uid) { listed_.erase(uid); }
  void forget_before_restart(const std::string& uid) { listed_before_.erase(uid); }
  void agent_restarted();

 private:
  using Listed = std::map<std::string, lifecycle::PodPtr>;  // by uid
  void check_found_again(const Listed& now);
  void check_collected(const api::Pod& gone, const Listed& now);
  [[nodiscard]] bool stays_finished(const api::Pod& pod) const;

  Invariants& invariants_;
  std::int64_t kept_ = 0;
  Listed listed_{};
  Listed listed_before_{};  // by the previous berthd, until this one is ready
};

}  // namespace berth::simulation
