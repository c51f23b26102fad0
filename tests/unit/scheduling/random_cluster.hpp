// SPDX-License-Identifier: Apache-2.0

// Cluster objects from random numbers, with few names and labels, so that many of them match.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/scheduling/scheduling_objects.hpp"

namespace berth::scheduling {

// A sequence of random numbers; 0 when there are no more.
class Dice {
 public:
  explicit Dice(std::vector<std::uint32_t> numbers) : numbers_(std::move(numbers)) {}

  std::uint32_t below(std::uint32_t most) {
    return at_ < numbers_.size() ? numbers_[at_++] % most : 0;
  }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::uint32_t>(choices.size()))];
  }
  [[nodiscard]] bool is_used_up() const { return at_ >= numbers_.size(); }

 private:
  std::vector<std::uint32_t> numbers_;
  std::size_t at_ = 0;
};

[[nodiscard]] api::Node random_node(Dice& dice, const std::string& name);
[[nodiscard]] api::Pod random_pod(Dice& dice, const std::string& name);
[[nodiscard]] api::Namespace random_namespace(Dice& dice, const std::string& name);

// The objects of a cluster, to build it from scratch.
struct ClusterObjects {
  std::map<std::string, api::Node> nodes{};
  std::map<std::string, std::pair<api::Pod, std::string>> pods{};  // with their nodes
  std::map<std::string, api::Namespace> namespaces{};

  // Applies one change to both the cluster and the objects.
  void change(Dice& dice, Cluster& cluster);
};

// Everything in a decision, in a fixed order.
[[nodiscard]] std::string decision_text(Scheduler& scheduler, const api::Pod& pod);

}  // namespace berth::scheduling
