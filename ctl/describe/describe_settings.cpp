// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_settings.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ctl/describe/describe_sections.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

std::string http_url(const api::HTTPGetAction& get) {
  std::string scheme = get.scheme.empty() ? "HTTP" : get.scheme;
  std::ranges::transform(scheme, scheme.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_ipv6 = get.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + get.host + "]" : get.host;
  const bool rooted = get.path.empty() || get.path.starts_with("/");
  return fmt::format("{}://{}:{}{}{}", scheme, host, get.port.to_string(), rooted ? "" : "/",
                     get.path);
}

// Fields that kubectl can read off a pod by itself; others are known only where the container runs.
std::string field_value(const api::Pod& pod, const std::string& path) {
  const auto entry = [&path](const std::map<std::string, std::string>& map, std::string_view of) {
    const auto begin = of.size() + 2;  // metadata.labels['KEY']
    if (path.size() < begin + 2 || !path.ends_with("']")) return std::string{};
    const auto found = map.find(path.substr(begin, path.size() - begin - 2));
    return found == map.end() ? std::string{} : found->second;
  };
  if (path == "metadata.name") return pod.metadata.name;
  if (path == "metadata.namespace") return pod.metadata.namespace_;
  if (path == "metadata.uid") return pod.metadata.uid;
  if (path.starts_with("metadata.labels['")) return entry(pod.metadata.labels, "metadata.labels");
  if (path.starts_with("metadata.annotations['"))
    return entry(pod.metadata.annotations, "metadata.annotations");
  return {};
}

std::string resource_value(const api::Container& container,
                           const api::ResourceFieldSelector& selector) {
  const auto dot = selector.resource.find('.');
  if (dot == std::string::npos) return {};
  const bool limit = selector.resource.starts_with("limits.");
  const auto& amounts = limit ? container.resources.limits : container.resources.requests;
  const std::string name = selector.resource.substr(dot + 1);
  const auto found = amounts.find(name);
  if (found == amounts.end()) {
    const bool of_node = limit && (name == "cpu" || name == "memory");
    return of_node ? "node allocatable" : "0";
  }
  const bool milli = name == "cpu";
  const api::Quantity divisor =
      selector.divisor.is_zero() ? api::Quantity::from_int(1) : selector.divisor;
  const auto whole =
      static_cast<double>(milli ? found->second.milli_value() : found->second.value());
  const auto part = static_cast<double>(milli ? divisor.milli_value() : divisor.value());
  return fmt::format("{:.0f}", std::ceil(whole / part));
}

std::string optional_text(const std::optional<bool>& optional) {
  return fmt::format("Optional: {}", optional.value_or(false));
}

std::string source_text(const api::Pod& pod, const api::Container& container,
                        const api::EnvVarSource& source) {
  if (const auto& field = source.fieldRef) {
    return fmt::format("{} ({}:{})", field_value(pod, field->fieldPath), field->apiVersion,
                       field->fieldPath);
  }
  if (const auto& resource = source.resourceFieldRef) {
    return fmt::format("{} ({})", resource_value(container, *resource), resource->resource);
  }
  if (const auto& key = source.secretKeyRef) {
    return fmt::format("<set to the key '{}' in secret '{}'>  {}", key->key, key->name,
                       optional_text(key->optional));
  }
  if (const auto& key = source.configMapKeyRef) {
    return fmt::format("<set to the key '{}' of config map '{}'>  {}", key->key, key->name,
                       optional_text(key->optional));
  }
  return "<unknown>";
}

void describe_sources(DescribeText& out, const api::Container& container) {
  if (container.envFrom.empty()) return;
  out.enter("Environment Variables from");
  std::vector<Row> rows;
  for (const auto& from : container.envFrom) {
    const bool map = from.configMapRef.has_value();
    if (!map && !from.secretRef) continue;
    std::string kind = map ? "ConfigMap" : "Secret";
    if (!from.prefix.empty()) kind += fmt::format(" with prefix '{}'", from.prefix);
    rows.push_back({map ? from.configMapRef->name : from.secretRef->name, std::move(kind),
                    optional_text(map ? from.configMapRef->optional : from.secretRef->optional)});
  }
  out.rows(rows);
  out.leave();
}

void describe_environment(DescribeText& out, const api::Pod& pod, const api::Container& container) {
  if (container.env.empty()) {
    out.field("Environment", "<none>");
    return;
  }
  out.enter("Environment");
  for (const auto& variable : container.env) {
    if (variable.valueFrom) {
      out.field(variable.name, source_text(pod, container, *variable.valueFrom));
    } else {
      out.list_lines(variable.name, variable.value);
    }
  }
  out.leave();
}

void describe_mounts(DescribeText& out, const api::Container& container) {
  if (container.volumeMounts.empty()) {
    out.field("Mounts", "<none>");
    return;
  }
  auto mounts = container.volumeMounts;
  std::ranges::sort(mounts, {}, &api::VolumeMount::mountPath);
  out.enter("Mounts");
  for (const auto& mount : mounts) {
    std::string flags = mount.readOnly ? "ro" : "rw";
    if (!mount.subPath.empty()) flags += fmt::format(",path=\"{}\"", mount.subPath);
    out.line(fmt::format("{} from {} ({})", mount.mountPath, mount.name, flags));
  }
  out.leave();
}

void describe_devices(DescribeText& out, const api::Container& container) {
  if (container.volumeDevices.empty()) return;
  out.enter("Devices");
  for (const auto& device : container.volumeDevices)
    out.line(fmt::format("{} from {}", device.devicePath, device.name));
  out.leave();
}

}  // namespace

std::string probe_text(const api::Probe& probe) {
  const std::string numbers = fmt::format(
      "delay={}s timeout={}s period={}s #success={} #failure={}", probe.initialDelaySeconds,
      probe.timeoutSeconds, probe.periodSeconds, probe.successThreshold, probe.failureThreshold);
  if (probe.exec) return fmt::format("exec [{}] {}", fmt::join(probe.exec->command, " "), numbers);
  if (probe.httpGet) return fmt::format("http-get {} {}", http_url(*probe.httpGet), numbers);
  if (probe.tcpSocket) {
    return fmt::format("tcp-socket {}:{} {}", probe.tcpSocket->host,
                       probe.tcpSocket->port.to_string(), numbers);
  }
  if (probe.grpc) {
    return fmt::format("grpc <pod>:{} {} {}", probe.grpc->port, probe.grpc->service.value_or(""),
                       numbers);
  }
  return "unknown " + numbers;
}

void describe_settings(DescribeText& out, const api::Pod& pod, const api::Container& container) {
  describe_amounts(out, "Limits", container.resources.limits);
  describe_amounts(out, "Requests", container.resources.requests);
  if (container.livenessProbe) out.field("Liveness", probe_text(*container.livenessProbe));
  if (container.readinessProbe) out.field("Readiness", probe_text(*container.readinessProbe));
  if (container.startupProbe) out.field("Startup", probe_text(*container.startupProbe));
  describe_sources(out, container);
  describe_environment(out, pod, container);
  describe_mounts(out, container);
  describe_devices(out, container);
}

}  // namespace berth::ctl
