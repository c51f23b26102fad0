// How large a manifest can be, unless the configuration says less.
#pragma once

#include <cstddef>

namespace berth::api {

// From 10 MiB on a file is not read, as with the kubelet.
inline constexpr std::size_t kManifestBytesLimit = 10485760;
// Ours: a folder of that many pods in one file is a mistake, or meant as one.
inline constexpr std::size_t kManifestDocumentsLimit = 1000;
// Ours: values of one object, each scalar, list and mapping. What berthd decides about a pod takes
// longer the more ports, variables or labels it has, and while it decides no probe runs. A pod of
// the largest kind in use has some 2,000.
inline constexpr std::size_t kManifestValuesLimit = 20000;
// Ours: what each container counts beside its own values. Every status and every plan of a pod goes
// through all of its containers, so that some 190 of them take as long as that many values.
inline constexpr std::size_t kManifestValuesOfContainer = 100;

}  // namespace berth::api
