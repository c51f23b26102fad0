// SPDX-License-Identifier: Apache-2.0

// Whether a PriorityClass may be created, or changed, beside the existing ones.
//
// Pure. The checks are in the order of the API server: the rules for the class's fields (422), at
// most one default (403), a taken name (409). Classes must be defaulted.
#pragma once

#include <optional>
#include <vector>

#include "api/priority_class.hpp"
#include "scheduling/admission_status.hpp"

namespace berth::scheduling {

// `std::nullopt` if it may.
[[nodiscard]] std::optional<AdmissionRefusal> refuse_priority_class(
    const api::PriorityClass& created, const std::vector<api::PriorityClass>& existing);

[[nodiscard]] std::optional<AdmissionRefusal> refuse_priority_class_update(
    const api::PriorityClass& now, const api::PriorityClass& before,
    const std::vector<api::PriorityClass>& existing);

}  // namespace berth::scheduling
