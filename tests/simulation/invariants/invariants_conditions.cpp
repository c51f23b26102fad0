// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_conditions.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

const api::PodCondition* find(const std::vector<api::PodCondition>& conditions,
                              const std::string& type) {
  const auto found = std::ranges::find(conditions, type, &api::PodCondition::type);
  return found == conditions.end() ? nullptr : &*found;
}

bool holds(const std::vector<api::PodCondition>& conditions, const std::string& type) {
  const auto* found = find(conditions, type);
  return found != nullptr && found->status == "True";
}

// 0 if there is none.
int number_of(const std::vector<api::PodCondition>& conditions, const std::string& type) {
  const auto* found = find(conditions, type);
  int number = 0;
  if (found != nullptr)
    (void)std::from_chars(found->message.data(), found->message.data() + found->message.size(),
                          number);
  return number;
}

}  // namespace

api::PodCondition ConditionInvariants::next(const std::string& uid, api::PodCondition condition) {
  condition.message = std::to_string(++orders_[uid][condition.type].given);
  return condition;
}

void ConditionInvariants::ordered(const std::string& uid, const api::PodCondition& condition) {
  Orders& orders = orders_[uid][condition.type];
  orders.expected = number_of({condition}, condition.type);
  orders.given = std::max(orders.given, orders.expected);
}

int ConditionInvariants::durable(const std::string& uid, const std::string& type) const {
  const auto row = store_->rows().find(uid);
  return row == store_->rows().end() ? 0 : number_of(row->second->pod->status.conditions, type);
}

void ConditionInvariants::stored(const std::string& uid, const api::PodCondition& condition) {
  const int number = number_of({condition}, condition.type);
  // A pod that is gone by now need not have it.
  if (!store_->rows().contains(uid) || !orders_.contains(uid)) return;
  if (durable(uid, condition.type) < number)
    invariants_.violated(
        fmt::format("condition {} of {} is not in the store, and who set it ({}) "
                    "got the answer that it is",
                    condition.type, uid, number));
}

void ConditionInvariants::agent_restarted() {
  for (auto& [uid, types] : orders_)
    for (auto& [type, orders] : types) {
      orders.expected = orders.least = durable(uid, type);
      // A pinned uid may have begun another life, which the store did not have yet.
      orders.given = std::max(orders.given, orders.least);
    }
}

void ConditionInvariants::published(const PodPtr& pod) {
  check_ready(*pod);
  const auto known = orders_.find(pod->metadata.uid);
  if (known == orders_.end()) return;
  for (auto& [type, orders] : known->second) {
    const int shown = number_of(pod->status.conditions, type);
    if (shown < orders.least || shown > orders.given)
      invariants_.violated(fmt::format("condition {} of {} is shown as number {} after number {}",
                                       type, pod->metadata.uid, shown, orders.least));
    orders.least = std::max(orders.least, shown);
  }
}

void ConditionInvariants::check_ready(const api::Pod& pod) {
  const auto& shown = pod.status.conditions;
  if (find(shown, "Ready") == nullptr) return;
  const bool gates = std::ranges::all_of(
      pod.spec.readinessGates, [&](const auto& gate) { return holds(shown, gate.conditionType); });
  const bool ready = holds(shown, "ContainersReady") && gates;
  if (holds(shown, "Ready") != ready)
    invariants_.violated(fmt::format("{} is shown as {}ready, and its containers and gates say {}",
                                     pod.metadata.uid, ready ? "not " : "", ready));
}

std::optional<std::string> ConditionInvariants::unsettled(const api::Pod& shown) const {
  const auto known = orders_.find(shown.metadata.uid);
  if (known == orders_.end()) return std::nullopt;
  for (const auto& [type, orders] : known->second) {
    const int number = number_of(shown.status.conditions, type);
    if (number != orders.expected)
      return fmt::format("condition {} of {} is shown as number {}, and number {} was set", type,
                         shown.metadata.uid, number, orders.expected);
  }
  return std::nullopt;
}

}  // namespace berth::simulation
