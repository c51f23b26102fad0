// Whether a PriorityClass may be created, or changed, beside the ones that exist.
//
// Pure. Two stages, as in Kubernetes: that there is one default at most (403), then the rules of
// its fields (422); a name that is taken is told last (409). Classes are given defaulted.
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
