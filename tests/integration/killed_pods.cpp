// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/killed_pods.hpp"

#include <array>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "tests/integration/shown_changes.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

constexpr const char* kTick = "periodSeconds: 1, timeoutSeconds: 5";
constexpr const char* kServer =
    "mkdir -p /tmp/w; echo fine > /tmp/w/healthz; exec httpd -f -p 8080 -h /tmp/w";

std::string head(const std::string& name, const char* expected, int grace) {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{name: {}, labels: {{{}: {}}}}}\nspec:\n"
      "  terminationGracePeriodSeconds: {}\n",
      name, kExpectation, expected, grace);
}

// `more`: further fields, each line indented by four.
std::string container(const std::string& name, const std::string& command,
                      const std::string& more = {}) {
  return fmt::format(
             "  - name: {}\n    image: localhost/busybox:1\n    command: [/bin/sh, -c, {}]\n", name,
             boost::json::serialize(boost::json::value(command))) +
         more;
}

std::string probe(const char* type, const char* handler) {
  return fmt::format("    {}Probe: {{{}, {}}}\n", type, handler, kTick);
}

std::string with_sidecar() {
  return head("steady", kReadyPod, 2) + "  initContainers:\n" + container("prepare", "exit 0") +
         container("side", kForEver,
                   "    restartPolicy: Always\n" + probe("startup", "exec: {command: ['true']}")) +
         "  containers:\n" + container("c", kForEver);
}

std::string probed_by_http() {
  constexpr const char* kGet = "httpGet: {path: /healthz, port: 8080}";
  return head("web", kReadyPod, 1) + "  containers:\n" +
         container("c", kServer,
                   probe("startup", kGet) + probe("readiness", kGet) + probe("liveness", kGet));
}

std::string probed_by_command() {
  constexpr const char* kTrue = "exec: {command: ['true']}";
  return head("commands", kReadyPod, 1) + "  containers:\n" +
         container("c", kForEver, probe("readiness", kTrue) + probe("liveness", kTrue));
}

std::string never_ready() {
  return head("unready", kUnreadyPod, 1) + "  containers:\n" +
         container("c", kForEver, probe("readiness", "exec: {command: ['false']}"));
}

std::string over(const std::string& name, const std::string& command) {
  return head(name, kOverPod, 1) + "  restartPolicy: Never\n  containers:\n" +
         container("c", command);
}

std::string restarting(const std::string& name, const std::string& command) {
  return head(name, kRestartingPod, 1) + "  containers:\n" + container("c", command);
}

std::string restarting_init() {
  return head("init", kRestartingPod, 1) + "  initContainers:\n" + container("prepare", "exit 4") +
         "  containers:\n" + container("c", kForEver);
}

std::string without_image() {
  return head("imageless", kRestartingPod, 1) +
         "  containers:\n  - {name: c, image: 'localhost/no-such-image:9'}\n";
}

// All but the first have a hook, which records its run in a file.
std::string deaf(int index, const std::filesystem::path& hooks) {
  constexpr std::array<int, kDeafPods> kGrace{40, 20, 32, 24, 28};
  const std::string name = fmt::format("deaf{}", index);
  std::string hook;
  if (index > 0)
    hook = fmt::format(
        "    lifecycle: {{preStop: {{exec: {{command: [/bin/sh, -c, "
        "\"echo ran >> /hooks/{}; sleep 2\"]}}}}}}\n"
        "    volumeMounts: [{{name: hooks, mountPath: /hooks}}]\n"
        "  volumes:\n  - {{name: hooks, hostPath: {{path: {}}}}}\n",
        name, hooks.string());
  return head(name, kDeafPod, kGrace.at(static_cast<std::size_t>(index))) + "  containers:\n" +
         container("c", kDeaf, hook);
}

}  // namespace

std::map<std::string, std::string> killed_pods(const std::filesystem::path& hooks) {
  std::map<std::string, std::string> pods = {
      {"steady", with_sidecar()},
      {"web", probed_by_http()},
      {"commands", probed_by_command()},
      {"unready", never_ready()},
      {"job", over("job", "exit 0")},
      {"failed", over("failed", "exit 3")},
      {"crash", restarting("crash", "exit 1")},
      {"slow", restarting("slow", "sleep 3; exit 5")},
      {"init", restarting_init()},
      {"imageless", without_image()},
  };
  for (int i = 0; i < kDeafPods; ++i) pods[fmt::format("deaf{}", i)] = deaf(i, hooks);
  return pods;
}

std::string changing_pod(const std::string& name, int generation) {
  return head(name, kChangingPod, 2) + "  containers:\n" +
         container("c", kForEver,
                   fmt::format("    env: [{{name: GENERATION, value: '{}'}}]\n", generation));
}

}  // namespace berth::integration
