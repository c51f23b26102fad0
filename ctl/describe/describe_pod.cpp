// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_pod.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ctl/age.hpp"
#include "ctl/describe/describe_container.hpp"
#include "ctl/describe/describe_sections.hpp"
#include "ctl/describe/describe_text.hpp"
#include "ctl/describe/describe_volumes.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

void describe_identity(DescribeText& out, const api::Pod& pod) {
  const api::PodSpec& spec = pod.spec;
  out.field("Name", pod.metadata.name);
  out.field("Namespace", pod.metadata.namespace_);
  if (spec.priority) out.field("Priority", fmt::format("{}", *spec.priority));
  if (!spec.priorityClassName.empty()) out.field("Priority Class Name", spec.priorityClassName);
  if (const std::string name = spec.runtimeClassName.value_or(""); !name.empty())
    out.field("Runtime Class Name", name);
  if (!spec.serviceAccountName.empty()) out.field("Service Account", spec.serviceAccountName);
  out.field("Node", spec.nodeName.empty() ? "<none>" : spec.nodeName + "/" + pod.status.hostIP);
  if (pod.status.startTime) out.field("Start Time", describe_time(pod.status.startTime));
  out.list("Labels", key_values(pod.metadata.labels, "="));
  out.list("Annotations", key_values(pod.metadata.annotations, ": "));
}

// A deletion's deadline is in the future during the grace period; kubectl only prints how long ago
// it was.
void describe_phase(DescribeText& out, const api::Pod& pod, WallTime now) {
  const auto& deletion = pod.metadata.deletionTimestamp;
  const bool over = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
  if (!deletion || over) {
    out.field("Status", pod.status.phase);
    return;
  }
  out.field("Status",
            deletion->at > now
                ? fmt::format("Terminating (ends within {})", human_duration(deletion->at - now))
                : fmt::format("Terminating (lasts {})", age(deletion, now)));
  if (const auto& grace = pod.metadata.deletionGracePeriodSeconds)
    out.field("Termination Grace Period", fmt::format("{}s", *grace));
}

void describe_status(DescribeText& out, const api::Pod& pod, WallTime now) {
  describe_phase(out, pod, now);
  if (!pod.status.reason.empty()) out.field("Reason", pod.status.reason);
  if (!pod.status.message.empty()) out.field("Message", pod.status.message);
  if (pod.spec.securityContext && pod.spec.securityContext->seccompProfile)
    describe_seccomp(out, *pod.spec.securityContext->seccompProfile);
  out.field("IP", pod.status.podIP);
  if (pod.status.podIPs.empty()) {
    out.field("IPs", "<none>");
  } else {
    out.enter("IPs");
    for (const auto& address : pod.status.podIPs) out.field("IP", address.ip);
    out.leave();
  }
  for (const auto& owner : pod.metadata.ownerReferences) {
    if (owner.controller.value_or(false)) out.field("Controlled By", owner.kind + "/" + owner.name);
  }
}

void describe_containers(DescribeText& out, std::string_view title, const api::Pod& pod,
                         const std::vector<api::Container>& containers,
                         const std::vector<api::ContainerStatus>& statuses) {
  if (containers.empty()) return;
  out.enter(title);
  for (const auto& container : containers) {
    const auto status = std::ranges::find(statuses, container.name, &api::ContainerStatus::name);
    describe_container(out, pod, container, status == statuses.end() ? nullptr : &*status);
  }
  out.leave();
}

void describe_gates(DescribeText& out, const api::Pod& pod) {
  if (pod.spec.readinessGates.empty()) return;
  out.enter("Readiness Gates");
  std::vector<Row> rows = {{"Type", "Status"}};
  for (const auto& gate : pod.spec.readinessGates) {
    const auto found =
        std::ranges::find(pod.status.conditions, gate.conditionType, &api::PodCondition::type);
    rows.push_back(
        {gate.conditionType, found == pod.status.conditions.end() ? "<none>" : found->status});
  }
  out.rows(rows);
  out.leave();
}

// Includes the reasons, which kubectl omits.
void describe_conditions(DescribeText& out, const api::PodStatus& status) {
  if (status.conditions.empty()) return;
  out.enter("Conditions");
  std::vector<Row> rows = {{"Type", "Status", "Reason"}};
  for (const auto& condition : status.conditions)
    rows.push_back({condition.type, condition.status, condition.reason});
  out.rows(rows);
  out.leave();
}

std::string toleration_text(const api::Toleration& toleration) {
  std::string text = toleration.key;
  if (!toleration.value.empty()) text += "=" + toleration.value;
  if (!toleration.effect.empty()) text += ":" + toleration.effect;
  if (toleration.operator_ == "Exists" && toleration.value.empty())
    text += text.empty() ? "op=Exists" : " op=Exists";
  if (const auto& seconds = toleration.tolerationSeconds) text += fmt::format(" for {}s", *seconds);
  return text;
}

std::vector<std::string> tolerations(const api::PodSpec& spec) {
  auto sorted = spec.tolerations;
  std::ranges::stable_sort(sorted, {}, &api::Toleration::key);
  std::vector<std::string> list;
  for (const auto& toleration : sorted) list.push_back(toleration_text(toleration));
  return list;
}

std::vector<std::string> spread(const api::PodSpec& spec) {
  auto sorted = spec.topologySpreadConstraints;
  std::ranges::stable_sort(sorted, {}, &api::TopologySpreadConstraint::topologyKey);
  std::vector<std::string> list;
  for (const auto& one : sorted) {
    std::string text = fmt::format("{}:{} when max skew {} is exceeded", one.topologyKey,
                                   one.whenUnsatisfiable, one.maxSkew);
    if (one.labelSelector) {
      const auto labels = key_values(one.labelSelector->matchLabels, "=");
      text += fmt::format(" for selector {}", fmt::join(labels, ","));
    }
    list.push_back(std::move(text));
  }
  return list;
}

void describe_rest(DescribeText& out, const api::Pod& pod) {
  describe_volumes(out, pod.spec.volumes);
  out.field("QoS Class", pod.status.qosClass);
  out.list("Node-Selectors", key_values(pod.spec.nodeSelector, "="));
  out.list("Tolerations", tolerations(pod.spec));
  if (!pod.spec.topologySpreadConstraints.empty())
    out.list("Topology Spread Constraints", spread(pod.spec));
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    result += "  " + text.substr(begin, end - begin) + "\n";
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return result;
}

// Only if there are any: kubectl has no such section.
std::string probes_text(const std::vector<ShownProbe>& probes) {
  if (probes.empty()) return "";
  std::vector<Row> rows = {{"Container", "Probe", "Result", "Next", "Late", "Last"}};
  for (Row& row : described_probes(probes)) rows.push_back(std::move(row));
  return "Probes:\n" + indented(format_table(rows));
}

std::string decisions_text(const std::vector<DescribedDecision>& decisions) {
  if (decisions.empty()) return "Decisions:  <none>\n";
  std::vector<Row> rows;
  for (const auto& decision : decisions) {
    rows.push_back({decision.time, decision.action,
                    decision.container.empty() ? "pod" : decision.container, decision.reason});
  }
  return "Decisions:\n" + indented(format_table(rows));
}

}  // namespace

// Sections that kubectl does not have come last.
std::string describe_pod(const PodStory& story, WallTime now) {
  const api::Pod& pod = story.pod;
  DescribeText out;
  describe_identity(out, pod);
  describe_status(out, pod, now);
  describe_containers(out, "Init Containers", pod, pod.spec.initContainers,
                      pod.status.initContainerStatuses);
  describe_containers(out, "Containers", pod, pod.spec.containers, pod.status.containerStatuses);
  describe_gates(out, pod);
  describe_conditions(out, pod.status);
  describe_rest(out, pod);
  describe_events(out, story.events, now);
  std::string text = out.text();
  DescribeText ours;
  ours.field("UID", pod.metadata.uid);
  if (!story.manifest_file.empty()) ours.field("Manifest", story.manifest_file);
  if (!story.refused_today.empty())
    ours.field("Admission", "would be refused today: " + story.refused_today);
  text += ours.text();
  if (!story.problems.empty()) {
    text += "Manifest Problems:\n";
    for (const auto& problem : story.problems) text += "  " + problem + "\n";
  }
  text += probes_text(story.probes);
  return text + decisions_text(story.decisions);
}

}  // namespace berth::ctl
