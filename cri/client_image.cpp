// SPDX-License-Identifier: Apache-2.0

// The client's calls about images.
#include <algorithm>

#include "base/rpc_error.hpp"
#include "cri/client.hpp"
#include "cri/client_reply.hpp"
#include "cri/connection.hpp"
#include "cri/translate.hpp"

namespace berth::cri {

namespace {

// Lists the failures of several credentials as the kubelet does.
Error all_of(const std::vector<Error>& refusals) {
  if (refusals.size() == 1) return refusals.front();
  std::string list;
  for (const Error& refusal : refusals) {
    if (!list.empty()) list += ", ";
    list += without_unknown(refusal.message);
  }
  return {refusals.back().code, "[" + list + "]"};
}

}  // namespace

Call<Image> CriClient::image_status(Context context, ImageSpec image) {
  pb::ImageStatusRequest request;
  *request.mutable_image() = to_message(image);
  auto call = connection_->image_call<pb::ImageStatusResponse>("ImageStatus", std::move(request),
                                                               limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (!reply->has_image()) {  // CRI's way to report a missing image
    co_return fail(ErrorCode::kNotFound, "image \"" + image.image + "\" is not on this node");
  }
  co_return from_message(reply->image());
}

Call<std::string> CriClient::pull_image(Context context, ImageSpec image,
                                        std::vector<AuthConfig> auth,
                                        PodSandboxConfig sandbox_config) {
  std::vector<Error> refusals;
  const std::size_t attempts = std::max<std::size_t>(auth.size(), 1);  // once without credentials
  for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
    pb::PullImageRequest request;
    *request.mutable_image() = to_message(image);
    if (!auth.empty()) *request.mutable_auth() = to_message(auth[attempt]);
    *request.mutable_sandbox_config() = to_message(sandbox_config);
    auto call = connection_->image_call<pb::PullImageResponse>("PullImage", std::move(request),
                                                               limit(context, std::nullopt));
    const auto reply = co_await std::move(call);
    if (reply) co_return reply->image_ref();
    const Error& refusal = reply.error();
    if (std::find(refusals.begin(), refusals.end(), refusal) == refusals.end()) {
      refusals.push_back(refusal);
    }
    if (refusal.code == ErrorCode::kCancelled) break;  // nobody waits for the image any more
  }
  co_return fail(all_of(refusals));
}

Call<std::vector<Image>> CriClient::list_images(Context context) {
  auto call = connection_->image_call<pb::ListImagesResponse>("ListImages", pb::ListImagesRequest(),
                                                              limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  std::vector<Image> images;
  for (const auto& item : reply->images()) images.push_back(from_message(item));
  co_return images;
}

Call<Done> CriClient::remove_image(Context context, ImageSpec image) {
  pb::RemoveImageRequest request;
  *request.mutable_image() = to_message(image);
  auto call = connection_->image_call<pb::RemoveImageResponse>("RemoveImage", std::move(request),
                                                               limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done_or_gone(reply);
}

// The first file system, as in the kubelet. containerd before 1.7 does not mark the sandbox image
// as pinned; its configuration in the verbose status names it.
Call<ImageStore> CriClient::image_store(Context context) {
  auto call = connection_->image_call<pb::ImageFsInfoResponse>(
      "ImageFsInfo", pb::ImageFsInfoRequest(), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (reply->image_filesystems().empty()) co_return nothing_in("ImageFsInfo", "image file system");
  pb::StatusRequest request;
  request.set_verbose(true);
  auto status_call = connection_->runtime_call<pb::StatusResponse>(
      "Status", std::move(request), limit(context, request_timeout_));
  const auto status = co_await std::move(status_call);
  if (!status) co_return fail(status.error());
  co_return ImageStore{.mountpoint = reply->image_filesystems(0).fs_id().mountpoint(),
                       .sandbox_image = sandbox_image(*status)};
}

}  // namespace berth::cri
