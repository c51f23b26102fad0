// SPDX-License-Identifier: Apache-2.0

#include "api/manifest/static_pod.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/codec/json_text.hpp"
#include "api/defaults.hpp"
#include "api/label_keys.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

// Fields that the API prints even if empty: they carry no information about the pod, and another
// version may print more of them.
bool is_filler(std::string_view key, const boost::json::value& value) {
  constexpr std::string_view kAlwaysPrinted[] = {"metadata", "resources", "spec", "status"};
  if (value.is_null() || (value.is_array() && value.as_array().empty())) return true;
  const auto* object = value.if_object();
  return object != nullptr && object->empty() &&
         std::find(std::begin(kAlwaysPrinted), std::end(kAlwaysPrinted), key) !=
             std::end(kAlwaysPrinted);
}

// The same value with the keys of every object in byte order, and without filler.
boost::json::value canonical(const boost::json::value& value) {
  if (const auto* list = value.if_array()) {
    boost::json::array items;
    for (const boost::json::value& item : *list) items.push_back(canonical(item));
    return items;
  }
  const auto* object = value.if_object();
  if (object == nullptr) return value;
  std::map<std::string, boost::json::value> members;
  for (const auto& member : *object) {
    boost::json::value inner = canonical(member.value());
    if (!is_filler(member.key(), inner)) members.emplace(member.key(), std::move(inner));
  }
  boost::json::object result;
  for (auto& [key, inner] : members) result[key] = std::move(inner);
  return result;
}

void add(MD5_CTX& digest, std::string_view text) {
  MD5Update(&digest, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

// Static pods stay on the node when it is drained: each stated toleration that differs at most in
// its seconds would end with them.
void tolerate_no_execute(std::vector<Toleration>& tolerations) {
  const Toleration wanted{.operator_ = "Exists", .effect = "NoExecute"};
  bool stated = false;
  for (Toleration& toleration : tolerations) {
    const bool same = toleration.key == wanted.key && toleration.value == wanted.value &&
                      toleration.operator_ == wanted.operator_ &&
                      toleration.effect == wanted.effect;
    if (!same) continue;
    toleration.tolerationSeconds.reset();
    stated = true;
  }
  if (!stated) tolerations.push_back(wanted);
}

}  // namespace

StatedDigest::StatedDigest(const Pod& stated) {
  MD5Init(&so_far_);
  add(so_far_, compact_json(canonical(to_json(stated))));
}

std::string StatedDigest::uid(const StaticPodIdentity& identity) const {
  MD5_CTX digest = so_far_;
  add(digest, "host:" + identity.node_name);
  add(digest, "file:" + identity.file_name);
  if (identity.incarnation > 1) add(digest, "incarnation:" + std::to_string(identity.incarnation));
  std::array<char, MD5_DIGEST_STRING_LENGTH> hex{};
  MD5End(&digest, hex.data());
  return hex.data();
}

std::string static_pod_uid(const Pod& stated, const StaticPodIdentity& identity) {
  return StatedDigest(stated).uid(identity);
}

void set_static_uid(Pod& pod, std::string uid) {
  pod.metadata.annotations[std::string(kConfigHash)] = uid;
  pod.metadata.uid = std::move(uid);
}

Pod make_static_pod(const Pod& stated, const StaticPodIdentity& identity, ManifestRules rules) {
  Pod pod = stated;
  ObjectMeta& meta = pod.metadata;
  std::string uid = meta.uid;
  if (uid.empty()) uid = identity.uid ? *identity.uid : static_pod_uid(stated, identity);
  set_static_uid(pod, std::move(uid));
  meta.name += "-" + to_lower(identity.node_name);
  if (meta.namespace_.empty()) meta.namespace_ = "default";
  // Otherwise the node is set at admission.
  if (rules == ManifestRules::kKubelet) pod.spec.nodeName = identity.node_name;
  tolerate_no_execute(pod.spec.tolerations);
  pod.status.phase = "Pending";
  apply_defaults(pod);
  if (rules == ManifestRules::kBerth) prepare_new_pod(pod);
  return pod;
}

void stamp_source(Pod& pod, std::string_view source, const Time& seen) {
  pod.metadata.annotations[std::string(kConfigSource)] = source;
  std::array<char, 16> fraction{};
  const auto rest = seen.at - std::chrono::floor<std::chrono::seconds>(seen.at);
  std::snprintf(fraction.data(), fraction.size(), ".%09lldZ", static_cast<long long>(rest.count()));
  std::string text = seen.to_string();
  text.pop_back();  // the 'Z' comes after the fraction
  pod.metadata.annotations[std::string(kConfigSeen)] = text + fraction.data();
}

}  // namespace berth::api
