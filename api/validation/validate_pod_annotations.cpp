// SPDX-License-Identifier: Apache-2.0

// Annotations that have a meaning in Kubernetes: old forms of tolerations, seccomp and AppArmor
// profiles, the deletion cost; they must not contradict the fields that replaced them.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <boost/json.hpp>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kTolerations = "scheduler.alpha.kubernetes.io/tolerations";
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr std::string_view kPodSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kContainerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
constexpr std::string_view kAppArmor = "container.apparmor.security.beta.kubernetes.io/";
constexpr std::string_view kLocalhost = "localhost/";

using Annotations = std::map<std::string, std::string>;

const std::string* find(const Annotations& annotations, std::string_view key) {
  const auto found = annotations.find(std::string(key));
  return found == annotations.end() ? nullptr : &found->second;
}

// A 32-bit number without a plus sign or a leading zero; after a minus sign zeros may lead.
bool is_plain_int32(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return false;
  return text == "0" || text.front() != '0';
}

void check_deletion_cost(FieldErrors& errors, const FieldPath& path,
                         const Annotations& annotations) {
  const std::string* cost = find(annotations, kDeletionCost);
  if (cost != nullptr && !is_plain_int32(*cost)) {
    errors.push_back(invalid(path.key(kDeletionCost), quoted(*cost), "must be a 32bit integer"));
  }
}

void check_seccomp_value(FieldErrors& errors, const FieldPath& path, std::string_view value) {
  if (value == "runtime/default" || value == "docker/default" || value == "unconfined") return;
  if (value.starts_with(kLocalhost)) {
    check_descending_path(errors, path, value.substr(kLocalhost.size()));
    return;
  }
  errors.push_back(invalid(path, quoted(value), "must be a valid seccomp profile"));
}

void check_app_armor_value(FieldErrors& errors, const FieldPath& path, const std::string& key,
                           const std::string& value, const std::set<std::string>& containers) {
  const std::string name = key.substr(kAppArmor.size());
  if (!containers.contains(name)) {
    errors.push_back(invalid(path.key(key), quoted(name), "container not found"));
  }
  const bool known = value.empty() || value == "runtime/default" || value == "unconfined" ||
                     value.starts_with(kLocalhost);
  if (!known) {
    errors.push_back(
        invalid(path.key(key), quoted(value), "invalid AppArmor profile name: " + go_quote(value)));
  }
}

std::set<std::string> container_names(const PodSpec& spec) {
  std::set<std::string> names;
  for (const Container& container : spec.initContainers) names.insert(container.name);
  for (const Container& container : spec.containers) names.insert(container.name);
  for (const EphemeralContainer& container : spec.ephemeralContainers) {
    names.insert(container.name);
  }
  return names;
}

// Puts a member of the JSON object where it belongs. As for Go, keys match in any case, null leaves
// the field as it is, and other members count for nothing. False if it has the wrong type.
bool take_member(Toleration& toleration, const std::string& key, const boost::json::value& value) {
  const std::pair<std::string_view, std::string*> texts[] = {{"key", &toleration.key},
                                                             {"operator", &toleration.operator_},
                                                             {"value", &toleration.value},
                                                             {"effect", &toleration.effect}};
  for (const auto& [name, text] : texts) {
    if (name != key || value.is_null()) continue;
    if (!value.is_string()) return false;
    *text = std::string(value.as_string());
  }
  if (key != "tolerationseconds") return true;
  if (value.is_null()) {
    toleration.tolerationSeconds.reset();
  } else if (value.is_int64()) {
    toleration.tolerationSeconds = value.as_int64();
  } else {
    return false;
  }
  return true;
}

// `std::nullopt` if the text is not a JSON list of tolerations; null is an empty list or
// toleration.
std::optional<std::vector<Toleration>> tolerations_of(std::string_view text) {
  boost::system::error_code failure;
  const boost::json::value list = boost::json::parse(text, failure);
  if (failure || (!list.is_array() && !list.is_null())) return std::nullopt;
  std::vector<Toleration> tolerations;
  if (list.is_null()) return tolerations;
  for (const boost::json::value& entry : list.as_array()) {
    if (!entry.is_object() && !entry.is_null()) return std::nullopt;
    Toleration& toleration = tolerations.emplace_back();
    if (entry.is_null()) continue;
    for (const auto& member : entry.as_object())
      if (!take_member(toleration, to_lower(member.key()), member.value())) return std::nullopt;
  }
  return tolerations;
}

void check_old_tolerations(FieldErrors& errors, const FieldPath& path,
                           const Annotations& annotations) {
  const std::string* text = find(annotations, kTolerations);
  if (text == nullptr || text->empty()) return;
  const auto tolerations = tolerations_of(*text);
  if (tolerations) {
    check_tolerations(errors, path / kTolerations, *tolerations);
  } else {
    errors.push_back(invalid(path, quoted(kTolerations), "must be a JSON list of tolerations"));
  }
}

// Values of the annotation that say the same as the field's type RuntimeDefault.
struct ProfileNames {
  std::string_view what{};
  std::array<std::string_view, 2> runtime_default{};
};

constexpr ProfileNames kSeccompNames{"seccomp", {"runtime/default", "docker/default"}};
constexpr ProfileNames kAppArmorNames{"apparmor", {"runtime/default", "runtime/default"}};

bool names_type(const ProfileNames& names, std::string_view annotation, std::string_view type) {
  if (type == "Unconfined") return annotation == "unconfined";
  if (type == "Localhost") return annotation.starts_with(kLocalhost);
  const auto& defaults = names.runtime_default;
  return type != "RuntimeDefault" ||  // an unknown type has an error of its own
         std::find(defaults.begin(), defaults.end(), annotation) != defaults.end();
}

// An annotation that is there counts even if it is empty: it then names no type.
template <class FieldProfile>
void check_match(FieldErrors& errors, const FieldPath& path,
                 const std::optional<FieldProfile>& field, const std::string* annotation,
                 const ProfileNames& names) {
  if (!field || annotation == nullptr) return;
  const std::string what(names.what);
  if (!names_type(names, *annotation, field->type)) {
    errors.push_back(forbidden(path / "type", what + " type in annotation and field must match"));
  } else if (field->type == "Localhost" &&
             field->localhostProfile != annotation->substr(kLocalhost.size())) {
    errors.push_back(
        forbidden(path / "localhostProfile", what + " profile in annotation and field must match"));
  }
}

void check_container_profiles(FieldErrors& errors, const FieldPath& path,
                              const std::vector<Container>& containers, const Pod& pod,
                              bool app_armor) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Container& container = containers[i];
    const FieldPath at = path / i / "securityContext";
    const Annotations& annotations = pod.metadata.annotations;
    if (!app_armor) {
      if (!container.securityContext) continue;
      const std::string* value = find(annotations, std::string(kContainerSeccomp) + container.name);
      check_match(errors, at / "seccompProfile", container.securityContext->seccompProfile, value,
                  kSeccompNames);
      continue;
    }
    std::optional<AppArmorProfile> own;
    if (container.securityContext) own = container.securityContext->appArmorProfile;
    if (!own && pod.spec.securityContext) own = pod.spec.securityContext->appArmorProfile;
    const std::string* value = find(annotations, std::string(kAppArmor) + container.name);
    check_match(errors, at / "appArmorProfile", own, value, kAppArmorNames);
  }
}

}  // namespace

void check_pod_annotations(FieldErrors& errors, const Pod& pod) {
  const FieldPath path = FieldPath("metadata") / "annotations";
  const Annotations& annotations = pod.metadata.annotations;
  const std::string* mirror = find(annotations, kMirror);
  if (mirror != nullptr && pod.spec.nodeName.empty()) {
    errors.push_back(invalid(path.key(kMirror), quoted(*mirror),
                             "must set spec.nodeName if mirror pod annotation is set"));
  }
  check_old_tolerations(errors, path, annotations);
  check_deletion_cost(errors, path, annotations);
  if (const std::string* value = find(annotations, kPodSeccomp)) {
    check_seccomp_value(errors, path / kPodSeccomp, *value);
  }
  const std::set<std::string> containers = container_names(pod.spec);
  for (const auto& [key, value] : annotations) {
    if (key.starts_with(kContainerSeccomp)) check_seccomp_value(errors, path / key, value);
  }
  for (const auto& [key, value] : annotations) {
    if (key.starts_with(kAppArmor)) {
      check_app_armor_value(errors, path, key, value, containers);
    }
  }
}

void check_profile_annotations_match(FieldErrors& errors, const Pod& pod) {
  const FieldPath path("spec");
  const Annotations& annotations = pod.metadata.annotations;
  if (pod.spec.securityContext) {
    check_match(errors, path / "securityContext" / "seccompProfile",
                pod.spec.securityContext->seccompProfile, find(annotations, kPodSeccomp),
                kSeccompNames);
  }
  check_container_profiles(errors, path / "initContainers", pod.spec.initContainers, pod, false);
  check_container_profiles(errors, path / "containers", pod.spec.containers, pod, false);
  if (pod.spec.os && pod.spec.os->name == "windows") return;
  check_container_profiles(errors, path / "initContainers", pod.spec.initContainers, pod, true);
  check_container_profiles(errors, path / "containers", pod.spec.containers, pod, true);
}

}  // namespace berth::api
