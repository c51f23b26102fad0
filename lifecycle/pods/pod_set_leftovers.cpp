// What is left of pods that nobody starts, on the machine (files, mounts, cgroups) and in the
// runtime: cleaned up, and tried again until it works, as everything else is.

#include "lifecycle/pods/pod_set.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "lifecycle/obstacles.hpp"
#include "lifecycle/retry_table.hpp"

namespace berth::lifecycle {

PodMemoryPtr to_be_collected(const PodMemory& collected) {
  auto memory = std::make_shared<PodMemory>(collected);
  memory->verdict = Verdict::kCompleted;
  memory->end = EndInForce{.ending = lifecycle::collected({}), .grace_seconds = 1};
  return memory;
}

// Pods that an earlier berthd prepared and that neither the runtime nor the sources know, or that
// were refused or collected.
boost::asio::awaitable<void> PodSet::clean_leftovers() {
  Clock& clock = *services_.clock;
  RetryTable retries;
  Obstacles told;
  for (;;) {
    bool done = false;
    auto uids = co_await services_.host->leftover_pods();
    if (uids) {
      done = true;
      for (const std::string& uid : *uids) {
        const bool over =
            records_.contains(uid) && (records_.is_rejected(uid) || !records_.lives(uid));
        if ((records_.contains(uid) || desired_.contains(uid)) && !over) continue;
        auto pod = std::make_shared<api::Pod>();
        pod->metadata.uid = uid;
        auto cleaned = co_await clean(std::move(pod));
        if (cleaned) continue;
        done = false;
        tell_uncleaned(told, uid, cleaned.error());
      }
    } else {
      tell_uncleaned(told, {}, uids.error());
    }
    if (done) co_return;
    retries.failed("leftovers", clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
  }
}

boost::asio::awaitable<void> PodSet::clean_rejected(PodPtr pod) {
  const std::string uid = pod->metadata.uid;
  std::function<bool()> stays = [this, uid] {
    return records_.is_rejected(uid) || !records_.contains(uid);
  };
  co_await clean_unstarted(std::move(pod), std::move(stays));
}

// A berthd that was killed may have prepared it: a pod is prepared before it is stored. Tried again
// while it `stays` one that nobody starts.
boost::asio::awaitable<void> PodSet::clean_unstarted(PodPtr pod, std::function<bool()> stays) {
  Clock& clock = *services_.clock;
  const std::string uid = pod->metadata.uid;
  RetryTable retries;
  Obstacles told;
  while (stays()) {
    auto cleaned = co_await clean(pod);
    if (cleaned) co_return;
    tell_uncleaned(told, uid, cleaned.error());
    retries.failed(uid, clock.steady_now());
    const auto next = retries.next(clock.steady_now());
    co_await clock.sleep_until(*next);
  }
}

// What cannot be cleaned is told once for each reason; it is tried again every ten seconds.
void PodSet::tell_uncleaned(Obstacles& told, const std::string& uid, const Error& error) const {
  if (!told.met({.kind = ObstacleKind::kCleanup, .id = uid, .error = error.message})) return;
  services_.log->warn("Cleanup", error.message + "; it is tried again until it works",
                      {{"POD_UID", uid}});
}

// A pod that gets the uid meanwhile begins afterwards, so that nothing of it is removed.
boost::asio::awaitable<Result<node::Nothing>> PodSet::clean(PodPtr pod) {
  const auto under_way = cleaning_.insert(pod->metadata.uid);
  auto cleaned = co_await services_.host->cleanup_pod(std::move(pod), true);
  cleaning_.erase(under_way);
  reconcile_.soon();
  co_return cleaned;
}

// Ends what the runtime shows of a pod without a worker: a call that an earlier berthd gave up, or
// was killed at, made it for an earlier life of that uid.
void PodSet::turned_up(Record& record, ListedPod listed) {
  const std::string& uid = record.pod->metadata.uid;
  switch (record.state) {
    case RecordState::kWorking:
      return;
    case RecordState::kWanted:
      // It has room here already, and nobody is to be asked.
      services_.admission->withdraw(uid, services_.clock->steady_now());
      record.state = RecordState::kWaiting;
      found_.insert_or_assign(uid, std::move(listed));
      reconcile_.soon();
      return;
    case RecordState::kWaiting:
    case RecordState::kHeld:
      found_.insert_or_assign(uid, std::move(listed));
      return;
    case RecordState::kRejected:
      // Not before the verdict is stored; it stays whatever becomes of what is there.
      if (record.shown)
        launch(record, std::move(listed),
               verdict_on(record.shown, Verdict::kRejected, record.shown->status));
      return;
    case RecordState::kCollected:
      launch(record, std::move(listed), to_be_collected(*memory_of(uid)));
      return;
  }
}

}  // namespace berth::lifecycle
