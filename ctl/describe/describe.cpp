// SPDX-License-Identifier: Apache-2.0

// berthctl describe pod NAME...
#include "ctl/command.hpp"
#include "ctl/describe/describe_pod.hpp"
#include "ctl/object_text.hpp"
#include "ctl/pod_query.hpp"
#include "ctl/problem_text.hpp"
#include "ctl/shown_probe.hpp"

namespace berth::ctl {
namespace {

Result<PodStory> story_of(const control::v1::DescribePodReply& reply) {
  PodStory story;
  auto pod = pod_from(reply.pod_json());
  if (!pod) return std::unexpected(pod.error());
  story.pod = std::move(*pod);
  for (const auto& json : reply.events_json()) {
    auto event = event_from(json);
    if (!event) return std::unexpected(event.error());
    story.events.push_back(std::move(*event));
  }
  for (const auto& decision : reply.decisions()) {
    story.decisions.push_back(
        {decision.time(), decision.container(), decision.action(), decision.reason()});
  }
  for (const auto& probe : reply.probes()) story.probes.push_back(shown_probe(probe));
  for (const auto& problem : reply.problems()) story.problems.push_back(problem_text(problem));
  story.manifest_file = reply.manifest_file();
  story.refused_today = reply.refused_today();
  return story;
}

Result<std::string> describe_one(Connection& agent, const Options& options,
                                 const std::string& name) {
  control::v1::DescribePodRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(name);
  control::v1::DescribePodReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().DescribePod(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  const auto story = story_of(reply);
  if (!story) return std::unexpected(story.error());
  return describe_pod(*story, now());
}

}  // namespace

Outcome describe_pods(Connection& agent, const Options& options,
                      const std::vector<std::string>& names) {
  std::vector<std::string> wanted = names;
  if (wanted.empty()) {
    const auto all = fetch_pods(agent, options, {});
    if (!all) return std::unexpected(all.error());
    for (const auto& json : all->pods) {
      const auto pod = pod_from(json);
      if (!pod) return std::unexpected(pod.error());
      wanted.push_back(pod->metadata.namespace_ + "/" + pod->metadata.name);
    }
    if (wanted.empty()) say_no_pods(options);
  }
  FoundPods found;
  bool first = true;
  for (const auto& name : wanted) {
    const auto text = describe_one(agent, options, name);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      found.missing.push_back(text.error());
      continue;
    }
    if (!text) return std::unexpected(text.error());
    print((first ? "" : "\n\n") + *text);
    first = false;
  }
  return all_found(found);
}

}  // namespace berth::ctl
