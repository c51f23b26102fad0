#include "lifecycle/container_resources_status.hpp"

#include <array>
#include <string_view>

namespace berth::lifecycle {
namespace {

// Below these the kernel does not tell values apart, so what was asked for is shown instead of
// what the runtime reads back: the kubelet's smallest quota (10m) and smallest shares (2).
constexpr std::int64_t kSmallestCpuLimitMilli = 10;
constexpr std::int64_t kSmallestCpuRequestMilli = 2;

std::int64_t milli(const api::ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found == list.end() ? 0 : found->second.milli_value();
}

class Correction {
 public:
  Correction(api::ResourceList& shown, const api::ResourceList* before)
      : shown_(shown), before_(before) {}

  void cpu(const std::optional<api::Quantity>& reported, std::int64_t smallest) {
    if (!reported) return keep("cpu");
    if (reported->milli_value() > smallest || milli(shown_, "cpu") > smallest) {
      shown_["cpu"] = *reported;
    }
  }

  void memory(const std::optional<api::Quantity>& reported) {
    if (!reported) return keep("memory");
    shown_["memory"] = *reported;
  }

 private:
  void keep(const char* name) {
    if (before_ == nullptr) return;
    const auto found = before_->find(name);
    if (found != before_->end()) shown_[name] = found->second;
  }

  api::ResourceList& shown_;
  const api::ResourceList* before_;
};

// CRI's Signal enum, in its order: SIGABRT is 1. After these come SIGRTMIN+1 to +15, SIGRTMAX-14
// to -1 and SIGRTMAX.
constexpr std::int32_t kSigRtMin = 35;
constexpr std::int32_t kSigRtMax = 65;
constexpr std::array<std::string_view, 35> kSignals = {
    "SIGABRT", "SIGALRM", "SIGBUS",    "SIGCHLD",  "SIGCLD",  "SIGCONT",   "SIGFPE",
    "SIGHUP",  "SIGILL",  "SIGINT",    "SIGIO",    "SIGIOT",  "SIGKILL",   "SIGPIPE",
    "SIGPOLL", "SIGPROF", "SIGPWR",    "SIGQUIT",  "SIGSEGV", "SIGSTKFLT", "SIGSTOP",
    "SIGSYS",  "SIGTERM", "SIGTRAP",   "SIGTSTP",  "SIGTTIN", "SIGTTOU",   "SIGURG",
    "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",   "SIGRTMIN"};

}  // namespace

std::optional<api::ResourceRequirements> resources_in_force(const RuntimeContainer& record,
                                                            const api::ContainerStatus& status,
                                                            const api::ContainerStatus* previous,
                                                            const ActuatedResources& actuated) {
  if (!status.state.running) return std::nullopt;
  const auto applied = actuated.find(record.name);
  if (applied == actuated.end()) return std::nullopt;

  api::ResourceRequirements shown = applied->second;
  const bool same_instance =
      previous != nullptr && previous->state.running && previous->containerID == status.containerID;
  const api::ResourceRequirements* before =
      same_instance && previous->resources ? &*previous->resources : nullptr;
  const RuntimeResources none;
  const RuntimeResources& reported = record.resources ? *record.resources : none;
  if (!shown.limits.empty()) {
    Correction limits(shown.limits, before != nullptr ? &before->limits : nullptr);
    limits.cpu(reported.cpu_limit, kSmallestCpuLimitMilli);
    limits.memory(reported.memory_limit);
  }
  if (!shown.requests.empty()) {
    Correction requests(shown.requests, before != nullptr ? &before->requests : nullptr);
    requests.cpu(reported.cpu_request, kSmallestCpuRequestMilli);
    requests.memory(reported.memory_request);
  }
  return shown;
}

std::optional<std::string> shown_stop_signal(std::int32_t cri_signal) {
  if (cri_signal <= 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(cri_signal) - 1;
  if (index < kSignals.size()) return std::string(kSignals[index]);
  if (cri_signal == kSigRtMax) return "SIGRTMAX";
  if (cri_signal > kSigRtMax) return std::nullopt;
  if (cri_signal <= kSigRtMin + 15) return "SIGRTMIN+" + std::to_string(cri_signal - kSigRtMin);
  return "SIGRTMAX-" + std::to_string(kSigRtMax - cri_signal);
}

}  // namespace berth::lifecycle
