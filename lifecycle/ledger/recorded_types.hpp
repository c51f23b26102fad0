// SPDX-License-Identifier: Apache-2.0

// The members of types that records of several kinds hold, for strict_json.hpp; types of a single
// kind are described in its file. Included only by the sources that write and read records.
#pragma once

#include <boost/describe.hpp>

#include "lifecycle/ending.hpp"
#include "lifecycle/image_pull_backoff.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/termination_order.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(Reason, (), (subject, rule, text))
BOOST_DESCRIBE_ENUM(EndCause, kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline,
                    kEvicted, kPreempted, kNodeShutdown, kReturns)
BOOST_DESCRIBE_STRUCT(FeatureOptions, (),
                      (container_restart_rules, container_stop_signals, static_pod_rules))

BOOST_DESCRIBE_ENUM(ProbeResult, kUnknown, kSuccess, kFailure)
BOOST_DESCRIBE_STRUCT(ProbeResults, (), (liveness, readiness, startup))

BOOST_DESCRIBE_ENUM(KillReason, kNone, kUnknown, kStartupProbe, kLivenessProbe,
                    kFailedPostStartHook)
BOOST_DESCRIBE_STRUCT(ContainerKill, (), (id, name, reason, message))
BOOST_DESCRIBE_STRUCT(StoppingContainer, (),
                      (name, grace_seconds, begun_at, hook_done_at, signalled))
BOOST_DESCRIBE_STRUCT(StopNow, (), (name, timeout_seconds))
BOOST_DESCRIBE_STRUCT(TerminationStep, (), (stop_now, give_up_hook, look_again_at, reasons))

BOOST_DESCRIBE_STRUCT(RestartBackoff::Entry, (), (window, last_start))
BOOST_DESCRIBE_STRUCT(RestartBackoff, (), (entries))
BOOST_DESCRIBE_STRUCT(RestartBackoffPolicy, (), (initial, max, reset_after))
BOOST_DESCRIBE_STRUCT(ImagePullBackoff::Entry, (), (window, last_failure, reason, message))
BOOST_DESCRIBE_STRUCT(ImagePullBackoff, (), (entries))
BOOST_DESCRIBE_STRUCT(ImagePullBackoffPolicy, (), (initial, max, forget_after))

}  // namespace berth::lifecycle
