// SPDX-License-Identifier: Apache-2.0

// Doctor: gathers what is known, reads the current manifest files, and examines both.
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "agent/doctor/doctor.hpp"
#include "agent/doctor/machine_look.hpp"
#include "agent/doctor/manifest_texts.hpp"
#include "agent/doctor/other_driver.hpp"
#include "agent/doctor/read_only_folders.hpp"
#include "agent/doctor/runtime_look.hpp"
#include "agent/serve/control_calls.hpp"
#include "agent/shutdown/node_shutdown.hpp"
#include "agent/store/sqlite_store.hpp"
#include "api/time.hpp"

namespace berth::agent {
namespace {

// What is known, with the values that the input refers to: decoding large manifests takes seconds,
// off the loop, and nothing of berthd's own may be looked at there.
struct Known {
  Known(Settings in_force, ManifestReport report)
      : settings(std::move(in_force)), manifests(std::move(report)) {}
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;
  ~Known() = default;

  Settings settings;
  ManifestReport manifests;
  DoctorInput input{.settings = settings, .manifests = manifests};
};

std::vector<DesiredPod> shown_pods(const ControlSources& from) {
  std::vector<DesiredPod> pods;
  for (const auto& pod : from.pods.snapshot())
    pods.push_back({.pod = pod, .file = from.manifests.file_of(*pod)});
  return pods;
}

std::set<std::string> files_of(const std::vector<DesiredPod>& pods) {
  std::set<std::string> files;
  for (const auto& pod : pods)
    if (!pod.file.empty()) files.insert(pod.file);
  return files;
}

std::function<std::set<std::string>()> others_of(const node::NodeView& view,
                                                 const std::vector<DesiredPod>& pods) {
  std::vector<lifecycle::PodPtr> shown;
  for (const auto& pod : pods) shown.push_back(pod.pod);
  return [view, shown = std::move(shown)] { return pods_of_other_driver(view, shown); };
}

StoreTroubles troubles_of(const SqliteStore* store) {
  if (store == nullptr) return {};
  const StoreHealth health = store->health();
  StoreTroubles troubles{.error = health.error,
                         .history_dropped = health.history_dropped,
                         .unreadable_pods = health.unreadable_pods,
                         .moved_aside = health.moved_aside};
  if (health.failing_since) troubles.failing_since = api::Time{*health.failing_since}.to_string();
  return troubles;
}

wire::Severity to_wire(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return wire::NOTE;
    case Severity::kWarning:
      return wire::WARNING;
    case Severity::kTrouble:
      return wire::TROUBLE;
  }
  return wire::SEVERITY_UNSPECIFIED;
}

void put(const std::vector<Finding>& findings, wire::DoctorReply& reply) {
  for (const Finding& finding : findings) {
    auto& out = *reply.add_findings();
    out.set_severity(to_wire(finding.severity));
    out.set_area(finding.area);
    out.set_subject(finding.subject);
    out.set_text(finding.text);
    out.set_advice(finding.advice);
  }
}

}  // namespace

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DoctorRequest& /*request*/,
                                                      wire::DoctorReply& reply) {
  co_await from.node.ask(kAskRuntime);
  RuntimeLook runtime{.error = from.node.runtime_error()};
  if (from.node.runtime_answers()) {
    auto looking = look_at_runtime(from.runtime, from.images, from.clock, kAskRuntime);
    runtime = co_await std::move(looking);
  }
  auto pods = shown_pods(from);
  const std::string folder = from.manifests.report().path;
  std::function<std::vector<ManifestText>()> read = [folder, files = files_of(pods)] {
    return read_texts(folder, files);
  };
  auto texts = co_await from.pool.run("reading " + folder, std::move(read));
  std::function<std::vector<std::string>()> look = [paths = from.settings.paths] {
    return read_only_folders(paths);
  };
  auto read_only = co_await from.pool.run("looking at berthd's folders", std::move(look));
  auto others = from.pool.run("looking at pods' cgroups", others_of(from.node.view(), pods));
  auto of_other_driver = co_await std::move(others);
  ShutdownComplaint shutdown_complaint;
  if (from.shutdown != nullptr) {
    co_await from.shutdown->login().ask(kAskRuntime);
    shutdown_complaint = from.shutdown->complaint();
  }
  std::function<MachineFacts()> look_around = [paths = from.settings.paths,
                                               images = runtime.image_folder] {
    return look_at_machine({.cgroup_mount = paths.cgroup_mount,
                            .root_folder = paths.root,
                            .log_folder = paths.pod_logs,
                            .image_folder = images});
  };
  auto machine = co_await from.pool.run("looking at the machine", std::move(look_around));
  const cri::ConnectionState& stream = from.stream.state();
  auto known = std::make_shared<Known>(from.settings, from.manifests.report());
  DoctorInput& input = known->input;
  input.machine = std::move(machine);
  input.cgroups.driver = from.node.view().config.cgroup_driver;
  input.runtime = std::move(runtime);
  input.shutdown_complaint = std::move(shutdown_complaint);
  input.events.connected = stream.connected;
  input.events.error = stream.last_error ? stream.last_error->message : "";
  input.events.missed = from.pods.missed_events();
  input.store = troubles_of(from.store);
  input.read_only = std::move(read_only);
  input.texts = std::move(texts);
  input.pods = std::move(pods);
  input.held = from.pods.held();
  input.cgroups.of_other_driver = std::move(of_other_driver);
  std::function<std::vector<Finding>()> examination =
      [known = std::shared_ptr<const Known>(std::move(known))] { return examine(known->input); };
  auto examining = from.pool.run("examining the node", std::move(examination));
  const auto findings = co_await std::move(examining);
  put(findings, reply);
  co_return Answered{};
}

}  // namespace berth::agent
