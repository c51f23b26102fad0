// SPDX-License-Identifier: Apache-2.0

// The measured pods. All end quickly on TERM: busybox shells that handle it, with a short grace
// period, from a local image.
#pragma once

#include <cstdint>
#include <string>

namespace berth::bench {

[[nodiscard]] std::string plain_pod(const std::string& name);
// A web server, probed once a second by HTTP (readiness) and by TCP (liveness).
[[nodiscard]] std::string probed_pod(const std::string& name);
// Init container, sidecar, init container, main container.
[[nodiscard]] std::string steps_pod(const std::string& name);
// Its container `c` ends with the given code on an external TERM; restarted, or not.
[[nodiscard]] std::string ending_pod(const std::string& name, int exit_code,
                                     const std::string& restart_policy);

// Asks for nothing. Its container `c` fills memory at this rate once it gets SIGUSR1
// (memory_filler.cpp, the program's path), and is not restarted.
[[nodiscard]] std::string filling_pod(const std::string& name, const std::string& program,
                                      std::int64_t bytes_a_second, std::int64_t bytes);

}  // namespace berth::bench
