// SPDX-License-Identifier: Apache-2.0

// Field selectors: `fieldRef` and `resourceFieldRef` of environment variables and downward API
// files.
#include <algorithm>
#include <optional>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::string_view kKnown[] = {
    "metadata.annotations", "metadata.labels",    "metadata.name",
    "metadata.namespace",   "metadata.uid",       "spec.nodeName",
    "spec.restartPolicy",   "spec.schedulerName", "spec.serviceAccountName",
    "status.hostIP",        "status.hostIPs",     "status.phase",
    "status.podIP",         "status.podIPs"};

const std::vector<std::string_view>& allowed_in(SelectorPlace place) {
  static const std::vector<std::string_view> kEnvironment = {"metadata.name",
                                                             "metadata.namespace",
                                                             "metadata.uid",
                                                             "spec.nodeName",
                                                             "spec.serviceAccountName",
                                                             "status.hostIP",
                                                             "status.hostIPs",
                                                             "status.podIP",
                                                             "status.podIPs"};
  static const std::vector<std::string_view> kVolume = {"metadata.annotations", "metadata.labels",
                                                        "metadata.name", "metadata.namespace",
                                                        "metadata.uid"};
  return place == SelectorPlace::kEnvironment ? kEnvironment : kVolume;
}

template <class List>
bool has(const List& list, std::string_view value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

struct Subscripted {
  std::string_view field;
  std::string_view key;
};

// metadata.labels['key']: ends in "']", and the first "['" splits it.
std::optional<Subscripted> split_subscript(std::string_view path) {
  if (!path.ends_with("']")) return std::nullopt;
  path.remove_suffix(2);
  const std::size_t open = path.find("['");
  if (open == path.npos || open == 0) return std::nullopt;
  return Subscripted{path.substr(0, open), path.substr(open + 2)};
}

struct DivisorRule {
  std::string_view resource;  // without "requests." and "limits."
  std::vector<std::string_view> divisors;
  std::string_view detail;
};

const DivisorRule* divisor_rule(std::string_view resource) {
  static const std::vector<std::string_view> kBytes = {
      "1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};
  static const DivisorRule kRules[] = {
      {"cpu", {"1m", "1"}, "only divisor's values 1m and 1 are supported with the cpu resource"},
      {"memory", kBytes,
       "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are "
       "supported with the memory resource"},
      {"ephemeral-storage", kBytes,
       "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are "
       "supported with the local ephemeral storage resource"},
      {"hugepages-", kBytes,
       "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are "
       "supported with the hugepages resource"}};
  const std::size_t dot = resource.find('.');
  const std::string_view side = resource.substr(0, dot);
  if (dot == resource.npos || (side != "requests" && side != "limits")) return nullptr;
  const std::string_view name = resource.substr(dot + 1);
  for (const DivisorRule& rule : kRules) {
    const bool prefix = rule.resource.ends_with('-');
    if (prefix ? name.starts_with(rule.resource) : name == rule.resource) return &rule;
  }
  return nullptr;
}

// The problem with the field's path on its own, wherever it is used; empty if there is none.
std::string conversion_problem(const ObjectFieldSelector& ref,
                               const std::optional<Subscripted>& subscript) {
  const std::string prefix = "error converting fieldPath: ";
  if (ref.apiVersion != "v1") return prefix + "unsupported pod version: " + ref.apiVersion;
  if (subscript) {
    const bool map =
        subscript->field == "metadata.labels" || subscript->field == "metadata.annotations";
    return map ? "" : prefix + "field label does not support subscript: " + ref.fieldPath;
  }
  if (has(kKnown, ref.fieldPath) || ref.fieldPath == "spec.host") return "";
  return prefix + "field label not supported: " + ref.fieldPath;
}

}  // namespace

void check_field_ref(FieldErrors& errors, const FieldPath& path, const ObjectFieldSelector& ref,
                     SelectorPlace place) {
  if (ref.apiVersion.empty()) {
    errors.push_back(required(path / "apiVersion"));
    return;
  }
  if (ref.fieldPath.empty()) {
    errors.push_back(required(path / "fieldPath"));
    return;
  }
  const std::optional<Subscripted> subscript = split_subscript(ref.fieldPath);
  if (const std::string problem = conversion_problem(ref, subscript); !problem.empty()) {
    errors.push_back(invalid(path / "fieldPath", quoted(ref.fieldPath), problem));
    return;
  }
  if (subscript) {
    const bool annotation = subscript->field == "metadata.annotations";
    const std::string key = annotation ? to_lower(subscript->key) : std::string(subscript->key);
    check_text(errors, path, key, grammar::qualified_name);
    return;
  }
  const std::string_view field =
      ref.fieldPath == "spec.host" ? std::string_view("spec.nodeName") : ref.fieldPath;
  if (!has(allowed_in(place), field)) {
    errors.push_back(not_supported(path / "fieldPath", quoted(field), allowed_in(place)));
  }
}

void check_resource_field_ref(FieldErrors& errors, const FieldPath& path,
                              const ResourceFieldSelector& ref, SelectorPlace place) {
  static const std::vector<std::string_view> kResources = {
      "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
      "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
  const std::string_view resource = ref.resource;
  if (place == SelectorPlace::kVolume && ref.containerName.empty()) {
    errors.push_back(required(path / "containerName"));
  } else if (resource.empty()) {
    errors.push_back(required(path / "resource"));
  } else if (!has(kResources, resource) && !resource.starts_with("requests.hugepages-") &&
             !resource.starts_with("limits.hugepages-")) {
    errors.push_back(not_supported(path / "resource", quoted(resource), kResources));
  }
  if (ref.divisor.is_zero()) return;
  const DivisorRule* rule = divisor_rule(resource);
  if (rule != nullptr && !has(rule->divisors, ref.divisor.to_string())) {
    errors.push_back(invalid(path / "divisor", quoted(resource), rule->detail));
  }
}

}  // namespace berth::api
