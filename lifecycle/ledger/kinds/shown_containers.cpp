// SPDX-License-Identifier: Apache-2.0

// What a pod's status shows of its containers (shown_containers.hpp).
#include "lifecycle/status/shown_containers.hpp"

#include <algorithm>

#include "lifecycle/ledger/described_runtime.hpp"
#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ContainerStatusLists, (), (containers, init_containers, ephemeral_containers))
BOOST_DESCRIBE_STRUCT(StartError, (), (reason, message))
BOOST_DESCRIBE_STRUCT(ContainersQuestion, (),
                      (names, pod, runtime, previous, actuated, start_errors, probes, runtime_name,
                       recursive_read_only_supported, over, decided, options))
BOOST_DESCRIBE_STRUCT(ShownContainer, (), (state, reason, exit_code, restarts, id))
BOOST_DESCRIBE_STRUCT(ContainersDecision, (), (containers))

namespace {

// No news as long as nothing has been created.
std::optional<News> news(const ContainersQuestion& /*question*/,
                         const ContainersDecision& decision) {
  const bool begun = std::ranges::any_of(decision.containers, [](const auto& entry) {
    const ShownContainer& container = entry.second;
    return !container.id.empty() || container.restarts > 0 || container.state != "waiting" ||
           (container.reason != kContainerCreating && container.reason != kPodInitializing);
  });
  ValueHash says;
  for (const auto& [name, container] : decision.containers) says.add(name).add(container);
  return News{.says = says.value(), .quiet = !begun, .waits = begun};
}

}  // namespace

template <>
const KindOf<ContainersQuestion, ContainersDecision>& kind_of() {
  static const RecordedKind kKind(Kind<ContainersQuestion, ContainersDecision>{
      .name = kLedgerContainers,
      .decide = decide_containers,
      // The decision states all there is to say; starts, ends and waits have sentences of their
      // own, those of the plan and of the facts.
      .reasons = [](const auto& /*question*/, const auto& /*decision*/) { return Reasons{}; },
      .part = containers_part,
      .news = news});
  return kKind;
}

}  // namespace berth::lifecycle
