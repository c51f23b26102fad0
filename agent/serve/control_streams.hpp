// SPDX-License-Identifier: Apache-2.0

// The control API's streaming calls: watching pods and events, the ledger, logs, exec.
//
// One coroutine per call, until there is nothing more to send or the caller went away (then it is
// cancelled). Its result is the call's status. Loop thread only.
#pragma once

#include <memory>

#include "agent/serve/control_sources.hpp"
#include "agent/serve/control_stream.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"
#include "control/control.pb.h"

namespace berth::agent {

class ExecTurns;

namespace wire = control::v1;

struct Ended {};

template <class Reply>
using StreamPtr = std::shared_ptr<ServerStream<Reply>>;
using ExecStreamPtr = std::shared_ptr<BidiStream<wire::ExecRequest, wire::ExecReply>>;

// `helpers` belongs to the call: tasks spawned there end with it.
boost::asio::awaitable<Result<Ended>> watch_pods(ControlSources& from,
                                                 wire::WatchPodsRequest request,
                                                 StreamPtr<wire::PodChange> stream);
boost::asio::awaitable<Result<Ended>> watch_events(ControlSources& from,
                                                   wire::ListEventsRequest request,
                                                   StreamPtr<wire::EventChange> stream);
boost::asio::awaitable<Result<Ended>> watch_node(ControlSources& from,
                                                 StreamPtr<wire::NodeChange> stream);
boost::asio::awaitable<Result<Ended>> stream_why(ControlSources& from, wire::WhyRequest request,
                                                 StreamPtr<wire::WhyReply> stream);
boost::asio::awaitable<Result<Ended>> send_logs(ControlSources& from, wire::LogsRequest request,
                                                StreamPtr<wire::LogsReply> stream,
                                                TaskGroup& helpers);
boost::asio::awaitable<Result<Ended>> run_exec(ControlSources& from, ExecTurns& turns,
                                               ExecStreamPtr stream, TaskGroup& helpers);

}  // namespace berth::agent
