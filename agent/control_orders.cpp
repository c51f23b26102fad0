// What an operator orders of a pod: each is answered when the store knows it, so that a crash after
// the answer forgets nothing, or after a second, saying that it does not.
#include "agent/control_calls.hpp"

namespace berth::agent {

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DeletePodRequest& request,
                                                      wire::DeletePodReply& reply) {
  co_await until_known(from);
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) co_return fail(pod.error());
  const auto& meta = (*pod)->metadata;
  // Before the deletion, which may make the manifest wish the next one.
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
