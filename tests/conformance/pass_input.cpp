// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/pass_input.hpp"

#include <algorithm>

#include "tests/conformance/lifecycle_input.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle_input;

std::set<std::string> names(const json::object& in, const char* key) {
  const auto all = strings(in, key);
  return {all.begin(), all.end()};
}

}  // namespace

PassInput pass_input(const json::object& input) {
  const json::object& failures = object(input, "failures");
  PassInput out{.pod = decoded<api::Pod>(input, "pod"),
                .runtime = runtime(input),
                .probes = probe_results(input),
                .present_images = names(input, "presentImages"),
                .in_backoff = names(input, "inBackOff"),
                .fails = {.create = names(failures, "createContainer"),
                          .start = names(failures, "startContainer"),
                          .stop = names(failures, "stopContainer"),
                          .post_start = names(failures, "postStartHook"),
                          .pull = names(failures, "pullImage"),
                          .sandbox = flag(failures, "runPodSandbox")}};
  // Sets what the cases leave to the API server's defaults.
  out.pod.spec.enableServiceLinks = false;
  out.pod.spec.dnsPolicy = "Default";
  out.pod.spec.automountServiceAccountToken = false;
  return out;
}

bool renumber(lifecycle::RuntimePod& runtime) {
  bool any = false;
  std::map<std::string, std::int32_t> highest;
  for (auto one = runtime.containers.rbegin(); one != runtime.containers.rend(); ++one) {
    const auto before = highest.find(one->name);
    if (before != highest.end() && one->restart_count <= before->second) {
      one->restart_count = before->second + 1;
      any = true;
    }
    highest[one->name] = one->restart_count;
  }
  return any;
}

}  // namespace berth::conformance
