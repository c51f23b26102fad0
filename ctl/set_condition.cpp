// SPDX-License-Identifier: Apache-2.0

// berthctl set condition pod/NAME TYPE=STATUS [--reason R] [--message M]
#include <cstdio>

#include <fmt/format.h>

#include "ctl/command.hpp"

namespace berth::ctl {

Outcome set_condition(Connection& agent, const Options& options, const ConditionOptions& wanted) {
  control::v1::SetConditionRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(wanted.pod);
  request.set_type(wanted.type);
  request.set_status(wanted.status);
  request.set_reason(wanted.reason);
  request.set_message(wanted.message);
  control::v1::SetConditionReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().SetCondition(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  print(fmt::format("pod/{} condition {} set to {}\n", reply.name(), wanted.type, wanted.status));
  if (reply.not_stored())
    std::fputs(
        "warning: the condition was not persisted within a second; if berthd crashes now, "
        "it may be lost\n",
        stderr);
  return 0;
}

}  // namespace berth::ctl
