// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/pod_fields.hpp"

#include <utility>

namespace berth::lifecycle {

std::vector<LogField> pod_fields(const api::Pod& pod, std::string decision) {
  std::vector<LogField> fields{{.key = "NAMESPACE", .value = pod.metadata.namespace_},
                               {.key = "POD", .value = pod.metadata.name},
                               {.key = "POD_UID", .value = pod.metadata.uid}};
  if (!decision.empty()) fields.push_back({.key = "DECISION", .value = std::move(decision)});
  return fields;
}

}  // namespace berth::lifecycle
