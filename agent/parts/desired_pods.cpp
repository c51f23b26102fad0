// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/desired_pods.hpp"

#include "agent/sources/manifest_options.hpp"

namespace berth::agent {

DesiredPods::DesiredPods(Process& process, StateFiles& files, EventRecorder& events,
                         const ThisNode& node)
    : admission(process.settings.scheduler, budgets, node.view, node.object()),
      manifests(ManifestSource::Services{.executor = process.executor(),
                                         .clock = process.clock,
                                         .log = process.log,
                                         .pool = process.pool,
                                         .events = events,
                                         .ledger = *files.store,
                                         .in_hand = files.in_hand->manifests(),
                                         .budgets = budgets,
                                         .admission = admission},
                process.settings.paths.manifests,
                CopyFolders{.on_disk = process.settings.paths.root + "/last-good-manifests",
                            .in_memory = process.settings.paths.root + "/last-good-secrets"},
                manifest_options(process.settings)) {}

}  // namespace berth::agent
