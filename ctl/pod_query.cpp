// SPDX-License-Identifier: Apache-2.0

#include "ctl/pod_query.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace berth::ctl {
namespace {

// Printed as kubectl prints an API server's warnings.
template <class Reply>
void print_warnings(const Reply& reply) {
  for (const auto& warning : reply.warnings()) complain("Warning: " + warning + "\n");
}

Result<std::vector<std::string>> fetch_all(Connection& agent, const Options& options) {
  control::v1::ListPodsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_all_namespaces(options.all_namespaces);
  control::v1::ListPodsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListPods(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  print_warnings(reply);
  return std::vector<std::string>(reply.pods_json().begin(), reply.pods_json().end());
}

}  // namespace

Result<std::string> fetch_pod(Connection& agent, const Options& options, const std::string& name) {
  control::v1::GetPodRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(name);
  control::v1::GetPodReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().GetPod(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  print_warnings(reply);
  return reply.pod_json();
}

Result<FoundPods> fetch_pods(Connection& agent, const Options& options,
                             const std::vector<std::string>& names) {
  FoundPods found;
  if (names.empty()) {
    auto all = fetch_all(agent, options);
    if (!all) return std::unexpected(all.error());
    found.pods = std::move(*all);
  }
  for (const auto& name : names) {
    auto pod = fetch_pod(agent, options, name);
    if (pod) {
      found.pods.push_back(std::move(*pod));
    } else if (pod.error().code == ErrorCode::kNotFound) {
      found.missing.push_back(std::move(pod.error()));
    } else {
      return std::unexpected(pod.error());
    }
  }
  return found;
}

void say_no_pods(const Options& options) {
  const std::string text =
      options.all_namespaces
          ? "No resources found\n"
          : fmt::format("No resources found in {} namespace.\n", chosen_namespace(options));
  complain(text);
}

Outcome all_found(const FoundPods& found) {
  if (found.missing.empty()) return 0;
  for (std::size_t i = 0; i + 1 < found.missing.size(); ++i)
    complain(fmt::format("error: {}\n", found.missing[i].message));
  return fail(found.missing.back());
}

}  // namespace berth::ctl
