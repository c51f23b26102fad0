// SPDX-License-Identifier: Apache-2.0

#include "probes/received.hpp"

#include <linux/tcp.h>  // the C library's own header lacks some of the fields
#include <netinet/in.h>
#include <sys/socket.h>

namespace berth::probes {

bool anything_received(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return true;
  return info.tcpi_bytes_received > 0;
}

}  // namespace berth::probes
