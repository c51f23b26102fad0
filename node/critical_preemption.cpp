// SPDX-License-Identifier: Apache-2.0

#include "node/critical_preemption.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "api/pod_resources.hpp"

namespace berth::node {
namespace {

using Missing = std::vector<MissingAmount>;

std::int64_t request_of(const api::Pod& pod, const std::string& resource) {
  if (resource == "pods") return 1;
  const api::Quantity request = api::ranked_request(pod, resource);
  return resource == "cpu" ? request.milli_value() : request.value();
}

// A possible victim, with its relevant requests cached: they are read many times.
struct Candidate {
  CriticalVictim victim{};
  std::map<std::string, std::int64_t> requests{};

  [[nodiscard]] std::int64_t request(const std::string& resource) const {
    return requests.at(resource);
  }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> size() const {
    return {request("memory"), request("cpu")};
  }
};

using Candidates = std::vector<Candidate>;

Candidate candidate(const api::Pod& pod, QosClass qos, const Missing& missing) {
  Candidate made{.victim = {.pod = &pod, .qos = qos}};
  for (const char* resource : {"memory", "cpu"}) {
    made.requests[resource] = request_of(pod, resource);
  }
  for (const MissingAmount& one : missing) {
    made.requests[one.resource] = request_of(pod, one.resource);
  }
  return made;
}

bool may_be_preempted(const CriticalPreemptionRules& rules, const api::Pod& incoming,
                      const api::Pod& other) {
  const bool critical = is_critical_pod(incoming, rules.static_pods_are_critical);
  if (critical && !is_critical_pod(other, rules.static_pods_are_critical)) return true;
  return incoming.spec.priority && other.spec.priority &&
         *incoming.spec.priority > *other.spec.priority;
}

// What is still missing after these pods are gone.
Missing without(Missing missing, const Candidates& gone) {
  for (const Candidate& pod : gone) {
    for (MissingAmount& one : missing) {
      // A covered amount is kept as it is, so that no sum overflows.
      if (one.amount > 0) one.amount -= pod.request(one.resource);
    }
  }
  std::erase_if(missing, [](const MissingAmount& one) { return one.amount <= 0; });
  return missing;
}

double distance(const Missing& missing, const Candidate& pod) {
  double sum = 0;
  for (const MissingAmount& one : missing) {
    const auto rest = static_cast<double>(one.amount - pod.request(one.resource));
    if (rest <= 0) continue;
    const double part = rest / static_cast<double>(one.amount);
    sum += part * part;
  }
  return sum;
}

std::string list_of(const Missing& missing) {
  std::string text = "[";
  for (const MissingAmount& one : missing) {
    text += fmt::format("(res: {}, q: {}), ", one.resource, one.amount);
  }
  return text + "]";
}

CriticalPreemptionFailure failure(Missing unmet) {
  std::string message = "no set of running pods found to reclaim resources: " + list_of(unmet);
  return {.unmet = std::move(unmet), .message = std::move(message)};
}

// At equal distance, the candidate with smaller requests; if these are equal too, the later one.
std::size_t nearest_of(const Candidates& candidates, const Missing& missing) {
  std::size_t best = 0;
  double shortest = distance(missing, candidates[0]);
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const double length = distance(missing, candidates[i]);
    if (length > shortest) continue;
    if (length == shortest && candidates[i].size() > candidates[best].size()) continue;
    best = i;
    shortest = length;
  }
  return best;
}

// The victims within one class, nearest first. The caller ensures that all of them together
// suffice.
Candidates choose_nearest(Candidates candidates, Missing missing) {
  Candidates chosen;
  while (!missing.empty() && !candidates.empty()) {
    const std::size_t best = nearest_of(candidates, missing);
    Candidate next = std::move(candidates[best]);
    // The last candidate is moved into the gap, as in the kubelet: the resulting order decides
    // between equal ones.
    if (best + 1 != candidates.size()) candidates[best] = std::move(candidates.back());
    candidates.pop_back();
    next.victim.distance = distance(missing, next);
    next.victim.missing = missing;
    missing = without(std::move(missing), {next});
    chosen.push_back(std::move(next));
  }
  return chosen;
}

struct Classes {
  Candidates best_effort{};
  Candidates burstable{};
  Candidates guaranteed{};
};

Classes by_class(const CriticalPreemptionRules& rules, const api::Pod& incoming,
                 const std::vector<const api::Pod*>& active, const Missing& missing) {
  Classes found;
  for (const api::Pod* pod : active) {
    if (!may_be_preempted(rules, incoming, *pod)) continue;
    const QosClass qos = qos_class(*pod);
    Candidates& list = qos == QosClass::kBestEffort  ? found.best_effort
                       : qos == QosClass::kBurstable ? found.burstable
                                                     : found.guaranteed;
    list.push_back(candidate(*pod, qos, missing));
  }
  return found;
}

}  // namespace

std::vector<MissingAmount> missing_amounts(const std::vector<scheduling::Shortage>& shortages) {
  Missing missing;
  for (const scheduling::Shortage& shortage : shortages) {
    missing.push_back({.resource = shortage.resource,
                       .amount = shortage.requested - (shortage.capacity - shortage.used)});
  }
  return missing;
}

std::expected<std::vector<CriticalVictim>, CriticalPreemptionFailure> choose_critical_victims(
    const CriticalPreemptionRules& rules, const api::Pod& incoming,
    const std::vector<const api::Pod*>& active, const std::vector<MissingAmount>& missing) {
  const Classes all = by_class(rules, incoming, active, missing);
  const Missing beyond_cheap = without(without(missing, all.best_effort), all.burstable);
  if (Missing unmet = without(beyond_cheap, all.guaranteed); !unmet.empty()) {
    return std::unexpected(failure(std::move(unmet)));
  }
  // The highest class first, assuming that all lower ones are removed, so that as few of its pods
  // as possible are victims.
  const Candidates guaranteed = choose_nearest(all.guaranteed, beyond_cheap);
  const Candidates burstable =
      choose_nearest(all.burstable, without(without(missing, all.best_effort), guaranteed));
  const Candidates best_effort =
      choose_nearest(all.best_effort, without(without(missing, burstable), guaranteed));
  std::vector<CriticalVictim> victims;
  for (const Candidates* chosen : {&best_effort, &burstable, &guaranteed}) {
    for (const Candidate& one : *chosen) victims.push_back(one.victim);
  }
  return victims;
}

std::string unexpected_admission_message(const CriticalPreemptionFailure& failure) {
  return "Unexpected error while attempting to recover from admission failure: preemption: error "
         "finding a set of pods to preempt: " +
         failure.message;
}

}  // namespace berth::node
