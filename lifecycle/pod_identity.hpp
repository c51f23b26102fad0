// SPDX-License-Identifier: Apache-2.0

// When two pods are the same wish: by name, and by what their manifest said.
//
// An edit of a manifest gives another uid, unless the manifest states one itself, or a kubelet gave
// it: then the annotation kAnnotationManifest tells one text from another. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"

namespace berth::lifecycle {

[[nodiscard]] bool same_name(const api::Pod& a, const api::Pod& b);

// Compares two pods of one uid. A pod without the annotation, which an earlier version created,
// counts as unchanged: what runs is left alone.
[[nodiscard]] bool is_edited(const api::Pod& had, const api::Pod& wished);

// Which incarnation of its manifest a pod is, by its annotation; 1 without one.
[[nodiscard]] std::uint64_t incarnation_of(const api::Pod& pod);

// What its handling is recorded as (in_hand.hpp): an edited pod is another one, its uid may not be.
[[nodiscard]] std::string handled_as(const api::Pod& pod);

}  // namespace berth::lifecycle
