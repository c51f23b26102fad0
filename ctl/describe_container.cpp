#include "ctl/describe_container.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace berth::ctl {
namespace {

std::string yes_no(bool value) {
  return value ? "True" : "False";
}

std::vector<std::string> ports(const api::Container& container, bool host) {
  std::vector<std::string> list;
  for (const auto& port : container.ports) {
    const std::string name = host || port.name.empty() ? "" : fmt::format(" ({})", port.name);
    list.push_back(fmt::format("{}/{}{}", host ? port.hostPort : port.containerPort,
                               port.protocol.empty() ? "TCP" : port.protocol, name));
  }
  return list;
}

void describe_state(DescribeText& out, std::string_view key, const api::ContainerState& state) {
  if (state.running) {
    out.field(key, "Running");
    out.field("  Started", describe_time(state.running->startedAt));
  } else if (state.terminated) {
    const auto& ended = *state.terminated;
    out.field(key, "Terminated");
    if (!ended.reason.empty()) out.field("  Reason", ended.reason);
    if (!ended.message.empty()) out.field("  Message", ended.message);
    out.field("  Exit Code", fmt::format("{}", ended.exitCode));
    if (ended.signal > 0) out.field("  Signal", fmt::format("{}", ended.signal));
    out.field("  Started", describe_time(ended.startedAt));
    out.field("  Finished", describe_time(ended.finishedAt));
  } else {
    out.field(key, "Waiting");
    if (state.waiting && !state.waiting->reason.empty()) {
      out.field("  Reason", state.waiting->reason);
    }
    if (state.waiting && !state.waiting->message.empty()) {
      out.field("  Message", state.waiting->message);
    }
  }
}

void describe_amounts(DescribeText& out, std::string_view key, const api::ResourceList& amounts) {
  if (amounts.empty()) return;
  out.enter(key);
  for (const auto& [name, amount] : amounts) out.field(name, amount.to_string());
  out.leave();
}

std::string env_source(const api::EnvVarSource& source) {
  if (source.fieldRef) {
    return fmt::format(" ({}:{})", source.fieldRef->apiVersion, source.fieldRef->fieldPath);
  }
  if (source.resourceFieldRef) {
    return fmt::format("{} ({})", source.resourceFieldRef->containerName,
                       source.resourceFieldRef->resource);
  }
  if (source.configMapKeyRef) {
    return fmt::format("<set to the key '{}' of config map '{}'>", source.configMapKeyRef->key,
                       source.configMapKeyRef->name);
  }
  if (source.secretKeyRef) {
    return fmt::format("<set to the key '{}' in secret '{}'>", source.secretKeyRef->key,
                       source.secretKeyRef->name);
  }
  return "<unknown>";
}

void describe_environment(DescribeText& out, const api::Container& container) {
  if (container.env.empty()) {
    out.field("Environment", "<none>");
    return;
  }
  out.enter("Environment");
  for (const auto& variable : container.env) {
    out.field(variable.name, variable.valueFrom ? env_source(*variable.valueFrom) : variable.value);
  }
  out.leave();
}

void describe_mounts(DescribeText& out, const api::Container& container) {
  if (container.volumeMounts.empty()) {
    out.field("Mounts", "<none>");
    return;
  }
  out.enter("Mounts");
  for (const auto& mount : container.volumeMounts) {
    out.line(
        fmt::format("{} from {} ({})", mount.mountPath, mount.name, mount.readOnly ? "ro" : "rw"));
  }
  out.leave();
}

void describe_words(DescribeText& out, std::string_view key,
                    const std::vector<std::string>& words) {
  if (words.empty()) return;
  out.enter(key);
  for (const auto& word : words) out.line(word);
  out.leave();
}

}  // namespace

std::string describe_time(const std::optional<api::Time>& time) {
  if (!time) return "<unknown>";
  const std::time_t seconds = static_cast<std::time_t>(time->unix_seconds());
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000", fmt::gmtime(seconds));
}

void describe_container(DescribeText& out, const api::Container& container,
                        const api::ContainerStatus* status) {
  out.enter(container.name);
  if (status != nullptr) out.field("Container ID", status->containerID);
  out.field("Image", container.image);
  if (status != nullptr) out.field("Image ID", status->imageID);
  out.list(container.ports.size() > 1 ? "Ports" : "Port", ports(container, false));
  out.list(container.ports.size() > 1 ? "Host Ports" : "Host Port", ports(container, true));
  describe_words(out, "Command", container.command);
  describe_words(out, "Args", container.args);
  if (status != nullptr) {
    describe_state(out, "State", status->state);
    if (status->lastState.terminated) describe_state(out, "Last State", status->lastState);
    out.field("Ready", yes_no(status->ready));
    out.field("Restart Count", fmt::format("{}", status->restartCount));
  }
  describe_amounts(out, "Limits", container.resources.limits);
  describe_amounts(out, "Requests", container.resources.requests);
  describe_environment(out, container);
  describe_mounts(out, container);
  out.leave();
}

}  // namespace berth::ctl
