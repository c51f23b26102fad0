// The pods that are measured. All end quickly when asked: busybox shells that handle TERM, with a
// short grace period, from an image that is there.
#pragma once

#include <string>

namespace berth::bench {

[[nodiscard]] std::string plain_pod(const std::string& name);
// A web server, asked once a second by HTTP (readiness) and once by TCP (liveness).
[[nodiscard]] std::string probed_pod(const std::string& name);
// Init container, sidecar, init container, main container.
[[nodiscard]] std::string steps_pod(const std::string& name);
// Its container `c` ends with the code at a TERM from outside; restarted, or not.
[[nodiscard]] std::string ending_pod(const std::string& name, int exit_code,
                                     const std::string& restart_policy);

}  // namespace berth::bench
