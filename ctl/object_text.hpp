// SPDX-License-Identifier: Apache-2.0

// Converts the socket's JSON text to our types, and to the output of -o.
#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "api/event.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "base/result.hpp"
#include "ctl/words.hpp"

namespace berth::ctl {

// Lenient: a newer agent may send fields that this program does not know.
[[nodiscard]] Result<api::Pod> pod_from(const std::string& json);
[[nodiscard]] Result<api::Event> event_from(const std::string& json);
[[nodiscard]] Result<api::Node> node_from(const std::string& json);

// The `apiVersion` of berth's own kinds: AgentStatus, DoctorReport, Probe. Their fields are
// documented in berthctl(1); fields are added and never renamed.
inline constexpr const char* kReportVersion = "berth.dev/v1alpha1";

// For values that do not come from the socket in printable form.
[[nodiscard]] std::string value_text(const boost::json::value& value, Output output);

// One object as -o json (four spaces, as kubectl) or -o yaml prints it.
[[nodiscard]] Result<std::string> object_text(const std::string& json, Output output);

// Several as a List.
[[nodiscard]] Result<std::string> list_text(const std::vector<std::string>& objects, Output output);

}  // namespace berth::ctl
