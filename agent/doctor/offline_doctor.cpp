// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/offline_doctor.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "agent/doctor/doctor.hpp"
#include "agent/doctor/login_look.hpp"
#include "agent/doctor/machine_look.hpp"
#include "agent/doctor/read_only_folders.hpp"
#include "agent/doctor/runtime_look.hpp"
#include "agent/doctor/start_look.hpp"
#include "agent/settings/options.hpp"
#include "agent/sources/blocking_update.hpp"
#include "agent/sources/folder_reader.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "agent/sources/manifest_options.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "lifecycle/unsupported.hpp"
#include "node/cgroups/cgroup_driver.hpp"

namespace berth::agent {
namespace {

constexpr auto kAskRuntimeWithin = std::chrono::seconds(5);
constexpr auto kAskLogindWithin = std::chrono::seconds(2);

boost::asio::awaitable<void> look_into(cri::CriClient& client, Clock& clock,
                                       std::optional<RuntimeLook>& look) {
  auto seen = co_await look_at_runtime(client, client, clock, kAskRuntimeWithin);
  look = std::move(seen);
}

RuntimeLook look_at(const RuntimeSettings& runtime) {
  boost::asio::io_context loop{1};
  RealClock clock;
  const auto connection = cri::connect(
      loop.get_executor(), {.runtime = runtime.endpoint, .images = runtime.image_endpoint});
  cri::CriClient client(clock, connection, runtime.request_timeout);
  std::optional<RuntimeLook> look;
  std::exception_ptr failure;
  {
    TaskGroup tasks(loop.get_executor(), [&failure](std::string_view, std::exception_ptr thrown) {
      failure = std::move(thrown);
    });
    tasks.spawn("look", look_into(client, clock, look));
    while (tasks.size() > 0) loop.run_one();
  }
  if (failure) std::rethrow_exception(failure);
  return std::move(*look);
}

// A pod as berthd would show it, though it is not run.
DesiredPod desired_pod(const ManifestFolder& folder, const PodPtr& pod) {
  DesiredPod shown{.pod = pod, .file = folder.file_of(pod->metadata.uid)};
  const auto fields = lifecycle::unsupported_fields(*pod);
  if (fields.empty()) return shown;
  auto held = std::make_shared<api::Pod>(*pod);
  held->status.phase = "Pending";
  held->status.reason = "NotSupported";
  held->status.message = lifecycle::unsupported_message(fields);
  shown.pod = std::move(held);
  return shown;
}

// As berthd would determine it; systemd-logind is not asked if nothing is to be stopped.
ShutdownComplaint complaint_of(const ConfiguredShutdown& configured) {
  if (configured.groups.empty()) return {};
  return shutdown_complaint(configured, look_at_login(kAskLogindWithin));
}

ManifestFolder::Outcome read_manifests(const std::string& path, ManifestFolder& folder) {
  FolderQuestion question{.path = path};
  question.wanted = [rules = folder.options().rules](const std::string& name) {
    return api::is_manifest_name(name, rules);
  };
  FolderReading reading = read_folder(question, {});
  return update_blocking(folder, std::move(reading.content), RealClock().wall_now());
}

// Everything but berthd's own state.
std::vector<Finding> examine_as(Examiner examiner, const Options& options, std::string silent) {
  LoadedSettings loaded = read_settings(options);
  const Settings& settings = loaded.settings;
  ManifestFolder folder(manifest_options(settings));
  const auto outcome = read_manifests(settings.paths.manifests, folder);
  RuntimeLook runtime = look_at(settings.runtime);
  MachineFacts machine = look_at_machine({.cgroup_mount = settings.paths.cgroup_mount,
                                          .root_folder = settings.paths.root,
                                          .log_folder = settings.paths.pod_logs,
                                          .image_folder = runtime.image_folder,
                                          .http_port = settings.http.port,
                                          .as_berthd = examiner == Examiner::kBeforeStart});
  // A berthd that starts now takes the driver that the runtime reports.
  const node::CgroupDriver driver = node::driver_at_start(
      settings.pods.cgroup_driver == CgroupDriver::kSystemd ? node::CgroupDriver::kSystemd
                                                            : node::CgroupDriver::kCgroupfs,
      runtime.setup);
  DoctorInput input{.settings = settings,
                    .examiner = examiner,
                    .silent = std::move(silent),
                    .machine = std::move(machine),
                    .refused = std::move(loaded.problems),
                    .start_obstacles = look_at_start(settings, driver),
                    .cgroups = {.driver = driver},
                    .runtime = std::move(runtime),
                    .shutdown_complaint = complaint_of(settings.shutdown),
                    .read_only = read_only_folders(settings.paths),
                    .manifests = folder.report()};
  for (const PodPtr& pod : outcome.desired) input.pods.push_back(desired_pod(folder, pod));
  return examine(input);
}

}  // namespace

std::vector<Finding> examine_offline(const OfflineQuestion& question) {
  Options options;
  if (!question.config_file.empty()) options.config_file = question.config_file;
  return examine_as(Examiner::kInItsPlace, options,
                    question.why.empty() ? "it does not answer" : question.why);
}

std::vector<Finding> examine_before_start(const Options& options) {
  return examine_as(Examiner::kBeforeStart, options, {});
}

}  // namespace berth::agent
