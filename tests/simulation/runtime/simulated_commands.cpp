// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_commands.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace berth::simulation {

std::optional<Error> SimulatedCommands::begin(const RuntimeCalls::FlightPtr& flight,
                                              const cri::ContainerId& id) {
  const auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr) return missing("container " + id.str());
  if (!instance->live()) return Error{ErrorCode::kUnknown, "the container is not running"};
  auto& running = under_way_[id.str()];
  std::erase_if(running, [](const auto& other) { return other->over; });
  running.push_back(flight);
  return std::nullopt;
}

// The end of a command is reported like a container's exit.
Result<cri::ExecResult> SimulatedCommands::end(const cri::ContainerId& id, std::int32_t code,
                                               Result<cri::ExecResult> result) {
  events_.emit(cri::EventType::kStopped, objects_.new_id(), code);
  const auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr) return fail(missing("container " + id.str()));
  if (!instance->live()) return fail(ErrorCode::kUnknown, "the container is not running");
  return result;
}

cri::Call<cri::ExecResult> SimulatedCommands::exec_sync(Context context, cri::ContainerId id,
                                                        std::vector<std::string> command,
                                                        std::chrono::seconds timeout) {
  auto order = calls_.change<cri::ExecResult>("ExecSync", world_.latencies().query);
  if (timeout <= std::chrono::seconds(0)) order.limit.reset();
  order.begin = [this, id](const auto& flight) { return begin(flight, id); };
  const auto hook = read_hook(command);
  const auto* asked = objects_.find_instance(id.str());
  if (hook && asked != nullptr && asked->live()) {
    order.what = fmt::format("ExecSync {}: {}", asked->name, fmt::join(command, " "));
    const Nanoseconds takes = std::min(hook->takes, longest_hook_);
    order.duration = {takes, takes};
    world_.witness().hook_called(*asked, hook->kind, takes);
  }
  if (const auto probe = read_probe(command)) {
    const bool passes = probe->script.passes(world_.now());
    const bool stalls = (probe->script.stalls && !passes) || probe->script.takes > timeout;
    const Nanoseconds takes = stalls ? Nanoseconds(timeout) : probe->script.takes;
    order.duration = {takes, takes};
    const std::int32_t code = passes ? 0 : 1;
    Result<cri::ExecResult> result = cri::ExecResult{.exit_code = code};
    if (stalls) result = fail(ErrorCode::kTimeout, "the command takes too long");
    order.finish = [this, id, code, result] { return end(id, code, result); };
  } else {
    const std::int32_t code = hook ? hook->exit_code : 0;
    cri::ExecResult result{.stdout_data = fmt::format("{}\n", fmt::join(command, " ")),
                           .exit_code = code};
    order.finish = [this, id, code, result] { return end(id, code, result); };
  }
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<std::string> SimulatedCommands::exec(Context context, cri::ContainerId id) {
  auto order = calls_.change<std::string>("Exec", world_.latencies().query);
  order.finish = [this, id]() -> Result<std::string> {
    if (objects_.find_instance(id.str()) == nullptr) return fail(missing("container " + id.str()));
    return "http://127.0.0.1:0/exec/" + id.str();
  };
  return calls_.fly(std::move(context), std::move(order));
}

void SimulatedCommands::container_ended(const cri::ContainerId& id) {
  const auto commands = under_way_.extract(id.str());
  if (commands.empty()) return;
  for (const auto& flight : commands.mapped()) calls_.complete(flight);
}

}  // namespace berth::simulation
