// SPDX-License-Identifier: Apache-2.0

// Counts summed by topology domain: for each node a count and its domain; for each domain the sum
// over its nodes, and the number of nodes.
//
// Setting a node again subtracts its former count, so only changes need to be applied to keep a
// tally up to date.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scheduling/cluster/change_log.hpp"

namespace berth::scheduling {

// A value of a topology key; kNoDomain for a node without the key (or one that does not count).
using Domain = std::int32_t;
inline constexpr Domain kNoDomain = -1;

class DomainTally {
 public:
  using Count = std::int64_t;

  void set(NodeIndex node, Domain domain, Count count) {
    if (node >= nodes_.size()) nodes_.resize(node + 1);
    Held& held = nodes_[node];
    if (held.domain == domain && held.count == count) return;
    add(held.domain, -held.count, -1);
    held = {.domain = domain, .count = domain == kNoDomain ? 0 : count};
    add(held.domain, held.count, 1);
  }

  // 0 for a domain in which no node counts.
  [[nodiscard]] Count count(Domain domain) const {
    return domain >= 0 && static_cast<std::size_t>(domain) < sums_.size()
               ? sums_[static_cast<std::size_t>(domain)]
               : 0;
  }
  [[nodiscard]] bool has(Domain domain) const {
    return domain >= 0 && static_cast<std::size_t>(domain) < members_.size() &&
           members_[static_cast<std::size_t>(domain)] > 0;
  }
  [[nodiscard]] Count total() const { return total_; }
  [[nodiscard]] std::int64_t domains() const { return domains_; }

  // The smallest count of all domains but one (kNoDomain: of all). `beyond` if there is none.
  [[nodiscard]] Count smallest(Domain but, Count beyond) const {
    Count least = beyond;
    for (std::size_t domain = 0; domain < sums_.size(); ++domain) {
      if (members_[domain] > 0 && static_cast<Domain>(domain) != but) {
        least = std::min(least, sums_[domain]);
      }
    }
    return least;
  }
  [[nodiscard]] std::size_t size() const { return sums_.size(); }

 private:
  struct Held {
    Domain domain = kNoDomain;
    Count count = 0;
  };

  void add(Domain domain, Count count, std::int32_t members) {
    if (domain == kNoDomain) return;
    const auto at = static_cast<std::size_t>(domain);
    if (at >= sums_.size()) {
      sums_.resize(at + 1);
      members_.resize(at + 1);
    }
    sums_[at] += count;
    total_ += count;
    if (members_[at] == 0) ++domains_;
    members_[at] += members;
    if (members_[at] == 0) --domains_;
  }

  std::vector<Held> nodes_{};
  std::vector<Count> sums_{};
  std::vector<std::int32_t> members_{};
  Count total_ = 0;
  std::int64_t domains_ = 0;
};

}  // namespace berth::scheduling
