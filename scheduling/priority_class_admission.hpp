// Whether a PriorityClass may be created, or changed, beside the ones that exist.
//
// Pure. In the order of the API server: the rules of its fields (422), that there is one default at
// most (403), a name that is taken (409). Classes are given defaulted.
#pragma once

#include <optional>
#include <vector>

#include "api/priority_class.hpp"
#include "scheduling/admission_status.hpp"

namespace berth::scheduling {

// None: it may.
[[nodiscard]] std::optional<AdmissionRefusal> refuse_priority_class(
    const api::PriorityClass& created, const std::vector<api::PriorityClass>& existing);

[[nodiscard]] std::optional<AdmissionRefusal> refuse_priority_class_update(
    const api::PriorityClass& now, const api::PriorityClass& before,
    const std::vector<api::PriorityClass>& existing);

}  // namespace berth::scheduling
