// SPDX-License-Identifier: Apache-2.0

// What `shutdown-plan` prints. Pure.
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

#include "control/control.pb.h"

namespace berth::ctl {

// Whether every pod gets its own period before the machine shuts down. False if no period is set.
[[nodiscard]] bool budget_suffices(const control::v1::PlanShutdownReply& reply);

// Sentences, then a row for each pod in the order in which they are stopped.
[[nodiscard]] std::string plan_text(const control::v1::PlanShutdownReply& reply);
[[nodiscard]] boost::json::value plan_json(const control::v1::PlanShutdownReply& reply);

}  // namespace berth::ctl
