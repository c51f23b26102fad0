// SPDX-License-Identifier: Apache-2.0

// Projected volumes: several sources in one directory, whose paths must not collide.
#include "api/validation/validate_go_form.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

// The state of the checks that span all sources of one volume.
struct Projection {
  FieldErrors& errors;
  const FieldPath& volume;  // the path of the projected volume
  std::set<std::string> paths{};

  void take(const std::string& path, std::string_view shown) {
    if (path.empty()) return;
    if (!paths.insert(path).second) {
      errors.push_back(invalid(volume, quoted(shown), "conflicting duplicate paths"));
    }
  }
};

template <class Source>
void check_keyed_source(Projection& projection, const FieldPath& path, const Source& source) {
  require(projection.errors, path / "name", source.name);
  check_keys_to_paths(projection.errors, path / "items", source.items);
  for (const KeyToPath& item : source.items) projection.take(item.path, source.name);
}

void check_downward(Projection& projection, const FieldPath& path,
                    const DownwardAPIProjection& source) {
  for (const DownwardAPIVolumeFile& file : source.items) {
    check_downward_file(projection.errors, path, file);
    projection.take(file.path, file.path);
  }
}

// The path of a token source is reported as a field of the volume itself, and is not recorded as
// used.
void check_token(Projection& projection, const FieldPath& path,
                 const ServiceAccountTokenProjection& token) {
  constexpr std::int64_t kLeastSeconds = 600;
  constexpr std::int64_t kMostSeconds = std::int64_t{1} << 32;
  const std::int64_t seconds = token.expirationSeconds.value_or(3600);
  if (seconds < kLeastSeconds) {
    projection.errors.push_back(invalid(path / "expirationSeconds", number(seconds),
                                        "may not specify a duration less than 10 minutes"));
  }
  if (seconds > kMostSeconds) {
    projection.errors.push_back(invalid(path / "expirationSeconds", number(seconds),
                                        "may not specify a duration larger than 2^32 seconds"));
  }
  if (token.path.empty()) {
    projection.errors.push_back(required(projection.volume / "path"));
  } else {
    check_local_path(projection.errors, projection.volume / "path", token.path);
  }
}

bool is_signer_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == name.npos || name.find('/', slash + 1) != name.npos) return false;
  const std::string_view domain = name.substr(0, slash);
  const std::string_view rest = name.substr(slash + 1);
  return domain.find('.') != domain.npos && grammar::dns1123_subdomain(domain).empty() &&
         grammar::dns1123_subdomain(rest).empty();
}

void check_trust_bundle(Projection& projection, const FieldPath& path,
                        const ClusterTrustBundleProjection& bundle) {
  FieldErrors& errors = projection.errors;
  const bool has_name = !bundle.name.value_or("").empty();
  const bool has_signer = !bundle.signerName.value_or("").empty();
  if (has_name && has_signer) {
    errors.push_back(
        invalid(path, json_text(go_form(bundle)), "only one of name and signerName may be used"));
  } else if (has_name) {
    check_text(errors, path / "name", *bundle.name, grammar::dns1123_subdomain);
  } else if (has_signer) {
    if (!is_signer_name(*bundle.signerName)) {
      errors.push_back(invalid(path / "signerName", json_string(*bundle.signerName),
                               "must be a fully qualified domain and path of the form "
                               "'example.com/signer-name'"));
    }
    if (bundle.labelSelector) {
      check_label_selector(errors, path / "labelSelector", *bundle.labelSelector);
    }
  } else {
    errors.push_back(required(path, "either name or signerName must be specified"));
  }
  if (bundle.path.empty()) {
    errors.push_back(required(path / "path"));
  } else {
    check_local_path(errors, path / "path", bundle.path);
    projection.take(bundle.path, bundle.path);
  }
}

// Each kind of a source is checked, even if there are too many.
void check_source(Projection& projection, const FieldPath& path, const VolumeProjection& source) {
  int kinds = source.podCertificate ? 1 : 0;
  const auto counts = [&kinds](bool present) {
    kinds += present ? 1 : 0;
    return present;
  };
  if (counts(source.secret.has_value())) {
    check_keyed_source(projection, path / "secret", *source.secret);
  }
  if (counts(source.configMap.has_value())) {
    check_keyed_source(projection, path / "configMap", *source.configMap);
  }
  if (counts(source.downwardAPI.has_value())) {
    check_downward(projection, path / "downwardAPI", *source.downwardAPI);
  }
  if (counts(source.serviceAccountToken.has_value())) {
    check_token(projection, path / "serviceAccountToken", *source.serviceAccountToken);
  }
  if (counts(source.clusterTrustBundle.has_value())) {
    check_trust_bundle(projection, path / "clusterTrustBundle", *source.clusterTrustBundle);
  }
  if (kinds > 1) {
    projection.errors.push_back(
        forbidden(path, "may not specify more than 1 volume type per source"));
  }
}

}  // namespace

void check_projected_volume(FieldErrors& errors, const FieldPath& path,
                            const ProjectedVolumeSource& projected) {
  check_file_mode(errors, path / "defaultMode", projected.defaultMode);
  Projection projection{.errors = errors, .volume = path};
  for (std::size_t i = 0; i < projected.sources.size(); ++i) {
    check_source(projection, path / "sources" / i, projected.sources[i]);
  }
}

}  // namespace berth::api
