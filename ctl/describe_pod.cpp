#include "ctl/describe_pod.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "ctl/age.hpp"
#include "ctl/describe_container.hpp"
#include "ctl/describe_text.hpp"
#include "ctl/event_row.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

std::vector<std::string> pairs(const std::map<std::string, std::string>& map,
                               std::string_view between) {
  std::vector<std::string> list;
  for (const auto& [key, value] : map) list.push_back(fmt::format("{}{}{}", key, between, value));
  return list;
}

std::string or_none(const std::string& text) {
  return text.empty() ? "<none>" : text;
}

void describe_identity(DescribeText& out, const PodStory& story) {
  const api::Pod& pod = story.pod;
  out.field("Name", pod.metadata.name);
  out.field("Namespace", pod.metadata.namespace_);
  out.field("UID", pod.metadata.uid);
  if (!story.manifest_file.empty()) out.field("Manifest", story.manifest_file);
  out.field("Priority", fmt::format("{}", pod.spec.priority.value_or(0)));
  if (!pod.spec.priorityClassName.empty()) {
    out.field("Priority Class Name", pod.spec.priorityClassName);
  }
  const std::string host = pod.status.hostIP.empty() ? "" : "/" + pod.status.hostIP;
  out.field("Node", or_none(pod.spec.nodeName) + host);
  out.field("Start Time", describe_time(pod.status.startTime));
  out.list("Labels", pairs(pod.metadata.labels, "="));
  out.list("Annotations", pairs(pod.metadata.annotations, ": "));
}

void describe_status(DescribeText& out, const api::Pod& pod, WallTime now) {
  const auto& deletion = pod.metadata.deletionTimestamp;
  if (deletion) {
    out.field("Status",
              deletion->at > now
                  ? fmt::format("Terminating (ends within {})", human_duration(deletion->at - now))
                  : fmt::format("Terminating (lasts {})", age(deletion, now)));
    if (const auto& grace = pod.metadata.deletionGracePeriodSeconds) {
      out.field("Termination Grace Period", fmt::format("{}s", *grace));
    }
  } else {
    out.field("Status", pod.status.phase);
  }
  if (!pod.status.reason.empty()) out.field("Reason", pod.status.reason);
  if (!pod.status.message.empty()) out.field("Message", pod.status.message);
  out.field("IP", pod.status.podIP);
  std::vector<std::string> addresses;
  for (const auto& address : pod.status.podIPs) addresses.push_back(address.ip);
  out.list("IPs", addresses);
}

void describe_containers(DescribeText& out, std::string_view title,
                         const std::vector<api::Container>& containers,
                         const std::vector<api::ContainerStatus>& statuses) {
  if (containers.empty()) return;
  out.enter(title);
  for (const auto& container : containers) {
    const auto status = std::ranges::find(statuses, container.name, &api::ContainerStatus::name);
    describe_container(out, container, status == statuses.end() ? nullptr : &*status);
  }
  out.leave();
}

void describe_conditions(DescribeText& out, const api::PodStatus& status) {
  if (status.conditions.empty()) return;
  out.enter("Conditions");
  std::vector<Row> rows = {{"Type", "Status", "Reason"}};
  for (const auto& condition : status.conditions) {
    rows.push_back({condition.type, condition.status, condition.reason});
  }
  const auto widths = column_widths(rows);
  for (const Row& row : rows) {
    std::string line = format_row(row, widths);
    line.pop_back();
    out.line(line);
  }
  out.leave();
}

void describe_volume(DescribeText& out, const api::Volume& volume) {
  out.enter(volume.name);
  if (volume.emptyDir) {
    out.field("Type", "EmptyDir (a temporary directory that shares a pod's lifetime)");
    out.field("Medium", volume.emptyDir->medium);
    const auto& limit = volume.emptyDir->sizeLimit;
    out.field("SizeLimit", limit ? limit->to_string() : "<unset>");
  } else if (volume.hostPath) {
    out.field("Type", "HostPath (bare host directory volume)");
    out.field("Path", volume.hostPath->path);
    out.field("HostPathType", volume.hostPath->type.value_or(""));
  } else if (volume.configMap) {
    out.field("Type", "ConfigMap (a volume populated by a ConfigMap)");
    out.field("Name", volume.configMap->name);
  } else if (volume.secret) {
    out.field("Type", "Secret (a volume populated by a Secret)");
    out.field("SecretName", volume.secret->secretName);
  } else {
    out.field("Type", "other; see -o yaml");
  }
  out.leave();
}

std::vector<std::string> tolerations(const api::PodSpec& spec) {
  std::vector<std::string> list;
  for (const auto& toleration : spec.tolerations) {
    std::string text = toleration.key;
    if (!toleration.value.empty()) text += "=" + toleration.value;
    if (!toleration.effect.empty()) text += ":" + toleration.effect;
    if (toleration.operator_ == "Exists") text += " op=Exists";
    if (const auto& seconds = toleration.tolerationSeconds)
      text += fmt::format(" for {}s", *seconds);
    list.push_back(text);
  }
  return list;
}

void describe_rest(DescribeText& out, const api::Pod& pod) {
  if (pod.spec.volumes.empty()) {
    out.field("Volumes", "<none>");
  } else {
    out.enter("Volumes");
    for (const auto& volume : pod.spec.volumes) describe_volume(out, volume);
    out.leave();
  }
  out.field("QoS Class", pod.status.qosClass);
  out.list("Node-Selectors", pairs(pod.spec.nodeSelector, "="));
  out.list("Tolerations", tolerations(pod.spec));
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

std::string events_text(const std::vector<api::Event>& events, WallTime now) {
  if (events.empty()) return "Events:  <none>\n";
  std::vector<Row> rows = {{"Type", "Reason", "Age", "From", "Message"},
                           {"----", "------", "----", "----", "-------"}};
  for (const auto& event : events) {
    rows.push_back(
        {event.type, event.reason, event_age(event, now), event.source.component, event.message});
  }
  return "Events:\n" + indented(format_table(rows));
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

std::string describe_pod(const PodStory& story, WallTime now) {
  const api::Pod& pod = story.pod;
  DescribeText out;
  describe_identity(out, story);
  describe_status(out, pod, now);
  describe_containers(out, "Init Containers", pod.spec.initContainers,
                      pod.status.initContainerStatuses);
  describe_containers(out, "Containers", pod.spec.containers, pod.status.containerStatuses);
  describe_conditions(out, pod.status);
  describe_rest(out, pod);
  std::string text = out.text();
  if (!story.problems.empty()) {
    text += "Manifest Problems:\n";
    for (const auto& problem : story.problems) text += "  " + problem + "\n";
  }
  return text + events_text(story.events, now) + decisions_text(story.decisions);
}

}  // namespace berth::ctl
