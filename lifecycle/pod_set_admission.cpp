// Admission: asked of new pods, and what it would say today of those that run.

#include <algorithm>
#include <tuple>
#include <utility>

#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/pod_record.hpp"
#include "lifecycle/pod_set.hpp"
#include "node/admission.hpp"

namespace berth::lifecycle {

// Higher priority first, then by name: the order in which pods are begun.
bool begins_before(const PodPtr& a, const PodPtr& b) {
  return std::forward_as_tuple(-std::int64_t{a->spec.priority.value_or(0)}, a->metadata.namespace_,
                               a->metadata.name, a->metadata.uid) <
         std::forward_as_tuple(-std::int64_t{b->spec.priority.value_or(0)}, b->metadata.namespace_,
                               b->metadata.name, b->metadata.uid);
}

// Once: from then on the store knows it.
void PodSet::tell_taken_over(const api::Pod& pod) {
  const std::string how =
      "it goes on under the uid that it had, no container is restarted, and it is not asked for "
      "admission again";
  services_.log->info("TakenOver", "taken over from a kubelet: " + how,
                      {{"NAMESPACE", pod.metadata.namespace_},
                       {"POD", pod.metadata.name},
                       {"POD_UID", pod.metadata.uid}});
  PodLedger(services_.ledger)
      .happened(pod, services_.clock->wall_now(), {}, Remark{"TakenOver", how});
}

std::vector<RefusedToday> PodSet::refused_today() const {
  std::vector<PodPtr> running;
  for (const auto& [uid, record] : records_)
    if (record->worker && !record->unknown && !record->worker->ending())
      running.push_back(record->pod);
  std::ranges::sort(running, begins_before);
  std::vector<RefusedToday> refused;
  std::vector<const api::Pod*> before;
  for (const PodPtr& pod : running) {
    node::Admission admission =
        node::admit_pod(services_.node->config, services_.node->facts.confinement,
                        *services_.node_object, before, *pod);
    if (admission.admitted) {
      before.push_back(pod.get());
      continue;
    }
    refused.push_back({.uid = pod->metadata.uid,
                       .reason = std::move(admission.reason),
                       .message = std::move(admission.message)});
  }
  return refused;
}

// Whether the node takes it; if not, it is rejected.
bool PodSet::admit(Record& record) {
  const api::Pod& pod = *record.pod;
  std::vector<PodPtr> active = active_pods();
  AdmissionQuestion question{.config = services_.node->config,
                             .host = services_.node->facts.confinement,
                             .node = *services_.node_object,
                             .pod = pod};
  for (const PodPtr& other : active) question.active.emplace_back(*other);
  const node::Admission admission = decide_admission(question);
  PodLedger(services_.ledger).decided(question, admission, services_.clock->wall_now());
  if (!admission.admitted) {
    reject(record, admission.reason, admission.message);
    return false;
  }
  tell_unenforced(pod);
  return true;
}

}  // namespace berth::lifecycle
