// SPDX-License-Identifier: Apache-2.0

// The control API's calls with one answer: one function per call, on the loop thread.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/serve/control_requests.hpp"
#include "agent/serve/control_sources.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct Answered {};

Result<Answered> answer(ControlSources& from, const wire::VersionRequest& request,
                        wire::VersionReply& reply);
Result<Answered> answer(ControlSources& from, const wire::StatusRequest& request,
                        wire::StatusReply& reply);
Result<Answered> answer(ControlSources& from, const wire::ListPodsRequest& request,
                        wire::ListPodsReply& reply);
Result<Answered> answer(ControlSources& from, const wire::GetPodRequest& request,
                        wire::GetPodReply& reply);
Result<Answered> answer(ControlSources& from, const wire::ListEventsRequest& request,
                        wire::ListEventsReply& reply);
Result<Answered> answer(ControlSources& from, const wire::ListProbesRequest& request,
                        wire::ListProbesReply& reply);
Result<Answered> answer(ControlSources& from, const wire::ListBudgetsRequest& request,
                        wire::ListBudgetsReply& reply);
Result<Answered> answer(ControlSources& from, const wire::GetNodeRequest& request,
                        wire::GetNodeReply& reply);

// A working runtime answers within milliseconds; a caller that asks for berthd's state waits at
// most this long for one that does not.
inline constexpr auto kAskRuntime = std::chrono::seconds(2);

// Calls that wait for something first.
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DescribePodRequest& request,
                                                      wire::DescribePodReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::StatusRequest& request,
                                                      wire::StatusReply& reply);
// Orders are answered once they are persisted, or after a second.
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DeletePodRequest& request,
                                                      wire::DeletePodReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::EvictPodRequest& request,
                                                      wire::EvictPodReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::SetConditionRequest& request,
                                                      wire::SetConditionReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DoctorRequest& request,
                                                      wire::DoctorReply& reply);

// service/control_reload.cpp
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ReloadRequest& request,
                                                      wire::ReloadReply& reply);
void put_pending(const ControlSources& from, wire::StatusReply& reply);

// Calls about eviction (eviction/control_evictions.cpp).
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ExplainEvictionsRequest& request,
                                                      wire::ExplainEvictionsReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ListEvictionsRequest& request,
                                                      wire::ListEvictionsReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::SimulateEvictionsRequest& request,
                                                      wire::SimulateEvictionsReply& reply);
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::TopPodsRequest& request,
                                                      wire::TopPodsReply& reply);

// agent/shutdown/control_shutdown.cpp
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::PlanShutdownRequest& request,
                                                      wire::PlanShutdownReply& reply);

// The answer about pods before berthd knows what runs (control_known.cpp).
[[nodiscard]] Error not_known_yet(const ControlSources& from);
// Waits until berthd knows what runs, at most as long as for a runtime that does not answer.
[[nodiscard]] boost::asio::awaitable<void> until_known(ControlSources& from);

// The pod that a request means, in its current state; kUnavailable if it may exist all the same.
[[nodiscard]] Result<lifecycle::PodPtr> find_pod(ControlSources& from,
                                                 const std::string& namespace_,
                                                 const std::string& name);

// Why running pods would not be admitted today, by uid (control_admission.cpp).
using RefusalsToday = std::map<std::string, std::string>;
[[nodiscard]] RefusalsToday refusals_today(const ControlSources& from);
// As a sentence for the operator; empty if it would be admitted.
[[nodiscard]] std::string refusal_warning(const RefusalsToday& refusals, const api::Pod& pod);

// Converts a probe for the control API (control_probes.cpp).
void put(const probes::ProbeView& view, WallTime now, wire::Probe& out);
void put(const probes::TrackingReport& report, wire::StatusReply& out);

}  // namespace berth::agent
