// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_teller.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "cri/types.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {

void PodTeller::event(EventLevel level, std::string_view reason, std::string message,
                      const About& about, Where where) {
  log(level == EventLevel::kWarning ? LogLevel::kWarn : LogLevel::kInfo, reason, message, about,
      where);
  record(level, reason, std::move(message), about.container);
}

void PodTeller::probe_failed(const probes::ProbeEvent& event, Where where) {
  const auto& [reason, message] = event.notice;
  const auto line =
      probe_lines_.say({.container = event.container, .type = event.type, .outcome = event.outcome},
                       message, services_.clock.steady_now());
  if (line) log(LogLevel::kWarn, reason, *line, About{.container = event.container}, where);
  record(EventLevel::kWarning, reason, message, event.container);
}

void PodTeller::record(EventLevel level, std::string_view reason, std::string message,
                       const std::string& container) {
  PodEvent happening{.level = level, .reason = std::string(reason), .message = std::move(message)};
  if (!container.empty())
    happening.field_path = fmt::format(
        "spec.{}{{{}}}",
        find_init_container(*pod_, container) != nullptr ? "initContainers" : "containers",
        container);
  services_.events.record(*pod_, happening);
}

void PodTeller::warn_event(std::string_view reason, std::string message, const About& about,
                           Where where) {
  event(EventLevel::kWarning, reason, std::move(message), about, where);
}

void PodTeller::log(LogLevel level, std::string_view event, const std::string& message,
                    const About& about, Where where) {
  services_.log.write(level, event, message, fields(about), where);
}

void PodTeller::event(EventLevel level, std::string_view reason, std::string message,
                      const std::string& container, Where where) {
  event(level, reason, std::move(message), About{.container = container}, where);
}

void PodTeller::warn_event(std::string_view reason, std::string message,
                           const std::string& container, Where where) {
  warn_event(reason, std::move(message), About{.container = container}, where);
}

void PodTeller::log(LogLevel level, std::string_view event, const std::string& message,
                    const std::string& container, Where where) {
  log(level, event, message, About{.container = container}, where);
}

std::vector<LogField> PodTeller::fields(const About& about) const {
  std::vector<LogField> fields = pod_fields(*pod_);
  const auto add = [&fields](const char* key, const std::string& value) {
    if (!value.empty()) fields.push_back({.key = key, .value = value});
  };
  add("CONTAINER", about.container);
  add("CONTAINER_ID", about.container_id);
  add("DECISION", about.decision);
  add("REASON", about.reason);
  return fields;
}

std::string PodTeller::happened(std::string container, const Fact& fact) {
  return ledger_.happened(*pod_, services_.clock.wall_now(), std::move(container), fact);
}

std::string PodTeller::happened_anew(std::string container, const Fact& fact) {
  return ledger_.happened_anew(*pod_, services_.clock.wall_now(), std::move(container), fact);
}

void PodTeller::exited(const cri::ContainerStatus& status, const ExitSeen& seen, Where where) {
  const std::string& name = status.metadata.name;
  const std::string record =
      happened(name, ContainerExited{.exit_code = status.exit_code, .reason = status.reason});
  if (seen.reported_before && status.reason != kOomKilled) return;
  const ExitLine line =
      exit_line({.status = status, .who = container_text(pod_.get(), name), .wanted = seen.wanted});
  std::vector<LogField> about = fields({.container = name,
                                        .container_id = status.id.str(),
                                        .decision = record,
                                        .reason = status.reason});
  about.push_back({.key = "EXIT_CODE", .value = std::to_string(status.exit_code)});
  services_.log.write(line.level, line.event, line.message, about, where);
}

void PodTeller::log_new(const Reasons& reasons, const std::string& decision, Reasons& last) {
  for (const Reason& reason : reasons) {
    if (std::ranges::find(last, reason) != last.end()) continue;
    // "pod" and "sandbox" are no containers.
    const bool of_container = find_container(*pod_, reason.subject) != nullptr ||
                              find_init_container(*pod_, reason.subject) != nullptr;
    log(LogLevel::kInfo, reason.rule, reason.text,
        About{.container = of_container ? reason.subject : "", .decision = decision});
  }
  last = reasons;
}

void PodTeller::hindered(Obstacle obstacle) {
  obstacle.since = services_.clock.wall_now();
  const std::string container = obstacle.container;
  const std::string text = obstacle_text(obstacle);
  const std::string id = container.empty() ? std::string() : obstacle.id;
  if (!obstacles_.met(std::move(obstacle))) return;
  const std::string record = happened("Hindered", container, text);
  log(LogLevel::kWarn, "Hindered", text,
      About{.container = container, .container_id = id, .decision = record});
}

}  // namespace berth::lifecycle
