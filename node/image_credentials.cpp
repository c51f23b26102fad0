// SPDX-License-Identifier: Apache-2.0

#include "node/image_credentials.hpp"

#include <fnmatch.h>

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/codec/base64.hpp"
#include "api/codec/json_reader.hpp"
#include "api/image_reference.hpp"

namespace berth::node {
namespace {

// Docker's name for entries about its own registry.
constexpr const char* kDefaultRegistry = "index.docker.io";

// By host and path without a scheme; longer matches first.
using Keyring = std::map<std::string, std::vector<cri::AuthConfig>, std::greater<>>;

struct Address {
  std::string host{};
  std::string port{};
  std::string path{};  // with leading slash; may be empty
};

Address parse_address(const std::string& text) {
  const auto slash = text.find('/');
  Address address{.host = text.substr(0, slash),
                  .path = slash == std::string::npos ? "" : text.substr(slash)};
  const auto colon = address.host.rfind(':');
  const auto bracket = address.host.rfind(']');
  if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) {
    address.port = address.host.substr(colon + 1);
    address.host.resize(colon);
  }
  return address;
}

std::vector<std::string> labels_of(const std::string& host) {
  std::vector<std::string> labels;
  std::size_t begin = 0;
  for (;;) {
    const auto dot = host.find('.', begin);
    labels.push_back(host.substr(begin, dot - begin));
    if (dot == std::string::npos) return labels;
    begin = dot + 1;
  }
}

// "*.example.com/team" matches "registry.example.com/team/app": each label of the host separately,
// the path by its prefix.
bool fits(const std::string& pattern, const std::string& image) {
  const Address wanted = parse_address(pattern);
  const Address given = parse_address(image);
  if (wanted.port != given.port || !given.path.starts_with(wanted.path)) return false;
  const auto patterns = labels_of(wanted.host);
  const auto labels = labels_of(given.host);
  if (patterns.size() != labels.size()) return false;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (::fnmatch(patterns[i].c_str(), labels[i].c_str(), 0) != 0) return false;
  }
  return true;
}

// "https://registry.example/v1/team" is the same as "registry.example/team".
std::string key_of(std::string location) {
  for (const std::string scheme : {"https://", "http://"}) {
    if (location.starts_with(scheme)) location.erase(0, scheme.size());
  }
  const auto slash = location.find('/');
  if (slash == std::string::npos) return location;
  std::string path = location.substr(slash);
  if (path.starts_with("/v1/") || path.starts_with("/v2/")) path.erase(0, 3);
  return location.substr(0, slash) + (path == "/" ? "" : path);
}

// base64 of "user:password", which takes precedence over the two fields; `std::nullopt` if
// unreadable.
std::optional<cri::AuthConfig> credentials_of(const api::TreeNode& entry) {
  cri::AuthConfig auth{.username = std::string(entry.string_at("username")),
                       .password = std::string(entry.string_at("password"))};
  std::string encoded(entry.string_at("auth"));
  if (encoded.empty()) return auth;
  while (encoded.size() % 4 != 0) encoded += '=';  // some clients omit the padding
  const auto text = api::from_base64(encoded);
  const auto colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  auth.username = text->substr(0, colon);
  auth.password = text->substr(colon + 1);
  return auth;
}

// The entries by registry: below "auths" in the newer format, the whole document in the older one.
std::optional<std::pair<const api::Bytes*, bool>> docker_config(const api::Secret& secret) {
  for (const auto& [type, key, nested] :
       {std::tuple("kubernetes.io/dockerconfigjson", ".dockerconfigjson", true),
        std::tuple("kubernetes.io/dockercfg", ".dockercfg", false)}) {
    const auto data = secret.data.find(key);
    if (secret.type == type && data != secret.data.end()) return std::pair(&data->second, nested);
  }
  return std::nullopt;
}

std::unexpected<Error> unreadable(const std::string& name, std::string_view why) {
  return fail(ErrorCode::kInvalid,
              fmt::format("the imagePullSecret \"{}\" cannot be read: {}", name, why));
}

Result<bool> add_secret(const api::Secret& secret, Keyring& keyring) {
  const auto config = docker_config(secret);
  if (!config || config->first->data.empty()) return false;
  const std::string& name = secret.metadata.name;
  const auto tree = api::read_json(config->first->data);
  if (!tree) return unreadable(name, "it holds no JSON");
  const api::TreeNode* entries = &tree->root;
  if (config->second) entries = tree->root.find("auths");
  if (entries == nullptr) return false;
  for (const auto& entry : entries->entries) {
    auto auth = credentials_of(entry.value);
    if (!auth) {
      return unreadable(name,
                        "unable to parse auth field, must be formatted as "
                        "base64(username:password)");
    }
    keyring[key_of(entry.key)].push_back(std::move(*auth));
  }
  return true;
}

// "busybox" means Docker's library/busybox.
bool is_dockers(const std::string& name) {
  return name.starts_with("docker.io/") || name.starts_with("index.docker.io/");
}

}  // namespace

Result<std::vector<cri::AuthConfig>> image_credentials(const api::Pod& pod,
                                                       const std::string& image,
                                                       const Objects& objects) {
  std::vector<cri::AuthConfig> credentials;
  Keyring keyring;
  for (const auto& reference : pod.spec.imagePullSecrets) {
    if (reference.name.empty()) continue;
    const auto* secret = objects.secret(pod.metadata.namespace_, reference.name);
    if (secret == nullptr) continue;
    if (auto added = add_secret(*secret, keyring); !added) return fail(added.error());
  }
  const auto parsed = api::parse_image_reference(image);
  if (!parsed) return credentials;
  for (const auto& [key, auths] : keyring) {
    if (!fits(key, parsed->name)) continue;
    credentials.insert(credentials.end(), auths.begin(), auths.end());
  }
  const auto dockers = keyring.find(kDefaultRegistry);
  if (credentials.empty() && is_dockers(parsed->name) && dockers != keyring.end()) {
    credentials = dockers->second;
  }
  return credentials;
}

std::vector<std::string> missing_pull_secrets(const api::Pod& pod, const Objects& objects) {
  std::vector<std::string> missing;
  for (const auto& reference : pod.spec.imagePullSecrets)
    if (!reference.name.empty() &&
        objects.secret(pod.metadata.namespace_, reference.name) == nullptr)
      missing.push_back(reference.name);
  return missing;
}

std::string missing_secrets_message(const std::vector<std::string>& secrets) {
  return fmt::format(
      "Unable to retrieve some image pull secrets ({}); attempting to pull the image may not "
      "succeed.",
      fmt::join(secrets, ", "));
}

}  // namespace berth::node
