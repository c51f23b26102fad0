// SPDX-License-Identifier: Apache-2.0

// Which pod a log line is about, as its fields. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/log.hpp"

namespace berth::lifecycle {

// `decision`: the ledger's record that says why (record_id()); empty: there is none.
[[nodiscard]] std::vector<LogField> pod_fields(const api::Pod& pod, std::string decision = {});

}  // namespace berth::lifecycle
