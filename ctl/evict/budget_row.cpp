// SPDX-License-Identifier: Apache-2.0

#include "ctl/evict/budget_row.hpp"

#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

std::string or_not_available(const std::optional<api::IntOrString>& value) {
  return value ? value->to_string() : "N/A";
}

}  // namespace

Row budget_header(WithNamespace with_namespace) {
  Row row{"NAME", "MIN AVAILABLE", "MAX UNAVAILABLE", "ALLOWED DISRUPTIONS", "AGE"};
  if (with_namespace == WithNamespace::kYes) row.insert(row.begin(), "NAMESPACE");
  return row;
}

Row budget_row(const api::PodDisruptionBudget& budget, WithNamespace with_namespace, WallTime now) {
  Row row{budget.metadata.name, or_not_available(budget.spec.minAvailable),
          or_not_available(budget.spec.maxUnavailable),
          std::to_string(budget.status.disruptionsAllowed),
          age(budget.metadata.creationTimestamp, now)};
  if (with_namespace == WithNamespace::kYes) row.insert(row.begin(), budget.metadata.namespace_);
  return row;
}

}  // namespace berth::ctl
