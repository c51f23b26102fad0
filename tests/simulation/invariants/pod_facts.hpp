// SPDX-License-Identifier: Apache-2.0

// What the checks read from a spec or an instance: small facts, derived here from the API's own
// fields and never by asking the code under test.
//
// Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

// The name of the instance in messages.
[[nodiscard]] std::string called(const Instance& instance);
[[nodiscard]] double in_seconds(Nanoseconds duration);

// Null if there is none of that name.
[[nodiscard]] const api::Container* find(const std::vector<api::Container>& containers,
                                         const std::string& name);
// Whether an init container is a sidecar: it keeps running beside the others.
[[nodiscard]] bool is_sidecar(const api::Container& container);
// Whether it is started again after this exit: by its own rules, its own policy, or the pod's.
[[nodiscard]] bool restarts_after(const api::PodSpec& spec, const api::Container& container,
                                  std::int32_t exit_code);
// "Always", "OnFailure" or "Never".
[[nodiscard]] const std::string& policy_of(const api::PodSpec& spec,
                                           const api::Container& container);
// Unset for the image's or the runtime's default.
[[nodiscard]] std::optional<std::string> stop_signal_of(const api::PodSpec& spec,
                                                        const std::string& container);
[[nodiscard]] std::chrono::seconds own_grace(const api::Pod& pod);
// By when the pod must have ended, according to its status; unset if there is no such time.
[[nodiscard]] std::optional<WallTime> active_until(const api::Pod& shown);
// The total CPU request of its containers; and the host ports that they use.
[[nodiscard]] std::int64_t cpus_of(const api::Pod& pod);
[[nodiscard]] std::vector<std::int32_t> host_ports_of(const api::Pod& pod);
[[nodiscard]] bool is_terminal(const std::string& phase);
// Whether its uid does not depend on the text of its manifest: the manifest states it, or a kubelet
// assigned it.
[[nodiscard]] bool is_pinned(const api::Pod& pod);
// For two pods with one such uid: a different text of the manifest makes a different pod.
[[nodiscard]] bool differ_in_text(const api::Pod& a, const api::Pod& b);

}  // namespace berth::simulation
