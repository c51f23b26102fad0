// SPDX-License-Identifier: Apache-2.0

// The agent's calls to the runtime, with their times. Any thread may record and read.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/call_share.hpp"

namespace berth::bench {

// What a call is about, as far as its messages show.
struct CallSubject {
  std::string pod_uid{};       // empty for the whole node, or an image
  std::string container{};     // its name
  std::string container_id{};  // known from CreateContainer's answer on
};

struct CallRecord {
  std::string method{};  // "CreateContainer"
  CallSubject subject{};
  bool stream = false;  // of events: always open, nothing waits for its end
  bool image = false;   // about a container's image, without naming its pod
  SteadyTime begin{};
  std::optional<SteadyTime> end{};  // unset while outstanding
  int status = 0;                   // gRPC's code
};

class CallTrace {
 public:
  using Id = std::size_t;

  Id begin(CallRecord call);
  void subject(Id id, CallSubject subject);
  void end(Id id, SteadyTime at, int status);

  // Calls that began in the window.
  [[nodiscard]] std::vector<CallRecord> calls(Interval window) const;
  // The pod's own calls within the window, and those about images, without streams. With an empty
  // uid all calls. Outstanding calls count to the window's end.
  [[nodiscard]] std::vector<Span> spans(const std::string& pod_uid, Interval window) const;
  // The pod's first call of the method that started at `since` or later.
  [[nodiscard]] std::optional<CallRecord> first(const std::string& pod_uid,
                                                const std::string& method, SteadyTime since) const;
  [[nodiscard]] std::map<std::string, int> count_by_method(Interval window) const;

 private:
  mutable std::mutex mutex_;
  std::deque<CallRecord> calls_;
};

}  // namespace berth::bench
