// SPDX-License-Identifier: Apache-2.0

// What a call to the runtime is about, from requests and answers passing by. Remembers ids from the
// calls that created them, over any number of agents. Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tests/bench/call_trace.hpp"

namespace berth::bench {

class CallSubjects {
 public:
  [[nodiscard]] CallSubject of_request(const std::string& method, std::string_view message);
  // For RunPodSandbox and CreateContainer: the new id is known from now on.
  void learn(const std::string& method, CallSubject& subject, std::string_view answer);

 private:
  template <class Request>
  [[nodiscard]] CallSubject by_sandbox(std::string_view message);
  template <class Request>
  [[nodiscard]] CallSubject by_container(std::string_view message);
  template <class Request>
  [[nodiscard]] CallSubject by_filter(std::string_view message);

  std::mutex mutex_;
  std::map<std::string, std::string> pod_of_sandbox_;
  std::map<std::string, CallSubject> containers_;  // by id
};

// The container (or sandbox) whose end this message of an event stream reports; `std::nullopt` for
// anything else, and for the end of an exec.
[[nodiscard]] std::optional<std::string> exited_container(const std::string& method,
                                                          std::string_view message);

}  // namespace berth::bench
