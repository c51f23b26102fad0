// SPDX-License-Identifier: Apache-2.0

// Default limits on the size of a manifest.
#pragma once

#include <cstddef>

namespace berth::api {

// A file of 10 MiB or more is not read, as with the kubelet.
inline constexpr std::size_t kManifestBytesLimit = 10485760;
// berth's own limit: bytes of all files of the folder together, which berthd holds in memory.
inline constexpr std::size_t kManifestFolderBytesLimit = 67108864;
// berth's own limit: so many pods in one file are a mistake or an attack.
inline constexpr std::size_t kManifestDocumentsLimit = 1000;
// berth's own limit, per object; each scalar, list and mapping counts as a value. The more ports,
// variables or labels a pod has, the longer berthd takes to decide about it, and no probe runs
// meanwhile. The largest pods in practical use have some 2,000 values.
inline constexpr std::size_t kManifestValuesLimit = 20000;
// berth's own: values counted for each container in addition to its actual ones. Every status and
// plan of a pod iterates over all of its containers; some 190 of them cost as much as
// kManifestValuesLimit values.
inline constexpr std::size_t kManifestValuesOfContainer = 100;

}  // namespace berth::api
