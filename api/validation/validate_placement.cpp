// SPDX-License-Identifier: Apache-2.0

// Tolerations and topology spread constraints.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_toleration_value(FieldErrors& errors, const FieldPath& path,
                            const Toleration& toleration) {
  const FieldPath at = path / "operator";
  if (toleration.operator_.empty() || toleration.operator_ == "Equal") {
    const grammar::Details details = grammar::label_value(toleration.value);
    if (!details.empty()) {
      errors.push_back(invalid(at, quoted(toleration.value), join(details, ";")));
    }
  } else if (toleration.operator_ == "Exists") {
    if (!toleration.value.empty()) {
      errors.push_back(
          invalid(at, quoted(toleration.value), "value must be empty when `operator` is 'Exists'"));
    }
  } else {
    check_one_of(errors, at, toleration.operator_, {"Equal", "Exists"});
  }
}

void check_spread_constraint(FieldErrors& errors, const FieldPath& path,
                             const std::vector<TopologySpreadConstraint>& all, std::size_t i) {
  const TopologySpreadConstraint& constraint = all[i];
  const std::string& action = constraint.whenUnsatisfiable;
  const auto positive = [&](std::string_view name, std::int32_t value) {
    if (value > 0) return;
    errors.push_back(invalid(path / name, number(value), "must be greater than zero"));
  };
  positive("maxSkew", constraint.maxSkew);
  if (constraint.topologyKey.empty()) {
    errors.push_back(required(path / "topologyKey", "can not be empty"));
  }
  check_one_of(errors, path / "whenUnsatisfiable", action, {"DoNotSchedule", "ScheduleAnyway"});
  for (std::size_t k = i + 1; k < all.size(); ++k) {
    if (all[k].topologyKey != constraint.topologyKey || all[k].whenUnsatisfiable != action) {
      continue;
    }
    errors.push_back(duplicate(path / "{topologyKey, whenUnsatisfiable}",
                               quoted("{" + constraint.topologyKey + ", " + action + "}")));
    break;
  }
  if (constraint.minDomains) {
    positive("minDomains", *constraint.minDomains);
    if (action != "DoNotSchedule") {
      errors.push_back(
          invalid(path / "minDomains", number(*constraint.minDomains),
                  "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action));
    }
  }
  if (constraint.nodeAffinityPolicy) {
    check_one_of(errors, path / "nodeAffinityPolicy", *constraint.nodeAffinityPolicy,
                 {"Honor", "Ignore"});
  }
  if (constraint.nodeTaintsPolicy) {
    check_one_of(errors, path / "nodeTaintsPolicy", *constraint.nodeTaintsPolicy,
                 {"Honor", "Ignore"});
  }
}

void check_spread_labels(FieldErrors& errors, const FieldPath& path,
                         const TopologySpreadConstraint& constraint) {
  const std::vector<std::string>& keys = constraint.matchLabelKeys;
  if (!keys.empty() && !constraint.labelSelector) {
    errors.push_back(
        forbidden(path / "matchLabelKeys", "must not be specified when labelSelector is not set"));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    check_text(errors, path / "matchLabelKeys" / i, keys[i], grammar::qualified_name);
  }
  if (!constraint.labelSelector) return;
  check_repeated_label_keys(errors, path, keys, *constraint.labelSelector);
  check_label_selector(errors, path / "labelSelector", *constraint.labelSelector);
}

}  // namespace

void check_tolerations(FieldErrors& errors, const FieldPath& path,
                       const std::vector<Toleration>& tolerations) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Toleration& toleration = tolerations[i];
    const FieldPath at = path / i;
    if (!toleration.key.empty()) {
      check_text(errors, at / "key", toleration.key, grammar::qualified_name);
    } else if (toleration.operator_ != "Exists") {
      errors.push_back(invalid(at / "operator", json_string(toleration.operator_),
                               "operator must be Exists when `key` is empty, which means \"match "
                               "all values and all keys\""));
    }
    if (toleration.tolerationSeconds && toleration.effect != "NoExecute") {
      errors.push_back(invalid(at / "effect", json_string(toleration.effect),
                               "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    check_toleration_value(errors, at, toleration);
    if (!toleration.effect.empty()) {
      check_one_of(errors, at / "effect", toleration.effect,
                   {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
  }
}

void check_spread_constraints(FieldErrors& errors, const FieldPath& path,
                              const std::vector<TopologySpreadConstraint>& constraints) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    check_spread_constraint(errors, path / i, constraints, i);
    check_spread_labels(errors, path / i, constraints[i]);
  }
}

}  // namespace berth::api
