// SPDX-License-Identifier: Apache-2.0

// A transparent proxy between berthd and a container runtime that records every gRPC call.
//
// Bytes are forwarded as they arrive, and read on the way (`http2_calls`): it affects the
// measurement no more than a copy of the bytes does. A call is recorded from the arrival of its
// headers to the arrival of the runtime's status, so the way between berthd and the proxy counts as
// berthd's. Two threads per connection, one per direction.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/bench/call_trace.hpp"

namespace berth::bench {

class RecordingProxy {
 public:
  // Called on the proxy's threads as the event passes: which container (or sandbox) has ended.
  using OnExit = std::function<void(const std::string& container_id, SteadyTime at)>;

  // The runtime's socket and the one to listen on: paths, with or without "unix://".
  RecordingProxy(const std::string& runtime, const std::string& socket, CallTrace& trace,
                 OnExit on_exit);
  RecordingProxy(const RecordingProxy&) = delete;
  RecordingProxy& operator=(const RecordingProxy&) = delete;
  ~RecordingProxy();  // ends outstanding calls

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::bench
