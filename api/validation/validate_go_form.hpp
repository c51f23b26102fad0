// SPDX-License-Identifier: Apache-2.0

// How Kubernetes shows a whole object inside an error: JSON with the field names of its internal Go
// types, capitalised, in declaration order, unset pointers as null, nothing omitted. (Metadata
// types are the exception: they have JSON names and omit empty fields.)
#pragma once

#include <string>

#include "api/affinity.hpp"
#include "api/meta.hpp"
#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/security.hpp"
#include "api/volume.hpp"

namespace berth::api {

[[nodiscard]] std::string go_form(const SecurityContext& context);
[[nodiscard]] std::string go_form(const SeccompProfile& profile);
[[nodiscard]] std::string go_form(const PodResourceClaim& claim);
[[nodiscard]] std::string go_form(const ClusterTrustBundleProjection& bundle);
[[nodiscard]] std::string go_form(const PodDisruptionBudgetSpec& spec);
[[nodiscard]] std::string go_form(const Taint& taint);
[[nodiscard]] std::string go_form(const LabelSelector& selector);

}  // namespace berth::api
