// SPDX-License-Identifier: Apache-2.0

#include "node/container/field_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "api/field_error.hpp"
#include "node/container/container_resources.hpp"
#include "node/container/find_container.hpp"

namespace berth::node {
namespace {

struct Subscripted {
  std::string_view path{};
  std::string_view key{};
};

// "metadata.labels['app']" -> {metadata.labels, app}.
std::optional<Subscripted> split_subscript(std::string_view text) {
  if (!text.ends_with("']")) return std::nullopt;
  text.remove_suffix(2);
  const auto open = text.find("['");
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  return Subscripted{.path = text.substr(0, open), .key = text.substr(open + 2)};
}

std::string map_text(const std::map<std::string, std::string>& map) {
  std::string text;
  for (const auto& [key, value] : map) {
    if (!text.empty()) text += '\n';
    text += key + "=" + api::go_quote(value);
  }
  return text;
}

std::string value_of(const std::map<std::string, std::string>& map, std::string_view key) {
  const auto found = map.find(std::string(key));
  return found == map.end() ? "" : found->second;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

std::string first(const std::vector<std::string>& list) {
  return list.empty() ? "" : list[0];
}

Result<std::string> subscripted_value(const api::Pod& pod, std::string_view label,
                                      const Subscripted& field) {
  if (field.path == "metadata.labels") return value_of(pod.metadata.labels, field.key);
  if (field.path == "metadata.annotations") return value_of(pod.metadata.annotations, field.key);
  return fail(ErrorCode::kInvalid, "field label does not support subscript: " + std::string(label));
}

// What an unlimited container may use: its pod's limit, or else the node's allocatable.
api::Quantity limit_of(const api::Pod& pod, const api::Container& container,
                       const std::string& name, const api::ResourceList& allocatable) {
  auto limit = amount_in(container.resources.limits, name);
  if (!limit.is_zero() || name.starts_with("hugepages-")) return limit;
  if (pod.spec.resources) limit = amount_in(pod.spec.resources->limits, name);
  return limit.is_zero() ? amount_in(allocatable, name) : limit;
}

bool is_regular(const api::Pod& pod, const api::Container& container) {
  return std::ranges::find(pod.spec.containers, container.name, &api::Container::name) !=
         pod.spec.containers.end();
}

}  // namespace

Result<std::string> field_value(const api::Pod& pod, const api::ObjectFieldSelector& selector,
                                const FieldSources& sources) {
  const std::string& label = selector.fieldPath;
  if (!selector.apiVersion.empty() && selector.apiVersion != "v1") {
    return fail(ErrorCode::kInvalid, "unsupported pod version: " + selector.apiVersion);
  }
  if (const auto field = split_subscript(label)) return subscripted_value(pod, label, *field);
  if (label == "metadata.name") return pod.metadata.name;
  if (label == "metadata.namespace") return pod.metadata.namespace_;
  if (label == "metadata.uid") return pod.metadata.uid;
  if (label == "metadata.labels") return map_text(pod.metadata.labels);
  if (label == "metadata.annotations") return map_text(pod.metadata.annotations);
  // spec.host was written by very old clients.
  if (label == "spec.nodeName" || label == "spec.host") return pod.spec.nodeName;
  if (label == "spec.serviceAccountName") return pod.spec.serviceAccountName;
  if (label == "status.hostIP") return first(sources.host_ips);
  if (label == "status.hostIPs") return join(sources.host_ips);
  if (label == "status.podIP") return first(sources.pod_ips);
  if (label == "status.podIPs") return join(sources.pod_ips);
  if (label == "spec.restartPolicy" || label == "spec.schedulerName" || label == "status.phase") {
    return fail(ErrorCode::kInvalid, "unsupported fieldPath: " + label);
  }
  return fail(ErrorCode::kInvalid, "field label not supported: " + label);
}

Result<std::string> resource_value(const api::Pod& pod, const api::Container* own,
                                   const api::ResourceFieldSelector& selector,
                                   const api::ResourceList& allocatable) {
  const std::string& named = selector.containerName;
  const bool itself = own != nullptr && (named.empty() || named == own->name);
  const api::Container* target = itself ? own : find_container(pod, named);
  if (target == nullptr) {
    return fail(ErrorCode::kNotFound, "container " + selector.containerName + " not found");
  }
  const auto dot = selector.resource.find('.');
  const std::string side = selector.resource.substr(0, dot);
  const std::string name =
      dot == std::string::npos ? std::string() : selector.resource.substr(dot + 1);
  const bool known = name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
                     name.starts_with("hugepages-");
  if (!known || (side != "limits" && side != "requests")) {
    return fail(ErrorCode::kInvalid, "unsupported container resource : " + selector.resource);
  }
  const api::ResourceRequirements& resources = target->resources;
  const bool by_default = own == nullptr || named.empty() || is_regular(pod, *target);
  const api::Quantity value = side == "requests" ? amount_in(resources.requests, name)
                              : by_default       ? limit_of(pod, *target, name, allocatable)
                                                 : amount_in(resources.limits, name);
  const api::Quantity divisor =
      selector.divisor.is_zero() ? api::Quantity::from_int(1) : selector.divisor;
  const bool milli = name == "cpu";
  const auto whole = static_cast<double>(milli ? value.milli_value() : value.value());
  const auto part = static_cast<double>(milli ? divisor.milli_value() : divisor.value());
  return std::to_string(static_cast<std::int64_t>(std::ceil(whole / part)));
}

}  // namespace berth::node
