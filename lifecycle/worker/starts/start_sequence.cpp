// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/start_sequence.hpp"

#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/starts/container_starter.hpp"
#include "lifecycle/worker/starts/next_start.hpp"

namespace berth::lifecycle {

StartSequence::StartSequence(PodParts& parts, PodPersistence& persistence, PodReport& report,
                             ContainerStarter& starter)
    : pod_(parts.pod),
      mailbox_(parts.mailbox),
      timetable_(parts.timetable),
      observed_(parts.observed),
      starts_(parts.starts),
      setup_(parts.setup),
      status_(parts.status),
      persistence_(persistence),
      report_(report),
      starter_(starter) {}

// Starts containers one after another, as the kubelet does. After each start the plan is computed
// anew, so that an order to end is noticed and the next step follows at once.
boost::asio::awaitable<bool> StartSequence::start_containers(PodActions actions) {
  const std::vector<NextStart> order = start_order(*pod_, actions, starts_.errors());
  // Nothing starts while a postStart hook runs.
  if (order.empty() || starts_.any_post_start()) co_return false;
  const bool known = co_await persistence_.known_to_store();
  if (!known) co_return false;
  const bool ready = co_await setup_.prepare();
  if (!ready) co_return false;
  for (const NextStart& next : order) {
    if (!timetable_.due("container/" + next.container)) {
      if (next.others_wait) co_return false;
      continue;
    }
    const StartOutcome outcome = co_await starter_.start(next.container);
    report_.refresh();
    // Something was done, or new orders have arrived: plan anew.
    if (outcome == StartOutcome::kStarted || !observed_.known() || !mailbox_.orders().empty())
      co_return true;
    // In order: later containers wait for an earlier pull, but not for a failure.
    if (outcome == StartOutcome::kWaiting) co_return false;
    if (next.others_wait) break;
  }
  // After a failed start, there may be nothing left to start again.
  co_return is_terminal_phase(status_.computed().phase);
}

}  // namespace berth::lifecycle
