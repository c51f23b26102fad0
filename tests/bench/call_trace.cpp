// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/call_trace.hpp"

#include <algorithm>
#include <utility>

namespace berth::bench {

CallTrace::Id CallTrace::begin(CallRecord call) {
  const std::lock_guard lock(mutex_);
  calls_.push_back(std::move(call));
  return calls_.size() - 1;
}

void CallTrace::subject(Id id, CallSubject subject) {
  const std::lock_guard lock(mutex_);
  calls_[id].subject = std::move(subject);
}

void CallTrace::end(Id id, SteadyTime at, int status) {
  const std::lock_guard lock(mutex_);
  calls_[id].end = at;
  calls_[id].status = status;
}

std::vector<CallRecord> CallTrace::calls(Interval window) const {
  const std::lock_guard lock(mutex_);
  std::vector<CallRecord> found;
  for (const CallRecord& call : calls_) {
    if (call.begin >= window.begin && call.begin < window.end) found.push_back(call);
  }
  return found;
}

std::vector<Span> CallTrace::spans(const std::string& pod_uid, Interval window) const {
  const std::lock_guard lock(mutex_);
  std::vector<Span> found;
  for (const CallRecord& call : calls_) {
    const SteadyTime end = call.end.value_or(window.end);
    if (call.stream || end < window.begin || call.begin > window.end) continue;
    if (!pod_uid.empty() && !call.image && call.subject.pod_uid != pod_uid) continue;
    const std::string& container = call.subject.container;
    found.push_back(
        {container.empty() ? call.method : call.method + "(" + container + ")", {call.begin, end}});
  }
  return found;
}

std::optional<CallRecord> CallTrace::first(const std::string& pod_uid, const std::string& method,
                                           SteadyTime since) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(calls_, [&](const CallRecord& call) {
    return call.begin >= since && call.method == method && call.subject.pod_uid == pod_uid;
  });
  return found == calls_.end() ? std::nullopt : std::optional(*found);
}

std::map<std::string, int> CallTrace::count_by_method(Interval window) const {
  std::map<std::string, int> counts;
  for (const CallRecord& call : calls(window)) ++counts[call.method];
  return counts;
}

}  // namespace berth::bench
