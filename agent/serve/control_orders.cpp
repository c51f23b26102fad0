// SPDX-License-Identifier: Apache-2.0

// An operator's orders about a pod: each is answered once it is persisted, so that a crash after
// the answer loses nothing, or after a second, reporting that it is not.
#include "agent/serve/control_calls.hpp"
#include "api/codec.hpp"
#include "scheduling/disruption/budget_book.hpp"
#include "scheduling/disruption/eviction_request.hpp"

namespace berth::agent {

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DeletePodRequest& request,
                                                      wire::DeletePodReply& reply) {
  co_await until_known(from);
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) co_return fail(pod.error());
  const auto& meta = (*pod)->metadata;
  // Evaluate before the deletion, which may make the manifest want the next incarnation.
  const bool comes_back = !from.manifests.file_of(**pod).empty();
  const auto deleted = from.pods.delete_pod(meta.namespace_, meta.name, grace_of(request));
  if (!deleted) co_return fail(deleted.error());
  reply.set_namespace_(meta.namespace_);
  reply.set_name(meta.name);
  reply.set_uid(meta.uid);
  reply.set_comes_back(comes_back);
  const bool stored = co_await from.pods.orders_stored(meta.uid);
  reply.set_not_stored(!stored);
  co_return Answered{};
}

namespace {

scheduling::EvictionRequest eviction_of(const wire::EvictPodRequest& request,
                                        const std::string& name) {
  scheduling::EvictionRequest made{.name = name};
  made.eviction.apiVersion = "policy/v1";
  made.eviction.kind = "Eviction";
  made.eviction.metadata.name = name;
  if (request.dry_run()) made.dry_run = {"All"};
  if (request.has_grace_period_seconds()) {
    made.eviction.deleteOptions.emplace();
    made.eviction.deleteOptions->gracePeriodSeconds = request.grace_period_seconds();
  }
  return made;
}

// Runs in one turn of the loop, so that its inputs cannot change meanwhile.
Result<scheduling::EvictionPlan> evict(ControlSources& from, const api::Pod& pod,
                                       const scheduling::EvictionRequest& request) {
  const WallTime now = from.clock.wall_now();
  const auto synced = from.budgets.sync(from.pods.snapshot(), now);
  scheduling::EvictionView view{.pod = &pod, .now = now};
  for (const auto& one : synced) {
    const auto& meta = one.budget.metadata;
    if (meta.namespace_ == pod.metadata.namespace_) view.budgets.push_back(&one.budget);
    for (const auto& event : one.events)
      from.log.warn(event.reason, event.message,
                    {{"NAMESPACE", meta.namespace_}, {"BUDGET", meta.name}});
  }
  auto plan = scheduling::plan_eviction(request, view);
  if (!request.dry_run.empty()) return plan;
  if (plan.budget) from.budgets.write(*plan.budget);
  if (!plan.deletion) return plan;
  std::optional<std::chrono::seconds> grace;
  if (const auto seconds = plan.deletion->gracePeriodSeconds) grace.emplace(*seconds);
  const auto deleted = from.pods.delete_pod(pod.metadata.namespace_, pod.metadata.name, grace,
                                            {.target = plan.condition, .why = plan.why});
  if (!deleted) return fail(deleted.error());
  return plan;
}

}  // namespace

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::EvictPodRequest& request,
                                                      wire::EvictPodReply& reply) {
  co_await until_known(from);
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) co_return fail(pod.error());
  const auto& meta = (*pod)->metadata;
  const bool comes_back = !from.manifests.file_of(**pod).empty();
  const auto plan = evict(from, **pod, eviction_of(request, meta.name));
  if (!plan) co_return fail(plan.error());
  reply.set_namespace_(meta.namespace_);
  reply.set_name(meta.name);
  reply.set_uid(meta.uid);
  reply.set_status_json(api::to_json_text(plan->answer));
  reply.set_why(plan->why);
  if (request.dry_run() || !plan->deletion) co_return Answered{};
  reply.set_comes_back(comes_back);
  const bool stored = co_await from.pods.orders_stored(meta.uid);
  reply.set_not_stored(!stored);
  co_return Answered{};
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::SetConditionRequest& request,
                                                      wire::SetConditionReply& reply) {
  co_await until_known(from);
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) co_return fail(pod.error());
  const auto& meta = (*pod)->metadata;
  const auto set = from.pods.set_condition(meta.namespace_, meta.name, condition_of(request));
  if (!set) co_return fail(set.error());
  reply.set_namespace_(meta.namespace_);
  reply.set_name(meta.name);
  reply.set_uid(meta.uid);
  const bool stored = co_await from.pods.orders_stored(meta.uid);
  reply.set_not_stored(!stored);
  co_return Answered{};
}

}  // namespace berth::agent
