// SPDX-License-Identifier: Apache-2.0

// Creation checks of the other kinds that a manifest folder may hold.
#include <boost/json.hpp>

#include "api/validation/validate.hpp"
#include "api/validation/validate_go_form.hpp"
#include "api/validation/validate_metadata.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::size_t kMostDataBytes = 1048576;  // 1 MiB of values, keys not counted

// A root path; a function, so that nothing is constructed before main.
FieldPath metadata() {
  return FieldPath("metadata");
}

void check_namespaced(FieldErrors& errors, const ObjectMeta& meta) {
  check_metadata(errors, metadata(), meta, Scope::kNamespaced, grammar::dns1123_subdomain);
}

void check_docker_config(FieldErrors& errors, const Secret& secret, const std::string& key) {
  const FieldPath path = FieldPath("data").key(key);
  const auto data = secret.data.find(key);
  if (data == secret.data.end()) {
    errors.push_back(required(path));
    return;
  }
  boost::system::error_code failure;
  const boost::json::value value = boost::json::parse(data->second.data, failure);
  if (failure || !value.is_object()) {
    errors.push_back(invalid(path, quoted("<secret contents redacted>"),
                             failure ? failure.message() : "must be a JSON object"));
  }
}

void check_secret_type(FieldErrors& errors, const Secret& secret) {
  constexpr std::string_view kAccount = "kubernetes.io/service-account.name";
  const auto need = [&](const std::string& key) {
    if (!secret.data.contains(key)) errors.push_back(required(FieldPath("data").key(key)));
  };
  if (secret.type == "kubernetes.io/service-account-token") {
    const auto account = secret.metadata.annotations.find(std::string(kAccount));
    if (account == secret.metadata.annotations.end() || account->second.empty()) {
      errors.push_back(required((metadata() / "annotations").key(kAccount)));
    }
  } else if (secret.type == "kubernetes.io/dockercfg") {
    check_docker_config(errors, secret, ".dockercfg");
  } else if (secret.type == "kubernetes.io/dockerconfigjson") {
    check_docker_config(errors, secret, ".dockerconfigjson");
  } else if (secret.type == "kubernetes.io/basic-auth") {
    if (secret.data.contains("username") || secret.data.contains("password")) return;
    need("username");
    need("password");
  } else if (secret.type == "kubernetes.io/ssh-auth") {
    const auto key = secret.data.find("ssh-privatekey");
    if (key == secret.data.end() || key->second.data.empty()) {
      errors.push_back(required(FieldPath("data").key("ssh-privatekey")));
    }
  } else if (secret.type == "kubernetes.io/tls") {
    need("tls.crt");
    need("tls.key");
  }
}

template <class Object>
void check_still_immutable(FieldErrors& errors, const Object& now, const Object& before) {
  if (!before.immutable.value_or(false)) return;
  constexpr std::string_view kText = "field is immutable when `immutable` is set";
  if (!now.immutable.value_or(false)) errors.push_back(forbidden(FieldPath("immutable"), kText));
  if (now.data != before.data) errors.push_back(forbidden(FieldPath("data"), kText));
}

// A count or a percentage of pods.
void check_count(FieldErrors& errors, const FieldPath& path,
                 const std::optional<IntOrString>& count) {
  if (!count) return;
  if (count->is_int()) {
    if (count->int_value() >= 0) return;
    errors.push_back(
        invalid(path, number(count->int_value()), "must be greater than or equal to 0"));
    return;
  }
  const std::string text = count->string_value();
  const grammar::Details details = grammar::percentage(text);
  add_invalid(errors, path, json_string(text), details);
  if (!details.empty()) return;
  const std::size_t first = text.find_first_not_of('0');
  const std::string digits = text.substr(first, text.size() - 1 - first);
  if (digits.size() > 3 || (digits.size() == 3 && digits > "100")) {
    errors.push_back(invalid(path, json_string(text), "must not be greater than 100%"));
  }
}

}  // namespace

FieldErrors validate_config_map(const ConfigMap& config_map) {
  FieldErrors errors;
  check_namespaced(errors, config_map.metadata);
  std::size_t bytes = 0;
  for (const auto& [key, value] : config_map.data) {
    const FieldPath at = FieldPath("data").key(key);
    check_text(errors, at, key, grammar::config_map_key);
    if (config_map.binaryData.contains(key)) {
      errors.push_back(invalid(at, quoted(key), "duplicate of key present in binaryData"));
    }
    bytes += value.size();
  }
  for (const auto& [key, value] : config_map.binaryData) {
    check_text(errors, FieldPath("binaryData").key(key), key, grammar::config_map_key);
    bytes += value.data.size();
  }
  if (bytes > kMostDataBytes) errors.push_back(too_long(FieldPath(), kMostDataBytes));
  return errors;
}

FieldErrors validate_config_map_update(const ConfigMap& now, const ConfigMap& before) {
  FieldErrors errors;
  check_metadata_update(errors, metadata(), now.metadata, before.metadata);
  check_still_immutable(errors, now, before);
  if (before.immutable.value_or(false) && now.binaryData != before.binaryData) {
    errors.push_back(
        forbidden(FieldPath("binaryData"), "field is immutable when `immutable` is set"));
  }
  const FieldErrors content = validate_config_map(now);
  errors.insert(errors.end(), content.begin(), content.end());
  return errors;
}

FieldErrors validate_secret(const Secret& secret) {
  FieldErrors errors;
  check_namespaced(errors, secret.metadata);
  std::size_t bytes = 0;
  for (const auto& [key, value] : secret.data) {
    check_text(errors, FieldPath("data").key(key), key, grammar::config_map_key);
    bytes += value.data.size();
  }
  if (bytes > kMostDataBytes) errors.push_back(too_long(FieldPath("data"), kMostDataBytes));
  check_secret_type(errors, secret);
  return errors;
}

FieldErrors validate_secret_update(const Secret& now, const Secret& before) {
  FieldErrors errors;
  check_metadata_update(errors, metadata(), now.metadata, before.metadata);
  if (now.type != before.type) {
    errors.push_back(invalid(FieldPath("type"), json_string(now.type), "field is immutable"));
  }
  check_still_immutable(errors, now, before);
  const FieldErrors content = validate_secret(now);
  errors.insert(errors.end(), content.begin(), content.end());
  return errors;
}

FieldErrors validate_namespace(const Namespace& object) {
  FieldErrors errors;
  check_metadata(errors, metadata(), object.metadata, Scope::kCluster, grammar::dns1123_label);
  const FieldPath path = FieldPath("spec") / "finalizers";
  for (const std::string& name : object.spec.finalizers) {
    check_text(errors, path, name, grammar::qualified_name);
    const bool standard = name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
    if (standard || name.find('/') != std::string::npos) continue;
    errors.push_back(invalid(
        path, quoted(name), "name is neither a standard finalizer name nor is it fully qualified"));
  }
  return errors;
}

FieldErrors validate_priority_class(const PriorityClass& object) {
  constexpr std::int32_t kMostUserPriority = 1000000000;
  struct System {
    std::string_view name;
    std::int32_t value;
  };
  constexpr System kSystem[] = {{"system-node-critical", 2000001000},
                                {"system-cluster-critical", 2000000000}};
  FieldErrors errors;
  const std::string& name = object.metadata.name;
  check_metadata(errors, metadata(), object.metadata, Scope::kCluster, grammar::dns1123_subdomain);
  if (name.starts_with("system-")) {
    std::string problem = name + " is not a known system priority class";
    for (const System& system : kSystem) {
      if (system.name != name) continue;
      problem.clear();
      if (object.value != system.value) {
        problem = "value of " + name + " PriorityClass must be " + std::to_string(system.value);
      } else if (object.globalDefault) {
        problem = "globalDefault of " + name + " PriorityClass must be false";
      }
    }
    if (!problem.empty()) {
      errors.push_back(forbidden(metadata() / "name",
                                 "priority class names with 'system-' prefix are reserved for "
                                 "system use only. error: " +
                                     problem));
    }
  } else if (object.value > kMostUserPriority) {
    errors.push_back(forbidden(FieldPath("value"),
                               "maximum allowed value of a user defined priority is 1000000000"));
  }
  if (object.preemptionPolicy) {
    const FieldPath path("preemptionPolicy");
    if (object.preemptionPolicy->empty()) {
      errors.push_back(required(path));
    } else {
      check_one_of(errors, path, *object.preemptionPolicy, {"PreemptLowerPriority", "Never"});
    }
  }
  return errors;
}

FieldErrors validate_priority_class_update(const PriorityClass& now, const PriorityClass& before) {
  FieldErrors errors;
  if (now.value != before.value) {
    errors.push_back(forbidden(FieldPath("value"), "may not be changed in an update."));
  }
  if (now.preemptionPolicy != before.preemptionPolicy) {
    errors.push_back(invalid(FieldPath("preemptionPolicy"),
                             json_string(now.preemptionPolicy.value_or("")), "field is immutable"));
  }
  return errors;
}

FieldErrors validate_pod_disruption_budget(const PodDisruptionBudget& budget) {
  FieldErrors errors;
  const FieldPath path("spec");
  const PodDisruptionBudgetSpec& spec = budget.spec;
  if (spec.minAvailable && spec.maxUnavailable) {
    errors.push_back(invalid(path, json_text(go_form(spec)),
                             "minAvailable and maxUnavailable cannot be both set"));
  }
  check_count(errors, path / "minAvailable", spec.minAvailable);
  check_count(errors, path / "maxUnavailable", spec.maxUnavailable);
  if (spec.selector) check_label_selector(errors, path / "selector", *spec.selector);
  if (spec.unhealthyPodEvictionPolicy) {
    check_one_of(errors, path / "unhealthyPodEvictionPolicy", *spec.unhealthyPodEvictionPolicy,
                 {"AlwaysAllow", "IfHealthyBudget"});
  }
  if (errors.empty()) {
    check_metadata(errors, metadata(), budget.metadata, Scope::kNamespaced, path_segment_name);
  }
  return errors;
}

}  // namespace berth::api
