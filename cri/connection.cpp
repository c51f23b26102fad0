// SPDX-License-Identifier: Apache-2.0

#include "cri/connection.hpp"

namespace berth::cri {
namespace {

// Lists of a full node exceed gRPC's default of 4 MiB; the kubelet accepts 16 MiB too.
constexpr LoopChannel::Limits kLimits{.receive_bytes = std::size_t{16} << 20};

}  // namespace

Connection::Connection(const boost::asio::any_io_executor& loop, const Endpoints& endpoints)
    : runtime(loop, endpoints.runtime, kLimits) {
  if (!endpoints.images.empty() && endpoints.images != endpoints.runtime) {
    other_images.emplace(loop, endpoints.images, kLimits);
  }
}

std::shared_ptr<Connection> connect(const boost::asio::any_io_executor& loop,
                                    const Endpoints& endpoints) {
  return std::make_shared<Connection>(loop, endpoints);
}

}  // namespace berth::cri
