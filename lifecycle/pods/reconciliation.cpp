// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/reconciliation.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lifecycle/pods/begin_order.hpp"
#include "lifecycle/pods/beginning/admission_driver.hpp"
#include "lifecycle/pods/beginning/pod_adoption.hpp"
#include "lifecycle/pods/beginning/pod_beginning.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_identity.hpp"

namespace berth::lifecycle {
namespace {

// How many pods begin or end before the loop gets to its timers: a file of a thousand pods must not
// delay any probe. Each pod may take a millisecond, because all the input of admission is recorded.
constexpr int kChangesEachTurn = 8;

}  // namespace

Reconciliation::Reconciliation(PodSetParts& parts, EndOrders& orders, AdmissionDriver& admission,
                               PodAdoption& adoption, PodBeginning& beginning)
    : services_(parts.services),
      tasks_(parts.tasks),
      desired_(parts.desired),
      records_(parts.records),
      verdicts_(parts.verdicts),
      cleanup_(parts.cleanup),
      readiness_(parts.readiness),
      reconcile_(parts.reconcile),
      orders_(orders),
      admission_(admission),
      adoption_(adoption),
      beginning_(beginning) {}

void Reconciliation::reconcile_once() {
  if (!readiness_.may_begin() || tasks_.stopping()) return;
  const bool first = readiness_.begin_first_pass();
  if (first) {
    adoption_.adopt_undesired();
    std::function<bool(const std::string&)> kept = [this](const std::string& uid) {
      return belongs_to_started_pod(uid);
    };
    tasks_.spawn("leftovers", cleanup_.clean_leftovers(std::move(kept)));
  }
  verdicts_.forget_undesired(desired_);
  // Everything that existed at start begins at once, because all of it must be shown.
  int changes = first ? std::numeric_limits<int>::max() : kChangesEachTurn;
  end_undesired(changes);
  replace_edited(changes);
  add_desired();
  beginning_.begin_waiting(changes);
  admission_.ask();
  if (changes == 0) reconcile_.soon();
  if (first) expect_first_statuses();
}

void Reconciliation::end_undesired(int& changes) {
  std::vector<std::string> gone;
  for (const auto& [uid, record] : records_) {
    if (changes == 0) break;
    // A pod that is being collected gets the order, too: otherwise it would be remembered as
    // collected, although its manifest may return.
    const std::optional<EndInForce> end = end_of(*record);
    const bool ends = removes(end) && end->ending.cause != EndCause::kCollected;
    if (ends || desired_.contains(uid)) continue;
    gone.push_back(uid);
    --changes;
  }
  for (const std::string& uid : gone)
    orders_.order(uid, manifest_removed(services_.clock->wall_now()));
}

// Replaces pods whose manifest changed but whose uid did not: each is replaced like any other, and
// its successor has the same uid.
void Reconciliation::replace_edited(int& changes) {
  std::vector<std::string> replaced;
  for (const auto& [uid, record] : records_) {
    const auto desired = desired_.find(uid);
    if (desired == desired_.end() || is_being_removed(*record)) continue;
    if (record->state == RecordState::kWaiting) {
      record->pod = desired->second;
    } else if (changes > 0 && is_edited(*record->pod, *desired->second)) {
      replaced.push_back(uid);
      --changes;
    }
  }
  for (const std::string& uid : replaced)
    orders_.order(uid, manifest_removed(services_.clock->wall_now()));
}

void Reconciliation::add_desired() {
  std::vector<PodPtr> added;
  for (const auto& [uid, pod] : desired_)
    if (!records_.contains(uid)) added.push_back(pod);
  std::ranges::sort(added, begins_before);
  for (const PodPtr& pod : added) records_.add(records_.make(pod));
}

void Reconciliation::expect_first_statuses() {
  for (const auto& [uid, record] : records_)
    if (record->worker && !record->shown && !record->unknown && !record->hidden)
      readiness_.expect(uid);
  tasks_.spawn("first looks", readiness_.await_first_looks(*services_.clock));
}

// Whether anything on the machine under that uid belongs, or will belong, to a pod that is started.
bool Reconciliation::belongs_to_started_pod(const std::string& uid) const {
  if (records_.contains(uid)) return records_.lives(uid) && !records_.is_rejected(uid);
  return desired_.contains(uid);
}

}  // namespace berth::lifecycle
