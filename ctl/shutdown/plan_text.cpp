// SPDX-License-Identifier: Apache-2.0

#include "ctl/shutdown/plan_text.hpp"

#include <chrono>
#include <cstdint>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/time.hpp"
#include "ctl/object_text.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

namespace json = boost::json;
namespace wire = control::v1;

// "1m30s", as periods are written in the configuration.
std::string span(std::int64_t seconds) {
  return api::Duration{std::chrono::seconds(seconds)}.to_string();
}

std::string span_of_ms(std::int64_t milliseconds) {
  return api::Duration{std::chrono::milliseconds(milliseconds)}.to_string();
}

std::string count_text(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

struct Shortfalls {
  std::size_t cut_short = 0;
  std::size_t lost = 0;
};

Shortfalls shortfalls(const wire::PlanShutdownReply& reply) {
  Shortfalls found;
  for (const auto& group : reply.groups()) {
    for (const auto& pod : group.pods()) {
      if (pod.cut_short()) ++found.cut_short;
      if (pod.lost()) ++found.lost;
    }
  }
  return found;
}

std::string delay_text(const wire::PlanShutdownReply& reply) {
  if (!reply.has_granted_ms()) return "It is not known how long systemd-logind waits.\n";
  if (!reply.delayed()) return "systemd-logind does not wait for berthd.\n";
  return fmt::format("systemd-logind waits for berthd, for {} at most.\n",
                     span_of_ms(reply.granted_ms()));
}

std::string verdict_text(const wire::PlanShutdownReply& reply) {
  if (budget_suffices(reply)) return "The budget suffices: each pod gets its own period.\n";
  const Shortfalls found = shortfalls(reply);
  std::string why;
  const auto add = [&why](const std::string& clause) {
    why += (why.empty() ? ": " : "; ") + clause;
  };
  if (found.cut_short > 0)
    add(found.cut_short == 1
            ? "1 pod gets less than its own period"
            : fmt::format("{} pods get less than their own periods", found.cut_short));
  if (found.lost > 0)
    add("other services may be stopped before " + count_text(found.lost, "pod has", "pods have") +
        " stopped");
  if (!reply.complaint().empty()) add(reply.complaint());
  if (why.empty()) add("systemd-logind does not wait for berthd");
  const bool only_short = found.cut_short > 0 && found.lost == 0 && reply.complaint().empty();
  return "The budget does not suffice" + why + ".\n" +
         (only_short ? "Give their group more time (berth-config(5), shutdownGracePeriod), or them "
                       "a shorter terminationGracePeriodSeconds.\n"
                     : "");
}

std::string remark(const wire::ShutdownStop& pod) {
  if (pod.lost()) return "beside other services";
  return pod.cut_short() ? "cut short" : "";
}

std::string table(const wire::PlanShutdownReply& reply) {
  std::vector<Row> rows{
      {"AFTER", "GROUP", "NAMESPACE", "NAME", "PRIORITY", "PERIOD", "GETS", "STOPPED BY", ""}};
  for (const auto& group : reply.groups()) {
    const std::string begins = span(group.begins_seconds());
    const std::string priority = fmt::format("{}", group.priority());
    if (group.pods().empty())
      rows.push_back({begins, priority, "-", "-", "-", "-", span(group.period_seconds()), "-"});
    for (const auto& pod : group.pods())
      rows.push_back({begins, priority, pod.namespace_(), pod.name(),
                      fmt::format("{}", pod.priority()),
                      pod.has_own_seconds() ? span(pod.own_seconds()) : "-",
                      span(pod.grace_seconds()), span(pod.ends_seconds()), remark(pod)});
  }
  return format_table(rows);
}

json::object pod_json(const wire::ShutdownStop& pod) {
  json::object out{{"namespace", pod.namespace_()},
                   {"name", pod.name()},
                   {"uid", pod.uid()},
                   {"priority", pod.priority()}};
  if (pod.has_own_seconds()) out["terminationGracePeriodSeconds"] = pod.own_seconds();
  out["graceSeconds"] = pod.grace_seconds();
  out["stoppedBySeconds"] = pod.ends_seconds();
  out["cutShort"] = pod.cut_short();
  out["mayBeLost"] = pod.lost();
  return out;
}

}  // namespace

bool budget_suffices(const wire::PlanShutdownReply& reply) {
  const Shortfalls found = shortfalls(reply);
  const bool in_time = reply.delayed() || reply.shutting_down();
  return !reply.groups().empty() && in_time && reply.complaint().empty() && found.cut_short == 0 &&
         found.lost == 0;
}

std::string plan_text(const wire::PlanShutdownReply& reply) {
  std::string text = reply.shutting_down() ? "The machine is being shut down.\n" : "";
  for (const std::string& change : reply.pending_restart())
    text += "Waits for a restart of berthd: " + change + ".\n";
  if (reply.groups().empty())
    return text +
           "Pods are not stopped before the machine shuts down: shutdownGracePeriod is not set.\n";
  text += fmt::format("Pods are stopped in order within {} at most; the present ones need {}.\n",
                      span(reply.configured_seconds()), span(reply.needed_seconds()));
  return text + delay_text(reply) + verdict_text(reply) + "\n" + table(reply);
}

json::value plan_json(const wire::PlanShutdownReply& reply) {
  json::array groups;
  for (const auto& group : reply.groups()) {
    json::array pods;
    for (const auto& pod : group.pods()) pods.push_back(pod_json(pod));
    groups.push_back({{"priority", group.priority()},
                      {"shutdownGracePeriodSeconds", group.period_seconds()},
                      {"beginsAfterSeconds", group.begins_seconds()},
                      {"pods", std::move(pods)}});
  }
  json::object out{{"apiVersion", kReportVersion},
                   {"kind", "ShutdownPlan"},
                   {"suffices", budget_suffices(reply)},
                   {"shuttingDown", reply.shutting_down()},
                   {"neededSeconds", reply.needed_seconds()},
                   {"configuredSeconds", reply.configured_seconds()}};
  if (reply.has_granted_ms()) out["grantedMilliseconds"] = reply.granted_ms();
  out["delayed"] = reply.delayed();
  out["complaint"] = reply.complaint();
  out["pendingRestart"] =
      json::array(reply.pending_restart().begin(), reply.pending_restart().end());
  out["groups"] = std::move(groups);
  return out;
}

}  // namespace berth::ctl
