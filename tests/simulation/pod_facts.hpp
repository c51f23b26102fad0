// SPDX-License-Identifier: Apache-2.0

// What the checks read from a spec or an instance: small facts, worked out here from the words of
// the API and never asked of the code under test.
//
// Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "tests/simulation/runtime_record.hpp"

namespace berth::simulation {

// How a message names it.
[[nodiscard]] std::string called(const Instance& instance);
[[nodiscard]] double in_seconds(Nanoseconds duration);

// Null: there is none of that name.
[[nodiscard]] const api::Container* find(const std::vector<api::Container>& containers,
                                         const std::string& name);
// Of an init container: it goes on beside the others.
[[nodiscard]] bool is_sidecar(const api::Container& container);
// Whether it is started again after this exit: by its own rules, its own policy, or the pod's.
[[nodiscard]] bool restarts_after(const api::PodSpec& spec, const api::Container& container,
                                  std::int32_t exit_code);
// "Always", "OnFailure" or "Never".
[[nodiscard]] const std::string& policy_of(const api::PodSpec& spec,
                                           const api::Container& container);
// None: the image's or the runtime's own.
[[nodiscard]] std::optional<std::string> stop_signal_of(const api::PodSpec& spec,
                                                        const std::string& container);
[[nodiscard]] std::chrono::seconds own_grace(const api::Pod& pod);
// By when it must have ended, as it is shown; none: at no time.
[[nodiscard]] std::optional<WallTime> active_until(const api::Pod& shown);
// What its containers ask for together; and the ports of the node that they take.
[[nodiscard]] std::int64_t cpus_of(const api::Pod& pod);
[[nodiscard]] std::vector<std::int32_t> host_ports_of(const api::Pod& pod);
[[nodiscard]] bool is_terminal(const std::string& phase);
// Whether its uid is the same whatever its manifest says: that states it, or a kubelet gave it.
[[nodiscard]] bool is_pinned(const api::Pod& pod);
// Of two pods of one such uid: another text of the manifest makes another pod.
[[nodiscard]] bool differ_in_text(const api::Pod& a, const api::Pod& b);

}  // namespace berth::simulation
