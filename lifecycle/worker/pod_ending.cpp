// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_ending.hpp"

#include "lifecycle/ledger/why.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/pod_report.hpp"
#include "lifecycle/worker/pod_transitions.hpp"
#include "lifecycle/worker/runtime/pod_garbage.hpp"
#include "lifecycle/worker/runtime/pod_removal.hpp"
#include "lifecycle/worker/starts/pod_look_ahead.hpp"
#include "lifecycle/worker/stops/pod_termination.hpp"
#include "node/container_gc.hpp"

namespace berth::lifecycle {

PodEnding::PodEnding(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                     PodReport& report, PodRemoval& removal, PodTermination& termination,
                     PodGarbage& garbage, PodTransitions& transitions, PodLookAhead& ahead)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      observed_(parts.observed),
      keeper_(parts.keeper),
      setup_(parts.setup),
      status_(parts.status),
      facts_(facts),
      persistence_(persistence),
      report_(report),
      removal_(removal),
      termination_(termination),
      garbage_(garbage),
      transitions_(transitions),
      ahead_(ahead) {}

boost::asio::awaitable<bool> PodEnding::end() {
  report_.refresh();
  // A pod that ended by itself is shown as such before its sandbox is stopped.
  const bool finished =
      is_terminal_phase(status_.computed().phase) && facts_.shown_failure() == nullptr;
  if (finished && !facts_.containers_may_run()) co_await keep_final();
  const bool stopped = co_await termination_.stop_everything();
  if (!stopped) co_return false;
  transitions_.enter(WorkerState::kEnded, "nothing of it runs");
  co_return true;
}

// The end is final once it is shown, so the verdict is stored first, however long that takes. The
// remaining stops and clean-up wait for it a second at most.
boost::asio::awaitable<void> PodEnding::keep_final() {
  if (keeper_.is_final()) co_return;
  if (keeper_.ask_for_final()) {
    co_await persistence_.remember_for_stop();
  } else {
    persistence_.begin_to_remember();
  }
  if (keeper_.must_keep(persistence_.memory())) {
    teller_.hindered({.kind = ObstacleKind::kFinalPhase, .error = keeper_.error()});
    co_return;
  }
  keeper_.final_stored();
  teller_.unhindered(ObstacleKind::kFinalPhase, {});
  report_.refresh();
}

// The pod's remains stay for `get`, `logs` and `describe`, until it is deleted or no longer
// desired. Nothing stays of an evicted pod: its containers and logs are removed before its
// resources count as released.
boost::asio::awaitable<bool> PodEnding::ended() {
  report_.refresh();
  // Something may turn up late, from a call whose outcome was unknown.
  const bool stopped = co_await termination_.stop_everything();
  if (!stopped) co_return false;
  co_await keep_final();
  if (course_.to_be_removed()) {
    transitions_.enter(WorkerState::kRemoving, kEndOrdered);
    co_return true;
  }
  if (garbage_.content() == node::PodContent::kGone) {
    co_await garbage_.collect(node::PodContent::kGone);
    co_await clean_host();
    co_return false;
  }
  co_await clean_up(KeepLogs::kYes);
  co_await remove_latecomers();
  co_await garbage_.remove_strays();
  co_await garbage_.trim();
  co_return false;
}

// Removes instances that appeared after the end was published; nobody has seen them.
boost::asio::awaitable<void> PodEnding::remove_latecomers() {
  if (!keeper_.is_final() || !is_terminal_phase(status_.computed().phase)) co_return;
  const std::vector<cri::ContainerId> late =
      unreported_instances(status_.computed(), facts_.runtime_view());
  for (const cri::ContainerId& id : late) {
    const bool removed = co_await removal_.remove_container(id.str());
    if (!removed) co_return;
  }
}

boost::asio::awaitable<bool> PodEnding::remove() {
  const bool stopped = co_await termination_.stop_everything();
  if (!stopped) co_return false;
  const bool cleaned = co_await clean_host();
  if (!cleaned) co_return false;
  // The oldest sandbox first: if berthd is killed in between, the next one still finds the newest.
  const bool gone = co_await garbage_.collect(node::PodContent::kGone);
  if (!gone) co_return false;
  // A call of an earlier berthd may have taken effect since this one last read the state.
  if (keeper_.recalled() && observed_.doubt_once()) co_return true;
  transitions_.enter(WorkerState::kFinished, "nothing is left of it");
  co_return true;
}

// Runs before the runtime's records are removed: as long as they exist, a berthd that was killed in
// between finds the pod again after its restart and finishes the clean-up.
boost::asio::awaitable<bool> PodEnding::clean_host() {
  if (setup_.is_clean()) co_return true;
  // A preparation still under way would create again what was removed.
  co_await setup_.settled();
  co_await ahead_.files_settled();
  co_return co_await clean_up(KeepLogs::kNo);
}

boost::asio::awaitable<bool> PodEnding::clean_up(KeepLogs logs) {
  const bool was_released = setup_.is_released();
  const bool cleaned = co_await setup_.clean_up(logs);
  if (!was_released && setup_.is_released()) env_.owner.released(pod_->metadata.uid);
  co_return cleaned;
}

}  // namespace berth::lifecycle
