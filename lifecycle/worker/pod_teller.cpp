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

void PodTeller::note(std::string action, std::string container, std::string why) {
  notes_.push_back({.at = services_.clock.wall_now(),
                    .action = std::move(action),
                    .container = std::move(container),
                    .why = std::move(why)});
  if (notes_.size() > services_.notes_kept) notes_.pop_front();
}

void PodTeller::happened(std::string action, std::string container, std::string what) {
  ledger_.happened(*pod_, services_.clock.wall_now(), action, container, what);
  note(std::move(action), std::move(container), std::move(what));
}

void PodTeller::note_new(const Reasons& reasons, Reasons& last) {
  for (const Reason& reason : reasons) {
    if (std::ranges::find(last, reason) != last.end()) continue;
    note(reason.rule, reason.subject == "pod" ? std::string{} : reason.subject, reason.text);
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
