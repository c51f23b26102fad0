// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/explain.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "control/pod_name.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/input/file_text.hpp"
#include "ctl/object_text.hpp"
#include "ctl/schedule/explain_json.hpp"
#include "ctl/schedule/explain_text.hpp"
#include "scheduling/configuration/read_configuration.hpp"
#include "scheduling/explain/explain_placement.hpp"
#include "scheduling/explain/pod_question.hpp"

namespace berth::ctl {
namespace {

using scheduling::InputProblem;
using scheduling::PodsAre;
using scheduling::ReadObjects;
using scheduling::SchedulerSettings;

Result<int> read_into(const std::string& file, PodsAre pods, ReadObjects& read) {
  const auto text = file_text(file);
  if (!text) return fail(text.error());
  scheduling::read_objects(shown_name(file), *text, pods, read);
  return 0;
}

// Budgets determine which victims preemption avoids; a berthd that does not know budgets has none.
Result<int> ask_for_budgets(Connection& agent, ReadObjects& read) {
  control::v1::ListBudgetsRequest request;
  request.set_all_namespaces(true);
  control::v1::ListBudgetsReply reply;
  const auto call = agent.context();
  const grpc::Status status = agent.stub().ListBudgets(call.get(), request, &reply);
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) return 0;
  if (!status.ok()) return fail(agent.explain(status));
  for (const std::string& budget : reply.budgets_json()) {
    scheduling::read_objects("berthd's budgets", budget, PodsAre::kThere, read);
  }
  return 0;
}

// The agent's node, its pods and its budgets, as they would be in files; returns the node's name.
Result<std::string> ask_agent(const Options& options, ReadObjects& read) {
  auto agent = Connection::open(options.socket, options.request_timeout);
  if (!agent) return fail(agent.error());
  control::v1::GetNodeReply node;
  const auto node_call = agent->context();
  grpc::Status status = agent->stub().GetNode(node_call.get(), {}, &node);
  if (!status.ok()) return fail(agent->explain(status));
  control::v1::ListPodsRequest request;
  request.set_all_namespaces(true);
  control::v1::ListPodsReply pods;
  const auto pods_call = agent->context();
  status = agent->stub().ListPods(pods_call.get(), request, &pods);
  if (!status.ok()) return fail(agent->explain(status));
  if (auto budgets = ask_for_budgets(*agent, read); !budgets) return fail(budgets.error());
  scheduling::read_objects("berthd's node", node.node_json(), PodsAre::kThere, read);
  for (const std::string& pod : pods.pods_json()) {
    scheduling::read_objects("berthd's pods", pod, PodsAre::kThere, read);
  }
  const auto& nodes = read.objects.nodes;
  return nodes.empty() ? std::string() : nodes.back().metadata.name;
}

// Prints all of them; the command fails with their number.
std::unexpected<Error> refused(const std::vector<InputProblem>& problems) {
  for (const InputProblem& problem : problems) {
    complain(fmt::format("error: {}\n", scheduling::to_string(problem)));
  }
  return fail(ErrorCode::kInvalid, fmt::format("{} problem{} in the input", problems.size(),
                                               problems.size() == 1 ? "" : "s"));
}

Result<SchedulerSettings> read_settings(const std::string& file) {
  if (file.empty()) return SchedulerSettings{};
  const auto text = file_text(file);
  if (!text) return fail(text.error());
  auto settings = scheduling::read_scheduler_configuration(*text);
  if (settings) return std::move(*settings);
  std::vector<InputProblem> problems;
  for (const api::Problem& problem : settings.error()) {
    problems.push_back({.file = shown_name(file), .problem = problem});
  }
  return refused(problems);
}

Result<scheduling::Profile> profile_of(const SchedulerSettings& settings, const std::string& file,
                                       scheduling::PodQuestion& question) {
  const std::string& name = question.pod.spec.schedulerName;
  if (const auto* profile = scheduling::profile_for(settings, name)) return *profile;
  if (file.empty()) {
    question.notes.push_back(fmt::format(
        "spec.schedulerName is {}; explained with the default profile (use --config for another)",
        name));
    return settings.profiles.front();
  }
  std::string known;
  for (const auto& profile : settings.profiles) {
    known += (known.empty() ? "" : ", ") + profile.schedulerName;
  }
  return fail(ErrorCode::kInvalid,
              fmt::format("spec.schedulerName: {} has no profile {}; it has {}", shown_name(file),
                          name, known));
}

Result<ReadObjects> read_all(const Options& options, const ExplainOptions& asked,
                             std::string& node_name) {
  ReadObjects read;
  if (!asked.pod_file.empty()) {
    if (auto done = read_into(asked.pod_file, PodsAre::kToBePlaced, read); !done) {
      return fail(done.error());
    }
  }
  for (const std::string& file : asked.files) {
    if (auto done = read_into(file, PodsAre::kThere, read); !done) return fail(done.error());
  }
  if (asked.files.empty()) {
    auto name = ask_agent(options, read);
    if (!name) return fail(name.error());
    node_name = std::move(*name);
  }
  return read;
}

// The pod of berthd that `name` means; short names are allowed.
Result<control::PodName> pod_of_agent(const ReadObjects& read, const Options& options,
                                      const std::string& name, const std::string& node_name) {
  std::vector<control::PodName> pods;
  for (const api::Pod& pod : read.objects.pods)
    pods.push_back({.namespace_ = pod.metadata.namespace_, .name = pod.metadata.name});
  return control::resolve_pod_name(pods, chosen_namespace(options), name, node_name);
}

}  // namespace

Outcome explain_schedule(const Options& options, const ExplainOptions& asked) {
  std::string node_name;  // the agent's, if it was asked
  auto read = read_all(options, asked, node_name);
  if (!read) return fail(read.error());
  const bool among_objects = asked.pod_file.empty();
  control::PodName pod = control::typed_pod_name(chosen_namespace(options), asked.pod);
  if (among_objects && !node_name.empty() && !asked.pod.empty()) {
    auto known = pod_of_agent(*read, options, asked.pod, node_name);
    if (!known) return fail(known.error());
    pod = std::move(*known);
  }
  auto question = scheduling::ask_about(
      *read,
      {.name = pod.name,
       .file = among_objects ? "existing pods" : shown_name(asked.pod_file),
       .namespace_ = pod.namespace_,
       .among = among_objects ? scheduling::PodAmong::kObjects : scheduling::PodAmong::kStated});
  std::vector<InputProblem> problems = read->problems;
  // If there is no pod because its file is broken, one problem is enough.
  if (!question && (problems.empty() || !read->stated.empty())) {
    problems.insert(problems.end(), question.error().begin(), question.error().end());
  }
  if (!problems.empty()) return refused(problems);
  const auto settings = read_settings(asked.config_file);
  if (!settings) return fail(settings.error());
  const auto profile = profile_of(*settings, asked.config_file, *question);
  if (!profile) return fail(profile.error());
  // berthd would append the node's name to a manifest pod's name.
  if (!node_name.empty() && !among_objects) question->pod.metadata.name += "-" + node_name;

  auto explanation = scheduling::explain_placement(question->pod, read->objects, *profile);
  explanation.notes.insert(explanation.notes.begin(), question->notes.begin(),
                           question->notes.end());
  for (const std::string& path : settings->unused) {
    explanation.notes.push_back(
        fmt::format("{}: {} has no effect in berth", asked.config_file, path));
  }
  if (explanation.nodes.empty()) {
    explanation.notes.emplace_back(
        "the files contain no Node; write kubectl get nodes -o yaml to one");
  }
  const bool text = options.output == Output::kTable;
  print(text ? explain_text(explanation, {.extent = asked.all ? Extent::kAll : Extent::kBrief,
                                          .spread = asked.spread})
             : value_text(explain_json(explanation), options.output));
  return explanation.placement == scheduling::Placement::kFits ? kOk : kNotPlaceable;
}

}  // namespace berth::ctl
