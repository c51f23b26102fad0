// Objects off the socket: JSON text to our types, and to what -o prints.
#pragma once

#include <string>
#include <vector>

#include "api/event.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "base/result.hpp"
#include "ctl/command.hpp"

namespace berth::ctl {

// Lenient: a newer agent may send fields that this program does not know.
[[nodiscard]] Result<api::Pod> pod_from(const std::string& json);
[[nodiscard]] Result<api::Event> event_from(const std::string& json);
[[nodiscard]] Result<api::Node> node_from(const std::string& json);

// One object as -o json (four spaces, as kubectl) or -o yaml prints it.
[[nodiscard]] Result<std::string> print_object(const std::string& json, Output output);

// Several as a List.
[[nodiscard]] Result<std::string> print_list(const std::vector<std::string>& objects,
                                             Output output);

}  // namespace berth::ctl
