// SPDX-License-Identifier: Apache-2.0

// Parses requests of the control API into values.
//
// Anybody who may open the socket can send any request. Refusals are kInvalid, in words for the
// user. Pure.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/logs/log_query.hpp"
#include "api/event.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "control/control.pb.h"

namespace berth::agent {

namespace wire = control::v1;

using ListedPods = std::vector<std::shared_ptr<const api::Pod>>;

// Which pods a list or watch is about.
class PodSelection {
 public:
  PodSelection(std::string from_namespace, bool all_namespaces, std::string name,
               std::string node_name);

  [[nodiscard]] bool takes(const api::Pod& pod) const;
  [[nodiscard]] bool takes(const api::Event& event) const;
  [[nodiscard]] bool takes(const std::string& of_namespace, const std::string& name) const;
  // Those of `pods` that it takes, as a call about one pod finds a name: kNotFound if no pod has
  // it.
  [[nodiscard]] Result<ListedPods> among(const ListedPods& pods) const;
  [[nodiscard]] bool by_name() const { return !name_.empty(); }

 private:
  std::string namespace_;
  bool all_namespaces_;
  std::string name_;
  std::string node_name_;
};

[[nodiscard]] Result<LogQuery> log_query(const wire::LogsRequest& request, WallTime now);

// `std::nullopt` for the pod's own grace period.
[[nodiscard]] std::optional<std::chrono::seconds> grace_of(const wire::DeletePodRequest& request);

[[nodiscard]] api::PodCondition condition_of(const wire::SetConditionRequest& request);

// The command to run. Words that are not UTF-8 are refused: a runtime stores its commands as JSON,
// and would run something else.
[[nodiscard]] Result<std::vector<std::string>> command_of(const wire::ExecStart& start);

// As JSON in the runtime's form.
[[nodiscard]] std::string size_json(const wire::TerminalSize& size);

}  // namespace berth::agent
