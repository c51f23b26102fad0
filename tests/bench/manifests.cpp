// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/manifests.hpp"

#include <fmt/format.h>

namespace berth::bench {
namespace {

std::string head(const std::string& name, const std::string& restart_policy) {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{name: {}}}\nspec:\n"
      "  terminationGracePeriodSeconds: 5\n  restartPolicy: {}\n",
      name, restart_policy);
}

std::string container(const std::string& name, const std::string& command,
                      const std::string& more = {}) {
  return fmt::format(
      "  - name: {}\n    image: localhost/busybox:1\n    imagePullPolicy: IfNotPresent\n"
      "    command: [/bin/sh, -c, \"{}\"]\n{}",
      name, command, more);
}

std::string runs_until_term(int exit_code) {
  return fmt::format("trap 'exit {}' TERM; sleep 100000 & wait", exit_code);
}

}  // namespace

std::string plain_pod(const std::string& name) {
  return ending_pod(name, 0, "Always");
}

std::string ending_pod(const std::string& name, int exit_code, const std::string& restart_policy) {
  return head(name, restart_policy) + "  containers:\n" +
         container("c", runs_until_term(exit_code));
}

std::string probed_pod(const std::string& name) {
  const std::string serve =
      "mkdir -p /www; echo ok > /www/index.html; trap 'exit 0' TERM; "
      "httpd -f -p 8080 -h /www & wait";
  const std::string probes =
      "    readinessProbe: {periodSeconds: 1, httpGet: {port: 8080}}\n"
      "    livenessProbe: {periodSeconds: 1, tcpSocket: {port: 8080}}\n";
  return head(name, "Always") + "  containers:\n" + container("c", serve, probes);
}

std::string steps_pod(const std::string& name) {
  return head(name, "Always") + "  initContainers:\n" + container("first", "exit 0") +
         container("sidecar", runs_until_term(0), "    restartPolicy: Always\n") +
         container("second", "exit 0") + "  containers:\n" + container("main", runs_until_term(0));
}

std::string filling_pod(const std::string& name, const std::string& program,
                        std::int64_t bytes_a_second, std::int64_t bytes) {
  return head(name, "Never") +
         fmt::format(
             "  volumes:\n  - {{name: filler, hostPath: {{path: {}, type: File}}}}\n"
             "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
             "    imagePullPolicy: IfNotPresent\n    command: [/filler, \"{}\", \"{}\"]\n"
             "    volumeMounts: [{{name: filler, mountPath: /filler}}]\n",
             program, bytes_a_second, bytes);
}

}  // namespace berth::bench
