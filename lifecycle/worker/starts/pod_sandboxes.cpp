// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/pod_sandboxes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/rpc_error.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pods/beginning/hold_decision.hpp"
#include "lifecycle/worker/pod_facts.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/pod_persistence.hpp"
#include "lifecycle/worker/runtime/pod_observation.hpp"
#include "lifecycle/worker/starts/pod_look_ahead.hpp"
#include "lifecycle/worker/starts/start_calls.hpp"
#include "node/dns.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

namespace {

constexpr const char* kRefusalKey = "refusal";

}  // namespace

PodSandboxes::PodSandboxes(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                           PodObservation& observation, PodLookAhead& ahead)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      timetable_(parts.timetable),
      observed_(parts.observed),
      setup_(parts.setup),
      place_(parts.env.shared.starts),
      facts_(facts),
      persistence_(persistence),
      observation_(observation),
      ahead_(ahead) {}

// Directories, cgroup and volumes come first, as in the kubelet: if they fail, there is no sandbox.
// A pod of which nothing exists yet cannot be mistaken for another one, unless another pod had its
// uid before. Therefore it can be committed while the sandbox is created: no container is created
// before the store has the pod.
boost::asio::awaitable<bool> PodSandboxes::prepare_and_remember() {
  const bool first = observed_.next_sandbox() == 0 && observed_.sandboxes().empty() &&
                     observed_.containers().empty();
  const bool unique = !pod_->metadata.annotations.contains(node::kAnnotationManifest);
  setup_.begin();
  if (first && unique) {
    persistence_.begin_to_remember();
  } else {
    // The remains of an earlier sandbox are removed before the next one is created. And for a uid
    // that the manifest states, the store may still have an earlier pod.
    const bool known = co_await persistence_.remembered(Numbers::kTheStores);
    if (!known) co_return false;
  }
  co_return co_await setup_.prepare();  // tries again if it failed
}

// Whether no sandbox is requested because the runtime could not maintain the pod's cgroup: its
// error about the cgroup path does not say what to do.
bool PodSandboxes::sandbox_refused() {
  if (env_.now.no_sandboxes.empty()) return false;
  if (!timetable_.due(kRefusalKey)) return true;
  timetable_.failed(kRefusalKey);
  place_.give_back();
  const HoldQuestion question{.pod = *pod_, .no_sandboxes = env_.now.no_sandboxes};
  const HoldDecision decision = decide_hold(question);
  teller_.decided(question, decision);
  teller_.warn_event("FailedCreatePodSandBox",
                     fmt::format("Failed to create pod sandbox: {}", decision.message));
  return true;
}

bool PodSandboxes::network_missing() {
  const std::string reported = std::exchange(network_reported_, {});
  if (env_.now.network_error.empty()) return false;
  const HoldQuestion question{.pod = *pod_,
                              .node_name = env_.now.view->config.node_name,
                              .network_error = env_.now.network_error};
  const HoldDecision decision = decide_hold(question);
  if (decision.cause != HoldCause::kNoNetwork) return false;
  place_.give_back();
  network_reported_ = decision.message;
  if (network_reported_ == reported) return true;
  const std::string record = teller_.decided(question, decision);
  teller_.warn_event("NetworkNotReady", decision.message, About{.decision = record});
  return true;
}

boost::asio::awaitable<bool> PodSandboxes::create_sandbox(std::uint32_t attempt) {
  const std::string key = "sandbox";
  if (!timetable_.due(key)) co_return false;
  auto reading = env_.host.read_dns();
  const node::HostDns dns = co_await std::move(reading);
  attempt = std::max(attempt, observed_.next_sandbox());
  attempt = observed_.ownership().free_attempt(attempt);
  const node::SandboxRequest request{
      .attempt = attempt, .incarnation = incarnation_of(*pod_), .host_dns = dns.config};
  auto config = node::sandbox_config(*env_.now.view, *pod_, request);
  if (!config) {
    timetable_.failed(key);
    teller_.warn_event("FailedCreatePodSandBox",
                       fmt::format("Failed to create pod sandbox: {}", config.error().message));
    co_return false;
  }
  report_dns(dns);
  ahead_.begin_look_ahead();
  co_await place_.until_turn();
  if (facts_.ending()) co_return true;
  place_.give_back();
  Context context;
  observed_.ownership().ask(attempt);
  const auto call = co_await env_.shared.start_calls.begin();
  auto id = co_await env_.runtime.run_pod_sandbox(context, std::move(*config),
                                                  pod_->spec.runtimeClassName.value_or(""));
  if (!id) {
    timetable_.failed(key);
    // The runtime may still create it: look for it before trying the same attempt again.
    if (!outcome_known(id.error().code)) {
      observed_.doubt();
      observed_.keep_sandbox_attempt(attempt);
    }
    teller_.warn_event("FailedCreatePodSandBox", fmt::format("Failed to create pod sandbox: {}",
                                                             without_call(id.error().message)));
    teller_.happened({}, StartFailed{.error = id.error().message});
    co_return false;
  }
  timetable_.succeeded(key);
  dns_reported_.clear();
  co_return co_await sandbox_created(std::move(*id));
}

// What the pod does not get of the resolver configuration it asks for: once for each sandbox,
// although it may be tried again and again. A kubelet fails where it cannot read the file; what was
// read last lets the pod start.
void PodSandboxes::report_dns(const node::HostDns& host) {
  std::vector<DnsReport> reports;
  if (!host.problem.empty() && pod_->spec.dnsPolicy != "None")
    reports.push_back(
        {"DNSConfigForming",
         host.problem + "; the pod gets the resolver configuration that was read last"});
  const node::PodDns dns = node::pod_dns(*env_.now.view, *pod_, host.config);
  if (!dns.missing_cluster_dns.empty())
    reports.push_back({"MissingClusterDNS", fmt::format("pod: \"{}\". {}", pod_description(*pod_),
                                                        dns.missing_cluster_dns)});
  for (const std::string& warning : dns.warnings) reports.push_back({"DNSConfigForming", warning});
  for (const DnsReport& report : reports)
    if (dns_reported_.insert(report).second) teller_.warn_event(report.first, report.second);
}

boost::asio::awaitable<bool> PodSandboxes::sandbox_created(cri::SandboxId id) {
  Context context;
  auto status = co_await env_.runtime.pod_sandbox_status(context, id);
  if (!status) {
    observed_.doubt();
    timetable_.failed("observe");
    const std::string_view error = without_call(status.error().message);
    teller_.warn_event("FailedPodSandBoxStatus",
                       fmt::format("Unable to get pod sandbox status: {}", error));
    co_return false;
  }
  observed_.put_sandbox(std::move(*status));
  observation_.remember_attempts();
  env_.owner.claim(pod_->metadata.uid, id.str());
  observed_.keep_ips(facts_.runtime_view().ips);
  // What kept containers from being created may be gone with the previous sandbox.
  timetable_.retry("container/");
  ahead_.begin_files_ahead({});
  co_return true;
}

}  // namespace berth::lifecycle
