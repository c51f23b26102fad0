// Whether a connection's other side has sent anything yet, by the kernel's own count.
#pragma once

namespace berth::probes {

// `socket`: a TCP socket. True where the kernel does not tell.
[[nodiscard]] bool anything_received(int socket);

}  // namespace berth::probes
