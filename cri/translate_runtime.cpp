// SPDX-License-Identifier: Apache-2.0

// Images, and a runtime's report about itself.
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include <boost/json.hpp>

#include "base/text.hpp"
#include "cri/translate.hpp"
#include "cri/translate_parts.hpp"

namespace berth::cri {
namespace {

// containerd's configuration is eight levels deep.
constexpr std::size_t kConfigurationDepth = 64;
// More than any image has; the sum of thousands of them is a number of 64 bits.
constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 50;

}  // namespace

pb::ImageSpec to_message(const ImageSpec& image) {
  pb::ImageSpec message;
  message.set_image(image.image);
  copy_to(image.annotations, message.mutable_annotations());
  message.set_user_specified_image(image.user_specified_image);
  message.set_runtime_handler(image.runtime_handler);
  return message;
}

ImageSpec from_message(const pb::ImageSpec& message) {
  return {.image = message.image(),
          .annotations = map_from(message.annotations()),
          .user_specified_image = message.user_specified_image(),
          .runtime_handler = message.runtime_handler()};
}

pb::AuthConfig to_message(const AuthConfig& auth) {
  pb::AuthConfig message;
  message.set_username(auth.username);
  message.set_password(auth.password);
  message.set_auth(auth.auth);
  message.set_server_address(auth.server_address);
  message.set_identity_token(auth.identity_token);
  message.set_registry_token(auth.registry_token);
  return message;
}

Image from_message(const pb::Image& message) {
  Image image{.id = message.id(),
              .repo_tags = list_from(message.repo_tags()),
              .repo_digests = list_from(message.repo_digests()),
              .size = std::min(message.size(), kLargestImage),
              .username = message.username(),
              .pinned = message.pinned()};
  if (message.has_uid()) image.uid = message.uid().value();
  return image;
}

Version from_message(const pb::VersionResponse& message) {
  return {.runtime_name = message.runtime_name(),
          .runtime_version = message.runtime_version(),
          .runtime_api_version = message.runtime_api_version()};
}

RuntimeStatus from_message(const pb::StatusResponse& message) {
  RuntimeStatus status{.supplemental_groups_policy =
                           message.features().supplemental_groups_policy()};
  for (const auto& condition : message.status().conditions()) {
    status.conditions.push_back({.type = condition.type(),
                                 .status = condition.status(),
                                 .reason = valid_text(condition.reason()),
                                 .message = valid_text(condition.message())});
  }
  for (const auto& handler : message.runtime_handlers()) {
    status.handlers.push_back(
        {.name = handler.name(),
         .recursive_read_only_mounts = handler.features().recursive_read_only_mounts(),
         .user_namespaces = handler.features().user_namespaces()});
  }
  return status;
}

std::optional<std::string> cgroup_driver(const pb::RuntimeConfigResponse& message) {
  if (!message.has_linux()) return std::nullopt;
  switch (message.linux().cgroup_driver()) {
    case pb::SYSTEMD:
      return "systemd";
    case pb::CGROUPFS:
      return "cgroupfs";
    default:  // a newer driver
      return std::nullopt;
  }
}

namespace {

// The runtime's configuration from a verbose status; null if there is none or it cannot be parsed.
boost::json::value configuration(const pb::StatusResponse& message) {
  const auto config = message.info().find("config");
  if (config == message.info().end()) return nullptr;
  boost::system::error_code bad;
  auto parsed = boost::json::parse(config->second, bad, {}, {.max_depth = kConfigurationDepth});
  return bad ? boost::json::value() : parsed;
}

// The member at a path of names; null if there is none.
const boost::json::value* member(const boost::json::value& object,
                                 std::initializer_list<std::string_view> path) {
  const boost::json::value* at = &object;
  for (const std::string_view name : path) {
    const auto* inside = at == nullptr ? nullptr : at->if_object();
    at = inside == nullptr ? nullptr : inside->if_contains(name);
  }
  return at;
}

std::string text_at(const boost::json::value& object,
                    std::initializer_list<std::string_view> path) {
  const auto* value = member(object, path);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

}  // namespace

std::string sandbox_image(const pb::StatusResponse& message) {
  return text_at(configuration(message), {"sandboxImage"});
}

RuntimeSetup setup_from(const pb::StatusResponse& message) {
  const boost::json::value config = configuration(message);
  RuntimeSetup setup{.status = from_message(message),
                     .default_handler = text_at(config, {"containerd", "defaultRuntimeName"}),
                     .sandbox_image = text_at(config, {"sandboxImage"}),
                     .cni_conf_dir = text_at(config, {"cni", "confDir"})};
  const auto* systemd =
      member(config, {"containerd", "runtimes", setup.default_handler, "options", "SystemdCgroup"});
  if (systemd != nullptr && systemd->is_bool())
    setup.cgroup_driver = systemd->as_bool() ? "systemd" : "cgroupfs";
  const auto* restricts = member(config, {"restrictOOMScoreAdj"});
  if (restricts != nullptr && restricts->is_bool())
    setup.restricts_oom_scores = restricts->as_bool();
  return setup;
}

}  // namespace berth::cri
