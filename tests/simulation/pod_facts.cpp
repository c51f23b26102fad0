#include "tests/simulation/pod_facts.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace berth::simulation {

std::string called(const Instance& instance) {
  return fmt::format("{} of {} (attempt {})", instance.name, instance.pod_uid,
                     instance.config.metadata.attempt);
}

double in_seconds(Nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

const api::Container* find(const std::vector<api::Container>& containers, const std::string& name) {
  const auto found = std::ranges::find(containers, name, &api::Container::name);
  return found == containers.end() ? nullptr : &*found;
}

bool is_sidecar(const api::Container& container) {
  return container.restartPolicy == "Always";
}

std::chrono::seconds own_grace(const api::Pod& pod) {
  return std::chrono::seconds(pod.spec.terminationGracePeriodSeconds.value_or(30));
}

bool is_terminal(const std::string& phase) {
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace berth::simulation
