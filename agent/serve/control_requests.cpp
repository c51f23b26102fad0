// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_requests.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/time.hpp"
#include "base/text.hpp"
#include "control/pod_name.hpp"

namespace berth::agent {
namespace {

// Longer ago than anything was written; larger values would overflow nanoseconds.
constexpr std::chrono::seconds kCentury = std::chrono::years(100);

}  // namespace

PodSelection::PodSelection(std::string from_namespace, bool all_namespaces, std::string name,
                           std::string node_name)
    : namespace_(from_namespace.empty() ? "default" : std::move(from_namespace)),
      all_namespaces_(all_namespaces),
      name_(std::move(name)),
      node_name_(std::move(node_name)) {}

bool PodSelection::takes(const std::string& of_namespace, const std::string& name) const {
  if (!all_namespaces_ && of_namespace != namespace_) return false;
  return name_.empty() || name == name_ || name == name_ + "-" + node_name_;
}

bool PodSelection::takes(const api::Pod& pod) const {
  return takes(pod.metadata.namespace_, pod.metadata.name);
}

bool PodSelection::takes(const api::Event& event) const {
  if (by_name() && event.involvedObject.kind != "Pod") return false;
  return takes(event.metadata.namespace_, event.involvedObject.name);
}

Result<ListedPods> PodSelection::among(const ListedPods& pods) const {
  if (!by_name() || all_namespaces_) {
    ListedPods taken;
    std::ranges::copy_if(pods, std::back_inserter(taken),
                         [this](const auto& pod) { return takes(*pod); });
    if (!by_name() || !taken.empty()) return taken;
  }
  std::vector<control::PodName> names;
  for (const auto& pod : pods)
    names.push_back({.namespace_ = pod->metadata.namespace_, .name = pod->metadata.name});
  const auto found = control::resolve_pod_name(names, namespace_, name_, node_name_);
  if (!found) return fail(found.error());
  const auto place = std::ranges::find(names, *found) - names.begin();
  return ListedPods{pods[static_cast<std::size_t>(place)]};
}

Result<LogQuery> log_query(const wire::LogsRequest& request, WallTime now) {
  LogQuery query{.timestamps = request.timestamps()};
  if (request.has_tail_lines() && request.tail_lines() < 0) {
    return fail(ErrorCode::kInvalid,
                "tail: must be at least 0, not " + std::to_string(request.tail_lines()));
  }
  if (request.has_limit_bytes()) {
    if (request.limit_bytes() < 1) {
      return fail(ErrorCode::kInvalid, "limit of bytes: must be at least 1");
    }
    query.limit_bytes = request.limit_bytes();
  }
  if (request.has_since_seconds()) {
    if (request.since_seconds() < 1) {
      return fail(ErrorCode::kInvalid, "since: must be at least 1 second");
    }
    if (!request.since_time().empty()) {
      return fail(ErrorCode::kInvalid, "since and since-time: only one of the two may be used");
    }
    query.since = now - std::min(std::chrono::seconds(request.since_seconds()), kCentury);
  }
  if (!request.since_time().empty()) {
    const auto since = api::Time::parse(request.since_time());
    if (!since) return fail(wrap("since-time", since.error()));
    query.since = since->at;
  }
  return query;
}

std::optional<std::chrono::seconds> grace_of(const wire::DeletePodRequest& request) {
  if (!request.has_grace_period_seconds()) return std::nullopt;
  return std::chrono::seconds(request.grace_period_seconds());
}

api::PodCondition condition_of(const wire::SetConditionRequest& request) {
  return {.type = request.type(),
          .status = request.status(),
          .reason = request.reason(),
          .message = request.message()};
}

Result<std::vector<std::string>> command_of(const wire::ExecStart& start) {
  if (start.command().empty())
    return fail(ErrorCode::kInvalid, "exec: a command is missing; put it behind --");
  std::vector<std::string> words(start.command().begin(), start.command().end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool nul = words[i].find('\0') != std::string::npos;
    if (!nul && valid_text(words[i]) == words[i]) continue;
    return fail(ErrorCode::kInvalid, "exec: word " + std::to_string(i + 1) + " of the command (\"" +
                                         one_line(words[i]) + "\") " +
                                         (nul ? "holds a NUL byte" : "is not UTF-8") +
                                         ", which a container runtime cannot be given");
  }
  return words;
}

std::string size_json(const wire::TerminalSize& size) {
  return "{\"Width\":" + std::to_string(size.columns()) +
         ",\"Height\":" + std::to_string(size.rows()) + "}";
}

}  // namespace berth::agent
