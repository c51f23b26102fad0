// A transparent gRPC proxy between berthd and a container runtime that records every call.
//
// It knows no service: messages pass as bytes, unary calls and streams alike, with metadata,
// deadline, cancellation and status. A call is recorded from the arrival of its headers to the
// moment at which the runtime's status is handed on, so the way between berthd and the proxy
// counts as berthd's. gRPC's own threads do all the work.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/bench/call_trace.hpp"

namespace berth::bench {

class RecordingProxy {
 public:
  // Told, on gRPC's threads, as the event passes: which container (or sandbox) has ended.
  using OnExit = std::function<void(const std::string& container_id, SteadyTime at)>;

  // `runtime`: gRPC's address of the real one; `socket`: the path to listen on.
  RecordingProxy(const std::string& runtime, const std::string& socket, CallTrace& trace,
                 OnExit on_exit);
  RecordingProxy(const RecordingProxy&) = delete;
  RecordingProxy& operator=(const RecordingProxy&) = delete;
  ~RecordingProxy();  // ends what is outstanding

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::bench
