// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/pod_removal.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/pods/begin_order.hpp"
#include "lifecycle/pods/pod_names.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "node/confinement.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

// How many pods begin or end before the loop gets to its timers: a file of a thousand pods must not
// delay any probe. Each pod may take a millisecond, because all the input of admission is recorded.
constexpr int kChangesEachTurn = 8;

}  // namespace

PodSet::PodSet(PodSetServices services, PodSetOptions options)
    : services_(std::move(services)),
      options_(std::move(options)),
      tasks_(services_.executor, services_.on_failure),
      workers_(services_, options_, *this, records_,
               [this](const std::string& uid) { finished(uid); }),
      views_(services_.executor, records_),
      verdicts_({.store = *services_.store,
                 .clock = *services_.clock,
                 .log = *services_.log,
                 .boot_id = services_.boot_id},
                tasks_, records_,
                [this] {
                  settled_bell_.ring();
                  reconcile_.soon();
                }),
      cleanup_({.host = *services_.host, .clock = *services_.clock, .log = *services_.log},
               [this] { reconcile_.soon(); }),
      runtime_({.executor = services_.executor,
                .runtime = *services_.runtime,
                .stream = *services_.stream,
                .clock = *services_.clock,
                .log = *services_.log},
               {.with_stream = options_.relist_period,
                .without_stream = options_.relist_period_without_stream},
               *this),
      readiness_(services_.executor),
      reconcile_(tasks_, *services_.clock, [this] { reconcile_once(); }),
      collection_(tasks_, "pod gc", [this] { collect_finished(); }),
      settled_bell_(services_.executor) {}

PodSet::~PodSet() = default;

void PodSet::start() {
  verdicts_.recall();
  tasks_.spawn("runtime events", runtime_.pump_events());
  tasks_.spawn("relist", runtime_.keep_listing());
  tasks_.spawn("garbage collection", workers_.collect_garbage_in_rounds());
}

void PodSet::set_node(std::shared_ptr<const node::NodeView> node,
                      std::shared_ptr<const api::Node> node_object) {
  services_.node = node;
  workers_.set_node(node);
  services_.admission->set_node(std::move(node), std::move(node_object),
                                services_.clock->steady_now());
  if (services_.admission->any_wanted()) reconcile_.soon();
}

void PodSet::set_desired(std::vector<PodPtr> pods) {
  desired_.clear();
  for (PodPtr& pod : pods) {
    std::string uid = pod->metadata.uid;
    desired_.insert_or_assign(std::move(uid), verdicts_.with_admitted_priority(std::move(pod)));
  }
  readiness_.note_sources_known();
  reconcile_.now();
}

void PodSet::reconcile_once() {
  if (!readiness_.may_begin() || tasks_.stopping()) return;
  const bool first = readiness_.begin_first_pass();
  if (first) {
    adopt_unwished();
    std::function<bool(const std::string&)> kept = [this](const std::string& uid) {
      return is_started_by_somebody(uid);
    };
    tasks_.spawn("leftovers", cleanup_.clean_leftovers(std::move(kept)));
  }
  verdicts_.forget_unwished(desired_);
  // Everything that existed at start begins at once, because all of it must be shown.
  int changes = first ? std::numeric_limits<int>::max() : kChangesEachTurn;
  end_unwished(changes);
  replace_edited(changes);
  add_wished();
  begin_waiting(changes);
  ask_admission();
  if (changes == 0) reconcile_.soon();
  if (first) look_at_found();
}

// Adopts the pods that the runtime or the store has and that are not desired.
void PodSet::adopt_unwished() {
  std::set<std::string> unwished = verdicts_.unwished(desired_);
  for (const auto& [uid, listed] : found_)
    if (!desired_.contains(uid)) unwished.insert(uid);
  for (const std::string& uid : unwished)
    adopt_unknown(uid, claim_found(uid).value_or(ListedPod{}));
}

void PodSet::end_unwished(int& changes) {
  std::vector<std::string> gone;
  for (const auto& [uid, record] : records_) {
    if (changes == 0) break;
    // A pod that is being collected would be kept as collected, although its manifest may return.
    const std::optional<EndInForce> end = end_of(*record);
    const bool ends = removes(end) && end->ending.cause != EndCause::kCollected;
    if (ends || desired_.contains(uid)) continue;
    gone.push_back(uid);
    --changes;
  }
  for (const std::string& uid : gone) order(uid, manifest_removed(services_.clock->wall_now()));
}

// Replaces pods whose manifest changed but whose uid did not: each is replaced like any other, and
// its successor has the same uid.
void PodSet::replace_edited(int& changes) {
  std::vector<std::string> replaced;
  for (const auto& [uid, record] : records_) {
    const auto wished = desired_.find(uid);
    if (wished == desired_.end() || is_being_removed(*record)) continue;
    if (record->state == RecordState::kWaiting) {
      record->pod = wished->second;
    } else if (changes > 0 && is_edited(*record->pod, *wished->second)) {
      replaced.push_back(uid);
      --changes;
    }
  }
  for (const std::string& uid : replaced) order(uid, manifest_removed(services_.clock->wall_now()));
}

void PodSet::add_wished() {
  std::vector<PodPtr> added;
  for (const auto& [uid, pod] : desired_)
    if (!records_.contains(uid)) added.push_back(pod);
  std::ranges::sort(added, begins_before);
  for (const PodPtr& pod : added) records_.add(records_.make(pod));
}

void PodSet::begin_waiting(int& changes) {
  std::vector<Record*> waiting;
  for (const auto& [uid, record] : records_)
    if (record->state == RecordState::kWaiting && !record->ending) waiting.push_back(record.get());
  // Admitted pods keep their room before any new pod asks for some, whatever its priority.
  std::ranges::sort(waiting, {}, [this](const Record* record) {
    return std::pair(!was_let_in(*record), record->sequence);
  });
  if (waiting.empty()) return;
  const PodNames names(records_);
  for (Record* record : waiting) {
    if (changes == 0) return;
    const std::string& uid = record->pod->metadata.uid;
    if (!names.is_taken(*record, found_.contains(uid)) && !cleanup_.is_under_way(uid)) {
      --changes;
      begin(*record);
    } else if (!record->shown && !names.is_shown(*record, verdicts_.memory_of(uid) != nullptr)) {
      --changes;
      // Its name is free, but the pod that had it is still being stopped.
      auto shown = std::make_shared<api::Pod>(*record->pod);
      shown->status = pending_status("", "", qos_of(*record->pod));
      publish(record->pod->metadata.uid, shown);
    }
  }
}

void PodSet::begin(Record& record) {
  const PodPtr pod = record.pod;
  const Handling handling(services_.in_hand, handled_as(*pod));
  std::optional<ListedPod> found = claim_found(pod->metadata.uid);
  const bool had = found.has_value();
  ListedPod listed = std::move(found).value_or(ListedPod{});
  PodMemoryPtr memory = verdicts_.memory_of(pod->metadata.uid);
  if (memory && memory->verdict == Verdict::kCollected && had) memory = to_be_collected(*memory);
  if (memory && is_edited(*memory->pod, *pod)) {
    if (had || memory->verdict == Verdict::kNone)
      return replace_found(record, std::move(listed), memory);
    // Nothing is left of the pod to which the verdict applied.
    verdicts_.drop(pod->metadata.uid);
    memory.reset();
  }
  // An ordered end goes on, whatever prevents the pod from beginning.
  const bool ends =
      memory && memory->end && (removes(memory->end) || memory->verdict == Verdict::kNone);
  if (!ends && hold_if_not_run_here(record, listed)) return;
  if (!ends && memory && memory->verdict == Verdict::kCollected) {
    record.state = RecordState::kCollected;
    record.hidden = true;
    return;
  }
  if (!ends && memory && memory->verdict == Verdict::kRejected) {
    record.state = RecordState::kRejected;
    put_on_node(record);
    auto shown = std::make_shared<api::Pod>(*record.pod);
    shown->status = memory->status;
    publish(pod->metadata.uid, shown);
    if (had) turned_up(record, std::move(listed));
    return;
  }
  if (had && !memory && pod->metadata.annotations.contains(node::kAnnotationAdopted))
    report_takeover(*pod);
  if (!had && !memory) return want(record);
  launch(record, std::move(listed), memory);
}

// The manifest was edited while no berthd was running: the old pod ends as it is.
void PodSet::replace_found(Record& record, ListedPod listed, PodMemoryPtr memory) {
  const std::string uid = record.pod->metadata.uid;
  record.pod = memory->pod;
  launch(record, std::move(listed), std::move(memory));
  order(uid, manifest_removed(services_.clock->wall_now()));
}

// Reports confinement that the pod requests and this machine cannot enforce: the pod runs, but
// nobody should believe that it is confined that way.
void PodSet::warn_about_unenforced(const api::Pod& pod) {
  const auto wishes = node::unenforced_wishes(services_.node->facts.confinement, pod);
  if (wishes.empty()) return;
  const std::string record =
      PodLedger(services_.ledger)
          .happened(pod, services_.clock->wall_now(), {},
                    Remark{"NotEnforced", fmt::format("{}", fmt::join(wishes, "; "))});
  for (const std::string& wish : wishes) {
    services_.log->warn("NotEnforced", wish, pod_fields(pod, record));
    services_.events->record(
        pod, {.level = EventLevel::kWarning, .reason = "NotEnforced", .message = wish});
  }
}

void PodSet::reject(Record& record, const std::string& reason, const std::string& message,
                    const std::string& decision) {
  record.state = RecordState::kRejected;
  put_on_node(record);
  const WallTime now = services_.clock->wall_now();
  record.last = {.at = now, .reason = {.subject = "pod", .rule = reason, .text = message}};
  services_.log->warn(reason, message, pod_fields(*record.pod, decision));
  services_.events->record(*record.pod,
                           {.level = EventLevel::kWarning, .reason = reason, .message = message});
  auto shown = std::make_shared<api::Pod>(*record.pod);
  shown->status = stamp_status(*record.pod, record.pod->status,
                               rejected_status(reason, message, qos_of(*record.pod)), now);
  tasks_.spawn("verdict on " + record.pod->metadata.uid, show_rejected(record.pod, shown));
}

boost::asio::awaitable<void> PodSet::show_rejected(PodPtr pod, PodPtr shown) {
  const std::string uid = pod->metadata.uid;
  const bool stands = co_await verdicts_.store_rejection(pod, shown);
  if (!stands) co_return;
  publish(uid, shown);
  std::function<bool()> due = [this, uid] {
    return records_.is_rejected(uid) || !records_.contains(uid);
  };
  co_await cleanup_.clean(shown, std::move(due));
}

void PodSet::launch(Record& record, ListedPod listed, PodMemoryPtr memory) {
  record.state = RecordState::kWorking;
  verdicts_.drop_ended(record.pod->metadata.uid);  // of an earlier pod with that uid
  put_on_node(record);
  if (memory && memory->end && hides(memory->end->ending)) hide(record);
  workers_.begin(record, std::move(listed), std::move(memory));
}

boost::asio::awaitable<void> PodSet::finish_without_worker(std::string uid) {
  const Record* record = records_.find(uid);
  if (record == nullptr) co_return;
  const PodPtr pod = record->pod;
  std::function<bool()> always = [] { return true; };
  co_await cleanup_.clean(pod, std::move(always));
  finished(uid);
}

void PodSet::look_at_found() {
  for (const auto& [uid, record] : records_)
    if (record->worker && !record->shown && !record->unknown && !record->hidden)
      readiness_.expect(uid);
  tasks_.spawn("first looks", readiness_.await_first_looks(*services_.clock));
}

// A pod that has containers, or is remembered, was admitted once and does not go through admission
// again.
bool PodSet::was_let_in(const Record& record) const {
  return found_.contains(record.pod->metadata.uid) || verdicts_.remembers(*record.pod);
}

// Whether anything on the machine under that uid belongs, or will belong, to a pod that is started.
bool PodSet::is_started_by_somebody(const std::string& uid) const {
  if (records_.contains(uid)) return records_.lives(uid) && !records_.is_rejected(uid);
  return desired_.contains(uid);
}

PodPtr PodSet::find(const std::string& namespace_, const std::string& name) const {
  const Record* record = records_.find_named(namespace_, name);
  return record == nullptr ? nullptr : record->shown;
}

void PodSet::publish(const std::string& uid, const PodPtr& pod) {
  Record* record = records_.find(uid);
  if (record == nullptr || record->unknown) return;
  readiness_.note_seen(uid);
  const ChangeType type = record->shown ? ChangeType::kModified : ChangeType::kAdded;
  record->shown = pod;
  if (record->hidden) return;  // its last state is recorded, but published to nobody
  services_.sink->published(pod);
  views_.publish(type, pod);
  if (is_terminal_phase(pod->status.phase)) look_for_finished();
}

// Nothing is left of the pod. A deleted pod that is still desired gets a successor.
void PodSet::finished(const std::string& uid) {
  const std::unique_ptr<Record> record = records_.remove(uid);
  if (!record) return;
  readiness_.note_seen(uid);
  const PodPtr last = shown_or_wished(*record);
  const WallTime now = services_.clock->wall_now();
  const std::optional<EndInForce> end = end_of(*record);
  PodLedger(services_.ledger).happened(*last, now, {}, removal(*last, end));
  if (record->shown) {
    services_.sink->removed(record->shown);
    if (!record->hidden) views_.publish(ChangeType::kDeleted, record->shown);
  }
  verdicts_.drop(uid);
  settled_bell_.ring();
  const bool was_collected = end && end->ending.cause == EndCause::kCollected;
  if (was_collected && desired_.contains(uid)) return keep_collected(*record);
  if (end && has_successor(end->ending.cause)) make_successor(*record);
  const bool succeeded = std::ranges::any_of(
      desired_, [&record](const auto& wished) { return same_name(*wished.second, *record->pod); });
  if (succeeded)
    verdicts_.remember_ended(*record);
  else
    verdicts_.forget(last);
  reconcile_.soon();
}

// Creates the successor of a deleted pod that is still desired, once.
void PodSet::make_successor(Record& record) {
  const std::string uid = record.pod->metadata.uid;
  if (record.followed || !desired_.contains(uid)) return;
  record.followed = true;
  const PodPtr next = services_.incarnations->next_incarnation(*record.pod);
  desired_.erase(uid);
  if (next) desired_.insert_or_assign(next->metadata.uid, next);
}

}  // namespace berth::lifecycle
