// Images, and what a runtime says about itself.
#include <boost/json.hpp>

#include "cri/translate.hpp"
#include "cri/translate_parts.hpp"

namespace berth::cri {

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
              .size = message.size(),
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
                                 .reason = condition.reason(),
                                 .message = condition.message()});
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
    default:  // a driver newer than we are
      return std::nullopt;
  }
}

std::string sandbox_image(const pb::StatusResponse& message) {
  const auto config = message.info().find("config");
  if (config == message.info().end()) return {};
  boost::system::error_code bad;
  const auto parsed = boost::json::parse(config->second, bad);
  if (bad || !parsed.is_object()) return {};
  const auto* image = parsed.as_object().if_contains("sandboxImage");
  return image != nullptr && image->is_string() ? std::string(image->as_string()) : std::string();
}

}  // namespace berth::cri
