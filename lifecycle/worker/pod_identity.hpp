// SPDX-License-Identifier: Apache-2.0

// When two pods are the same desired pod: by name, and by the text of their manifest.
//
// An edited manifest yields another uid, unless the manifest states the uid itself or a kubelet
// assigned it: then the annotation kAnnotationManifest distinguishes the texts. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"

namespace berth::lifecycle {

[[nodiscard]] bool same_name(const api::Pod& a, const api::Pod& b);

// Compares two pods with the same uid. A pod without the annotation, which an earlier version
// created, counts as unchanged, so that what runs is left alone.
[[nodiscard]] bool is_edited(const api::Pod& had, const api::Pod& desired);

// Which incarnation of its manifest a pod is, by its annotation; 1 without one.
[[nodiscard]] std::uint64_t incarnation_of(const api::Pod& pod);

// The key under which its handling is recorded (in_hand.hpp). An edited pod has another key, even
// if its uid is the same.
[[nodiscard]] std::string handled_as(const api::Pod& pod);

}  // namespace berth::lifecycle
