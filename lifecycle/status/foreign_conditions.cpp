// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/foreign_conditions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/validation/validate_grammar.hpp"
#include "lifecycle/status/conditions.hpp"

namespace berth::lifecycle {

Result<bool> may_set_condition(const api::PodCondition& condition) {
  for (const auto& complaint : api::grammar::qualified_name(condition.type)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("type: Invalid value: \"{}\": {}", condition.type, complaint));
  }
  if (is_node_condition(condition.type) || condition.type == kDisruptionTarget) {
    return fail(ErrorCode::kInvalid,
                fmt::format("type: Forbidden: \"{}\" is set by berthd itself; set one that a "
                            "readiness gate names, such as example.com/attached",
                            condition.type));
  }
  if (condition.status != "True" && condition.status != "False" && condition.status != "Unknown") {
    return fail(ErrorCode::kInvalid, fmt::format("status: Unsupported value: \"{}\": supported "
                                                 "values: \"False\", \"True\", \"Unknown\"",
                                                 condition.status));
  }
  return true;
}

void put_condition(std::vector<api::PodCondition>& conditions, api::PodCondition condition,
                   WallTime now) {
  const auto place = std::ranges::find(conditions, condition.type, &api::PodCondition::type);
  const bool same = place != conditions.end() && place->status == condition.status;
  condition.lastTransitionTime = same ? place->lastTransitionTime : api::Time{now}.whole_seconds();
  if (place == conditions.end())
    conditions.push_back(std::move(condition));
  else
    *place = std::move(condition);
}

}  // namespace berth::lifecycle
