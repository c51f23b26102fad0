// SPDX-License-Identifier: Apache-2.0

// What the simulated runtime shows of its containers and images.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "node/image_gc.hpp"
#include "tests/ledger/text_hash.hpp"
#include "tests/simulation/simulated_runtime.hpp"

namespace berth::simulation {
namespace {

std::string image_id(const std::string& name) {
  ledger_test::TextHash hash;
  hash.add(name);
  return fmt::format("sha256:{:064x}", hash.value());
}

}  // namespace

bool SimulatedRuntime::selected(const cri::StringMap& selector, const cri::StringMap& labels) {
  return std::ranges::all_of(selector, [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  });
}

bool SimulatedRuntime::shows_exit(const Instance& instance) const {
  return instance.exit_shown && *instance.exit_shown <= clock_.steady_now();
}

cri::ContainerState SimulatedRuntime::shown_state(const Instance& instance) const {
  if (shows_exit(instance)) return cri::ContainerState::kExited;
  if (instance.sight_lost) return cri::ContainerState::kUnknown;
  return instance.started ? cri::ContainerState::kRunning : cri::ContainerState::kCreated;
}

cri::ContainerStatus SimulatedRuntime::show(const Instance& instance) const {
  const bool ended = shows_exit(instance);
  return {.id = instance.id,
          .metadata = instance.config.metadata,
          .state = shown_state(instance),
          .created_at = instance.created_at,
          .started_at = instance.started_at,
          .finished_at = ended ? instance.finished_at : 0,
          .exit_code = ended ? instance.exit_code : 0,
          .image = instance.config.image.user_specified_image.empty()
                       ? instance.config.image.image
                       : instance.config.image.user_specified_image,
          .image_ref = instance.config.image.image,
          .reason = ended ? instance.reason : "",
          .labels = instance.config.labels,
          .annotations = instance.config.annotations,
          .mounts = instance.config.mounts,
          .log_path = instance.config.log_path,
          .image_id = instance.config.image.image,
          .stop_signal = instance.config.stop_signal};
}

cri::Call<cri::ContainerStatus> SimulatedRuntime::container_status(Context context,
                                                                   cri::ContainerId id) {
  Order<cri::ContainerStatus> order{.what = "ContainerStatus",
                                    .duration = latencies_.query,
                                    .limit = latencies_.request_timeout,
                                    .query = true};
  order.finish = [this, id]() -> Result<cri::ContainerStatus> {
    auto* instance = find_instance(id.str());
    if (instance == nullptr) return fail(missing("container " + id.str()));
    instance->exit_reported = instance->exit_reported || shows_exit(*instance);
    return show(*instance);
  };
  return fly(std::move(context), std::move(order));
}

cri::Call<std::vector<cri::Container>> SimulatedRuntime::list_containers(
    Context context, cri::ContainerFilter filter) {
  Order<std::vector<cri::Container>> order{.what = "ListContainers",
                                           .duration = latencies_.query,
                                           .limit = latencies_.request_timeout,
                                           .query = true};
  order.finish = [this, filter = std::move(filter)] {
    std::vector<cri::Container> listed;
    for (const auto& [id, instance] : known_instances_) {
      const auto state = shown_state(*instance);
      if (!filter.id.empty() && filter.id != id) continue;
      if (filter.state && *filter.state != state) continue;
      if (!filter.pod_sandbox_id.empty() && filter.pod_sandbox_id != instance->sandbox.str()) {
        continue;
      }
      if (!selected(filter.label_selector, instance->config.labels)) continue;
      listed.push_back({.id = instance->id,
                        .pod_sandbox_id = instance->sandbox,
                        .metadata = instance->config.metadata,
                        .image = instance->config.image,
                        .image_ref = instance->config.image.image,
                        .state = state,
                        .created_at = instance->created_at,
                        .labels = instance->config.labels,
                        .annotations = instance->config.annotations});
    }
    if (faults_.shuffled_lists) random_.shuffle(listed);
    return listed;
  };
  return fly(std::move(context), std::move(order));
}

cri::Call<cri::Done> SimulatedRuntime::reopen_container_log(Context context, cri::ContainerId id) {
  Order<cri::Done> order{.what = "ReopenContainerLog",
                         .duration = latencies_.query,
                         .limit = latencies_.request_timeout};
  order.finish = [this, id]() -> Result<cri::Done> {
    const auto* instance = find_instance(id.str());
    if (instance == nullptr || !instance->live()) return fail(missing("container " + id.str()));
    witness_.log_reopened(*instance);
    return cri::Done{};
  };
  return fly(std::move(context), std::move(order));
}

// A command ends with its container, at the latest; its end is reported like a container's exit.
std::optional<Error> SimulatedRuntime::begin_exec(const FlightPtr& flight,
                                                  const cri::ContainerId& id) {
  const auto* instance = find_instance(id.str());
  if (instance == nullptr) return missing("container " + id.str());
  if (!instance->live()) return Error{ErrorCode::kUnknown, "the container is not running"};
  auto& running = execs_[id.str()];
  std::erase_if(running, [](const FlightPtr& other) { return other->over; });
  running.push_back(flight);
  return std::nullopt;
}

cri::Call<cri::ExecResult> SimulatedRuntime::exec_sync(Context context, cri::ContainerId id,
                                                       std::vector<std::string> command,
                                                       std::chrono::seconds timeout) {
  Order<cri::ExecResult> order{.what = "ExecSync", .duration = latencies_.query};
  if (timeout > std::chrono::seconds(0)) order.limit = latencies_.request_timeout;
  order.begin = [this, id](const FlightPtr& flight) { return begin_exec(flight, id); };
  const auto hook = read_hook(command);
  const auto* asked = find_instance(id.str());
  if (hook && asked != nullptr && asked->live()) {
    order.what = fmt::format("ExecSync {}: {}", asked->name, fmt::join(command, " "));
    const Nanoseconds takes = std::min(hook->takes, longest_hook_);
    order.duration = {takes, takes};
    witness_.hook_called(*asked, hook->kind, takes);
  }
  const auto probe = read_probe(command);
  if (probe) {
    const bool passes = probe->script.passes(clock_.steady_now());
    const bool stalls = (probe->script.stalls && !passes) || probe->script.takes > timeout;
    const Nanoseconds takes = stalls ? Nanoseconds(timeout) : probe->script.takes;
    order.duration = {takes, takes};
    order.finish = [this, id, passes, stalls]() -> Result<cri::ExecResult> {
      emit(cri::EventType::kStopped, new_id(), passes ? 0 : 1);
      const auto* instance = find_instance(id.str());
      if (instance == nullptr) return fail(missing("container " + id.str()));
      if (!instance->live()) return fail(ErrorCode::kUnknown, "the container is not running");
      if (stalls) return fail(ErrorCode::kTimeout, "the command takes too long");
      return cri::ExecResult{.exit_code = passes ? 0 : 1};
    };
    return fly(std::move(context), std::move(order));
  }
  order.finish = [this, id, hook, command = std::move(command)]() -> Result<cri::ExecResult> {
    emit(cri::EventType::kStopped, new_id(), hook ? hook->exit_code : 0);
    const auto* instance = find_instance(id.str());
    if (instance == nullptr) return fail(missing("container " + id.str()));
    if (!instance->live()) return fail(ErrorCode::kUnknown, "the container is not running");
    cri::ExecResult result{.stdout_data = fmt::format("{}\n", fmt::join(command, " "))};
    if (hook) result.exit_code = hook->exit_code;
    return result;
  };
  return fly(std::move(context), std::move(order));
}

cri::Call<std::string> SimulatedRuntime::exec(Context context, cri::ContainerId id,
                                              std::vector<std::string> /*command*/, bool /*tty*/,
                                              bool /*use_stdin*/) {
  Order<std::string> order{
      .what = "Exec", .duration = latencies_.query, .limit = latencies_.request_timeout};
  order.finish = [this, id]() -> Result<std::string> {
    if (find_instance(id.str()) == nullptr) return fail(missing("container " + id.str()));
    return "http://127.0.0.1:0/exec/" + id.str();
  };
  return fly(std::move(context), std::move(order));
}

std::optional<cri::Image> SimulatedRuntime::image_on_node(const std::string& name) {
  if (name.starts_with("present/")) images_.ids.try_emplace(name, image_id(name));
  for (const auto& [known, id] : images_.ids) {
    if (known == name || id == name) {
      return cri::Image{.id = id, .repo_tags = {known}, .size = 1'000'000};
    }
  }
  return std::nullopt;
}

cri::Call<cri::Image> SimulatedRuntime::image_status(Context context, cri::ImageSpec image) {
  Order<cri::Image> order{.what = "ImageStatus",
                          .duration = latencies_.query,
                          .limit = latencies_.request_timeout,
                          .query = true};
  order.finish = [this, name = image.image]() -> Result<cri::Image> {
    auto found = image_on_node(name);
    if (!found) return fail(missing("image " + name));
    return *std::move(found);
  };
  return fly(std::move(context), std::move(order));
}

Result<std::string> SimulatedRuntime::pulled(const std::string& name) {
  const bool gone = name.starts_with("missing/");
  const bool flaky = name.starts_with("flaky/") && ++images_.pulls[name] <= 2;
  if (gone || flaky || random_.chance(faults_.pull_failed)) {
    return fail(ErrorCode::kUnknown, fmt::format("failed to pull and unpack image \"{}\"", name));
  }
  return images_.ids.try_emplace(name, image_id(name)).first->second;
}

cri::Call<std::string> SimulatedRuntime::pull_image(Context context, cri::ImageSpec image,
                                                    std::vector<cri::AuthConfig> /*auth*/,
                                                    cri::PodSandboxConfig sandbox_config) {
  const std::string name = image.image;
  const std::string pod_uid = sandbox_config.metadata.uid;
  witness_.pull_called(pod_uid, name);
  const bool slow = image.image.starts_with("slow/");
  Order<std::string> order{.what = "PullImage " + name,
                           .duration = slow ? latencies_.slow_pull : latencies_.pull};
  order.finish = [this, name] { return pulled(name); };
  auto done = co_await fly(std::move(context), std::move(order));
  if (!done && done.error().code != ErrorCode::kCancelled) witness_.pull_failed(pod_uid, name);
  co_return done;
}

cri::Call<std::vector<cri::Image>> SimulatedRuntime::list_images(Context context) {
  Order<std::vector<cri::Image>> order{.what = "ListImages",
                                       .duration = latencies_.query,
                                       .limit = latencies_.request_timeout,
                                       .query = true};
  order.finish = [this] {
    std::vector<cri::Image> listed;
    for (const auto& [name, id] : images_.ids) {
      listed.push_back({.id = id, .repo_tags = {node::full_image_name(name)}, .size = 1'000'000});
    }
    return listed;
  };
  return fly(std::move(context), std::move(order));
}

cri::Call<cri::Done> SimulatedRuntime::remove_image(Context context, cri::ImageSpec image) {
  witness_.image_removal_called(image.image);
  Order<cri::Done> order{.what = "RemoveImage " + image.image,
                         .duration = latencies_.remove,
                         .limit = latencies_.request_timeout};
  order.finish = [this, name = image.image] {
    std::erase_if(images_.ids,
                  [&](const auto& one) { return one.first == name || one.second == name; });
    return cri::Done{};
  };
  return fly(std::move(context), std::move(order));
}

void SimulatedRuntime::forget_images() {
  say("images that no container is made from are removed");
  std::erase_if(images_.ids, [this](const auto& image) {
    return std::ranges::none_of(instances_, [&image](const Instance& one) {
      return !one.removed && one.config.image.image == image.second;
    });
  });
}

cri::Call<cri::ImageStore> SimulatedRuntime::image_store(Context context) {
  Order<cri::ImageStore> order{.what = "ImageFsInfo",
                               .duration = latencies_.query,
                               .limit = latencies_.request_timeout,
                               .query = true};
  order.finish = [] { return cri::ImageStore{.mountpoint = "/"}; };
  return fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
