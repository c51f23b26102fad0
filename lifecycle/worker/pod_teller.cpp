// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_teller.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {

void PodTeller::event(EventLevel level, std::string_view reason, std::string message,
                      const std::string& container) {
  PodEvent happening{.level = level, .reason = std::string(reason), .message = std::move(message)};
  if (!container.empty())
    happening.field_path = fmt::format(
        "spec.{}{{{}}}",
        find_init_container(*pod_, container) != nullptr ? "initContainers" : "containers",
        container);
  log(level == EventLevel::kWarning ? LogLevel::kWarn : LogLevel::kInfo, reason, happening.message,
      container);
  services_.events.record(*pod_, happening);
}

void PodTeller::warn_event(std::string_view reason, std::string message,
                           const std::string& container) {
  event(EventLevel::kWarning, reason, std::move(message), container);
}

void PodTeller::log(LogLevel level, std::string_view event, const std::string& message,
                    const std::string& container) {
  const auto& meta = pod_->metadata;
  std::vector<LogField> fields;
  fields.push_back({.key = "NAMESPACE", .value = meta.namespace_});
  fields.push_back({.key = "POD", .value = meta.name});
  fields.push_back({.key = "POD_UID", .value = meta.uid});
  if (!container.empty()) fields.push_back({.key = "CONTAINER", .value = container});
  services_.log.write(level, event, message, fields);
}

void PodTeller::happened(std::string container, const Fact& fact) {
  ledger_.happened(*pod_, services_.clock.wall_now(), std::move(container), fact);
}

void PodTeller::happened_anew(std::string container, const Fact& fact) {
  ledger_.happened_anew(*pod_, services_.clock.wall_now(), std::move(container), fact);
}

void PodTeller::log_new(const Reasons& reasons, Reasons& last) {
  for (const Reason& reason : reasons) {
    if (std::ranges::find(last, reason) != last.end()) continue;
    log(LogLevel::kInfo, reason.rule, reason.text, reason.subject);
  }
  last = reasons;
}

void PodTeller::hindered(Obstacle obstacle) {
  obstacle.since = services_.clock.wall_now();
  const std::string container = obstacle.container;
  const std::string text = obstacle_text(obstacle);
  if (!obstacles_.met(std::move(obstacle))) return;
  happened("Hindered", container, text);
  log(LogLevel::kWarn, "Hindered", text, container);
}

}  // namespace berth::lifecycle
