// SPDX-License-Identifier: Apache-2.0

// Windows options. berth runs Linux pods; a manifest for Windows is nevertheless validated as
// Kubernetes does, before it is refused for its os.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::size_t kMostSpecBytes = 65536;
constexpr std::size_t kMostUserBytes = 104;
constexpr std::size_t kMostNetBiosBytes = 15;

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20 || code == 0x7F;
  });
}

// The part of DOMAIN\user before the backslash: a NetBIOS or DNS name.
void check_domain(FieldErrors& errors, const FieldPath& path, const std::string& whole,
                  std::string_view domain) {
  const bool dns = grammar::dns1123_subdomain(to_lower(domain)).empty();
  const bool net_bios = !domain.empty() && domain.size() <= kMostNetBiosBytes &&
                        domain.find_first_of("\\/:*?\"<>|") == domain.npos && domain[0] != '.';
  if (dns || net_bios) return;
  errors.push_back(invalid(path, json_string(whole),
                           "runAsUserName's Domain doesn't match the NetBIOS nor the DNS format"));
}

void check_user_name(FieldErrors& errors, const FieldPath& path, const std::string& whole) {
  if (whole.empty()) {
    errors.push_back(invalid(path, json_string(whole), "runAsUserName cannot be an empty string"));
    return;
  }
  if (has_control_characters(whole)) {
    errors.push_back(
        invalid(path, json_string(whole), "runAsUserName cannot contain control characters"));
    return;
  }
  if (std::count(whole.begin(), whole.end(), '\\') > 1) {
    errors.push_back(
        invalid(path, json_string(whole), "runAsUserName cannot contain more than one backslash"));
    return;
  }
  std::string_view user = whole;
  if (const std::size_t slash = user.find('\\'); slash != user.npos) {
    check_domain(errors, path, whole, user.substr(0, slash));
    user = user.substr(slash + 1);
  }
  if (user.empty()) {
    errors.push_back(invalid(path, json_string(whole), "runAsUserName's User cannot be empty"));
  } else if (user.size() > kMostUserBytes) {
    errors.push_back(invalid(path, json_string(whole),
                             "runAsUserName's User length must not be longer than 104 characters"));
  } else if (user.find_first_not_of(". ") == user.npos) {
    errors.push_back(invalid(path, json_string(whole),
                             "runAsUserName's User cannot contain only periods or spaces"));
  } else if (user.find_first_of("\"/\\[]:;|=,+*?<>@") != user.npos) {
    errors.push_back(invalid(path, json_string(whole),
                             "runAsUserName's User cannot contain the following characters: "
                             "\"/\\:;|=,+*?<>@[]"));
  }
}

bool is_host_process(const Container& container, bool pod_default) {
  if (!container.securityContext || !container.securityContext->windowsOptions) return pod_default;
  return container.securityContext->windowsOptions->hostProcess.value_or(pod_default);
}

void check_same_as_pod(FieldErrors& errors, const FieldPath& path,
                       const std::vector<Container>& containers, bool pod_value) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const auto& context = containers[i].securityContext;
    if (!context || !context->windowsOptions || !context->windowsOptions->hostProcess) continue;
    const bool own = *context->windowsOptions->hostProcess;
    if (own == pod_value) continue;
    errors.push_back(invalid(path / i / "securityContext" / "windowsOptions" / "hostProcess",
                             boolean(own),
                             "pod hostProcess value must be identical if both are specified, was " +
                                 boolean(pod_value).text));
  }
}

}  // namespace

void check_windows_options(FieldErrors& errors, const FieldPath& path,
                           const WindowsSecurityContextOptions& options) {
  if (options.gmsaCredentialSpecName) {
    check_text(errors, path / "gmsaCredentialSpecName", *options.gmsaCredentialSpecName,
               grammar::dns1123_subdomain);
  }
  if (options.gmsaCredentialSpec) {
    const FieldPath at = path / "gmsaCredentialSpec";
    const std::string& text = *options.gmsaCredentialSpec;
    if (text.empty()) {
      errors.push_back(
          invalid(at, json_string(text), "gmsaCredentialSpec cannot be an empty string"));
    } else if (text.size() > kMostSpecBytes) {
      errors.push_back(
          invalid(at, json_string(text), "gmsaCredentialSpec size must be under 64 KiB"));
    }
  }
  if (options.runAsUserName) {
    check_user_name(errors, path / "runAsUserName", *options.runAsUserName);
  }
}

void check_windows_host_process(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  std::optional<bool> pod_value;
  if (spec.securityContext && spec.securityContext->windowsOptions) {
    pod_value = spec.securityContext->windowsOptions->hostProcess;
  }
  if (pod_value) {
    check_same_as_pod(errors, path / "containers", spec.containers, *pod_value);
    check_same_as_pod(errors, path / "initContainers", spec.initContainers, *pod_value);
  }
  std::size_t host = 0;
  for (const auto* list : {&spec.containers, &spec.initContainers}) {
    for (const Container& container : *list) {
      if (is_host_process(container, pod_value.value_or(false))) ++host;
    }
  }
  if (host == 0) return;
  if (host != spec.containers.size() + spec.initContainers.size()) {
    errors.push_back(invalid(path, quoted(""),
                             "If pod contains any hostProcess containers then all containers "
                             "must be HostProcess containers"));
  }
  if (!spec.hostNetwork) {
    errors.push_back(invalid(path / "hostNetwork", boolean(false),
                             "hostNetwork must be true if pod contains any hostProcess "
                             "containers"));
  }
}

}  // namespace berth::api
