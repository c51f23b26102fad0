// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/explanation.hpp"

#include "scheduling/predicates/taints.hpp"

namespace berth::scheduling {
namespace {

std::string domain_of(const Cluster& cluster, NodeIndex node, const std::string& key) {
  const Labels& labels = cluster.node(node).facts.labels;
  const auto label = labels.find(key);
  return label == labels.end() ? std::string() : label->second;
}

void explain_spread(NodeExplanation& explanation, const Scheduler& scheduler,
                    const HypotheticalNode& node) {
  const auto finding = scheduler.filtering().spread().find(node.node, node.spread);
  if (!finding) return;
  const Cluster& cluster = scheduler.cluster();
  const std::string& key = cluster.vocabulary().text_of(finding->constraint->topology_key);
  explanation.spread = SpreadReason{.topology_key = key,
                                    .domain = domain_of(cluster, node.node, key),
                                    .figures = finding->figures};
}

void explain_pod_affinity(NodeExplanation& explanation, const Scheduler& scheduler,
                          Rejection rejection, const HypotheticalNode& node) {
  const auto id = scheduler.filtering().inter_pod().key_of(rejection, node.node, node.inter_pod);
  if (!id) return;
  const Cluster& cluster = scheduler.cluster();
  const std::string& key = cluster.vocabulary().text_of(*id);
  explanation.pod_affinity =
      PodAffinityReason{.topology_key = key, .domain = domain_of(cluster, node.node, key)};
}

}  // namespace

NodeExplanation explain(const Scheduler& scheduler, NodeIndex index) {
  const Filtering& filtering = scheduler.filtering();
  NodeExplanation explanation{.status = filtering.status_of(index)};
  if (explanation.status.code == StatusCode::kSuccess) return explanation;
  const HypotheticalNode node = filtering.judged(filtering.hypothetical(index));
  const NodeFacts& facts = scheduler.cluster().node(index).facts;
  const IncomingPod& pod = scheduler.pod();
  const Rejection rejection = first_of(filtering.rejections()[index]);
  switch (rejection) {
    case Rejection::kTaint:
      explanation.taint = *first_forbidding_taint(facts.taints, pod.object->spec.tolerations);
      break;
    case Rejection::kPorts:
      explanation.port = *first_conflict(pod.info.ports, node.usage.ports);
      break;
    case Rejection::kResources:
    case Rejection::kResourcesUnresolvable:
      explanation.shortages = shortages(pod.filtered_requests, room_of(facts, node.usage));
      break;
    case Rejection::kSpreadKeyMissing:
    case Rejection::kSpreadSkew:
      explain_spread(explanation, scheduler, node);
      break;
    case Rejection::kPodAffinity:
    case Rejection::kPodAntiAffinity:
    case Rejection::kExistingAntiAffinity:
      explain_pod_affinity(explanation, scheduler, rejection, node);
      break;
    default:  // the reason is enough
      break;
  }
  return explanation;
}

}  // namespace berth::scheduling
