// SPDX-License-Identifier: Apache-2.0

// For each topology key, the domain of every node: its value of the key, as a number.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "scheduling/cluster/cluster.hpp"
#include "scheduling/cycle/domain_tally.hpp"
#include "scheduling/cycle/node_column.hpp"

namespace berth::scheduling {

// The domain of the value "".
inline constexpr Domain kEmptyDomain = 0;

class Topology {
 public:
  Topology();
  void revise(const Cluster& cluster, const std::string& key);
  [[nodiscard]] Domain operator[](NodeIndex node) const { return domains_[node]; }
  [[nodiscard]] const Domain* data() const { return domains_.data(); }
  // Domains are numbered from 0; domains without nodes keep their numbers.
  [[nodiscard]] std::size_t size() const { return values_.slots(); }

 private:
  Interner<std::string> values_{};
  NodeColumn<Domain> domains_{};
};

class Topologies {
 public:
  // Up to date with the cluster; its address stays valid.
  const Topology& of(const Cluster& cluster, NameId key);

  // Pods may name any key, and nodes change their labels' values. Beyond these limits everything is
  // dropped, including all counts by domain.
  static constexpr std::size_t kMost = 256;
  [[nodiscard]] static constexpr std::size_t most_domains(std::size_t nodes) {
    return 2 * nodes + 1024;
  }
  [[nodiscard]] bool holds_too_much(std::size_t nodes) const;
  void clear() { topologies_.clear(); }

 private:
  std::unordered_map<NameId, std::unique_ptr<Topology>> topologies_{};
};

}  // namespace berth::scheduling
