// What the checks read from a spec or an instance: small facts, worked out here from the words of
// the API and never asked of the code under test.
//
// Pure.
#pragma once

#include <chrono>
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
[[nodiscard]] std::chrono::seconds own_grace(const api::Pod& pod);
[[nodiscard]] bool is_terminal(const std::string& phase);

}  // namespace berth::simulation
