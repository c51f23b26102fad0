// SPDX-License-Identifier: Apache-2.0

// Whether a connection's peer has sent anything yet, by the kernel's own count.
#pragma once

namespace berth::probes {

// `socket`: a TCP socket. True if the kernel does not report it.
[[nodiscard]] bool anything_received(int socket);

}  // namespace berth::probes
