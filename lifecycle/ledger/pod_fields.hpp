// SPDX-License-Identifier: Apache-2.0

// The fields of a log line that identify its pod. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/log.hpp"

namespace berth::lifecycle {

// `decision`: the id of the ledger record that explains the line (record_id()); empty if none.
[[nodiscard]] std::vector<LogField> pod_fields(const api::Pod& pod, std::string decision = {});

}  // namespace berth::lifecycle
