// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/relist.hpp"

#include <utility>

namespace berth::lifecycle {

cri::Call<RuntimeListing> list_everything(cri::Runtime& runtime) {
  cri::SandboxFilter all_sandboxes;
  cri::ContainerFilter all_containers;
  Context context;
  auto sandboxes = co_await runtime.list_pod_sandbox(context, all_sandboxes);
  if (!sandboxes) co_return fail(wrap("listing pod sandboxes", std::move(sandboxes.error())));
  auto containers = co_await runtime.list_containers(context, all_containers);
  if (!containers) co_return fail(wrap("listing containers", std::move(containers.error())));
  co_return group_by_pod(std::move(*sandboxes), std::move(*containers));
}

cri::Call<ListedPod> list_pod(cri::Runtime& runtime, std::string uid) {
  cri::SandboxFilter of_pod;
  of_pod.label_selector[cri::kLabelPodUid] = uid;
  cri::ContainerFilter containers_of_pod;
  containers_of_pod.label_selector[cri::kLabelPodUid] = uid;
  Context context;
  auto sandboxes = co_await runtime.list_pod_sandbox(context, of_pod);
  if (!sandboxes) co_return fail(wrap("listing the pod's sandboxes", std::move(sandboxes.error())));
  auto containers = co_await runtime.list_containers(context, containers_of_pod);
  if (!containers)
    co_return fail(wrap("listing the pod's containers", std::move(containers.error())));
  co_return listed_pod(std::move(*sandboxes), std::move(*containers));
}

}  // namespace berth::lifecycle
