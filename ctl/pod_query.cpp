#include "ctl/pod_query.hpp"

namespace berth::ctl {
namespace {

Result<std::vector<std::string>> fetch_all(Connection& agent, const Options& options) {
  control::v1::ListPodsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_all_namespaces(options.all_namespaces);
  control::v1::ListPodsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListPods(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return std::vector<std::string>(reply.pods_json().begin(), reply.pods_json().end());
}

Result<std::string> fetch_one(Connection& agent, const Options& options, const std::string& name) {
  control::v1::GetPodRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(name);
  control::v1::GetPodReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().GetPod(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return reply.pod_json();
}

}  // namespace

Result<std::vector<std::string>> fetch_pods(Connection& agent, const Options& options,
                                            const std::vector<std::string>& names) {
  if (names.empty()) return fetch_all(agent, options);
  std::vector<std::string> pods;
  for (const auto& name : names) {
    auto pod = fetch_one(agent, options, name);
    if (!pod) return std::unexpected(pod.error());
    pods.push_back(std::move(*pod));
  }
  return pods;
}

}  // namespace berth::ctl
