// SPDX-License-Identifier: Apache-2.0

#include "node/confinement.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace berth::node {
namespace {

constexpr std::string_view kAppArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";
constexpr std::string_view kPodSeccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kSeccompAnnotation = "container.seccomp.security.alpha.kubernetes.io/";
constexpr std::string_view kUnconfined = "unconfined";
constexpr std::string_view kLocalhost = "localhost/";

const std::string* annotation(const api::Pod& pod, const std::string& key) {
  const auto found = pod.metadata.annotations.find(key);
  return found == pod.metadata.annotations.end() ? nullptr : &found->second;
}

std::optional<api::AppArmorProfile> annotated_profile(const api::Pod& pod,
                                                      const api::Container& container) {
  const std::string* value = annotation(pod, std::string(kAppArmorAnnotation) + container.name);
  if (value == nullptr) return std::nullopt;
  if (*value == "runtime/default") return api::AppArmorProfile{.type = "RuntimeDefault"};
  if (*value == kUnconfined) return api::AppArmorProfile{.type = "Unconfined"};
  if (!value->starts_with(kLocalhost)) return std::nullopt;
  return api::AppArmorProfile{.type = "Localhost",
                              .localhostProfile = value->substr(kLocalhost.size())};
}

bool confines(const std::optional<api::AppArmorProfile>& profile) {
  return profile && profile->type != "Unconfined";
}

template <class Visit>
void each_container(const api::Pod& pod, Visit visit) {
  const auto walk = [&visit](const std::vector<api::Container>& list, std::string_view name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      visit(list[i], fmt::format("spec.{}[{}].securityContext", name, i));
    }
  };
  walk(pod.spec.initContainers, "initContainers");
  walk(pod.spec.containers, "containers");
}

// Whether any part of the pod needs AppArmor.
bool asks_for_apparmor(const api::Pod& pod) {
  bool asks = pod.spec.securityContext && confines(pod.spec.securityContext->appArmorProfile);
  each_container(pod, [&asks](const api::Container& container, const std::string&) {
    asks =
        asks || (container.securityContext && confines(container.securityContext->appArmorProfile));
  });
  const auto annotated = [](const auto& entry) {
    return entry.first.starts_with(kAppArmorAnnotation) && entry.second != kUnconfined;
  };
  return asks || std::ranges::any_of(pod.metadata.annotations, annotated);
}

bool is_blank(const std::optional<std::string>& name) {
  return !name || name->find_first_not_of(" \t\n\v\f\r") == std::string::npos;
}

class UnenforcedSettings {
 public:
  void selinux(const std::optional<api::SELinuxOptions>& options, const std::string& path) {
    if (!options) return;
    add(path + ".seLinuxOptions",
        "SELinux is not enabled on the host; the labels have no effect here");
  }
  void windows(const std::optional<api::WindowsSecurityContextOptions>& options,
               const std::string& path) {
    if (options) add(path + ".windowsOptions", "the node runs Linux; they have no effect here");
  }
  // Uses the API server's words.
  void seccomp_annotation(const std::string& key) {
    add(fmt::format("metadata.annotations[{}]", key),
        "non-functional in v1.27+; use the \"seccompProfile\" field instead");
  }

  std::vector<std::string> sentences{};

 private:
  void add(std::string path, std::string_view what) {
    sentences.push_back(fmt::format("{}: {}", std::move(path), what));
  }
};

}  // namespace

std::optional<api::AppArmorProfile> apparmor_profile(const api::Pod& pod,
                                                     const api::Container& container) {
  const auto& own = container.securityContext;
  if (own && own->appArmorProfile) return own->appArmorProfile;
  // An API server copies the annotation to the field; a manifest may have the annotation alone.
  if (auto annotated = annotated_profile(pod, container)) return annotated;
  const auto& pods = pod.spec.securityContext;
  return pods ? pods->appArmorProfile : std::nullopt;
}

std::string apparmor_refusal(const HostConfinement& host, const api::Pod& pod) {
  if (!asks_for_apparmor(pod)) return "";
  if (!host.apparmor) return "AppArmor is not enabled on the host";
  std::string refusal;
  each_container(pod, [&](const api::Container& container, const std::string&) {
    const auto profile = apparmor_profile(pod, container);
    if (!refusal.empty() || !profile || profile->type != "Localhost") return;
    if (is_blank(profile->localhostProfile)) {
      refusal =
          fmt::format("invalid empty AppArmor profile name of container \"{}\"", container.name);
    }
  });
  return refusal;
}

std::vector<std::string> unenforced_settings(const HostConfinement& host, const api::Pod& pod) {
  UnenforcedSettings settings;
  const auto& pods = pod.spec.securityContext;
  const std::string pods_path = "spec.securityContext";
  if (pods && !host.selinux) settings.selinux(pods->seLinuxOptions, pods_path);
  if (pods) settings.windows(pods->windowsOptions, pods_path);
  const std::string key(kPodSeccompAnnotation);
  if (annotation(pod, key) != nullptr && !(pods && pods->seccompProfile)) {
    settings.seccomp_annotation(key);
  }
  each_container(pod, [&](const api::Container& container, const std::string& path) {
    const auto& own = container.securityContext;
    if (own && !host.selinux) settings.selinux(own->seLinuxOptions, path);
    if (own) settings.windows(own->windowsOptions, path);
    const std::string own_key = std::string(kSeccompAnnotation) + container.name;
    if (annotation(pod, own_key) != nullptr && !(own && own->seccompProfile)) {
      settings.seccomp_annotation(own_key);
    }
  });
  return std::move(settings.sentences);
}

}  // namespace berth::node
