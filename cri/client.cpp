// SPDX-License-Identifier: Apache-2.0

#include "cri/client.hpp"

#include <algorithm>

#include "cri/client_reply.hpp"
#include "cri/connection.hpp"
#include "cri/translate.hpp"

namespace berth::cri {
namespace {

// Every runtime implements Version. "unknown service" instead means a containerd configured without
// CRI, as Docker's packages do, or one older than CRI v1.
Error explained(Error error) {
  if (error.code != ErrorCode::kUnimplemented) return error;
  error.message +=
      "; it answers, but its CRI plugin is disabled: take \"cri\" out of the line "
      "disabled_plugins in /etc/containerd/config.toml and restart containerd (one older than 1.6 "
      "has no CRI v1, and must be replaced)";
  return error;
}

}  // namespace

CriClient::CriClient(Clock& clock, std::shared_ptr<Connection> connection,
                     Nanoseconds request_timeout)
    : clock_(clock), connection_(std::move(connection)), request_timeout_(request_timeout) {}

CriClient::~CriClient() = default;

std::optional<Nanoseconds> CriClient::limit(const Context& context,
                                            std::optional<Nanoseconds> own) const {
  if (!context.deadline) return own;
  const Nanoseconds left = *context.deadline - clock_.steady_now();
  return own ? std::min(*own, left) : left;
}

Call<Version> CriClient::version(Context context) {
  auto call = connection_->runtime_call<pb::VersionResponse>("Version", pb::VersionRequest(),
                                                             limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(explained(reply.error()));
  co_return from_message(*reply);
}

Call<RuntimeStatus> CriClient::status(Context context) {
  auto call = connection_->runtime_call<pb::StatusResponse>("Status", pb::StatusRequest(),
                                                            limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  co_return from_message(*reply);
}

Call<RuntimeSetup> CriClient::setup(Context context) {
  const Nanoseconds within = limit(context, request_timeout_).value_or(request_timeout_);
  auto detection = detect_features(connection_, within);
  const auto features = co_await std::move(detection);
  if (!features) co_return fail(features.error());
  pb::StatusRequest verbose;
  verbose.set_verbose(true);
  auto call = connection_->runtime_call<pb::StatusResponse>("Status", verbose, within);
  const auto status = co_await std::move(call);
  if (!status && status.error().code != ErrorCode::kUnimplemented) co_return fail(status.error());
  RuntimeSetup setup;
  if (status) setup = setup_from(*status);
  setup.version = features->version;
  if (features->cgroup_driver) setup.cgroup_driver = features->cgroup_driver;
  co_return setup;
}

Call<Features> detect_features(std::shared_ptr<Connection> connection, Nanoseconds limit) {
  Features features;
  auto version_call =
      connection->runtime_call<pb::VersionResponse>("Version", pb::VersionRequest(), limit);
  const auto version = co_await std::move(version_call);
  if (!version) co_return fail(explained(version.error()));
  features.version = from_message(*version);
  auto config_call = connection->runtime_call<pb::RuntimeConfigResponse>(
      "RuntimeConfig", pb::RuntimeConfigRequest(), limit);
  const auto config = co_await std::move(config_call);
  if (config) features.cgroup_driver = cgroup_driver(*config);
  if (!config && config.error().code != ErrorCode::kUnimplemented) co_return fail(config.error());
  co_return features;
}

}  // namespace berth::cri
