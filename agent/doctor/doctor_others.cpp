// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_others.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth::agent {
namespace {

using Ports = std::set<std::int32_t>;

std::string name_of(const ProcessFacts& process) {
  return fmt::format("{} (pid {})", process.name, process.pid);
}

std::string stopped_by(const std::string& program) {
  if (program == "k3s-server") return "stop it (systemctl disable --now k3s)";
  if (program == "k3s-agent") return "stop it (systemctl disable --now k3s-agent)";
  if (program == "kubelite") return "stop it (snap stop --disable microk8s)";
  return "stop it (systemctl disable --now kubelet)";
}

std::string listens(const Ports& ports) {
  return fmt::format("listens on port {}, which {} a kubelet's", fmt::join(ports, " and "),
                     ports.size() == 1 ? "is" : "are");
}

Finding of_kubelet(const ProcessFacts& kubelet) {
  return {Severity::kTrouble, "machine", name_of(kubelet),
          "a kubelet runs on this machine: two agents of one runtime remove each other's pods",
          Advice(stopped_by(kubelet.name))};
}

Finding of_embedder(const ProcessFacts& process, const Ports& ports) {
  return {Severity::kTrouble, "machine", name_of(process),
          listens(ports) +
              ": a kubelet is part of it, and two agents on one machine remove each "
              "other's pods if they share a runtime, and share out the same memory "
              "twice if they do not",
          Advice(stopped_by(process.name))};
}

Finding of_listener(const ProcessFacts& process, const Ports& ports) {
  return {Severity::kWarning, "machine", name_of(process),
          listens(ports) +
              ": if it is one under another name, two agents of one runtime remove "
              "each other's pods",
          Advice("stop it if it is; else give it another port, which no tool expects to be a "
                 "kubelet's")};
}

// A pod on the host's network may listen there, so this is for information only.
Finding of_stranger(const Ports& ports) {
  return {Severity::kNote, "machine", fmt::format("port {}", fmt::join(ports, " and ")),
          fmt::format("another process listens on it, and it is a kubelet's"),
          Advice(fmt::format("see which it is (ss -tlnp 'sport = :{}', as root), and stop it if it "
                             "is a kubelet",
                             *ports.begin()))};
}

bool is_among(const std::vector<ProcessFacts>& processes, const ProcessFacts& process) {
  return std::ranges::find(processes, process) != processes.end();
}

// A listener whose descriptors cannot be inspected (pid 0) is most likely the program that was
// found; null if none was.
const ProcessFacts* listener_of(const ProcessFacts& seen, const OtherAgents& others) {
  if (seen.pid != 0) return &seen;
  if (!others.kubelets.empty()) return &others.kubelets.front();
  if (!others.embedders.empty()) return &others.embedders.front();
  return nullptr;
}

}  // namespace

std::vector<Finding> examine_others(const HttpSettings& http, const MachineFacts& facts) {
  const OtherAgents& others = facts.others;
  std::vector<Finding> findings;
  for (const ProcessFacts& kubelet : others.kubelets) findings.push_back(of_kubelet(kubelet));
  std::map<std::int64_t, std::pair<ProcessFacts, Ports>> listeners;
  Ports unknown;
  for (const auto& [port, process] : others.ports) {
    if (port == http.port) continue;
    const ProcessFacts* whose = listener_of(process, others);
    if (whose == nullptr) {
      unknown.insert(port);
    } else if (!is_among(others.kubelets, *whose)) {  // that one is named anyway
      auto& [listener, ports] = listeners[whose->pid];
      listener = *whose;
      ports.insert(port);
    }
  }
  for (const auto& [pid, listener] : listeners) {
    const auto& [process, ports] = listener;
    findings.push_back(is_among(others.embedders, process) ? of_embedder(process, ports)
                                                           : of_listener(process, ports));
  }
  if (!unknown.empty()) findings.push_back(of_stranger(unknown));
  // A berthd that is already running has its own port.
  if (!facts.http_port_taken || facts.http_port_taken->name == "berthd") return findings;
  const ProcessFacts& taken = *facts.http_port_taken;
  findings.emplace_back(Severity::kTrouble, "machine", fmt::format("port {}", http.port),
                        fmt::format("{} listens on it: berthd's HTTP port cannot be opened",
                                    taken.pid == 0 ? "another process" : name_of(taken)),
                        Advice("stop that, or set another readOnlyPort"));
  return findings;
}

}  // namespace berth::agent
